// Package arena knows the rules of an arena: for an hour or so, whoever is free is paired at once with an
// entrant of similar rank, and wins score points. It is pure: its state follows from the event's journal, and
// it must not know a clock, a table or a screen.
package arena

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// Kind is the kind of these events.
const Kind event.Kind = "arena"

const title = "Arena"

// Type is the type of these events.
var Type = &event.Type{
	Kind: Kind, New: New, Config: Config{}, Data: entries.Data(),
	Title: title, None: ErrNone, Over: ErrOver, Leads: true,
	News: "arena", Foretold: true, Dated: true, Keep: keep,
	Season: &event.Worth{Rival: 2, Best: 10},
	Bound: &event.Bound{Quota: event.Created, Own: ErrMany, Full: ErrMade, Made: &limit.Rule{
		Key:     limit.Rate{Burst: 2, Every: 10 * time.Minute},
		Addr:    limit.Rate{Burst: 4, Every: 10 * time.Minute},
		Network: limit.Rate{Burst: 8, Every: 5 * time.Minute},
	}},
}

// Config is the configuration of an arena.
type Config struct {
	Name     string         `json:"name"`
	Rules    string         `json:"rules"` // a rule string
	Pace     table.Pace     `json:"pace"`
	Pairs    bool           `json:"pairs,omitempty"`    // two friends enter together and play as partners
	Battle   bool           `json:"battle,omitempty"`   // teams compete with the sum of their members' best scores
	Teams    []table.TeamID `json:"teams,omitempty"`    // those in a battle; empty for any team
	Programs bool           `json:"programs,omitempty"` // programs may take part
	Bots     bool           `json:"bots,omitempty"`     // after a long wait, an entrant plays a house bot
	Weekly   bool           `json:"weekly,omitempty"`   // the next one begins a week after this one began
	By       string         `json:"by"`                 // its creator
}

// The shortest and the longest arena.
const (
	Shortest = 10 * time.Minute
	Longest  = 120 * time.Minute
)

const (
	// most is how many players may enter: whenever a game ends, all entrants are ranked, and if nobody may meet, all
	// who are free are compared with each other.
	most = 2000
	// patience is how long entrants wait before they may be paired with anybody.
	patience = 10 * time.Second
	// lonely is how long an entrant waits for a person before a bot takes the seat, if Bots is set.
	lonely = 30 * time.Second
	// meetings is how often two entrants may play each other in one arena.
	meetings = 5
	// overtime is how long after the arena's end games may still end.
	overtime = 30 * time.Minute
	// streak is the number of successive wins from which wins count double.
	streak = 3
	// quick is how many tiles the loser of a forfeit must have chosen to play for it to extend a streak.
	quick = 3
)

// ErrConfig is wrapped by the errors of Validate, which are sentences for the arena's creator.
var ErrConfig = errors.New("the arena cannot be created")

// Validate reports what is wrong with a configuration.
func (c *Config) Validate() error {
	r, err := event.ParseRules(c.Rules, c.Pace)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrConfig, err)
	case c.Pairs != r.Teams:
		return fmt.Errorf("%w: pairs need a game with partners, such as block or teams=on, and single players one without", ErrConfig)
	}
	return r.CheckSeats(c.seats())
}

func (c *Config) seats() int {
	if c.Pairs {
		return 4
	}
	return 2
}

// Best is how many of its members' scores a team's score adds up, best first.
func (c *Config) Best() int {
	if c.Pairs {
		return 3
	}
	return 5
}

// Refusals of requests.
const (
	ErrNone     text.Refusal = "There is no such arena; arena lists them."
	ErrNotIn    text.Refusal = "You aren't in this arena."
	ErrOver     text.Refusal = "This arena is over."
	ErrBegun    text.Refusal = "This arena has begun; only operators can end it now."
	ErrFull     text.Refusal = "This arena is full."
	ErrPrograms text.Refusal = "Programs can't take part in this arena."
	ErrTeam     text.Refusal = "This is a battle of teams: only members of its teams can take part."
	ErrSingle   text.Refusal = "Everybody plays alone in this arena: enter without a partner."
	ErrPartner  text.Refusal = "This arena is for pairs: say who your partner is."
	ErrOnce     text.Refusal = "This arena isn't weekly."
)

// Entrant is one player, or two who play as partners.
type Entrant struct {
	ID table.PlayerID // of the first member
	event.Entrant
	Score int
	Tie   float64 // the mean of the opponents' scores
	Games int
	Won   int
	Row   int // wins in a row
	Rank  int // from 1
	Game  int64
	Away  bool // left, or was inactive
	Idle  bool // did not make the first move

	since time.Time // when it became free
	met   []table.PlayerID
	no    int // order of entering
}

// Team is a team of a battle.
type Team struct {
	ID    table.TeamID
	Tag   string
	Score int
	Rank  int
}

// Game is a game that is being played.
type Game struct {
	No   int64
	A, B table.PlayerID // entrants; A has seats 1 and 3. B is 0 for house bots
}

