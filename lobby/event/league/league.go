// Package league knows a season of a league: divisions in which each team meets every other once, one match
// in each window of time, with a table, promotion and relegation. It is pure, like [match], which knows how
// two teams come to play.
package league

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
const Kind event.Kind = "league"

// Type is the type of these events.
var Type = match.Type[Config](Kind, "League")

// The least and the most teams of a division.
const (
	Smallest = 4
	Largest  = 8
)

const least = 2

// Config is the configuration of a season, and its format.
type Config struct {
	match.Config
	Window time.Duration  `json:"window"`
	Size   int            `json:"size"`            // most teams of a division
	Order  []table.TeamID `json:"order,omitempty"` // the final order of the last season
	Even   bool           `json:"even,omitempty"`  // each team is first in half of its matches; unset in seasons of older programs
}

// Validate reports what is wrong with a configuration.
func (c *Config) Validate() error {
	switch {
	case c.Size < Smallest || c.Size > Largest:
		return fmt.Errorf("%w: a division must have from %d to %d teams", match.ErrConfig, Smallest, Largest)
	case c.Window < match.Shortest || c.Window > match.Longest:
		return fmt.Errorf("%w: the time for a match must be from 20 minutes to five weeks", match.ErrConfig)
	}
	return c.Config.Validate()
}

// Period implements [match.Format].
func (c *Config) Period() time.Duration { return c.Window }

// Limits implements [match.Format].
func (c *Config) Limits() (fewest, most int) { return least, 0 }

// Seed sorts teams by the order of the last season; new teams follow, by rating.
func (c *Config) Seed(teams []match.Team) {
	place := func(t match.Team) int {
		if i := slices.Index(c.Order, t.ID); i >= 0 {
			return i
		}
		return len(c.Order)
	}
	slices.SortStableFunc(teams, func(a, b match.Team) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(b.Rating, a.Rating))
	})
}

// Draw returns the matches of the whole season when it begins.
func (c *Config) Draw(v *match.View, at time.Time) (all []match.Match) {
	if len(v.Matches) > 0 {
		return nil
	}
	if at.Before(v.Begins) {
		at = v.Begins
	}
	for d, teams := range divide(v.Teams, c.Size) {
		for r, pairs := range circle(len(teams), c.Even) {
			opens := at.Add(time.Duration(r) * c.Window)
			for _, p := range pairs {
				all = append(all, match.Match{
					Division: d + 1, Round: r + 1, Sides: [2]match.Side{{Team: teams[p[0]]}, {Team: teams[p[1]]}},
					Opens: opens, Closes: opens.Add(c.Window),
				})
			}
		}
	}
	return all
}

// divide splits sorted teams into as few divisions as possible, of sizes as even as possible.
func divide(teams []match.Team, size int) (all [][]match.Team) {
	n := (len(teams) + size - 1) / size
	for d := range n {
		take := len(teams) / (n - d)
		if len(teams)%(n-d) > 0 {
			take++
		}
		all = append(all, teams[:take])
		teams = teams[take:]
	}
	return all
}

// circle returns the pairs of each round, so that each of n teams meets every other once, by the circle
// method: one team stays and the others rotate. If n is odd, one rests in each round. With even, how often a
// team is first and how often it is second differ by at most one.
func circle(n int, even bool) (rounds [][][2]int) {
	size := n + n%2
	for r := range size - 1 {
		var pairs [][2]int
		at := func(i int) int {
			if i == 0 {
				return 0
			}
			return 1 + (i-1+r)%(size-1)
		}
		for i := range size / 2 {
			a, b := at(i), at(size-1-i)
			swap := (r+i)%2 == 1
			if even {
				swap = (a < b) != ((a+b)%2 == 1)
			}
			if swap {
				a, b = b, a
			}
			if a < n && b < n {
				pairs = append(pairs, [2]int{a, b})
			}
		}
		rounds = append(rounds, pairs)
	}
	return rounds
}

// Final returns the outcome of the season: trophies for the best teams that have played a game, and the order
// for the next season, in which the first of a division changes places with the last of the one above.
func (c *Config) Final(v *match.View) (f match.Final) {
	at := 0
	for d, rows := range v.Divisions {
		title := c.Name
		if len(v.Divisions) > 1 {
			title = fmt.Sprintf("%s, division %d", c.Name, d+1)
		}
		if rows[0].Games > 0 {
			f.Trophies = append(f.Trophies, match.Trophy{Team: rows[0].Team.ID, Title: match.WinnerOf + title})
		}
		for _, r := range rows {
			f.Order = append(f.Order, r.Team.ID)
		}
		if rows[0].Up {
			f.Order[at-1], f.Order[at] = f.Order[at], f.Order[at-1]
		}
		at += len(rows)
	}
	return f
}
