package league

import (
	"cmp"
	"slices"

	"boneyard/lobby/event/match"
	"boneyard/table"
)

// Show sets the tables of all divisions.
func (c *Config) Show(v *match.View) {
	divisions := divide(v.Teams, c.Size)
	all := make([][]match.Row, len(divisions))
	for d, teams := range divisions {
		others := func(m match.Match) bool { return m.Division != d+1 || !m.Done }
		all[d] = standing(d+1, teams, slices.DeleteFunc(slices.Clone(v.Matches), others))
	}
	v.Divisions = all
	at := 0
	for d := 1; d < len(all); d++ {
		at += len(all[d-1])
		first, last := &all[d][0], &all[d-1][len(all[d-1])-1]
		moves := first.Games > 0 && (last.Games > 0 || last.Lost > 0)
		if order := v.Final.Order; v.Over { // as decided at the end
			moves = at < len(order) && order[at-1] == first.Team.ID
		}
		first.Up, last.Down = moves, moves
	}
}

// standing returns the table of a division, sorted by score, difference of games, difference of points,
// matches between teams that are equal so far, and seed.
func standing(division int, teams []match.Team, matches []match.Match) []match.Row {
	rows := make([]match.Row, len(teams))
	at := map[table.TeamID]*match.Row{}
	for i, t := range teams {
		rows[i].Team = t
		at[t.ID] = &rows[i]
	}
	for i := range matches {
		count(&matches[i], at)
	}
	less := func(a, b match.Row) int {
		games, points := a.GamesFor-a.GamesTo, a.For-a.Against
		return cmp.Or(b.Score-a.Score, b.GamesFor-b.GamesTo-games, b.For-b.Against-points)
	}
	slices.SortStableFunc(rows, less)
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && less(rows[from], rows[to]) == 0 {
			to++
		}
		settle(rows[from:to], matches)
		from = to
	}
	for i := range rows {
		rows[i].Division, rows[i].Place = division, i+1
	}
	return rows
}

// settle sorts equal teams by the matches between them, then by seed.
func settle(rows []match.Row, matches []match.Match) {
	if len(rows) < 2 {
		return
	}
	score := map[table.TeamID]int{}
	among := func(id table.TeamID) bool {
		return slices.ContainsFunc(rows, func(r match.Row) bool { return r.Team.ID == id })
	}
	for i := range matches {
		if m := &matches[i]; m.Winner != 0 && among(m.Sides[0].ID) && among(m.Sides[1].ID) {
			score[m.Sides[m.Winner-1].ID]++
		}
	}
	slices.SortStableFunc(rows, func(a, b match.Row) int {
		return cmp.Or(cmp.Compare(score[b.Team.ID], score[a.Team.ID]), cmp.Compare(a.Team.Seed, b.Team.Seed))
	})
}

// count adds a match to the rows of its teams. A walkover counts as two games to none.
func count(m *match.Match, at map[table.TeamID]*match.Row) {
	const winScore = 3 // a team's score for a match won
	for i := range m.Sides {
		r, own, other := at[m.Sides[i].ID], &m.Sides[i], &m.Sides[1-i]
		games, to := own.Wins, other.Wins
		if m.Walkover {
			games, to = 0, 0
			if m.Winner == i+1 {
				games = 2
			} else {
				to = 2
			}
		}
		r.Played++
		r.Games += m.Played()
		r.GamesFor += games
		r.GamesTo += to
		r.For += own.Points
		r.Against += other.Points
		switch m.Winner {
		case i + 1:
			r.Won++
			r.Score += winScore
		case 0: // no winner
		default:
			r.Lost++
		}
	}
}
