// Package cup knows a cup: single elimination, with a bracket in which the best rated teams meet last and get
// the byes. It is pure, like [match], which knows how two teams come to play.
package cup

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/match"
	"boneyard/table"
)

// Kind is the kind of these events.
const Kind event.Kind = "cup"

// Type is the type of these events.
var Type = match.Type(Kind, "Cup", Config{}, New)

// The least and the most teams of a cup.
const (
	Fewest = 4
	Most   = 64
)

// Config is the configuration of a cup.
type Config struct {
	match.Config
	Round time.Duration `json:"round"` // how long a round lasts
}

// Validate reports what is wrong with a configuration.
func (c *Config) Validate() error {
	if c.Round < match.Shortest || c.Round > match.Longest {
		return fmt.Errorf("%w: a round must last from 20 minutes to five weeks", match.ErrConfig)
	}
	return c.Config.Validate()
}

// Cup is the state of a cup. It implements [event.Rules].
type Cup struct {
	match.Core
	cfg Config
}

var _ event.Checker = (*Cup)(nil)

// New returns the state of a new cup.
func New(e event.Event) (event.Rules, error) {
	c := &Cup{}
	if err := e.ReadConfig(&c.cfg); err != nil {
		return nil, err
	}
	c.Core = match.NewCore(e, c.cfg.Config, match.Format{
		Least: Fewest, Most: Most, Seed: byRating, Final: c.final, Time: c.cfg.Round,
	})
	return c, c.cfg.Validate()
}

func byRating(teams []match.Team) {
	slices.SortStableFunc(teams, func(a, b match.Team) int { return cmp.Compare(b.Rating, a.Rating) })
}

func (c *Cup) Apply(e event.Entry) error {
	before, ready := c.Begun(), c.AllDone()
	if err := c.Core.Apply(e); err != nil {
		return err
	}
	if c.Begun() && !before || c.AllDone() && !ready {
		c.pair(e.At)
	}
	return nil
}

func (c *Cup) bracket() [][]match.Tie {
	teams := c.Teams()
	if !c.Begun() || len(teams) < 2 {
		return nil
	}
	var rounds [][]match.Tie
	var now []match.Tie
	order := seeds(len(teams))
	for i := 0; i < len(order); i += 2 {
		var t match.Tie
		for k := range t.Teams {
			if s := order[i+k]; s <= len(teams) {
				t.Teams[k] = teams[s-1]
			} else {
				t.Bye = true
			}
		}
		now = append(now, t)
	}
	for r := 1; ; r++ {
		for i := range now {
			now[i].Round, now[i].Place = r, i+1
			c.fill(&now[i])
		}
		rounds = append(rounds, now)
		if len(now) == 1 {
			return rounds
		}
		var next []match.Tie
		for i := 0; i < len(now); i += 2 {
			var t match.Tie
			for k := range t.Teams {
				if from := &now[i+k]; from.Winner != 0 {
					t.Teams[k] = from.Teams[from.Winner-1]
				}
			}
			next = append(next, t)
		}
		now = next
	}
}

// fill sets the match of a tie and its winner.
func (c *Cup) fill(t *match.Tie) {
	if t.Bye {
		t.Winner = 1
		if t.Teams[0].ID == 0 {
			t.Winner = 2
		}
		return
	}
	for i := range c.Matches() {
		m := &c.Matches()[i]
		if m.Round != t.Round || t.Teams[0].ID == 0 || m.Of(t.Teams[0].ID) < 0 || m.Of(t.Teams[1].ID) < 0 {
			continue
		}
		t.Match = m.No
		if m.Done {
			t.Winner = through(m)
			if m.Of(t.Teams[0].ID) == 1 {
				t.Winner = 3 - t.Winner
			}
		}
	}
}

// through returns the side that goes on: the winner, or else the side with the better seed.
func through(m *match.Match) int {
	switch {
	case m.Winner != 0:
		return m.Winner
	case m.Sides[0].Seed < m.Sides[1].Seed:
		return 1
	}
	return 2
}

// seeds returns the order of seeds in a bracket for at least so many teams: 1 and 2 can only meet in the
// final, and the best have the byes.
func seeds(teams int) []int {
	order := []int{1}
	for len(order) < teams {
		next := make([]int, 0, 2*len(order))
		for i, s := range order {
			pair := []int{s, 2*len(order) + 1 - s}
			if i%2 == 1 {
				slices.Reverse(pair)
			}
			next = append(next, pair...)
		}
		order = next
	}
	return order
}

func (c *Cup) pair(at time.Time) {
	for r, ties := range c.bracket() {
		if !slices.ContainsFunc(ties, func(t match.Tie) bool { return t.Winner == 0 }) {
			continue
		}
		for _, t := range ties {
			if t.Winner == 0 {
				c.Add(0, r+1, t.Teams[0], t.Teams[1], at, at.Add(c.cfg.Round))
			}
		}
		return
	}
}

// final returns the outcome: trophies for the winner and the finalists, if they have played a game.
func (c *Cup) final() (f match.Final) {
	rounds := c.bracket()
	last := rounds[len(rounds)-1][0]
	for _, m := range c.Matches() {
		if m.No != last.Match {
			continue
		}
		for i := range m.Sides {
			title := "Finalist of "
			if m.Winner == i+1 {
				title = match.WinnerOf
			}
			if id := m.Sides[i].ID; c.HasPlayed(id) {
				f.Trophies = append(f.Trophies, match.Trophy{Team: id, Title: title + c.cfg.Name})
			}
		}
	}
	slices.SortStableFunc(f.Trophies, func(a, b match.Trophy) int { return cmp.Compare(b.Title, a.Title) }) // the winner first
	return f
}

func (c *Cup) View(at map[int64]table.ID) event.View {
	v := c.Shown(at)
	v.Rounds = c.bracket()
	if len(v.Rounds) > 0 { // nobody goes on from the final
		last := &v.Rounds[len(v.Rounds)-1][0]
		if m := v.MatchOf(last); m != nil && m.Winner == 0 {
			last.Winner = 0
		}
	}
	return v
}

func (c *Cup) Check(games []event.Played) []string {
	faults, _ := c.Core.Check(games)
	return faults
}