// View is an arena as readers see it.
type View struct {
	event.Head
	Config   Config
	Begins   time.Time
	Ends     time.Time
	Begun    bool
	Closed   bool // nobody is paired any more
	Over     bool
	Entrants []Entrant // by rank
	Teams    []Team    // by rank
	Games    []Game    // by number
	Played   int       // games that count
}

// Enters reports whether people may still enter: not during the last games.
func (v *View) Enters() bool { return !v.Over && !v.Closed }

func (v *View) Plan() event.Plan {
	return event.Plan{Kind: Kind, Name: v.Config.Name, By: v.Config.By, Begun: v.Begun, Over: v.Over, Endable: !v.Closed}
}

func (v *View) Players() (all []table.Player) {
	for i := range v.Entrants {
		all = append(all, v.Entrants[i].Members...)
	}
	return all
}

func (v *View) Unaided() bool { return !v.Config.Programs }

// RankOf returns a player's place, or 0 if they do not take part.
func (v *View) RankOf(p table.PlayerID) int {
	if e := v.Of(p); e != nil {
		return e.Rank
	}
	return 0
}

func (v *View) Has(p table.PlayerID) bool {
	e := v.Of(p)
	return e != nil && !e.Away
}

func (v *View) Appointments(p table.Player, own event.Appointment) []event.Appointment {
	own.Own = v.Of(p.ID) != nil
	return []event.Appointment{own}
}

// Of returns the entrant of a player, or nil.
func (v *View) Of(p table.PlayerID) *Entrant {
	for i := range v.Entrants {
		if v.Entrants[i].Has(p) {
			return &v.Entrants[i]
		}
	}
	return nil
}

// Arena is the state of one arena. It implements [event.Rules].
type Arena struct {
	v        View                        // as readers see it, without entrants, teams and games
	entrants map[table.PlayerID]*Entrant // by the ID of the first member
	players  map[table.PlayerID]*Entrant // by the ID of each member
	asked    event.Asked
	games    map[int64]Game
	busy     map[table.PlayerID]bool // entrants who played elsewhere at the last Ask
	last     int64
	took     map[table.GameID]bool
	results  []outcome
}

var _ interface {
	event.Asker
	event.Checker
	event.Endable
} = (*Arena)(nil)

// New returns the state of a new arena.
func New(e event.Event) (event.Rules, error) {
	a := &Arena{
		v:        View{Head: event.Head{ID: e.ID}, Begins: e.Begins, Ends: e.Ends},
		entrants: map[table.PlayerID]*Entrant{}, players: map[table.PlayerID]*Entrant{}, asked: event.Asked{},
		games: map[int64]Game{}, busy: map[table.PlayerID]bool{}, took: map[table.GameID]bool{},
	}
	if err := e.ReadConfig(&a.v.Config); err != nil {
		return nil, err
	}
	return a, a.v.Config.Validate()
}

// of returns the entrant of a player, or nil.
func (a *Arena) of(p table.PlayerID) *Entrant { return a.players[p] }

func (a *Arena) HasResult(g table.GameID) bool { return a.took[g] }

func (a *Arena) Wanted() []event.Pairing {
	var all []event.Pairing
	for _, no := range slices.Sorted(maps.Keys(a.games)) {
		g := a.games[no]
		cfg := table.DefaultConfig()
		cfg.RuleText = a.v.Config.Rules
		cfg.Rules, _ = rules.Parse(a.v.Config.Rules) // Validate has parsed it
		cfg.Name, cfg.Seats, cfg.Pace = a.v.Config.Name, a.v.Config.seats(), a.v.Config.Pace
		cfg.Fill, cfg.Absence = table.FillNever, table.AbsenceForfeit
		cfg.Event = table.Event{Prompt: true}
		seats := make([]table.Player, cfg.Seats)
		if g.B == 0 {
			cfg.Fill = table.FillNow
		}
		for i, e := range a.sides(g) {
			for k, m := range e.Members {
				seats[i+2*k] = m
			}
		}
		all = append(all, event.Pairing{No: no, Config: cfg, Occasion: table.Occasion{Seats: seats}})
	}
	return all
}

// sides returns the entrants of a game: two, or one who plays against bots.
func (a *Arena) sides(g Game) []*Entrant {
	if g.B == 0 {
		return []*Entrant{a.entrants[g.A]}
	}
	return []*Entrant{a.entrants[g.A], a.entrants[g.B]}
}

func (a *Arena) View(at map[int64]table.ID) event.View {
	v := new(a.v)
	v.At = at
	for _, e := range a.ranking() {
		c := *e
		c.met = nil
		v.Entrants = append(v.Entrants, c)
	}
	v.Games = text.Each(slices.Sorted(maps.Keys(a.games)), func(no int64) Game { return a.games[no] })
	if a.v.Config.Battle {
		v.Teams = teams(v.Entrants, a.v.Config.Best())
	}
	return v
}
