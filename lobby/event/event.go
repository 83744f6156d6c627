// Package event knows what events of the club have in common: what happens in one is a journal from which its state follows, its
// games are played at tables that are made for it, and each result is taken once. It must not know a screen, SQL, or the
// lobby, which makes the tables.
package event

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"boneyard/rules"
	"boneyard/table"
)

// ID is the number of an event. Numbers are not used again.
type ID = table.EventID

// Kind says by which rules an event runs.
type Kind string

// Event is what stays the same of an event from its beginning to its end.
type Event struct {
	ID     ID
	Kind   Kind
	Key    string // tells events of a kind apart: of two that are created with one key there is one
	Begins time.Time
	Ends   time.Time       // as planned; zero where that is not known
	Config json.RawMessage // as the kind wants it
	Secret string          // kept from everybody until the event is over, such as the seed of its deals
	Over   bool
}

// Entry is a line of an event's journal: something that happened in it.
type Entry struct {
	Seq  int // from 1, without gaps
	At   time.Time
	Kind string
	Data json.RawMessage
}

// Make is an event that is to be created, when it has a key.
func Make(kind Kind, cfg any, begins time.Time) Event {
	return Event{Kind: kind, Begins: begins, Config: encode(cfg)}
}

// New makes an entry that is to be journaled.
func New(kind string, data any) Entry { return Entry{Kind: kind, Data: encode(data)} }

func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // only a fault of the program leads here
	}
	return b
}

// ParseRules reads the rules of an event's games, which are played in one sitting and against the clock.
func ParseRules(text string, pace table.Pace) (rules.Ruleset, error) {
	r, err := rules.Parse(text)
	if err == nil && !slices.Contains([]table.Pace{table.PaceRelaxed, table.PaceNormal, table.PaceFast}, pace) {
		err = errors.New("its pace is relaxed, normal or fast")
	}
	return r, err
}

// Kept is how long seats are kept for players who have not come.
const Kept = 15 * time.Minute

// KindOver is the kind of an entry with which an event is over.
const KindOver = "over"

// Closing is an event that is over, with its last entry.
type Closing struct {
	Event Event
	Last  Entry
}

// Read returns what an entry says.
func Read[T any](e Entry) (v T, err error) {
	return v, json.Unmarshal(e.Data, &v)
}

// Played is a game of an event that has ended.
type Played struct {
	Game   table.GameID
	Start  table.Start // Start.Event.Pairing says which of the event's games it was
	Result table.Result
	Ended  time.Time
}

// Pairing is a game that an event wants to be played.
type Pairing struct {
	No       int64 // counts the event's games
	Config   table.Config
	Occasion table.Occasion
}

// Errors of a [Journal].
var (
	// ErrConflict is returned for entries that do not follow on the last one: somebody else has written the event's journal.
	ErrConflict = errors.New("the event's journal has gone on")
	// ErrNotFound is returned for an event that is not there.
	ErrNotFound = errors.New("there is no such event")
)

// Journal keeps events. Its methods may be called by any goroutine.
type Journal interface {
	// CreateEvent keeps an event, or finds the one of the same kind and key that is there, and returns it with its number.
	CreateEvent(ctx context.Context, e Event) (Event, error)
	// AppendEvent returns after the entries are on disk, all or none of them; the first has the number seq+1, or it is ErrConflict.
	// If over is set, the event is over from then on, and the records of its games are everybody's.
	AppendEvent(ctx context.Context, id ID, seq int, entries []Entry, over bool) error
	Event(ctx context.Context, kind Kind, key string) (Event, error) // ErrNotFound
	// Events lists the events of a kind, the newest first; those of all kinds that are not over if it is empty. Limit 0: all.
	Events(ctx context.Context, kind Kind, limit int) ([]Event, error)
	EventLog(ctx context.Context, id ID) ([]Entry, error)
	EventGames(ctx context.Context, id ID) ([]Played, error) // that have ended, in the order in which they did
}

// Rules are those of one event: its state, as it follows from its journal. Only the event's goroutine calls them. What they return
// is journaled first and applied then, so that nobody sees what is not on disk; a method that returns entries changes nothing.
type Rules interface {
	Apply(e Entry) error
	// Ended says what follows from the end of a game. Whoever takes a result says so in one of the entries, so that Took reports
	// it: a game that is not taken is told of again after a restart, and one that is never is.
	Ended(now time.Time, p Played) []Entry
	Took(game table.GameID) bool
	// Due says what is to happen by now, without a wait; Next is when that may be asked next, zero for never.
	Due(now time.Time) []Entry
	Next() time.Time
	// Wanted lists the games that have a table, or are to get one.
	Wanted() []Pairing
	Over() bool
	// View is the event as readers see it; it is never changed afterwards.
	View() any
}

// Checker is Rules that can be compared with the games that are on disk.
type Checker interface {
	// Check says in a line each what does not fit: a result that is another one, or of no game.
	Check(games []Played) []string
}

// Roster is a team as it is now.
type Roster struct {
	Team    table.TeamID
	Tag     string
	Name    string
	Rating  int            // as shown
	Members []table.Player // in order of joining
}

// Facts are what an event may ask of the club.
type Facts interface {
	// Rosters are those of the teams that are there.
	Rosters(ctx context.Context, teams []table.TeamID) ([]Roster, error)
	// Here reports whether somebody is in the club.
	Here(id table.PlayerID) bool
	// Came says whether a game of the event has begun at its table, and otherwise which of its players are in the club. A game that
	// does not wait for its players has begun when one of them has played a tile.
	Came(pairing int64) (begun bool, here []table.PlayerID)
}

// Asker is Rules that need to know something of the club that their journal does not say.
type Asker interface {
	// Ask says what is to happen by now, when Due has come to rest. Next is when that may be asked, too.
	Ask(ctx context.Context, now time.Time, f Facts) ([]Entry, error)
}

// CallsOff is Rules that have tables closed before their games have begun.
type CallsOff interface {
	// CalledOff reports whether a game that is not wanted any more is not to be played.
	CalledOff(pairing int64) bool
}

// Club makes tables for events.
type Club interface {
	// Rosters and Here are as in [Facts].
	Rosters(ctx context.Context, teams []table.TeamID) ([]Roster, error)
	Here(id table.PlayerID) bool
	// Came is as in [Facts], by table.
	Came(id table.ID) (begun bool, here []table.PlayerID)
	// EventTables lists the tables of events that are there.
	EventTables() map[table.Event]table.ID
	// OpenTable makes a table for a game of an event.
	OpenTable(ctx context.Context, p Pairing) (table.ID, error)
	// CloseTable closes a table for good; a game that is played there ends without a result.
	CloseTable(ctx context.Context, id table.ID) error
	// Changed is told that an event's view is another one. It must neither block nor call back.
	Changed(id ID)
}
