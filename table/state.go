package table

import (
	"iter"
	"slices"
	"time"

	"boneyard/rules"
)

// seatState is one seat of the table and its player. Exported fields are kept on disk.
type seatState struct {
	Player   sender        `json:"player,omitzero"`
	House    Strength      `json:"house,omitempty"` // of a house bot
	Ready    bool          `json:"ready,omitempty"`
	Bank     time.Duration `json:"bank,omitempty"`
	Timeouts int           `json:"timeouts,omitempty"` // in a row
	Absent   bool          `json:"absent,omitempty"`
	StandIn  bool          `json:"standIn,omitempty"` // a bot plays for the player
	Gone     bool          `json:"gone,omitempty"`    // the player has left this game for good
	Quick    bool          `json:"quick,omitempty"`   // before a game: the player would play with bots
	Next     sender        `json:"next,omitzero"`     // takes this seat from a house bot with the next round

	nextAway bool          // Next has not been here since the server started
	unseen   bool          // the player has not been here since then: no game begins without them
	lateFrom time.Time     // since when the others wait for this player, zero if they do not
	silent   bool          // at a table without clocks: the player has not moved for long
	late     time.Duration // how long they waited before that
	presence Presence
	since    time.Time // of presence
	back     bool      // the player has returned after being absent
}

func (s *seatState) free() bool { return s.Player.ID == 0 && s.House == "" }

// human reports whether a person sits there who has not left for good.
func (s *seatState) human() bool { return s.Player.ID != 0 && !s.Gone }

// byBot reports whether a bot moves for the seat.
func (s *seatState) byBot() bool { return s.House != "" || s.StandIn || s.Gone }

// votes are the votes cast, by seat as bits.
type votes struct {
	Bot     uint8 `json:"bot,omitempty"`
	Adjourn uint8 `json:"adjourn,omitempty"`
	Claim   uint8 `json:"claim,omitempty"`
}

func (v *votes) of(vote Vote) *uint8 {
	switch vote {
	case VoteBot:
		return &v.Bot
	case VoteAdjourn:
		return &v.Adjourn
	case VoteClaim:
		return &v.Claim
	}
	return nil
}

// kept is what a table keeps on disk beside the rows of its game.
type kept struct {
	keptValues
	Unwanted []unwanted  `json:"unwanted,omitempty"` // whom the maker made stand up
	Recent   []commandID `json:"recent,omitempty"`   // commands that left no row
}

// keptValues is the part of kept that can be compared.
type keptValues struct {
	Phase     State                     `json:"phase"` // never Frozen
	Seats     [rules.MaxSeats]seatState `json:"seats"`
	Teams     [2]TeamID                 `json:"teams,omitzero"` // who plays 1+3 and 2+4 at a team table
	Filled    bool                      `json:"filled,omitempty"`
	Swap      SwapWish                  `json:"swap,omitzero"`
	Paused    [rules.MaxSeats]int       `json:"paused,omitzero"`   // pauses taken in this game, by side
	PausedBy  rules.Side                `json:"pausedBy,omitzero"` // whose pause it is
	Votes     votes                     `json:"votes,omitzero"`
	Clock     clock                     `json:"clock,omitzero"`
	Left      time.Duration             `json:"left,omitempty"` // of the deadline, when it was set or the table stopped
	Result    *Result                   `json:"result,omitempty"`
	Hints     bool                      `json:"hints,omitempty"`   // the game is played with hints
	Night     string                    `json:"night,omitempty"`   // the club nights under which the game began, see night
	Resigns   uint8                     `json:"resigns,omitempty"` // seats as bits: players who want to resign and wait for their partners
	Seed      string                    `json:"seed"`              // of the next game, whose commitment is shown before it
	Nobody    time.Time                 `json:"nobody,omitzero"`   // since when nobody is here, or attends to the game
	Mark      uint64                    `json:"mark"`              // above every version ever shown: a restored table begins here
	HeardUpTo int64                     `json:"heardUpTo,omitempty"`
	ChatSeq   int64                     `json:"chatSeq,omitempty"`
	Rows      int                       `json:"rows,omitempty"` // of the game when this was written; older programs wrote 0
}

// read changes what was written into what a restart would make of it now that the game has this many rows.
// The table is written only if a restart would get something else: after most moves it would not.
func (s *state) read(k *kept, rows int) {
	if k.Rows != rows {
		k.Rows, k.Clock = rows, s.wholeTurn()
	}
	k.Clock.since = time.Time{}
}

// reads reports whether a restart would get the present state from what was written. It is a separate
// function because it needs much stack.
func (s *state) reads(written kept, rows int) bool {
	is := s.kept
	s.read(&written, rows)
	s.read(&is, rows)
	return written.equal(&is)
}

func (k *kept) equal(o *kept) bool {
	return k.keptValues == o.keptValues && slices.Equal(k.Unwanted, o.Unwanted) && slices.Equal(k.Recent, o.Recent)
}

