// Package event knows what the club's events have in common: an event's state follows from a journal of what
// happened in it, its games are played at tables made for it, and each result is counted once. It must not
// know screens, SQL, or the lobby, which makes the tables.
package event

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"boneyard/rules"
	"boneyard/table"
)

// ID is the number of an event. Numbers are never reused.
type ID = table.EventID

// Kind identifies the rules by which an event runs.
type Kind string

// Event is the part of an event that stays the same from beginning to end.
type Event struct {
	ID     ID
	Kind   Kind
	Key    string // unique within a kind: creating an event twice with one key makes only one
	Begins time.Time
	Ends   time.Time       // as planned; zero where unknown
	Config json.RawMessage // in the kind's own format
	Secret string          // hidden until the event is over, such as the seed of its deals
	Over   bool
}

// Entry is one line of an event's journal: something that happened in it.
type Entry struct {
	Seq  int // from 1, without gaps
	At   time.Time
	Kind string
	Data json.RawMessage
}

// Make returns an event; it still needs a key.
func Make(kind Kind, cfg any, begins time.Time) Event {
	return Event{Kind: kind, Begins: begins, Config: encode(cfg)}
}

// MakeDealt returns an event like Make whose deals follow from a seed. The seed becomes its secret; cfg holds
// the seed's commitment.
func MakeDealt(kind Kind, cfg any, seed rules.Seed, begins time.Time) Event {
	e := Make(kind, cfg, begins)
	e.Secret = seed.String()
	return e
}

// Names names the members of a side: "ana", or "ana + ben".
func Names(members []table.Player) string {
	return strings.Join(table.Names(members), " + ")
}

// Has reports whether a player is one of the members.
func Has(members []table.Player, p table.PlayerID) bool {
	return slices.ContainsFunc(members, func(m table.Player) bool { return m.ID == p })
}

// ReadConfig reads the event's configuration into cfg, a pointer.
func (e Event) ReadConfig(cfg any) error {
	if err := json.Unmarshal(e.Config, cfg); err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	return nil
}

// ReadDealt reads the configuration and the seed of an event made by MakeDealt. commitment points to the
// field of cfg that holds the hash shown before the event; the seed must match it.
func (e Event) ReadDealt(cfg any, commitment *string) (rules.Seed, error) {
	if err := e.ReadConfig(cfg); err != nil {
		return rules.Seed{}, err
	}
	seed, err := rules.ParseSeed(e.Secret)
	if err == nil && seed.Commitment() != *commitment {
		err = errors.New("the seed is not the one whose hash was shown")
	}
	return seed, err
}

func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // only a bug leads here
	}
	return b
}

// ParseRules parses the rules of an event's games. The pace must be one for games played in one sitting.
func ParseRules(text string, pace table.Pace) (rules.Ruleset, error) {
	r, err := rules.Parse(text)
	if err == nil && !slices.Contains([]table.Pace{table.PaceRelaxed, table.PaceNormal, table.PaceFast}, pace) {
		err = errors.New("the pace must be relaxed, normal or fast")
	}
	return r, err
}

// Kept is how long an event's table waits for players who have not come, or who have vanished from a game.
const Kept = 15 * time.Minute

// KindOver is the kind of the entry that ends an event.
const KindOver = "over"

// Closing is an event that is over, with its last entry.
type Closing struct {
	Event Event
	Last  Entry
}

// Played is a game of an event that has ended.
type Played struct {
	Game   table.GameID
	Start  table.Start // Start.Event.Pairing identifies the game within the event
	Result table.Result
	Ended  time.Time
}

// Pairing is a game that an event wants played.
type Pairing struct {
	No       int64 // numbers the event's games
	Config   table.Config
	Occasion table.Occasion
}

// Sealed returns a pairing whose game is hidden until the event is over, since others play the same deals.
// Master bots take the free seats.
func Sealed(no int, of, ruleText string, pace table.Pace, seed rules.Seed, seats []table.Player) Pairing {
	cfg := table.DefaultConfig()
	cfg.Name = fmt.Sprintf("%s, table %d", of, no)
	cfg.Rules, cfg.RuleText, cfg.Seats = rules.Ruleset{}, ruleText, len(seats)
	cfg.Pace, cfg.Watchers = pace, false
	cfg.Fill, cfg.Strength, cfg.Absence = table.FillNow, table.Master, table.AbsenceBot
	cfg.Event = table.Event{Private: true, Sealed: true, Fixed: true}
	return Pairing{No: int64(no), Config: cfg, Occasion: table.Occasion{Seed: seed, Seats: seats}}
}

