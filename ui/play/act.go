package play

import (
	"cmp"
	"context"
	"slices"
	"strconv"

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
	return p.env.Do(func(ctx context.Context) error { return p.club.Do(ctx, p.id, c) })
}

// key handles a key. A key without a use in what lies over the table closes it. If it chooses a tile, it also
// returns to the present board: nobody may play what is not on the screen.
func (p *Page) key(msg tea.KeyPressMsg) tea.Cmd {
	cmd, ok := p.Actions().Press(msg)
	switch {
	case ok:
	case p.answer != nil:
		p.answer = nil
	case p.talking():
		p.line.Update(msg)
	case p.moves:
		p.moves = false
	case p.past != moment{}:
		p.past = moment{}
		cmd, _ = p.Actions().Press(msg)
	}
	return cmd
}

// showMoves shows the list of moves.
func (p *Page) showMoves() { p.moves, p.back = true, 0 }

// scrollMoves scrolls the list of moves turn by turn.
func (p *Page) scrollMoves(pressed string) tea.Cmd {
	half := max(p.Height/2, 1)
	by := map[string]int{"up": 1, "down": -1, "pgup": half, "pgdown": -half}[pressed]
	p.back = max(min(p.back+by, p.picture().movesBack()), 0)
	return nil
}

// stepBack shows the board an earlier or later move left.
func (p *Page) stepBack(by int) func() { return func() { p.past = stepped(p.view, p.past, by) } }

// comparing reports whether the games of the table's event are compared.
func comparing(v *table.View) bool { return v.Config.Event.Solo || v.Config.Event.Sealed }

// compared returns the page that compares the games of the table's event.
func compared(v *table.View) page.Target {
	e := &v.Config.Event
	switch {
	case e.Solo:
		return page.Target{Kind: page.Daily}
	case e.Field:
		return page.Target{Kind: page.Field, Event: e.ID}
	}
	return page.Target{Kind: page.Duplicate, Event: e.ID}
}

