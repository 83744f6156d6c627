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

// Make returns an event that can be created once it has a key.
func Make(kind Kind, cfg any, begins time.Time) Event {
	return Event{Kind: kind, Begins: begins, Config: encode(cfg)}
}

// MakeDealt returns an event like Make, whose deals follow from a seed. The seed is its secret; cfg holds the
// commitment to it.
func MakeDealt(kind Kind, cfg any, seed rules.Seed, begins time.Time) Event {
	e := Make(kind, cfg, begins)
	e.Secret = seed.String()
	return e
}

// Names is who the members of one side are: "ana", or "ana + ben".
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

// ReadDealt reads the configuration of an event whose deals follow from a seed, and that seed, which is the
// event's secret. commitment points to the field of cfg that holds the hash of it that was shown.
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

// ParseRules parses the rules of an event's games, which are played in one sitting and against the clock.
func ParseRules(text string, pace table.Pace) (rules.Ruleset, error) {
	r, err := rules.Parse(text)
	if err == nil && !slices.Contains([]table.Pace{table.PaceRelaxed, table.PaceNormal, table.PaceFast}, pace) {
		err = errors.New("the pace must be relaxed, normal or fast")
	}
	return r, err
}

// Kept is how long seats are kept for players who have not shown up. A table waits as long for players who
// have vanished from a game.
const Kept = 15 * time.Minute

// KindOver is the kind of the entry that ends an event.
const KindOver = "over"

// Closing is an event that is over, with its last entry.
type Closing struct {
	Event Event
	Last  Entry
}

// Played is an event's game that has ended.
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

// Sealed returns a game that nobody can see before the event is over, since others play the same deals.
// Masters of the house take the free seats.
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

// ErrBusy is returned for a game whose players cannot all come to its table yet, since one of them plays at
// that of another event.
var ErrBusy = errors.New("a player is at a table of another event")

// Journal stores events. Its methods may be called by any goroutine.
type Journal interface {
	// CreateEvent stores an event, or finds the existing one with the same kind and key, and returns it with
	// its number.
	CreateEvent(ctx context.Context, e Event) (Event, error)
	// AppendEvent returns once the entries are on disk, all or none of them. The first gets the number seq+1;
	// if that is taken, it returns ErrConflict. After table.ErrUnavailable it may be tried again; any other
	// error is final. If over is set, the event is over from then on, and the records of its games are
	// public.
	AppendEvent(ctx context.Context, id ID, seq int, entries []Entry, over bool) error
	Event(ctx context.Context, kind Kind, key string) (Event, error) // ErrNotFound
	// Events lists the events of a kind, newest first; with an empty kind, those of all kinds that are not
	// over. Limit 0 means all.
	Events(ctx context.Context, kind Kind, limit int) ([]Event, error)
	EventLog(ctx context.Context, id ID) ([]Entry, error)
	EventGames(ctx context.Context, id ID) ([]Played, error) // those that have ended, in that order
}

// Store is a journal of which more can be asked.
type Store interface {
	Journal
	// EventByID returns an event by number, or ErrNotFound.
	EventByID(ctx context.Context, id ID) (Event, error)
	// Moves returns the lines of a finished game, also of one that is sealed: it is for the event that the
	// game belongs to.
	Moves(ctx context.Context, id table.GameID) ([]string, error)
	// Closings are the events of a kind that are over with their last entries, the newest first. Limit 0: all.
	Closings(ctx context.Context, kind Kind, limit int) ([]Closing, error)
}

// Rules are the rules and state of one event, as they follow from its journal. Only the event's goroutine
// calls them. What they return is journaled first and then applied, so that nobody sees what is not on disk;
// methods that return entries change nothing.
type Rules interface {
	Apply(e Entry) error
	// Ended returns what follows from the end of a game. A result that is counted must be named in one of the
	// entries, so that Took reports it: a game that was not taken is passed to Ended again after every
	// restart.
	Ended(now time.Time, p Played) []Entry
	Took(game table.GameID) bool
	// Due returns what is to happen by now, without waiting; Next returns when to ask again, or zero for never.
	Due(now time.Time) []Entry
	Next() time.Time
	// Wanted lists the games that have a table or need one. Other tables of the event are closed, but for
	// those whose games have ended: they close by themselves.
	Wanted() []Pairing
	// View returns the event as readers see it, and where its games are played.
	View(at map[int64]table.ID) View
}

