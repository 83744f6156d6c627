package play

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/card"
	"boneyard/ui/page"
	"boneyard/ui/plain"
)

var (
	// At any time.
	keyTalk         = page.Bind("t", "talk", "t")
	keyMoves        = page.Bind("m", "move by move", "m")
	keyTable        = page.Bind("m", "back to the table", "m", "esc", "q")
	keyScroll       = page.Bind("↑↓", "scroll", "up", "down", "pgup", "pgdown")
	keyEarlier      = page.Bind("<", "step back", "<", ",", "shift+left")
	keyLater        = page.Bind(">", "step forward", ">", ".", "shift+right", "right")
	keyEarlierStill = page.Bind("<", "step back", "<", ",", "shift+left", "left")
	keyNow          = page.Bind("esc", "back to now", "esc", "enter", "q")
	keyInvite       = page.Bind("i", "invite", "i")

	// Before a game, and after it.
	keyReady    = page.Bind("space", "ready", "space", "r")
	keyUnready  = page.Bind("space", "not ready", "space", "r")
	keyStop     = page.Bind("space", "stop", "space", "r")
	keyRematch  = page.Bind("r", "rematch", "r", "space")
	keySit      = page.Bind("s", "sit down", "s")
	keySitThere = page.Bind("s", "sit down", "s", "enter")
	keyTake     = page.Bind("s", "take a bot's seat", "s")
	keyStand    = page.Bind("u", "stand up", "u")
	keySeats    = page.Bind("arrows", "seat", "up", "down", "left", "right")
	keySwap     = page.Bind("x", "swap", "x")
	keyDeal     = page.Bind("d", "deal", "d")
	keyBot      = page.Bind("b", "bot", "b")
	keyDay      = page.Bind("d", "what others played", "d")
	keyMatch    = page.Bind("d", "the match", "d")
	keyReplay   = page.Bind("o", "replay", "o")
	keyCoach    = page.Bind("c", "coach", "c")
	keyShare    = page.Bind("y", "share", "y")
	keyDeals    = page.Bind("e", "the deals", "e")

	// In play.
	keyTile   = page.Bind("←→", "tile", "left", "right")
	keyEnd    = page.Bind("↑↓", "end", "up", "down", "tab", "shift+tab")
	keyArm    = page.Bind("l r u d", "that end", "l", "r", "u", "d")
	keyPlay   = page.Bind("enter", "play", "enter")
	keyDigit  = page.Bind("64r", "type a tile", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
	keyDrop   = page.Bind("esc", "clear", "esc")
	keyNext   = page.Bind("enter", "continue", "enter", "space")
	keySkip   = page.Bind("s", "end guide", "s")
	keyHint   = page.Bind("h", "hint", "h")
	keyPause  = page.Bind("p", "pause", "p")
	keyResume = page.Bind("p", "end the pause", "p")
	keyBell   = page.Bind("B", "bell on your turn", "B")
	keyResign = page.Bind("X", "resign", "X")
	keyReturn = page.Bind("enter", "take your seat back", "enter")

	// While a player is away.
	keyStandIn = page.Bind("v", "vote: a bot plays on", "v")
	keyAdjourn = page.Bind("a", "vote: adjourn", "a")
	keyClaim   = page.Bind("c", "claim the game", "c")

	// For watchers.
	keyKnown  = page.Bind("k", "known tiles", "k")
	keyFollow = page.Bind("f", "follow", "f")
	keyBest   = page.Bind("v", "best game", "v")
	keyAfter  = page.Bind("]", "next table", "]", "n")
	keyBefore = page.Bind("[", "previous table", "[", "p")

	// While a line is typed.
	keySay   = page.Bind("enter", "send", "enter")
	keyUnsay = page.Bind("esc", "close", "esc")
)

// Actions implements [page.Page].
func (p *Page) Actions() (does page.Actions) {
	switch {
	case p.answer != nil:
		return p.answer.Actions()
	case p.talking():
		does.Add(true, keySay, p.say)
		does.Set(true, keyUnsay, p.line.Blur)
	case p.view == nil:
	case p.moves:
		does.Open(true, keyTable, func() tea.Cmd {
			p.moves = false
			return nil
		})
		scrolls := p.picture().movesBack() > 0
		does.Scroll(scrolls, keyScroll, p.scrollMoves)
		does.Refuse(!scrolls, keyScroll, func() tea.Cmd { return nil }) // or it would lead back to the table, as other keys do
		does.Set(true, keyTalk, p.talk)
	case p.past != moment{}:
		does.Set(true, keyEarlierStill, p.stepBack(-1))
		does.Set(true, keyLater, p.stepBack(1))
		does.Open(true, keyNow, func() tea.Cmd {
			p.past = moment{}
			return nil
		})
		does.Set(true, keyTalk, p.talk)
	default:
		return p.actionsAt(p.view, p.offered(), p.env.Now())
	}
	return does
}

// offer is what some watchers of a table may do and others may not. Watchers with equal offers share screens.
type offer struct {
	sits    bool // take a free seat
	takes   bool // take a bot's seat from the next round on
	follows bool // stop following a player
	leaves  bool // go to another table
	next    bool // give up the bot's seat they take in the next round
}

// offered returns what a watcher is offered.
func (p *Page) offered() offer {
	v := p.view
	if v.POV != 0 {
		return offer{}
	}
	o := offer{follows: p.follow.ID != 0, next: p.takes()}
	here := 0
	if v.Config.Watchers && !v.Config.Event.Private && v.State != table.Closed {
		here = 1
	}
	o.leaves = p.club.Galleries() > here
	if v.HasRoom() || v.MayTake(table.Reader{}) { // some watchers may; usually none, and the club need not be asked
		r := p.club.Reader()
		o.sits, o.takes = v.MaySit(r), v.MayTake(r) && !o.next
	}
	return o
}

// actionsAt returns the actions for a view at a moment: those that the table would not refuse at once.
func (p *Page) actionsAt(v *table.View, o offer, now time.Time) (does page.Actions) {
	switch {
	case v.State == table.Closed && v.Result != nil: // its game has ended, and people still read the result
		p.after(&does, v)
		return does
	case v.State == table.Closed: // also shown to a player who stood up and may not watch
		p.compares(&does, v)
		return does
	case v.POV == 0:
		return p.watcherActions(v, o)
	}
	talk := !v.Stopped()
	looksBack := func() {
		does.Set(true, keyEarlier, p.stepBack(-1))
		does.Set(true, keyMoves, p.showMoves)
	}
	command := func(when bool, b key.Binding, c table.Command) { does.Add(when, b, func() tea.Cmd { return p.do(c) }) }
	vote := func(b key.Binding, what table.Vote) {
		cast := v.Votes[what].Own
		if cast {
			b = page.Named(b, "take your vote back")
		}
		command(v.MayVote(what, now), b, table.CastVote{Vote: what, On: !cast})
	}
	switch stageOf(v) {
	case gathering:
		ready := keyReady
		switch {
		case v.State == table.Countdown:
			ready = keyStop
		case v.Own().Ready:
			ready = keyUnready
		}
		does.Offer(v.Arranges(), ready, func() tea.Cmd { return p.do(table.Ready{On: !v.Own().Ready}) })
		command(v.MayDeal(), keyDeal, table.Ready{On: true, Bots: true})
		does.Add(invites(v), keyInvite, p.invite)
		p.arranges(&does, v, v.Arranges(), len(v.Seats) > 1)
		does.Add(v.MayStand(), keyStand, p.stand)
		does.Set(talk, keyTalk, p.talk)
		does.Set(p.seat != 0, keyDrop, p.dropSeat)
	case playing:
		command(v.MayResume(), keyResume, table.Pause{})
		command(v.Replaced() && !v.Stopped() && !v.MyMove(), keyReturn, table.Return{})
		does.Add(p.guided(), keySkip, p.endGuide)
		choosing := v.MyMove() || p.pick != nothing
		if choosing {
			p.moveActions(&does)
		}
		does.Add(v.MayHint(), keyHint, func() tea.Cmd { return tea.Batch(p.do(table.TakeHints{}), page.Send(page.Say(plain.Hint(v)))) })
		vote(keyStandIn, table.VoteBot)
		vote(keyAdjourn, table.VoteAdjourn)
		vote(keyClaim, table.VoteClaim)
		looksBack()
		does.Set(talk, keyTalk, p.talk)
		command(v.MayPause(), keyPause, table.Pause{On: true})
		does.Add(v.MayResign(), keyResign, p.askResign)
		if !choosing {
			p.moveActions(&does)
		}
		does.Add(invites(v), keyInvite, p.invite)
		does.Add(true, keyBell, p.ring)
	case scoring:
		command(v.State == table.Scoring && !v.Own().Ready, keyNext, table.Continue{})
		looksBack()
		does.Set(talk, keyTalk, p.talk)
		does.Add(v.MayResign(), keyResign, p.askResign)
	case finished:
		if v.Config.Event.ID != 0 {
			p.after(&does, v)
		} else {
			command(v.Arranges(), keyRematch, table.Rematch{})
			p.replays(&does, v)
			does.Add(invites(v), keyInvite, p.invite)
			p.arranges(&does, v, v.Arranges(), true)
		}
		does.Add(v.MayStand(), keyStand, p.stand)
		does.Set(talk, keyTalk, p.talk)
		does.Set(p.seat != 0, keyDrop, p.dropSeat)
	}
	return does
}

// invites reports whether a command leads others to the table.
func invites(v *table.View) bool { return plain.Invitation(v, "") != "" }

// arranges adds the keys that change seats before and after a game.
func (p *Page) arranges(does *page.Actions, v *table.View, may, swaps bool) {
	does.With(may, keySeats, p.chooseSeat)
	does.Add(may && swaps, keySwap, p.swap)
	forBot := func(s table.SeatView) bool { return s.Player.ID == 0 } // free, or a bot's
	does.Add(v.Arranges() && v.MayBot() && slices.ContainsFunc(v.Seats, forBot), keyBot, p.bot)
}

// after adds the keys that lead from a finished game to its event and to its replay.
func (p *Page) after(does *page.Actions, v *table.View) {
	p.compares(does, v)
	if !v.Config.Event.Sealed {
		p.replays(does, v)
	}
}

func (p *Page) replays(does *page.Actions, v *table.View) {
	does.Go(true, keyReplay, page.Target{Kind: page.Replay, Game: v.Game})
	does.Go(v.POV != 0, keyCoach, page.Target{Kind: page.Replay, Game: v.Game, Coach: true})
	deals := keyDeals
	if p.deals {
		deals = page.Named(deals, "the card")
	}
	does.Set(p.card != nil, deals, func() { p.deals = !p.deals })
	does.Add(p.card != nil, keyShare, func() tea.Cmd {
		line := card.Share(p.card, p.env.Address)
		p.env.Copy(line)
		return page.Send(page.Say(line))
	})
}

// compares adds the key of the page that compares the games of the table's event, if there is one.
func (p *Page) compares(does *page.Actions, v *table.View) {
	b := keyMatch
	if v.Config.Event.Solo {
		b = keyDay
	}
	does.Add(comparing(v), b, func() tea.Cmd { return page.Send(page.GotoMsg{To: compared(v), Replace: true}) })
}

func (p *Page) watcherActions(v *table.View, o offer) (does page.Actions) {
	sit := keySit
	if p.seat != 0 {
		sit = keySitThere
	}
	does.Add(o.sits, sit, p.sit)
	does.With(o.sits && stageOf(v) == gathering, keySeats, p.chooseSeat)
	does.Add(o.takes, keyTake, p.sit)
	does.Refuse(!o.sits && !o.takes && (v.HasRoom() || v.MayTake(table.Reader{})), keySit, p.sit)
	does.Add(o.next, keyStand, func() tea.Cmd { return p.do(table.Stand{UnlessPlaying: true}) })
	if stageOf(v) == finished {
		p.after(&does, v)
	}
	does.Set(v.InGame(), keyEarlier, p.stepBack(-1))
	does.Set(v.InGame(), keyMoves, p.showMoves)
	does.Set(stageOf(v) == playing, keyKnown, func() { p.toggled = !p.toggled })
	does.Add(o.leaves, keyBest, p.best)
	does.Add(o.follows || slices.ContainsFunc(v.Seats, func(s table.SeatView) bool { return s.Player.ID != 0 }), keyFollow, p.followNext)
	does.Add(o.leaves, keyAfter, p.other(1))
	does.Add(o.leaves, keyBefore, p.other(-1))
	does.Set(!v.Stopped(), keyTalk, p.talk)
	does.Add(invites(v), keyInvite, p.invite)
	does.Set(p.seat != 0, keyDrop, p.dropSeat)
	return does
}

// stage is what the screen shows.
type stage int

const (
	gathering stage = iota
	playing
	scoring
	finished
)

// stageOf derives the stage from the table's state, or if that says only that it is paused, from the game.
func stageOf(v *table.View) stage {
	switch v.State {
	case table.Gathering, table.Countdown:
		return gathering
	case table.Playing:
		return playing
	case table.Scoring:
		return scoring
	case table.Finished:
		return finished
	}
	switch {
	case v.Result != nil:
		return finished
	case v.Play.Round == 0:
		return gathering
	case v.Play.Phase == rules.Playing:
		return playing
	}
	return scoring
}
