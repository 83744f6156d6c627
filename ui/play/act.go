package play

import (
	"context"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/english"
	"boneyard/ui/page"
	"boneyard/ui/plain"
)

// do sends the table a command; a refusal is shown to the player.
func (p *Page) do(c table.Command) tea.Cmd {
	club, id := p.club, p.id
	return p.env.Do(func(ctx context.Context) error { return club.Do(ctx, id, c) })
}

// key handles a key while no line is typed.
func (p *Page) key(msg tea.KeyPressMsg) tea.Cmd {
	v := p.view
	switch {
	case v == nil:
		return nil
	case v.State == table.Closed:
		return p.compareKey(msg)
	case key.Matches(msg, keyTalk):
		p.talk()
		return nil
	case p.moves: // nobody may play what is not on the screen
		p.movesKey(msg)
		return nil
	case v.InGame() && key.Matches(msg, keyEarlier):
		p.past = stepped(v, p.past, -1)
		return nil
	case p.past != moment{}: // nor what is not on the board
		return p.pastKey(msg)
	case v.InGame() && key.Matches(msg, keyMoves):
		p.moves, p.back = true, 0
		return nil
	case key.Matches(msg, keyInvite):
		return p.invite()
	case stageOf(v) == finished && key.Matches(msg, compareKeys(v)...):
		return p.compareKey(msg)
	case v.POV == 0:
		return p.watcherKey(msg)
	}
	switch stageOf(v) {
	case playing:
		return p.playKey(msg)
	case scoring:
		switch {
		case key.Matches(msg, keyNext):
			return p.do(table.Continue{})
		case key.Matches(msg, keyResign):
			return p.askResign()
		}
		return nil
	case finished:
		switch {
		case key.Matches(msg, keyRematch):
			return p.do(table.Rematch{})
		case key.Matches(msg, keyReplay):
			return page.Open(page.Target{Kind: page.Replay, Game: v.Game})
		}
	case gathering:
		if key.Matches(msg, keyReady) {
			return p.do(table.Ready{On: !v.Own().Ready})
		}
	}
	return p.seatKey(msg)
}

// movesKey scrolls the list of moves turn by turn, or closes it.
func (p *Page) movesKey(msg tea.KeyPressMsg) {
	most, half := p.picture().movesBack(), max(p.Height/2, 1)
	switch s := msg.String(); {
	case key.Matches(msg, keyScroll):
		by := map[string]int{"up": 1, "down": -1, "pgup": half, "pgdown": -half}[s]
		p.back = max(min(p.back+by, most), 0)
	default:
		p.moves = false
	}
}

// pastKey handles keys while an earlier board is shown. Those that choose a tile return to the present board.
func (p *Page) pastKey(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, keyLater), msg.String() == "right":
		p.past = stepped(p.view, p.past, 1)
	case msg.String() == "left":
		p.past = stepped(p.view, p.past, -1)
	default:
		p.past = moment{}
		if !key.Matches(msg, keyNow) {
			return p.key(msg)
		}
	}
	return nil
}

// compareKey leads to the page on which the games of the table's event are compared, also whoever has stood up.
func (p *Page) compareKey(msg tea.KeyPressMsg) tea.Cmd {
	e := &p.view.Config.Event
	if !key.Matches(msg, compareKeys(p.view)...) {
		return nil
	}
	to := page.Target{Kind: page.Duplicate, Event: e.ID}
	switch {
	case e.Solo:
		to = page.Target{Kind: page.Daily}
	case e.Field:
		to.Kind = page.Field
	}
	return page.Send(page.GotoMsg{To: to, Replace: true})
}

// watcherKey handles the keys of somebody who only watches.
func (p *Page) watcherKey(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, keyAfter):
		return p.other(1)
	case key.Matches(msg, keyBefore):
		return p.other(-1)
	case key.Matches(msg, keyBest):
		club := p.club
		return p.env.Call(func(ctx context.Context) tea.Msg {
			at, err := club.BestGame(ctx)
			return bestMsg{at, err}
		})
	case key.Matches(msg, keyFollow):
		return p.followNext()
	case stageOf(p.view) == playing && key.Matches(msg, keyKnown):
		p.toggled = !p.toggled
	case stageOf(p.view) == finished && key.Matches(msg, keyReplay):
		return page.Open(page.Target{Kind: page.Replay, Game: p.view.Game})
	case p.offered().sits:
		return p.seatKey(msg)
	case key.Matches(msg, keySit) && (p.view.HasRoom() || p.view.MayTake(table.Reader{})): // to anybody: the table says why not to this one
		return p.do(table.Sit{})
	case p.takes() && key.Matches(msg, keyStand):
		return p.do(table.Stand{})
	}
	return nil
}

// other goes to the next or previous table that may be watched.
func (p *Page) other(by int) tea.Cmd {
	tables := p.club.Snapshot().Tables
	at := -1
	for i := range tables {
		if tables[i].Table == p.id {
			at = i
		}
	}
	if at < 0 && by > 0 {
		at = len(tables) - 1 // so that the first is next
	}
	for range tables {
		at = (at + by + len(tables)) % len(tables)
		if t := &tables[at]; t.Table != p.id && t.Config.Watchers && t.State != table.Closed {
			return p.leadTo(t.Table)
		}
	}
	return page.Send(page.Say("There is no other table to watch."))
}

