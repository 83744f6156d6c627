// Package duplicate knows the rules of duplicate play: two teams of four play the same deals at two tables,
// each with one pair in seats 1 and 3 and one in seats 2 and 4, so that the luck of the deal cancels out. It
// is pure: its state follows from the event's journal, and it must not know a clock, a table or a screen.
package duplicate

import (
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
const Kind event.Kind = "duplicate"

// Type is the type of these events.
var Type = &event.Type{
	Kind: Kind, New: New, Config: Config{}, Data: entries.Data(),
	Title: "Duplicate match", None: ErrNone, Over: ErrOver, Leads: true,
	News: "duplicate", Keep: keep,
	Season: &event.Worth{Rival: 2, Best: 10},
	Bound:  &event.Bound{Quota: event.Created, Own: ErrMany, Full: event.ErrDealtMade, Made: event.DealtMade},
}

// Rounds is the default number of rounds.
const Rounds = 12

const (
	gathering = 2 * time.Hour // how long players have to gather
	playing   = 4 * time.Hour // how long the two games may take
)

// Config is the configuration of a duplicate match.
type Config struct {
	Name   string     `json:"name"`
	Rules  string     `json:"rules"` // a rule string
	Pace   table.Pace `json:"pace"`
	By     string     `json:"by"`         // its creator
	Commit string     `json:"commitment"` // to the seed
}

// ErrConfig is wrapped by the errors of Complete, which are sentences for the match's creator.
var ErrConfig = errors.New("the match cannot be created")

// Complete completes the rules, with [event.DealtRules] and partners, or returns what is wrong with them.
func (c *Config) Complete() error {
	r, err := event.DealtRules(c.Rules, c.Pace, Rounds)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	r.Teams = true
	c.Rules = r.String()
	return r.CheckSeats(rules.MaxSeats)
}

// Refusals of requests.
const (
	ErrNone     text.Refusal = "There is no such duplicate match; duplicate lists them."
	ErrIn       text.Refusal = "You have already joined; leave first to change teams."
	ErrNotIn    text.Refusal = "You aren't in this match."
	ErrOver     text.Refusal = "This match is over."
	ErrFull     text.Refusal = "That team has four players already."
	ErrBegun    text.Refusal = "This match has begun."
	ErrMaker    text.Refusal = "Only the match's creator can start it early; it starts by itself when all eight have joined."
	ErrLonely   text.Refusal = "Each team needs a player; house masters take the other seats."
	ErrPrograms text.Refusal = "Programs can't take part in duplicate matches."
)

// Team is one of the two teams, or 0.
type Team int

// The teams.
const (
	A Team = iota + 1
	B
)

// String returns the letter of a team.
func (t Team) String() string {
	switch t {
	case A:
		return "A"
	case B:
		return "B"
	}
	return ""
}

// Size is the number of players of a team.
const Size = 4

// Game is one of the two games: at table 1 team A has seats 1 and 3, at table 2 team B has them.
type Game = event.Result

// View is a match as readers see it.
type View struct {
	event.Head
	Config
	Begins time.Time // when it was created
	Over   bool
	Teams  [2][]table.Player // the first two have seats 1 and 3, the next two, at the other table, seats 2 and 4
	Ended  [2]bool           // the games that have ended
	Rounds [][2]int          // once read from disk: the margin of seats 1 and 3 in each round, at table 1 and at table 2
	nets   map[table.PlayerID]string

	// The fields below, except Begun, are zero until both games have ended.
	Seed  string
	Games [2]Game
	Final
}

// Final is the outcome of a match, and the data of the last entry of its journal.
type Final struct {
	Begun  bool `json:"begun"`
	Played bool `json:"played"`          // both games ended by play, so that they can be compared
	Margin int  `json:"margin"`          // points of team A less points of team B with the same hands
	Winner Team `json:"winner"`          // 0 for nobody
	Empty  int  `json:"empty,omitempty"` // the first table whose game was abandoned; 0 for none
}

func (v *View) Plan() event.Plan {
	return event.Plan{Kind: Kind, Name: v.Name, By: v.By, Begun: v.Begun, Over: v.Over}
}

func (v *View) Players() []table.Player { return slices.Concat(v.Teams[0], v.Teams[1]) }

func (v *View) Unaided() bool { return true }

// Place returns a player's team, or 0, and their pair within it: 0 has seats 1 and 3, 1 has seats 2 and 4.
func (v *View) Place(p table.PlayerID) (t Team, pair int) {
	for i, team := range v.Teams {
		if k := slices.IndexFunc(team, func(q table.Player) bool { return q.ID == p }); k >= 0 {
			return Team(i + 1), k / 2
		}
	}
	return 0, 0
}

// TableOf returns the table of a team's pair, from 0.
func TableOf(t Team, pair int) int { return (int(t) - 1 + pair) % 2 }

// Missing is how many seats house masters would take if the match began now.
func (v *View) Missing() int { return 2*Size - len(v.Teams[0]) - len(v.Teams[1]) }

// MayStart reports whether the match can begin early: each team has a player.
func (v *View) MayStart() bool { return len(v.Teams[0]) > 0 && len(v.Teams[1]) > 0 }

// Match is the state of a match. It implements [event.Rules].
type Match struct {
	v       View // as readers see it, without what is known when it is over
	seed    rules.Seed
	games   [2]Game
	began   time.Time // zero before
	empty   int       // the first table whose game was abandoned
	closing Final     // the data of the last entry
}

var _ event.Checker = (*Match)(nil)

// New returns the state of a new match.
func New(e event.Event) (event.Rules, error) {
	m := &Match{v: View{Head: event.Head{ID: e.ID}, Begins: e.Begins, nets: map[table.PlayerID]string{}}}
	var err error
	if m.seed, err = e.ReadDealt(&m.v.Config, &m.v.Config.Commit); err != nil {
		return nil, err
	}
	c := m.v.Config
	return m, c.Complete()
}

// Make returns the event of a match that is created now; it still needs a key.
func Make(c Config, seed rules.Seed, now time.Time) event.Event {
	c.Commit = seed.Commitment()
	return event.MakeDealt(Kind, c, seed, now)
}

func (m *Match) View(at map[int64]table.ID) event.View {
	v := new(m.v)
	v.Begun, v.At = !m.began.IsZero(), maps.Clone(at)
	maps.DeleteFunc(v.At, func(no int64, _ table.ID) bool { return no < 1 || no > 2 || m.games[no-1].Game != 0 })
	for i := range v.Teams {
		v.Teams[i] = slices.Clone(v.Teams[i])
		v.Ended[i] = m.games[i].Game != 0
	}
	if v.Over {
		v.Seed, v.Games, v.Final = m.seed.String(), m.games, m.final()
	}
	return v
}

func (m *Match) final() Final {
	f := Final{Begun: !m.began.IsZero(), Empty: m.empty}
	one, two := &m.games[0], &m.games[1]
	if f.Played = one.Ending == table.EndPlayed && two.Ending == table.EndPlayed; f.Played {
		f.Margin = one.Scores[0] - one.Scores[1] + two.Scores[1] - two.Scores[0]
		switch {
		case f.Margin > 0:
			f.Winner = A
		case f.Margin < 0:
			f.Winner = B
		}
		return f
	}
	// A team that forfeited a game has lost, unless the other did, too.
	gaveUp := [2]bool{}
	for i, g := range m.games {
		if g.Ending == table.EndForfeit && g.Winner != 0 {
			loser := 2 - g.Winner // side 1 is 1, side 2 is 0: the index of the side that lost
			gaveUp[(loser+i)%2] = true
		}
	}
	switch {
	case gaveUp[1] && !gaveUp[0]:
		f.Winner = A
	case gaveUp[0] && !gaveUp[1]:
		f.Winner = B
	}
	return f
}

// seats returns who has which seat in a game; house masters take empty ones.
func (m *Match) seats(no int) []table.Player {
	seats := make([]table.Player, rules.MaxSeats)
	for i, team := range m.v.Teams {
		for k, p := range team {
			if pair := k / 2; TableOf(Team(i+1), pair) == no-1 {
				seats[pair+2*(k%2)] = p
			}
		}
	}
	return seats
}

func (m *Match) Wanted() (list []event.Pairing) {
	if m.began.IsZero() {
		return nil
	}
	for i := range m.games {
		if m.games[i].Game != 0 {
			continue
		}
		list = append(list, event.Sealed(i+1, fmt.Sprintf("Duplicate %d", m.v.ID), m.v.Config.Rules, m.v.Config.Pace, m.seed, m.seats(i+1)))
	}
	return list
}

// Outcomes implements [event.Ranked]: the winning team is first, the other second.
func (v *View) Outcomes(e *event.Event, games []event.Played) []event.Outcome {
	if !v.Over || v.Winner == 0 {
		return nil
	}
	if !v.Played {
		games = nil // there are no points if the games cannot be compared
	}
	earned := event.Earned(games, false)
	var all []event.Contender
	for place, team := range []Team{v.Winner, A + B - v.Winner} {
		for _, p := range v.Teams[team-1] {
			all = append(all, event.Contend(place+1, []table.Player{p}, []string{v.nets[p.ID]}, earned))
		}
	}
	return []event.Outcome{{Title: Type.Titled(e.ID, v.Name), Places: Type.Season.Score(all)}}
}
