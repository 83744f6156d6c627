package table

import (
	"sync"
	"time"

	"boneyard/rules"
)

// State is where a table stands.
type State string

// A table gathers people, counts down, plays, shows a round's scoring, pauses, sleeps, has finished a game, and is closed.
const (
	Gathering State = "gathering"
	Countdown State = "countdown"
	Playing   State = "playing"
	Scoring   State = "scoring" // between two rounds
	Paused    State = "paused"
	Waiting   State = "waiting"   // for an absent player
	Adjourned State = "adjourned" // sleeping
	Frozen    State = "frozen"    // the journal cannot be written
	Finished  State = "finished"  // a game is over; a rematch may follow
	Closed    State = "closed"
)

// States are the states of a table that is open.
func States() []State {
	return []State{Gathering, Countdown, Playing, Scoring, Paused, Waiting, Adjourned, Frozen, Finished}
}

// Presence is how a seated player is there. Its value is what is stored and written as JSON; screens show its Words.
type Presence string

// Presences.
const (
	Here         Presence = "here"
	Disconnected Presence = "lost the line"
	Left         Presence = "left"
	Silent       Presence = "silent" // does not move at a table without clocks
	Absent       Presence = "absent" // timed out twice, or away: what Config.Absence says applies
)

// Words is the presence as screens show it.
func (p Presence) Words() string {
	if p == Disconnected {
		return "disconnected"
	}
	return string(p)
}

// SeatView is one seat as everybody sees it.
type SeatView struct {
	Player   Player
	House    Strength // not empty for a bot of the house
	Presence Presence
	Resigns  bool   // wants to resign, and waits for the partner
	StandIn  bool   // a bot plays for the absent player
	Next     Player // who takes the seat from this bot with the next round; zero if nobody does
	Ready    bool   // before the game, or for a rematch, or to go on after a round
	Bank     time.Duration
	Pauses   int // pauses that the seat's side has left
}

// once is what readers make of a version for each other.
type once struct {
	sync.Once
	made []byte
}

// Once returns what make makes of what all readers of a version see; for all of them it is called once. The result must not be changed.
func (v *View) Once(make func() []byte) []byte {
	if v.once == nil { // no table has made the view
		return make()
	}
	v.once.Do(func() { v.once.made = make() })
	return v.once.made
}

// Free reports whether nobody sits there.
func (s *SeatView) Free() bool { return s.Player.ID == 0 && s.House == "" }

// Name is who plays at the seat: the player's or the bot's name.
func (s *SeatView) Name() string { return s.Player.Name }

// Entry is one line of a table's log: a move with its receipt, or something the house says.
type Entry struct {
	Version uint64
	Round   int
	Number  int // of the move within the round, from 1; 0 for what is not a move
	Turn    int // the same as people count: draws have the number of the play or pass that they lead to
	At      time.Time
	Event   rules.Event  // as this reader may see it; Kind 0 if it is not a move
	Terms   []rules.Term // the count of a play, term by term
	After   Standing     // how the game stood after a move
	Auto    bool         // made by the table: forced, timed out, or by a stand-in
	Late    bool         // made by the table for a player whose time was used up
	Text    string       // what the house says, if it is not a move
}

// For is the entry as a reader sees it who sits at seat, or in the gallery (0).
func (e *Entry) For(seat rules.Seat) *Entry {
	if seen := e.Event.For(seat); seen != e.Event {
		hidden := *e
		hidden.Event = seen
		return &hidden
	}
	return e
}

// Standing is how a game stands at one moment, as everybody may know it.
type Standing struct {
	Scores [rules.MaxSeats]rules.Points // by side
	Held   [rules.MaxSeats]uint8        // how many tiles each seat holds
	Stock  uint8                        // tiles in the boneyard
	Turn   rules.Seat                   // the seat to move, 0 if nobody is
	Open   *[rules.MaxSeats]rules.Hand  // all hands as a round left them; nil while it is played
}

// StandingOf is how a game stands.
func StandingOf(g *rules.Game) Standing {
	v := g.View(0)
	s := Standing{Scores: v.Scores, Stock: uint8(v.Stock), Turn: v.Turn}
	for i, n := range v.Held {
		s.Held[i] = uint8(n)
	}
	if v.Phase != rules.Playing {
		s.Open = &v.Open
	}
	return s
}

// SwapWish is a wish to exchange two seats before the game. It is granted by the same command from the other seat.
type SwapWish struct {
	From rules.Seat `json:"from"` // the partner who asks
	With rules.Seat `json:"with"` // who is asked
}

// View is a table as one reader may see it. It is immutable and shared by all readers of the same point of view:
// nobody may change it.
type View struct {
	Summary
	POV   rules.Seat
	Maker PlayerID // who made the table, and may have others stand up
	Code  string   // of a private table; only in views of seated players

	Names      []string  // by seat, of those who play the game or have played it; Seats may have changed since it ended
	Teams      [2]string // their names, as far as they are known
	Tags       [2]string // of the teams that play the game, or would, by side; empty at other tables
	Play       rules.View
	Commitment string                      // to the seed: of this game, or before a game to that of the next
	Seed       string                      // after the game
	Casual     string                      // why the game counts for nobody's rating, or would not
	Night      string                      // the club nights under which it counts, such as "3" or "3, 4"
	Log        []*Entry                    // of this game, the newest last; the last 400
	Chat       []ChatLine                  // both rooms for the gallery; players hear the watchers' after the game
	Chances    []int                       // in percent, by side, to win the game; only for watchers, while a game is played
	OpenHands  *[rules.MaxSeats]rules.Hand // at a table with open hands: tiles held for two minutes, for the same watchers
	Watching   []string                    // names of watchers, in order of arrival, the first 50

	// Clock of the seat to move. TurnEnds is when the turn's own time is used up and the bank begins to run; BankEnds when
	// that is used up as well. Both are zero where no clock runs. They hold monotonic time: compare with time.Now only.
	TurnEnds time.Time
	BankEnds time.Time
	Deadline time.Time // when the countdown, the pause, the scoring or the wait ends, or an event's table closes; zero if nothing does

	PausedBy rules.Side     // whose pause it is; only that side may end it
	Votes    map[Vote]Tally // what somebody has voted for
	Swap     SwapWish       // the swap of seats that somebody asks for; zero if none
	Result   *Result        // of the finished game, with what it did to the standings
	Notice   string         // a line that concerns all: frozen, going down, …

	May May // what the reader may ask for
}

// Summary is a table in one line of the lobby, free of secrets.
type Summary struct {
	Table    ID
	Version  uint64 // counts up with every change anybody may see
	Config   Config
	State    State
	Seats    []SeatView
	Game     GameID // 0 before the first game
	Round    int
	Scores   []int // by side; empty before the first game
	Turn     rules.Seat
	Watchers int
	Rated    bool      // the game counts, or would with those who sit
	Asleep   bool      // none of the players is there: no clock runs and no bot moves until one is back
	Played   bool      // a player has chosen a tile in the game
	Started  time.Time // of the game

	barred []unwanted // as in state
	once   *once      // of all views of this version
}
