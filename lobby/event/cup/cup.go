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
)

// Kind is the kind of these events.
const Kind event.Kind = "cup"

// Type is the type of these events.
var Type = match.Type[Config](Kind, "Cup")

// The least and the most teams of a cup.
const (
	Fewest = 4
	Most   = 64
)

// Config is the configuration of a cup, and its format.
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

// Period implements [match.Format].
func (c *Config) Period() time.Duration { return c.Round }

// Limits implements [match.Format].
func (c *Config) Limits() (least, most int) { return Fewest, Most }

// Seed sorts teams by rating.
func (c *Config) Seed(teams []match.Team) {
	slices.SortStableFunc(teams, func(a, b match.Team) int { return cmp.Compare(b.Rating, a.Rating) })
}

// bracket returns the rounds of a cup that has begun.
func bracket(v *match.View) (rounds [][]match.Tie) {
	var now []match.Tie
	teams := v.Teams
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
			fill(v, &now[i])
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
func fill(v *match.View, t *match.Tie) {
	if t.Bye {
		t.Winner = 1
		if t.Teams[0].ID == 0 {
			t.Winner = 2
		}
		return
	}
	for i := range v.Matches {
		m := &v.Matches[i]
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

// Draw returns the matches of the next round.
func (c *Config) Draw(v *match.View, at time.Time) (all []match.Match) {
	for r, ties := range bracket(v) {
		for _, t := range ties {
			if t.Winner == 0 {
				all = append(all, match.Match{
					Round: r + 1, Sides: [2]match.Side{{Team: t.Teams[0]}, {Team: t.Teams[1]}}, Opens: at, Closes: at.Add(c.Round),
				})
			}
		}
		if len(all) > 0 {
			break
		}
	}
	return all
}

// Show sets the bracket.
func (c *Config) Show(v *match.View) {
	v.Rounds = bracket(v)
	last := &v.Rounds[len(v.Rounds)-1][0]
	if m := v.MatchOf(last); m != nil && m.Winner == 0 { // nobody goes on from the final
		last.Winner = 0
	}
}

// Final returns the outcome: trophies for the winner and the finalists, if they have played a game.
func (c *Config) Final(v *match.View) (f match.Final) {
	last := v.MatchOf(&v.Rounds[len(v.Rounds)-1][0])
	for i := range last.Sides {
		title := "Finalist of "
		if last.Winner == i+1 {
			title = match.WinnerOf
		}
		if id := last.Sides[i].ID; v.HasPlayed(id) {
			f.Trophies = append(f.Trophies, match.Trophy{Team: id, Title: title + c.Name})
		}
	}
	slices.SortStableFunc(f.Trophies, func(a, b match.Trophy) int { return cmp.Compare(b.Title, a.Title) }) // the winner first
	return f
}