// Errors of a [Journal].
var (
	// ErrConflict is returned for entries that do not follow the last one: somebody else has written to the
	// event's journal.
	ErrConflict = errors.New("the event's journal has moved on")
	// ErrNotFound is returned for an event that does not exist.
	ErrNotFound = errors.New("there is no such event")
)

// ErrBusy is returned for a game that cannot begin because one of its players plays in another event.
var ErrBusy = errors.New("a player is at a table of another event")

// Journal stores events. Its methods may be called by any goroutine.
type Journal interface {
	// CreateEvent stores an event, or finds the existing one with the same kind and key, and returns it with
	// its number.
	CreateEvent(ctx context.Context, e Event) (Event, error)
	// AppendEvent returns once all the entries are on disk; if it fails, none are. The first entry gets the
	// number seq+1; if that is taken, AppendEvent returns ErrConflict. After table.ErrUnavailable it may be
	// retried; any other error is final. If over is set, the event is over from then on, and the records of
	// its games are public.
	AppendEvent(ctx context.Context, id ID, seq int, entries []Entry, over bool) error
	Event(ctx context.Context, kind Kind, key string) (Event, error) // ErrNotFound
	// Events lists the events of a kind, newest first; with an empty kind, those of all kinds that are not
	// over. Limit 0 means all.
	Events(ctx context.Context, kind Kind, limit int) ([]Event, error)
	EventLog(ctx context.Context, id ID) ([]Entry, error)
	EventGames(ctx context.Context, id ID) ([]Played, error) // those that have ended, in that order
}

// Store is a Journal that answers more questions.
type Store interface {
	Journal
	// EventByID returns an event by number, or ErrNotFound.
	EventByID(ctx context.Context, id ID) (Event, error)
	// Moves returns the lines of a finished game, even a sealed one: it is for the game's own event.
	Moves(ctx context.Context, id table.GameID) ([]string, error)
	// Closings lists the events of a kind that are over, newest first, with last entries. Limit 0 means all.
	Closings(ctx context.Context, kind Kind, limit int) ([]Closing, error)
}

// Rules are the rules of one event and its state, which follows from its journal. Only the event's goroutine
// calls them; when the event is over, nothing more is asked of it that would change it. Methods that return
// entries change nothing: the entries are journaled first and then applied, so that nobody sees what is not on disk.
type Rules interface {
	Apply(e Entry) error
	// Ended returns what follows from the end of a game. One of the entries must name a game that counts, so
	// that HasResult reports it: a game that was not taken is passed to Ended again after every restart.
	Ended(now time.Time, p Played) []Entry
	HasResult(game table.GameID) bool
	// Due returns what is to happen by now; Next returns when to ask again, or zero for never.
	Due(now time.Time) []Entry
	Next() time.Time
	// Wanted lists the games that have a table or need one. The event's other tables are closed, except those
	// whose games have ended: they close by themselves.
	Wanted() []Pairing
	// View returns the event as readers see it. at says where its games are played, by pairing.
	View(at map[int64]table.ID) View
}

// Gameless can be embedded in Rules whose events have no games of their own.
type Gameless struct{}

func (Gameless) Ended(time.Time, Played) []Entry { return nil }
func (Gameless) HasResult(table.GameID) bool     { return true }
func (Gameless) Wanted() []Pairing               { return nil }

// Checker is implemented by Rules that can be compared with the games on disk.
type Checker interface {
	// Check returns a line for each discrepancy: a result that differs, or that belongs to no game.
	Check(games []Played) []string
}

// Roster is the current state of a team.
type Roster struct {
	Team    table.TeamID
	Tag     string
	Name    string
	Rating  int            // as shown
	Members []table.Player // in order of joining
	Captain table.Player   // one of them
}

