// Package field knows the rules of duplicate arenas: everybody, alone or with a partner, plays the same
// deals, and is compared with everybody else in the same seat. It is pure: its state follows from the event's
// journal, and it must not know a clock, a table or a screen.
package field

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// Kind is the kind of these events.
const Kind event.Kind = "field"

const title = "Duplicate arena"

// Type is the type of these events.
var Type = &event.Type{
	Kind: Kind, New: New, Config: Config{}, Data: entries.Data(),
	Title: title, None: ErrNone, Over: ErrOver, Leads: true,
	News: "duplicate", Foretold: true, Dated: true, Takes: time.Hour, Keep: keep,
	Season: &event.Worth{Rival: 2, Best: 10},
	Bound:  &event.Bound{Quota: event.Created, Own: ErrMany, Full: event.ErrDealtMade, Made: event.DealtMade},
}

// Rounds is the default number of rounds.
const Rounds = 8

const (
	// least and most limit the number of players; least also limits that of pairs.
	least, most = 2, 64
	// fewest is the least number of tables: a single one could not be compared.
	fewest = 2
	// playing is how long the games may take in all.
	playing = 3 * time.Hour
)

// Config is the configuration of a duplicate arena.
type Config struct {
	Name   string     `json:"name"`
	Rules  string     `json:"rules"` // a rule string
	Pace   table.Pace `json:"pace"`
	Pairs  bool       `json:"pairs,omitempty"` // two friends enter together and play as partners
	By     string     `json:"by"`              // who created it
	Commit string     `json:"commitment"`      // to the seed
	Leads  bool       `json:"leads,omitempty"` // players whose opponent gives up keep a lead over the field; unset in arenas of older programs

	// Unended: players in unfinished games are not absent, as they were in arenas of older programs.
	Unended bool `json:"unended,omitempty"`
}

// ErrConfig is wrapped by the errors of Complete, which are sentences for the arena's creator.
var ErrConfig = errors.New("the duplicate arena cannot be created")

// Complete completes the rules with [event.DealtRules], or returns their fault. Partners make it for pairs.
func (c *Config) Complete() error {
	r, err := event.DealtRules(c.Rules, c.Pace, Rounds)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	c.Pairs, c.Rules = r.Teams, r.String()
	return r.CheckSeats(c.seats())
}

func (c *Config) seats() int {
	if c.Pairs {
		return rules.MaxSeats
	}
	return 2
}

// Refusals of requests.
const (
	ErrNone     text.Refusal = "There is no such duplicate arena; field lists them."
	ErrNotIn    text.Refusal = "You aren't in this duplicate arena."
	ErrOver     text.Refusal = "This duplicate arena is over."
	ErrBegun    text.Refusal = "This duplicate arena has begun."
	ErrFull     text.Refusal = "This duplicate arena is full."
	ErrPrograms text.Refusal = "Programs can't take part in duplicate arenas."
	ErrSingle   text.Refusal = "Everybody plays alone in this duplicate arena: enter without a partner."
	ErrPartner  text.Refusal = "This duplicate arena is for pairs: say who your partner is."
)

// Entrant is one player, or two who play as partners.
type Entrant = event.Entrant

// Table is a table of a duplicate arena. A house master takes each seat without a player.
type Table struct {
	Seats []table.Player
	Ended bool
}

// side returns the player in seat 1 (k = 0) or seat 2 (k = 1), with their partner.
func (t *Table) side(k int) []table.Player {
	side := []table.Player{t.Seats[k]}
	if len(t.Seats) > 2 {
		side = append(side, t.Seats[k+2])
	}
	return side
}

// Game is the game at a table.
type Game struct {
	event.Result
	Own   [rules.MaxSeats]int `json:"own"`   // tiles chosen by the players themselves, by seat
	Plays [rules.MaxSeats]int `json:"plays"` // all tiles played, by seat
}

// Values of [Place.State].
const (
	Compared   = "compared"   // with the field
	Left       = "left"       // the opponent gave up: scored as the average, or better if the player was ahead of it
	GaveUp     = "gave up"    // no place
	Absent     = "absent"     // chose fewer than half of the tiles played from the seat, as did a partner: no place
	Unfinished = "unfinished" // the game was not finished: no place
)

