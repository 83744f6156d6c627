package play

import (
	"context"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/screen"
)

// do sends the table a command; a refusal is shown to the player.
func (p *Page) do(c table.Command) tea.Cmd {
	club, id := p.club, p.id
	return p.env.Do(func(ctx context.Context) error { return club.Do(ctx, id, c) })
}

// key handles a key while no line is typed.
func (p *Page) key(msg tea.KeyPressMsg) tea.Cmd {
	v := p.view
	if v == nil || v.State == table.Closed {
		return nil
	}
	switch {
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
		case v.Config.Event.Solo && key.Matches(msg, keyDay):
			return page.Send(page.GotoMsg{To: page.Target{Kind: page.Daily}, Replace: true})
		case v.Config.Event.Sealed && key.Matches(msg, keyMatch):
			kind := page.Duplicate
			if v.Config.Event.Field {
				kind = page.Field
			}
			return page.Send(page.GotoMsg{To: page.Target{Kind: kind, Event: v.Config.Event.ID}, Replace: true})
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
	case p.view.MaySit():
		return p.seatKey(msg)
	case mayTake(p.view) && key.Matches(msg, keySit):
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

// seatKey handles the keys that change seats before and after a game.
func (p *Page) seatKey(msg tea.KeyPressMsg) tea.Cmd {
	v := p.view
	n := len(v.Seats)
	switch {
	case key.Matches(msg, keySeats):
		by := 1
		if s := msg.String(); s == "up" || s == "left" {
			by = n - 1
		}
		switch {
		case p.seat != 0:
			p.seat = rules.Seat((int(p.seat)-1+by)%n + 1)
		case v.POV != 0:
			p.seat = rules.Seat((int(v.POV)-1+by)%n + 1)
		default:
			p.seat = 1
		}
	case key.Matches(msg, keySit), p.seat != 0 && v.POV == 0 && msg.String() == "enter":
		return p.do(table.Sit{Seat: p.seat, Code: v.Code})
	case key.Matches(msg, keyDrop):
		p.seat = 0
	case v.POV == 0:
	case key.Matches(msg, keyStand):
		if p.seat != 0 && p.seat != v.POV && v.Seats[p.seat-1].Player.ID != 0 {
			return p.do(table.Unseat{Seat: p.seat})
		}
		return p.do(table.Stand{})
	case key.Matches(msg, keySwap):
		return p.swap()
	case key.Matches(msg, keyBot):
		return p.bot()
	}
	return nil
}

// swap grants another player's request, or asks for the selected seat.
func (p *Page) swap() tea.Cmd {
	v := p.view
	with := p.seat
	switch {
	case v.Swap.With == v.POV && v.Swap.From != 0:
		with = v.Swap.From
	case len(v.Seats) == 2:
		with = v.POV.Next(2)
	}
	if with == 0 || with == v.POV {
		return page.Send(page.Say("Choose the other seat with the arrows first."))
	}
	return p.do(table.Swap{With: with})
}

// bot puts a bot on the selected seat, or on the first free one. A bot that is already there gets the next strength, and finally leaves.
func (p *Page) bot() tea.Cmd {
	v := p.view
	seat := p.seat
	for i := range v.Seats {
		if seat == 0 && v.Seats[i].Free() {
			seat = rules.Seat(i + 1)
		}
	}
	for i := range v.Seats {
		if seat == 0 && v.Seats[i].House != "" {
			seat = rules.Seat(i + 1)
		}
	}
	if seat == 0 {
		return page.Send(page.Say("No seat is free for a bot."))
	}
	club, id := p.club, p.id
	switch s := &v.Seats[seat-1]; {
	case s.Free():
		return p.do(table.AddBot{Seat: seat, Strength: table.Regular})
	case s.House != "":
		next := strengthAfter(s.House)
		if next == "" {
			return p.do(table.RemoveBot{Seat: seat})
		}
		return p.env.Do(func(ctx context.Context) error {
			if err := club.Do(ctx, id, table.RemoveBot{Seat: seat}); err != nil {
				return err
			}
			return club.Do(ctx, id, table.AddBot{Seat: seat, Strength: next})
		})
	}
	return page.Send(page.Say("A player sits there; choose another seat with the arrows."))
}

// strengthAfter returns a bot seat's next strength when the bot key is pressed again: from regular up to master, then novice and
// casual, then none.
func strengthAfter(s table.Strength) table.Strength {
	switch s {
	case table.Regular:
		return table.Expert
	case table.Expert:
		return table.Master
	case table.Master:
		return table.Novice
	case table.Novice:
		return table.Casual
	}
	return ""
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
	if !p.view.MayVote(what) {
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
		return "You asked to resign. Take that back, and play on? "
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
	case v.Rated && v.Play.Sides() == 2, v.Config.Absence == table.AbsenceForfeit:
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
			return page.Send(page.Say(unplayable(v, t)))
		}
	case key.Matches(msg, keyPlay):
		return p.enter()
	}
	return nil
}

// unplayable says why a tile cannot be chosen.
func unplayable(v *rules.View, t rules.Tile) string {
	if !v.Hand.Has(t) {
		return "You don't hold " + t.Name() + "."
	}
	return t.Name() + " can't be played now."
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

// talk starts a line, or continues the unfinished one.
func (p *Page) talk() {
	if p.line == nil {
		line := page.NewInput("Say", "to the table", text.MaxLine)
		p.line = &line
	}
	p.line.Focus()
}

// typed handles keys while a line is typed. Esc ends only the typing.
func (p *Page) typed(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "esc":
		p.line.Blur()
	case "enter":
		said := p.line.Value()
		p.line = nil
		if said == "" || p.view == nil {
			return nil
		}
		club, id := p.club, p.id
		return p.env.Call(func(ctx context.Context) tea.Msg {
			reply, err := club.SayAt(ctx, id, said)
			return repliedMsg{said, reply, err}
		})
	default:
		p.line.Update(msg)
	}
	return nil
}

// take shows the reply to a line: one line at the foot of the screen, more in place of the table.
func (p *Page) take(msg repliedMsg) tea.Cmd {
	switch long := page.NewAnswer(msg.line, msg.reply); {
	case msg.err != nil:
		return page.Send(page.Complain(msg.err))
	case long != nil:
		if p.line != nil {
			p.line.Blur() // keep a line begun in the meantime
		}
		p.answer = long
		long.Resize(p.env.Theme, p.Width, p.Height)
	case msg.reply != "":
		p.listen() // the list of ignored people may have changed
		return page.Send(page.Say(msg.reply))
	}
	return nil
}

// invite copies the command that leads here to the player's clipboard.
func (p *Page) invite() tea.Cmd {
	line := plain.Invitation(p.view, p.env.Address)
	if line == "" {
		return page.Send(page.Say("Nobody else can be invited to this table."))
	}
	if !p.env.Copy(line) {
		return page.Send(page.Say(line))
	}
	return page.Send(page.Say("Copied, if your terminal allows it: " + line))
}

// click handles the mouse: the first click on a tile or an end chooses it, and another one on the same plays it.
func (p *Page) click(msg tea.MouseClickMsg) tea.Cmd {
	if p.view == nil || p.sending || p.typing() || msg.Button != tea.MouseLeft || stageOf(p.view) != playing || !p.view.MyMove() {
		return nil
	}
	if p.past != (moment{}) || p.moves { // as with keys: nobody may play what is not on the screen
		p.past, p.moves = moment{}, false
		return nil
	}
	pic := p.picture()
	v := &p.view.Play
	if t, ok := pic.tileAt(msg.X, msg.Y); ok {
		if t == p.pick.tile {
			return p.enter()
		}
		if !p.pick.choose(v, t) {
			return page.Send(page.Say(unplayable(v, t)))
		}
		return nil
	}
	arm, ok := pic.armAt(msg.X, msg.Y)
	if !ok || p.pick.tile == rules.NoTile {
		return nil
	}
	if arm == p.pick.arm && p.pick.sure {
		return p.enter()
	}
	if _, fits := (&picker{tile: p.pick.tile, arm: arm}).option(v); !fits {
		return page.Send(page.Say(p.pick.tile.Name() + " does not fit there."))
	}
	p.pick.arm, p.pick.sure, p.pick.typed = arm, true, ""
	return nil
}

// cursor returns the cursor's position in the input line.
func (p *Page) cursor() screen.Cursor {
	if p.view == nil || !p.talking() {
		return screen.Cursor{}
	}
	d := p.picture()
	return p.line.CursorAt(p.env.Theme, 1, d.promptRow(), d.promptWidth())
}