// state is a table at one moment. Copies are independent, except for slices, which are appended to or
// replaced, never changed.
type state struct {
	kept
	*made
	game game // the present game, or the last

	// What follows is not kept on disk.
	version  uint64
	position uint64    // the version that first showed the game as it is now: older moves are stale
	deadline time.Time // when the countdown, the pause, the scoring, the wait, or an event's table ends by itself
	autoAt   time.Time // when the seat to move makes a bot's or a forced move
	overdue  bool      // a bot's pause is over, but it has not chosen yet
	fillAt   time.Time // when bots come
	turnAt   time.Time // at a table without clocks: since when a player who is here has had to choose
	watchers int
	looked   bool // somebody looks at the club, where no game has ended since, see [Table.Exhibit]
	frozen   bool
	notice   string
}

type game struct {
	id      GameID
	start   Start
	play    rules.Game
	rows    int                 // on disk
	number  int                 // of the last move within the round
	turn    int                 // of the last play or pass within the round
	plays   [rules.MaxSeats]int // tiles played in the game, by seat
	own     [rules.MaxSeats]int // tiles that the seat's player chose
	started time.Time
	best    rules.Points
	bestBy  rules.Seat
	behind  [rules.MaxSeats]rules.Points // the largest deficit so far, by side
	dealtAt time.Time                    // the round
	drawn   []drawn                      // in the round
	log     []*Entry                     // the last entries, including what only the drawer may know
	dropped int                          // how many came before them
}

// seat returns the seat with a number from 1.
func (s *state) seat(n rules.Seat) *seatState { return &s.Seats[n-1] }

// seats iterates over the table's seats by number.
func (s *state) seats() iter.Seq2[rules.Seat, *seatState] {
	return func(yield func(rules.Seat, *seatState) bool) {
		for i := range s.Seats[:s.cfg.Seats] {
			if !yield(rules.Seat(i+1), &s.Seats[i]) {
				return
			}
		}
	}
}

func (s *state) any(such func(*seatState) bool) bool {
	for _, q := range s.seats() {
		if such(q) {
			return true
		}
	}
	return false
}

// valid reports whether the table has a seat of that number.
func (s *state) valid(n rules.Seat) bool { return n >= 1 && int(n) <= s.cfg.Seats }

// seatOf returns a player's seat, 0 for none. A player who has left the game for good has none.
func (s *state) seatOf(p PlayerID) rules.Seat {
	for n, q := range s.seats() {
		if q.human() && q.Player.ID == p {
			return n
		}
	}
	return 0
}

func (s *state) sideOf(n rules.Seat) rules.Side { return rules.SideOf(n, s.cfg.Rules.Teams) }

// inGame reports whether a game is being played, even if it stands still.
func (s *state) inGame() bool { return s.Phase.inGame() }

func (s State) inGame() bool {
	switch s {
	case Playing, Scoring, Paused, Waiting, Adjourned:
		return true
	}
	return false
}

// here reports whether a seat's player is here and attends to the game.
func (s *state) here(q *seatState) bool { return q.human() && q.presence == Here && !q.Absent }

// away reports whether the others may vote about a seat's player, who is not here, or does nothing at a table
// without clocks. At the slow pace nobody has to be here.
func (s *state) away(q *seatState) bool {
	return q.human() && (q.Absent || q.silent || q.presence != Here && s.cfg.Pace != PaceSlow)
}

// attended reports whether anybody attends to the game. If not, no clock runs and no bot moves: when the
// server cannot be reached, no game is played without its players.
func (s *state) attended() bool {
	if s.cfg.House {
		return s.watchers > 0 || s.looked
	}
	anywhere := s.cfg.Pace == PaceSlow && s.Phase != Waiting && s.Phase != Adjourned // a clock runs for those who are elsewhere
	return s.any(func(q *seatState) bool {
		return s.here(q) || q.Next.ID != 0 && !q.nextAway || anywhere && q.human() && !q.Absent
	})
}

// asleep reports whether a game stands still because nobody attends to it. The house's table waits for
// watchers.
func (s *state) asleep() bool { return s.inGame() && !s.cfg.House && !s.attended() }

func (s *state) counts() (people, free int) {
	for _, q := range s.seats() {
		switch {
		case q.free():
			free++
		case q.human():
			people++
		}
	}
	return people, free
}

// allReady reports whether all seats are taken and every player is ready; bots always are.
func (s *state) allReady() bool {
	people, free := s.counts()
	return people > 0 && free == 0 && !s.any(func(q *seatState) bool { return q.human() && (!q.Ready || q.unseen) })
}

// shown returns the state that readers see.
func (s *state) shown() State {
	if s.frozen && s.Phase != Closed {
		return Frozen
	}
	return s.Phase
}

// raiseMark keeps the mark above all versions that will be shown before the next commit.
func (s *state) raiseMark() {
	const markStep = 1000 // how far the mark is raised above the present version
	if s.version+markStep/2 >= s.Mark {
		s.Mark = s.version + markStep
	}
}