// Place is the result of a player, or of a pair.
type Place struct {
	Player  table.PlayerID `json:"player"`
	Name    string         `json:"name"`              // of both partners
	Partner table.PlayerID `json:"partner,omitempty"` // of a pair
	Table   int            `json:"table"`             // from 1
	Seat    int            `json:"seat"`              // 1 or 2; with a partner in seat 3 or 4
	Points  int            `json:"points"`            // points more than the opponent
	Over    int            `json:"over"`              // points more than the mean of the field in this seat, times the compared tables
	Rank    int            `json:"rank"`              // from 1; 0 without a place
	State   string         `json:"state"`
}

// Of reports whether a place belongs to a player.
func (p *Place) Of(id table.PlayerID) bool { return id != 0 && (id == p.Player || id == p.Partner) }

// Final is the outcome of a duplicate arena, and the data of the last entry of its journal.
type Final struct {
	Begun  bool    `json:"begun"`
	Off    bool    `json:"off,omitempty"` // called off
	Tables int     `json:"tables"`        // compared tables: their games were finished
	Places []Place `json:"places,omitempty"`
}

// View is a duplicate arena as readers see it.
type View struct {
	event.Head
	Config   Config
	Begins   time.Time
	Begun    bool
	Over     bool
	Entrants []Entrant // in order of entry
	Tables   []Table   // once it has begun

	// The fields below are zero until all games have ended.
	Seed   string
	Games  []Game
	Final  Final
	Rounds [][]int // once read from disk, the margin of seat 1 in each round of each table; nil for a game that is not compared
}

func (v *View) Plan() event.Plan {
	return event.Plan{Kind: Kind, Name: v.Config.Name, By: v.Config.By, Begun: v.Begun, Over: v.Over}
}

func (v *View) Players() (all []table.Player) {
	for i := range v.Entrants {
		all = append(all, v.Entrants[i].Members...)
	}
	return all
}

func (v *View) Appointments(p table.Player, own event.Appointment) []event.Appointment {
	own.Own = v.Has(p.ID)
	return []event.Appointment{own}
}

// Of returns a player's table and seat, both from 1, or zeros.
func (v *View) Of(p table.PlayerID) (no, seat int) {
	for i := range v.Tables {
		for k := range v.Tables[i].Seats {
			if p != 0 && v.Tables[i].Seats[k].ID == p {
				return i + 1, k + 1
			}
		}
	}
	return 0, 0
}

func (v *View) Unaided() bool { return true }

// Has reports whether a player takes part.
func (v *View) Has(p table.PlayerID) bool { return find(v.Entrants, p) >= 0 }

// find returns the index of a player's entrant; -1 for none.
func find(list []Entrant, p table.PlayerID) int {
	return slices.IndexFunc(list, func(e Entrant) bool { return e.Has(p) })
}

// Field is the state of a duplicate arena. It implements [event.Rules].
type Field struct {
	v       View // as readers see it, without what is known when it is over
	seed    rules.Seed
	asked   event.Asked
	games   []Game
	began   time.Time // zero before it begins
	closing Final     // from its last entry
}

var _ event.Checker = (*Field)(nil)

// New returns the initial state of a duplicate arena.
func New(e event.Event) (event.Rules, error) {
	f := &Field{v: View{Head: event.Head{ID: e.ID}, Begins: e.Begins}, asked: event.Asked{}}
	var err error
	if f.seed, err = e.ReadDealt(&f.v.Config, &f.v.Config.Commit); err != nil {
		return nil, err
	}
	c := f.v.Config
	return f, c.Complete()
}

// Make returns the event of a duplicate arena; it still needs a key.
func Make(c Config, seed rules.Seed, begins time.Time) event.Event {
	c.Commit, c.Leads, c.Unended = seed.Commitment(), true, true
	return event.MakeDealt(Kind, c, seed, begins)
}