// Facts is what an event may ask about the club.
type Facts interface {
	// Rosters returns the rosters of those teams that exist.
	Rosters(ctx context.Context, teams []table.TeamID) ([]Roster, error)
	// Here reports whether a player is in the club and not occupied by a game.
	Here(id table.PlayerID) bool
	// Busy reports whether a player plays, or is about to play, at a table of another event.
	Busy(id table.PlayerID) bool
	// Came reports whether a game of the event has begun at its table, and which of its players are in the
	// club. A game that does not wait for its players has begun when one of them has played a tile.
	Came(pairing int64) (begun bool, here []table.PlayerID)
	// Returning reports whether the server has just started, so that absent players may be reconnecting.
	Returning() bool
}

// Asker is implemented by Rules that need facts about the club that are not in their journal.
type Asker interface {
	// Ask returns what is to happen by now. It is called when Due returns nothing; Next covers it, too.
	Ask(ctx context.Context, now time.Time, f Facts) ([]Entry, error)
}

// Optional is implemented by Rules of events that can be called off.
type Optional interface {
	// CallOff returns the entries that end an event that has not begun.
	CallOff() ([]Entry, error)
}

// Endable is implemented by Rules of events that operators can end early.
type Endable interface {
	// EndEarly returns the entries that end an event that has begun.
	EndEarly() ([]Entry, error)
}

// ToldOnce is how long the same news is not repeated, even by a restarted server.
const ToldOnce = time.Hour

// NewsSort is a sort of news. At a time there may be only so much of each, except for what is rare.
type NewsSort int

const (
	Results NewsSort = iota // of events and of their matches
	Starts                  // of events
	Rare                    // such as the winner of a season
)

// Club is what events need from the club.
type Club interface {
	// Rosters and Here are as in [Facts].
	Rosters(ctx context.Context, teams []table.TeamID) ([]Roster, error)
	Here(id table.PlayerID) bool
	// Busy is as in [Facts], for the event in.
	Busy(id table.PlayerID, in ID) bool
	// Came is as in [Facts], by table.
	Came(id table.ID) (begun bool, here []table.PlayerID)
	// EventTables lists all open tables of events.
	EventTables() map[table.ID]table.Event
	// OpenTable makes a table for a game of an event. It returns ErrBusy while one of its players plays
	// elsewhere; the club calls [Events.Recheck] once that may have changed.
	OpenTable(ctx context.Context, p Pairing) (table.ID, error)
	// CloseTable closes a table for good, now or as soon as that can be written; a game in progress there
	// ends without a result. A table whose game has ended is left to close by itself.
	CloseTable(ctx context.Context, id table.ID) error
	// Changed is called when an event's view has changed, and once its room has left [Events]. It must
	// neither block nor call back.
	Changed(r *Room)
	// GalleryView returns a table as any watcher sees it.
	GalleryView(id table.ID) (*table.View, error)
	// News adds news of a time, zero for now, unless there is the same news of a time within ToldOnce of it,
	// or there was too much news of its sort.
	News(at time.Time, kind, what string, sort NewsSort)
	// Tell sends a message to players, except one. Members who are away read it on their next visit.
	// TellHere sends it only to those who are in the club.
	Tell(players []table.Player, but table.PlayerID, what string)
	TellHere(players []table.Player, but table.PlayerID, what string)
	// Remind sends what(p) to each member p in the club, unless it is empty or p wants no reminders.
	Remind(what func(p table.Player) string)
	// Hears reports whether a player is in the club and reads what another says.
	Hears(id table.PlayerID, from table.Player) bool
	// Shows reports whether a player is in the club and looks at a table.
	Shows(id table.PlayerID, at table.ID) bool
	// AskTo makes an ordinary table, unless that of cfg.Challenge exists, and invites those of some players who
	// are in the club and were not invited yet, on behalf of one.
	AskTo(ctx context.Context, cfg table.Config, players []table.PlayerID, by table.Player, what string) error
	// Open reports whether the club has started and is not shutting down.
	Open() bool
	// Run runs a background job, after those before it.
	Run(job func())
	// KeepTime is a background job that stores the time. Until then, people were told everything.
	KeepTime()
	// Trouble logs an error of a store, and returns the one that people read.
	Trouble(doing string, err error) error
}
