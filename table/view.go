package table

import (
	"sync"
	"time"

	"boneyard/rules"
)

// State is the phase of a table.
type State string

// The states.
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

// States returns the states of an open table.
func States() []State {
	return []State{Gathering, Countdown, Playing, Scoring, Paused, Waiting, Adjourned, Frozen, Finished}
}

// Presence is whether a seated player is here. Its value is stored and in JSON; screens show its Words.
type Presence string

// Presences.
const (
	Here         Presence = "here"
	Disconnected Presence = "lost the line"
	Left         Presence = "left"
	Silent       Presence = "silent" // does not move at a table without clocks
	Absent       Presence = "absent" // timed out twice, or away: Config.Absence applies
)

// Words returns the presence as screens show it.
func (p Presence) Words() string {
	if p == Disconnected {
		return "disconnected"
	}
	return string(p)
}

// SeatView is one seat as everybody sees it.
type SeatView struct {
	Player   Player
	House    Strength // not empty for a house bot
	Presence Presence
	Resigns  bool   // wants to resign, and waits for the partner
	StandIn  bool   // a bot plays for the absent player
	Next     Player // takes the seat from this bot with the next round; zero if nobody does
	Ready    bool   // before the game, or for a rematch, or to go on after a round
}

// once is what the readers of a version compute only once.
type once struct {
	sync.Once
	made []byte
}

// Once returns what make computes from the part of a version that all readers see; make is called once for
// all of them. The result must not be changed.
func (v *View) Once(make func() []byte) []byte {
	if v.once == nil { // the view is not from a table
		return make()
	}
	v.once.Do(func() { v.once.made = make() })
	return v.once.made
}

// Free reports whether nobody sits there.
func (s *SeatView) Free() bool { return s.Player.ID == 0 && s.House == "" }

// Name returns the name of the player or bot at the seat.
func (s *SeatView) Name() string { return s.Player.Name }

// Entry is one line of a table's log: a move with its receipt, or a remark by the house.
type Entry struct {
	Version uint64
	Round   int
	Number  int // of the move within the round, from 1; 0 if it is not a move
	Turn    int // as people count: draws have the number of the play or pass they lead to
	At      time.Time
	Event   rules.Event  // as this reader may see it; Kind 0 if it is not a move
	Terms   []rules.Term // the count of a play, term by term
	After   Standing     // how the game stood after a move
	Auto    bool         // made by the table: forced, timed out, or by a stand-in
	Late    bool         // made by the table for a player who ran out of time
	Text    string       // the house's remark, if it is not a move
}

// For returns the entry for a reader at a seat, or in the gallery (0).
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
	Turn   rules.Seat                   // the seat to move, 0 for none
	Open   *[rules.MaxSeats]rules.Hand  // all hands at the end of a round; nil while it is played
}

// StandingOf returns how a game stands.
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

// SwapWish is a request to swap two seats before the game. The same command from the other seat grants it.
type SwapWish struct {
	From rules.Seat `json:"from"` // the seat that asks
	With rules.Seat `json:"with"` // the seat that is asked
}

// View is a table as one reader may see it. It is immutable and shared by all readers of its POV.
type View struct {
	Summary
	POV   rules.Seat
	Maker PlayerID // who may make others stand up
	Code  string   // of a private table; only in views of seated players

	Names      []string  // by seat, of the players of the game; Seats may have changed since it ended
	Teams      [2]string // names of the teams, as far as known
	Tags       [2]string // of the teams that play the game, or would, by side; empty at other tables
	Play       rules.View
	Commitment string                      // to the seed of this game, or before a game of the next
	Seed       string                      // after the game
	Casual     string                      // why the game is not rated, or would not be
	Night      string                      // the club nights under which it is rated, such as "3" or "3, 4"
	Log        []*Entry                    // of this game, the newest last; the last 400
	Chat       []ChatLine                  // both rooms for the gallery; players hear the watchers' after the game
	Chances    []int                       // of each side to win the game, in percent; only for watchers, while a game is played
	OpenHands  *[rules.MaxSeats]rules.Hand // at a table with open hands: tiles held for two minutes, for the same watchers
	Watching   []string                    // names of watchers, in order of arrival, the first 50

	// The clock of the seat to move. TurnEnds is when the turn's own time is used up and the bank begins to
	// run; BankEnds when that is used up too. Both are zero while no clock runs. They hold monotonic time:
	// compare with time.Now only.
	TurnEnds time.Time
	BankEnds time.Time
	Deadline time.Time // when the countdown, the pause, the scoring or the wait ends, or an event's table closes; zero if nothing does

	PausedBy rules.Side     // only this side may end the pause
	Votes    map[Vote]Tally // votes that somebody has cast
	Swap     SwapWish       // the requested swap of seats; zero if none
	Result   *Result        // of the finished game, with what it did to the standings
	Notice   string         // a line for everybody: frozen, going down, …

	May May // what the reader may do
}

// Summary is a table in one line of the lobby, free of secrets.
type Summary struct {
	Table    ID
	Version  uint64 // counts up with every visible change
	Config   Config
	State    State
	Seats    []SeatView
	Game     GameID // 0 before the first game
	Round    int
	Scores   []int // by side; empty before the first game
	Turn     rules.Seat
	Watchers int
	Rated    bool      // the game is rated, or would be with those who sit
	Asleep   bool      // no player is here: no clock runs and no bot moves until one is back
	Played   bool      // a player has chosen a tile in the game
	Started  time.Time // of the game

	barred []unwanted // as in state
	once   *once      // shared by all views of this version
}