func (f *Field) View(at map[int64]table.ID) event.View {
	v := new(f.v)
	v.Begun, v.At, v.Entrants, v.Tables = !f.began.IsZero(), maps.Clone(at), slices.Clone(v.Entrants), slices.Clone(v.Tables)
	maps.DeleteFunc(v.At, func(no int64, _ table.ID) bool { return no < 1 || int(no) > len(v.Tables) || v.Tables[no-1].Ended })
	if v.Over {
		v.Seed, v.Games, v.Final = f.seed.String(), slices.Clone(f.games), f.final()
	}
	return v
}

// compared reports whether a game is compared with the others.
func (g *Game) compared() bool { return g.Ending == table.EndPlayed }

// absent reports whether a seat's player chose no tile, or fewer than half: then the result is the bot's.
func (g *Game) absent(seat int) bool { return g.Own[seat] == 0 || 2*g.Own[seat] < g.Plays[seat] }

func (f *Field) final() Final {
	end := Final{Begun: !f.began.IsZero(), Off: f.closing.Off}
	sum := 0 // of the margins of seat 1; seat 2's sum is the negative
	for i := range f.games {
		if g := &f.games[i]; g.compared() {
			end.Tables++
			sum += g.Scores[0] - g.Scores[1]
		}
	}
	for i := range f.v.Tables {
		g := &f.games[i]
		for k := range g.Scores {
			players := f.v.Tables[i].side(k)
			if players[0].ID == 0 {
				continue
			}
			place := Place{Player: players[0].ID, Name: event.Names(players), Table: i + 1, Seat: k + 1, Points: g.Scores[k] - g.Scores[1-k]}
			absent := g.absent(k)
			if f.v.Config.Pairs {
				place.Partner = players[1].ID
				absent = absent && g.absent(k+2)
			}
			mean := sum
			if k == 1 {
				mean = -sum
			}
			switch {
			case g.Ending == table.EndForfeit && g.Winner == 2-k:
				place.State = GaveUp
			case g.Game == 0 && f.v.Config.Unended:
				place.State = Unfinished
			case absent:
				place.State = Absent
			case g.compared():
				place.State, place.Over = Compared, end.Tables*place.Points-mean
			case g.Ending == table.EndForfeit:
				if place.State = Left; f.v.Config.Leads {
					place.Over = max(0, end.Tables*place.Points-mean)
				}
			default:
				place.State = Unfinished
			}
			end.Places = append(end.Places, place)
		}
	}
	rank(end.Places, end.Tables >= fewest)
	return end
}

// rank sorts places, and numbers those that count. Equal results share a number.
func rank(places []Place, counts bool) {
	ranked := func(p *Place) bool { return counts && (p.State == Compared || p.State == Left) }
	slices.SortStableFunc(places, func(a, b Place) int {
		if x, y := ranked(&a), ranked(&b); x != y {
			if x {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Over, a.Over)
	})
	for i := range places {
		p := &places[i]
		if !ranked(p) {
			return
		}
		if p.Rank = i + 1; i > 0 && places[i-1].Over == p.Over {
			p.Rank = places[i-1].Rank
		}
	}
}

func (f *Field) Wanted() (list []event.Pairing) {
	for i := range f.v.Tables {
		if f.v.Tables[i].Ended {
			continue
		}
		p := event.Sealed(i+1, fmt.Sprintf("Duplicate arena %d", f.v.ID), f.v.Config.Rules, f.v.Config.Pace, f.seed,
			slices.Clone(f.v.Tables[i].Seats))
		p.Config.Event.Field = true
		list = append(list, p)
	}
	return list
}

// Outcomes implements [event.Ranked]: the entrants that have a place.
func (v *View) Outcomes(e *event.Event, games []event.Played) []event.Outcome {
	earned := event.Earned(games, false)
	var all []event.Contender
	for _, p := range v.Final.Places {
		i := find(v.Entrants, p.Player)
		if p.Rank == 0 || i < 0 {
			continue
		}
		all = append(all, event.Contend(p.Rank, v.Entrants[i].Members, v.Entrants[i].Nets, earned))
	}
	if len(all) == 0 {
		return nil
	}
	return []event.Outcome{{Title: Type.Titled(e.ID, v.Config.Name), Places: Type.Season.Score(all)}}
}
