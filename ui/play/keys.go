package play

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/key"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
)

var (
	// At any time.
	keyTalk    = page.Bind("t", "talk", "t")
	keyMoves   = page.Bind("m", "move by move", "m")
	keyTable   = page.Bind("m", "back to the table", "m", "esc", "q")
	keyScroll  = page.Bind("↑↓", "scroll", "up", "down", "pgup", "pgdown")
	keyEarlier = page.Bind("<", "step back", "<", ",", "shift+left")
	keyLater   = page.Bind(">", "step forward", ">", ".", "shift+right")
	keyNow     = page.Bind("esc", "back to now", "esc", "enter", "q")
	keyInvite  = page.Bind("i", "invite", "i")

	// Before a game, and after it.
	keyReady   = page.Bind("space", "ready", "space", "r")
	keyUnready = page.Bind("space", "not ready", "space", "r")
	keyStop    = page.Bind("space", "stop", "space", "r")
	keyRematch = page.Bind("r", "rematch", "r", "space")
	keySit     = page.Bind("s", "sit down", "s")
	keyTake    = page.Bind("s", "take a bot's seat", "s")
	keyStand   = page.Bind("u", "stand up", "u")
	keySeats   = page.Bind("arrows", "seat", "up", "down", "left", "right")
	keySwap    = page.Bind("x", "swap", "x")
	keyBot     = page.Bind("b", "bot", "b")
	keyDay     = page.Bind("d", "what others played", "d")
	keyMatch   = page.Bind("d", "the match", "d")
	keyReplay  = page.Bind("o", "replay", "o")

	// In play.
	keyTile   = page.Bind("←→", "tile", "left", "right")
	keyEnd    = page.Bind("↑↓", "end", "up", "down", "tab", "shift+tab")
	keyArm    = page.Bind("l r u d", "that end", "l", "r", "u", "d")
	keyPlay   = page.Bind("enter", "play", "enter")
	keyDigit  = page.Bind("64r", "type a tile", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
	keyDrop   = page.Bind("esc", "clear", "esc")
	keyNext   = page.Bind("enter", "continue", "enter", "space")
	keyHint   = page.Bind("h", "hint", "h")
	keyPause  = page.Bind("p", "pause", "p")
	keyResume = page.Bind("p", "end the pause", "p")
	keyBell   = page.Bind("B", "bell on your turn", "B")
	keyResign = page.Bind("X", "resign", "X")
	keyReturn = page.Bind("enter", "take your seat back", "enter")

	// While somebody is away.
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

// keys returns the page's keys in the table's current state.
func (p *Page) keys() []key.Binding {
	switch {
	case p.answer != nil:
		return p.answer.Keys()
	case p.talking():
		return []key.Binding{keySay, keyUnsay}
	case p.view == nil:
		return nil
	case p.moves:
		return []key.Binding{keyTable, keyScroll, keyTalk}
	case p.past != moment{}:
		return []key.Binding{keyEarlier, keyLater, keyNow, keyTalk}
	}
	return keysOf(p.view, p.offered(), p.env.Now())
}

// offer is what a watcher may do at a table that not every watcher may. Apart from it watchers share screens.
type offer struct {
	sits    bool // take a free seat
	takes   bool // take a bot's seat from the next round on
	follows bool // stop following somebody
	leaves  bool // go to another table
	next    bool // give up the bot's seat that is theirs from the next round on
}

// offered is what the person is offered who watches.
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
	if v.HasRoom() || v.MayTake(table.Reader{}) { // for somebody; usually not, and the club needs not be asked
		r := p.club.Reader()
		o.sits, o.takes = v.MaySit(r), v.MayTake(r)
	}
	return o
}

// keysOf returns the keys for a view at a moment: those that the table would not refuse at once.
func keysOf(v *table.View, o offer, now time.Time) []key.Binding {
	if v.State == table.Closed { // also where somebody has stood up whom the table does not let watch
		return compareKeys(v)
	}
	if v.POV == 0 {
		return watcherKeys(v, o)
	}
	var keys []key.Binding
	add := func(when bool, bindings ...key.Binding) {
		if when {
			keys = append(keys, bindings...)
		}
	}
	talk, invite := !v.Stopped(), invites(v)
	switch stageOf(v) {
	case gathering:
		switch {
		case !v.Arranges():
		case v.State == table.Countdown:
			add(true, keyStop)
		case v.Own().Ready:
			add(true, keyUnready)
		default:
			add(true, keyReady)
		}
		add(invite, keyInvite)
		add(v.Arranges(), keySeats)
		add(v.Arranges() && len(v.Seats) > 1, keySwap)
		add(takesBot(v), keyBot)
		add(v.MayStand(), keyStand)
		add(talk, keyTalk)
	case playing:
		add(v.Replaced() && !v.Stopped(), keyReturn)
		add(v.MyMove(), keyTile, keyEnd, keyPlay, keyDigit, keyArm, keyDrop)
		add(v.MayHint(), keyHint)
		add(v.MayVote(table.VoteBot, now), keyStandIn)
		add(v.MayVote(table.VoteAdjourn, now), keyAdjourn)
		add(v.MayVote(table.VoteClaim, now), keyClaim)
		add(true, keyEarlier, keyMoves)
		add(talk, keyTalk)
		add(v.MayPause(), keyPause)
		add(v.MayResume(), keyResume)
		add(v.MayResign(), keyResign)
		add(invite, keyInvite)
		add(true, keyBell)
	case scoring:
		add(v.State == table.Scoring && !v.Own().Ready, keyNext)
		add(true, keyEarlier, keyMoves)
		add(talk, keyTalk)
		add(v.MayResign(), keyResign)
	case finished:
		if v.Config.Event.ID != 0 {
			add(true, afterKeys(v)...)
		} else {
			add(v.Arranges(), keyRematch)
			add(true, keyReplay)
			add(invite, keyInvite)
			add(v.Arranges(), keySeats, keySwap)
			add(takesBot(v), keyBot)
		}
		add(v.MayStand(), keyStand)
		add(talk, keyTalk)
	}
	return keys
}

// invites reports whether there is a command by which others can come to the table.
func invites(v *table.View) bool { return plain.Invitation(v, "") != "" }

// afterKeys returns the keys that lead from a game that is over to others of its event, and to its replay.
func afterKeys(v *table.View) []key.Binding {
	keys := compareKeys(v)
	if !v.Config.Event.Sealed {
		keys = append(keys, keyReplay)
	}
	return keys
}

// compareKeys returns the key that leads to the page on which the games of the table's event are compared, if they are.
func compareKeys(v *table.View) []key.Binding {
	switch {
	case v.Config.Event.Solo:
		return []key.Binding{keyDay}
	case v.Config.Event.Sealed:
		return []key.Binding{keyMatch}
	}
	return nil
}

// takesBot reports whether the reader may put a bot on a seat: on a free one, or on one of another bot.
func takesBot(v *table.View) bool {
	return v.Arranges() && v.MayBot() && slices.ContainsFunc(v.Seats, func(s table.SeatView) bool { return s.Player.ID == 0 })
}

func watcherKeys(v *table.View, o offer) []key.Binding {
	var keys []key.Binding
	if o.sits {
		keys = append(keys, keySit)
		if stageOf(v) == gathering {
			keys = append(keys, keySeats)
		}
	}
	if o.takes {
		keys = append(keys, keyTake)
	}
	if o.next {
		keys = append(keys, keyStand)
	}
	if stageOf(v) == finished {
		keys = append(keys, afterKeys(v)...)
	}
	if v.InGame() {
		keys = append(keys, keyEarlier, keyMoves)
	}
	if stageOf(v) == playing {
		keys = append(keys, keyKnown)
	}
	if o.leaves {
		keys = append(keys, keyBest)
	}
	if o.follows || slices.ContainsFunc(v.Seats, func(s table.SeatView) bool { return s.Player.ID != 0 }) {
		keys = append(keys, keyFollow)
	}
	if o.leaves {
		keys = append(keys, keyAfter, keyBefore)
	}
	if !v.Stopped() {
		keys = append(keys, keyTalk)
	}
	if invites(v) {
		keys = append(keys, keyInvite)
	}
	return keys
}

// stage is what the screen shows.
type stage int

const (
	gathering stage = iota
	playing
	scoring
	finished
)

// stageOf derives the stage from the table's state, or from the game if the state says only that it is paused.
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