// other opens the next or previous table that may be watched.
func (p *Page) other(by int) func() tea.Cmd {
	return func() tea.Cmd {
		tables := p.club.Snapshot().Tables
		at := slices.IndexFunc(tables, func(t table.Summary) bool { return t.Table == p.id })
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
}

func (p *Page) askResign() tea.Cmd {
	c := table.Resign{Back: p.view.Own().Resigns}
	return page.Ask(plain.AskResign(p.view), func() tea.Cmd { return p.do(c) })
}

// moveActions choose a tile and an end, and play. Before the player's turn, ends need a chosen tile.
func (p *Page) moveActions(does *page.Actions) {
	at := chooses(p.view)
	if at == nil {
		return
	}
	v, mine := &at.Play, at == p.view
	_, chosen := p.pick.option(v)
	add := func(when bool, b key.Binding, do func(pressed string) tea.Cmd) {
		does.With(when, b, func(pressed string) tea.Cmd {
			if p.sending {
				return nil
			}
			p.pick.laid = false
			return do(pressed)
		})
	}
	drop, enter, digit := keyDrop, keyPlay, keyDigit
	switch {
	case mine:
	case p.pick.laid:
		drop = page.Named(drop, "take it back")
	default:
		enter, digit = page.Named(enter, "play on your turn"), page.Named(digit, "play ahead")
	}
	fits := len(v.Options) > 0
	led := fits && v.Options[0].Arm != rules.NoArm // there are ends to choose from
	for _, b := range []key.Binding{keyTile, digit} {
		does.Refuse(!fits, b, func() tea.Cmd { return page.Send(page.Say("None of your tiles fits the board as it is now.")) })
	}
	add(fits, keyTile, func(pressed string) tea.Cmd {
		p.pick.step(v, page.Step(pressed))
		return nil
	})
	add(led && (mine || chosen), keyEnd, func(pressed string) tea.Cmd {
		switch pressed {
		case "up", "down":
			p.pick.point(v, pressed == "up", p.picture().arm)
		case "shift+tab":
			p.pick.turn(v, -1)
		default:
			p.pick.turn(v, 1)
		}
		return nil
	})
	does.Open(mine || chosen && !p.pick.laid, enter, func() tea.Cmd {
		if p.sending {
			return nil
		}
		return p.enter()
	})
	add(fits, digit, func(pressed string) tea.Cmd {
		if t := p.pick.digit(v, pressed[0]); t != rules.NoTile {
			return page.Send(page.Say(english.Unplayable(v, t)))
		}
		return nil
	})
	add(led && (mine || chosen), keyArm, func(pressed string) tea.Cmd {
		if chosen := p.pick.tile != rules.NoTile; !p.pick.letter(v, pressed, p.picture().arm) && chosen {
			return page.Send(page.Say(p.pick.tile.Name() + " does not fit there."))
		}
		return nil
	})
	add(mine || p.pick != nothing, drop, func(string) tea.Cmd {
		p.pick = nothing
		return nil
	})
}

// enter plays the chosen tile. Otherwise it chooses for the next press: a tile, or the proposed end if the
// tile fits several. If it chose a tile that scores the same at all ends, it does not ask for one.
func (p *Page) enter() tea.Cmd {
	v := chooses(p.view)
	o, ok := p.pick.option(&v.Play)
	switch {
	case !ok:
		p.pick.step(&v.Play, 1)
		p.pick.sure = p.pick.sure || scoreAlike(&v.Play, p.pick.tile)
		return nil
	case !p.pick.sure:
		p.pick.sure, p.pick.typed = true, ""
		return nil
	case v != p.view:
		p.pick.laid = true
		return nil
	}
	p.sending, p.pick.laid = true, false
	c := table.Move{
		Version: v.Version,
		Move:    o.By(v.POV),
	}
	return p.env.Call(func(ctx context.Context) tea.Msg {
		err := p.club.Do(ctx, p.id, c)
		return page.Then(func() tea.Cmd { return p.answered(err) })
	})
}

// answered handles the table's answer to a move.
func (p *Page) answered(err error) tea.Cmd {
	p.sending = false
	if err != nil {
		return tea.Batch(p.look(), page.Refused(err))
	}
	return tea.Batch(p.look(), p.offerBell())
}

// scoreAlike reports whether a tile scores the same at every end it fits.
func scoreAlike(v *rules.View, t rules.Tile) bool {
	all := ends(v, t)
	return len(all) > 0 && !slices.ContainsFunc(all, func(e rules.Option) bool { return e.Points != all[0].Points })
}

// best goes to the best game.
func (p *Page) best() tea.Cmd {
	return page.Get((*page.Env).Call, p.env, p.club.BestGame, func(at table.ID) tea.Cmd {
		if at == p.id {
			return page.Send(page.Say("This is the best game right now."))
		}
		p.follow = table.Player{}
		return p.leadTo(at)
	})
}

// leadTo goes to another table, which replaces this page. It keeps the watcher's choices.
func (p *Page) leadTo(at table.ID) tea.Cmd {
	return page.Send(page.GotoMsg{To: page.Target{Kind: page.Table, Table: at, Follow: p.follow, Toggled: p.toggled}, Replace: true})
}

// followNext follows the table's first player, or the one after the player now followed, or after the last
// nobody.
func (p *Page) followNext() tea.Cmd {
	me := p.club.Player().ID
	var people []table.Player
	for i := range p.view.Seats {
		if q := p.view.Seats[i].Player; q.ID != 0 && q.ID != me {
			people = append(people, q)
		}
	}
	next := 0
	if p.follow.ID != 0 {
		next = cmp.Or(slices.IndexFunc(people, func(q table.Player) bool { return q.ID == p.follow.ID })+1, len(people))
	}
	was := p.follow
	p.follow = table.Player{}
	if next < len(people) {
		p.follow = people[next]
	}
	p.club.Follow(p.follow.ID)
	switch {
	case p.follow.ID != 0:
		return tea.Batch(page.Send(page.Say("Following "+p.follow.Name+": when they change tables, so do you.")), p.goAlong())
	case was.ID != 0:
		return page.Send(page.Say("You stopped following " + was.Name + "."))
	}
	return page.Send(page.Say("Nobody to follow here: only bots and free seats."))
}

// goAlong goes to the table where the followed player is now. It stays here if the person has a seat of their
// own.
func (p *Page) goAlong() tea.Cmd {
	if p.follow.ID == 0 || p.view == nil || p.view.POV != 0 || p.takes() || p.typing() {
		return nil
	}
	at := p.club.PlaysAt(p.follow.ID)
	if at == 0 || at == p.id {
		return nil
	}
	return tea.Batch(p.leadTo(at), page.Send(page.Say(p.follow.Name+" plays at table "+strconv.FormatInt(int64(at), 10)+" now.")))
}