// playKey handles keys while a round is played.
func (p *Page) playKey(msg tea.KeyPressMsg) tea.Cmd {
	v := p.view
	switch {
	case key.Matches(msg, keyResign):
		return p.askResign()
	case key.Matches(msg, keyBell):
		return p.ring()
	case key.Matches(msg, keyPause):
		return p.do(table.Pause{On: v.State != table.Paused})
	case key.Matches(msg, keyStandIn):
		return p.vote(table.VoteBot)
	case key.Matches(msg, keyAdjourn):
		return p.vote(table.VoteAdjourn)
	case key.Matches(msg, keyClaim):
		return p.vote(table.VoteClaim)
	case key.Matches(msg, keyHint) && v.MayHint():
		return tea.Batch(p.do(table.TakeHints{}), page.Send(page.Say(plain.Hint(v))))
	case v.MyMove():
		return p.moveKey(msg)
	case key.Matches(msg, keyReturn) && v.Replaced():
		return p.do(table.Return{})
	}
	return nil
}

func (p *Page) vote(what table.Vote) tea.Cmd {
	if !p.view.MayVote(what, p.env.Now()) {
		return nil
	}
	return p.do(table.CastVote{Vote: what, On: true})
}

func (p *Page) askResign() tea.Cmd {
	return page.Send(page.AskMsg{Question: lost(p.view), Then: resignMsg{}})
}

// lost asks whether the player means to resign, and says what that loses.
func lost(v *table.View) string {
	if v.Own().Resigns {
		return "You asked to resign. Take that back and play on? "
	}
	rating := ""
	if v.Rated {
		rating = ", and rating points"
	}
	others, partner := 0, rules.Seat(0)
	for i := range v.Seats {
		n := rules.Seat(i + 1)
		switch s := &v.Seats[i]; {
		case n == v.POV || s.House != "" || s.Player.ID == 0:
		case v.Play.SideOf(n) == v.Play.SideOf(v.POV):
			partner = n
		default:
			others++
		}
	}
	switch {
	case partner != 0 && v.Seats[partner-1].Presence == table.Absent:
		return "Resign? Your side loses the game" + rating + ". "
	case partner != 0 && v.Seats[partner-1].Resigns:
		return v.Seats[partner-1].Name() + " wants to resign. Agree? Your side loses the game" + rating + ". "
	case partner != 0:
		return "Resign? If " + v.Seats[partner-1].Name() + " agrees, your side loses the game" + rating + ". "
	case others == 0:
		return "Resign? Nobody else plays: the game ends without a result. "
	case v.Play.Sides() == 2 && (v.Rated || v.Config.Event.ID != 0), v.Config.Absence == table.AbsenceForfeit:
		return "Resign? You lose the game" + rating + ". "
	}
	return "Resign? You lose your seat in this game" + rating + "; a bot plays on. "
}

// moveKey handles the keys that choose a tile and an end, and that play.
func (p *Page) moveKey(msg tea.KeyPressMsg) tea.Cmd {
	v := &p.view.Play
	s := msg.String()
	switch {
	case p.sending:
	case key.Matches(msg, keyDrop):
		p.pick = nothing
	case key.Matches(msg, keyTile):
		if s == "left" {
			p.pick.step(v, -1)
		} else {
			p.pick.step(v, 1)
		}
	case key.Matches(msg, keyEnd):
		switch s {
		case "up", "down":
			p.pick.point(v, s == "up", p.picture().arm)
		case "shift+tab":
			p.pick.turn(v, -1)
		default:
			p.pick.turn(v, 1)
		}
	case key.Matches(msg, keyArm):
		if chosen := p.pick.tile != rules.NoTile; !p.pick.letter(v, s, p.picture().arm) && chosen {
			return page.Send(page.Say(p.pick.tile.Name() + " does not fit there."))
		}
	case key.Matches(msg, keyDigit):
		if t := p.pick.digit(v, s[0]); t != rules.NoTile {
			return page.Send(page.Say(english.Unplayable(v, t)))
		}
	case key.Matches(msg, keyPlay):
		return p.enter()
	}
	return nil
}

// enter plays the chosen tile. Without a choice it makes one, to be played by the next press; if a tile fits several ends, it
// takes the one proposed first. It need not ask about the end of its own choice if the tile scores the same everywhere.
func (p *Page) enter() tea.Cmd {
	v := p.view
	o, ok := p.pick.option(&v.Play)
	switch {
	case !ok:
		p.pick.step(&v.Play, 1)
		p.pick.sure = p.pick.sure || scoreAlike(&v.Play, p.pick.tile)
		return nil
	case !p.pick.sure:
		p.pick.sure, p.pick.typed = true, ""
		return nil
	}
	p.sending = true
	c := table.Move{
		Version: v.Version,
		Move:    rules.Move{Seat: v.POV, Kind: rules.Play, Tile: o.Tile, Arm: o.Arm},
	}
	club, id := p.club, p.id
	return p.env.Call(func(ctx context.Context) tea.Msg { return answeredMsg{club.Do(ctx, id, c)} })
}

// scoreAlike reports whether a tile scores the same at every end it fits.
func scoreAlike(v *rules.View, t rules.Tile) bool {
	all := ends(v, t)
	return len(all) > 0 && !slices.ContainsFunc(all, func(e rules.Option) bool { return e.Points != all[0].Points })
}
