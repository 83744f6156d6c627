package play

import (
	"charm.land/bubbles/v2/key"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
)

var (
	// At any time.
	keyTalk    = page.Bind("t", "talk", "t")
	keyMoves   = page.Bind("m", "move by move", "m")
	keyTable   = page.Bind("m", "back to the table", "m", "esc")
	keyEarlier = page.Bind("<", "the board a move earlier", "<", ",", "shift+left")
	keyLater   = page.Bind(">", "a move later", ">", ".", "shift+right")
	keyNow     = page.Bind("esc", "back to now", "esc", "enter")
	keyInvite  = page.Bind("i", "invite", "i")

	// Before a game, and after it.
	keyReady   = page.Bind("space", "ready", "space", "r")
	keyUnready = page.Bind("space", "not ready", "space", "r")
	keyStop    = page.Bind("space", "stop", "space", "r")
	keyRematch = page.Bind("r", "rematch", "r", "space")
	keySit     = page.Bind("s", "sit down", "s")
	keyStand   = page.Bind("u", "stand up", "u")
	keySeats   = page.Bind("arrows", "seat", "up", "down", "left", "right")
	keySwap    = page.Bind("x", "swap", "x")
	keyBot     = page.Bind("b", "bot", "b")
	keyReplay  = page.Bind("o", "replay", "o")

	// In play.
	keyTile   = page.Bind("←→", "tile", "left", "right")
	keyEnd    = page.Bind("↑↓", "end", "up", "down", "tab", "shift+tab")
	keyArm    = page.Bind("l r u d", "that end", "l", "r", "u", "d")
	keyPlay   = page.Bind("enter", "play", "enter")
	keyDigit  = page.Bind("64 r", "or type it", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
	keyDrop   = page.Bind("esc", "choose nothing", "esc")
	keyNext   = page.Bind("enter", "go on", "enter", "space")
	keyPause  = page.Bind("p", "pause", "p")
	keyResume = page.Bind("p", "end the pause", "p")
	keyBell   = page.Bind("B", "bell at your turn", "B")
	keyResign = page.Bind("X", "resign", "X")
	keyReturn = page.Bind("enter", "take your seat back", "enter")

	// While somebody is away.
	keyStandIn = page.Bind("v", "vote: a bot plays on", "v")
	keyAdjourn = page.Bind("a", "vote: adjourn", "a")
	keyClaim   = page.Bind("c", "claim the game", "c")

	// For watchers.
	keyAfter  = page.Bind("]", "next table", "]", "n")
	keyBefore = page.Bind("[", "table before", "[", "p")

	// While a line is typed.
	keySay   = page.Bind("enter", "say it", "enter")
	keyUnsay = page.Bind("esc", "say nothing", "esc")
)

// Keys are the page's keys in the state the table is in.
func (p *Page) Keys() []key.Binding {
	switch {
	case p.answer != nil:
		return p.answer.Keys()
	case p.talking():
		return []key.Binding{keySay, keyUnsay}
	case p.view == nil:
		return nil
	case p.moves:
		return []key.Binding{keyTable, keyTalk}
	case p.past != moment{}:
		return []key.Binding{keyEarlier, keyLater, keyNow, keyTalk}
	}
	return keysOf(p.view)
}

// keysOf are the keys for a view; they depend on nothing else, since all watchers share a screen.
func keysOf(v *table.View) []key.Binding {
	if v.State == table.Closed {
		return nil
	}
	if v.POV == 0 {
		return watcherKeys(v)
	}
	var keys []key.Binding
	add := func(when bool, bindings ...key.Binding) {
		if when {
			keys = append(keys, bindings...)
		}
	}
	switch stageOf(v) {
	case gathering:
		switch {
		case v.State == table.Countdown:
			add(true, keyStop)
		case ownSeat(v).Ready:
			add(true, keyUnready)
		default:
			add(true, keyReady)
		}
		add(true, keyInvite, keySeats)
		add(len(v.Seats) > 1, keySwap, keyBot)
		add(true, keyStand, keyTalk)
	case playing:
		add(replaced(v), keyReturn)
		add(myMove(v), keyTile, keyEnd, keyPlay, keyDigit, keyArm, keyDrop)
		add(mayVote(v, table.VoteBot), keyStandIn)
		add(mayVote(v, table.VoteAdjourn), keyAdjourn)
		add(mayVote(v, table.VoteClaim), keyClaim)
		add(true, keyEarlier, keyMoves, keyTalk)
		add(v.State == table.Playing && ownSeat(v).Pauses > 0, keyPause)
		add(v.State == table.Paused && v.PausedBy == v.Play.SideOf(v.POV), keyResume)
		add(true, keyResign, keyInvite, keyBell)
	case scoring:
		add(!ownSeat(v).Ready, keyNext)
		add(true, keyEarlier, keyMoves, keyTalk, keyResign)
	case finished:
		add(true, keyRematch, keyReplay, keyInvite, keySeats, keySwap, keyBot, keyStand, keyTalk)
	}
	return keys
}

func watcherKeys(v *table.View) []key.Binding {
	var keys []key.Binding
	if maySit(v) {
		keys = append(keys, keySit)
		if stageOf(v) == gathering {
			keys = append(keys, keySeats)
		}
	}
	if stageOf(v) == finished {
		keys = append(keys, keyReplay)
	}
	if inGame(v) {
		keys = append(keys, keyEarlier, keyMoves)
	}
	return append(keys, keyAfter, keyBefore, keyTalk, keyInvite)
}

// ownSeat is the reader's seat; it must not be asked for by the gallery.
func ownSeat(v *table.View) *table.SeatView { return &v.Seats[v.POV-1] }

// myMove reports whether the reader has to choose a tile now.
func myMove(v *table.View) bool {
	return v != nil && v.POV != 0 && v.State == table.Playing && v.Play.Duty == rules.Play && !replaced(v)
}

// replaced reports whether the reader is taken for absent.
func replaced(v *table.View) bool { return ownSeat(v).StandIn || ownSeat(v).Presence == table.Absent }

// away reports whether a seat's player is not there. At the slow pace nobody has to be.
func away(v *table.View, n rules.Seat) bool {
	s := &v.Seats[n-1]
	return s.Player.ID != 0 && s.Presence != table.Here && (s.Presence == table.Absent || v.Config.Pace != table.PaceSlow)
}

// maySit reports whether a seat may be free for somebody who watches.
func maySit(v *table.View) bool {
	if v.Config.House || inGame(v) || v.State == table.Frozen || v.State == table.Closed {
		return false
	}
	for i := range v.Seats {
		if v.Seats[i].Player.ID == 0 {
			return true
		}
	}
	return false
}

// mayVote reports whether there is something to decide about a player who is away.
func mayVote(v *table.View, what table.Vote) bool {
	if !inGame(v) {
		return false
	}
	for i := range v.Seats {
		s := &v.Seats[i]
		if !away(v, rules.Seat(i+1)) || rules.Seat(i+1) == v.POV {
			continue
		}
		switch what {
		case table.VoteBot:
			if !s.StandIn {
				return true
			}
		case table.VoteAdjourn:
			if v.State != table.Adjourned {
				return true
			}
		case table.VoteClaim:
			if v.State == table.Waiting && v.Play.SideOf(rules.Seat(i+1)) != v.Play.SideOf(v.POV) {
				return true
			}
		}
	}
	return false
}

// stage is what the screen is about.
type stage int

const (
	gathering stage = iota
	playing
	scoring
	finished
)

// stageOf follows from the state, and from the game where the state says only that it stands still.
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

// inGame reports whether a game is being played, even if it stands still.
func inGame(v *table.View) bool {
	s := stageOf(v)
	return v.State != table.Closed && (s == playing || s == scoring)
}