// Gameless is a part of Rules whose events have no games of their own.
type Gameless struct{}

func (Gameless) Ended(time.Time, Played) []Entry { return nil }
func (Gameless) Took(table.GameID) bool          { return true }
func (Gameless) Wanted() []Pairing               { return nil }

// Checker is implemented by Rules that can be compared with the games on disk.
type Checker interface {
	// Check returns a line for each discrepancy: a result that differs, or that belongs to no game.
	Check(games []Played) []string
}

// Roster is a team as it is now.
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
	// Here reports whether somebody is in the club, and free: no game takes their time.
	Here(id table.PlayerID) bool
	// Busy reports whether somebody plays at a table of another event, or is about to.
	Busy(id table.PlayerID) bool
	// Came reports whether a game of the event has begun at its table, and if not, which of its players are
	// in the club. A game that does not wait for its players has begun when one of them has played a tile.
	Came(pairing int64) (begun bool, here []table.PlayerID)
	// Returning reports whether the server has just started: who is absent may be calling again.
	Returning() bool
}

// Asker is implemented by Rules that need to know something about the club that their journal does not say.
type Asker interface {
	// Ask returns what is to happen by now, once Due has nothing more to do. Next may also return when to ask
	// it.
	Ask(ctx context.Context, now time.Time, f Facts) ([]Entry, error)
}

// Optional is implemented by Rules of events that can be called off.
type Optional interface {
	// CallOff returns what ends an event that has not begun.
	CallOff() ([]Entry, error)
}

// Endable is implemented by Rules of events that operators can end before their time.
type Endable interface {
	// EndEarly returns what ends an event that has begun.
	EndEarly() ([]Entry, error)
}

// ToldOnce is for how long the same news is not told again, so that a restarted server does not repeat itself.
const ToldOnce = time.Hour

// Club makes tables for events.
type Club interface {
	// Rosters and Here are as in [Facts].
	Rosters(ctx context.Context, teams []table.TeamID) ([]Roster, error)
	Here(id table.PlayerID) bool
	// Busy is as in [Facts], for the event given.
	Busy(id table.PlayerID, in ID) bool
	// Came is as in [Facts], by table.
	Came(id table.ID) (begun bool, here []table.PlayerID)
	// EventTables lists the tables of events that exist.
	EventTables() map[table.ID]table.Event
	// OpenTable makes a table for a game of an event. It returns ErrBusy while one of its players plays
	// elsewhere, and [Events.Look] is called afterwards.
	OpenTable(ctx context.Context, p Pairing) (table.ID, error)
	// CloseTable closes a table for good, or has it close as soon as that can be written; a game in progress
	// there ends without a result. A table whose game has ended is left to close by itself.
	CloseTable(ctx context.Context, id table.ID) error
	// Changed is called when an event's view has changed, and when it is over and no room of [Events] any more. It must
	// neither block nor call back.
	Changed(r *Room)
	// Look is a table as anybody may see it.
	Look(id table.ID) (*table.View, error)
	// News adds news. NewsOnce does, unless the same was told within ToldOnce or there was too much
	// news: of starts, or of results.
	News(kind, what string)
	NewsOnce(kind, what string, start bool)
	// Tell says something to some players, but for one. Members who are away read it on their next visit.
	Tell(players []table.Player, but table.PlayerID, what string)
	// Remind says something to each member who is here, unless what is empty or they want no reminders.
	Remind(what func(p table.Player) string)
	// Hears reports whether somebody is here and reads what a player says.
	Hears(id table.PlayerID, from table.Player) bool
	// AskTo makes an ordinary table and asks some players who are here to it, in the name of one of them.
	AskTo(ctx context.Context, cfg table.Config, players []table.PlayerID, by table.Player, what string) error
	// Open reports whether new things may begin.
	Open() bool
	// Run has a background job done.
	Run(job func())
	// Trouble logs the error of a store, and is what people read of it.
	Trouble(doing string, err error) error
}
