package league

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event/match"
	"boneyard/table"
)

// score is a match of two teams, by number: games and points.
type score struct{ a, b, games, to, points, against int }

// order returns the teams of a division by place; team n has seed n.
func order(teams int, scores ...score) (places []table.TeamID) {
	all := make([]match.Team, teams)
	for i := range all {
		all[i] = match.Team{ID: table.TeamID(i + 1), Seed: i + 1}
	}
	var played []match.Match
	for _, s := range scores {
		m := match.Match{Division: 1, Done: true, Sides: [2]match.Side{
			{Team: all[s.a-1], Wins: s.games, Points: s.points}, {Team: all[s.b-1], Wins: s.to, Points: s.against},
		}}
		switch {
		case s.games > s.to:
			m.Winner = 1
		case s.to > s.games:
			m.Winner = 2
		}
		played = append(played, m)
	}
	for _, r := range standing(1, all, played) {
		places = append(places, r.Team.ID)
	}
	return places
}

// Each tie-breaker decides what those before it leave equal, as docs/events.md lists them.
func TestTieBreakers(t *testing.T) {
	circle := []score{{1, 2, 2, 0, 100, 50}, {2, 3, 2, 0, 100, 50}, {3, 1, 2, 0, 100, 50}}
	for name, c := range map[string]struct {
		teams  int
		scores []score
		places []table.TeamID
	}{
		"nothing is played": {3, nil, []table.TeamID{1, 2, 3}},
		"matches won":       {2, []score{{2, 1, 2, 1, 10, 90}}, []table.TeamID{2, 1}},
		"games":             {4, []score{{1, 3, 2, 1, 90, 10}, {2, 4, 2, 0, 20, 10}}, []table.TeamID{2, 1, 3, 4}},
		"points":            {4, []score{{1, 3, 2, 0, 50, 40}, {2, 4, 2, 0, 50, 10}}, []table.TeamID{2, 1, 3, 4}},
		"the match between two": {4, []score{
			{2, 1, 2, 0, 50, 40}, {1, 3, 2, 0, 50, 40}, {3, 2, 2, 0, 50, 40}, // each won one, and lost one, by ten points
			{1, 4, 2, 0, 30, 20}, {2, 4, 2, 0, 30, 20}, {3, 4, 2, 1, 30, 20}, // 3 has lost a game more
		}, []table.TeamID{2, 1, 3, 4}},
		"three in a circle, by seed": {3, circle, []table.TeamID{1, 2, 3}},
		"three in a circle above the rest": {4, append([]score{{4, 1, 0, 2, 0, 100}, {4, 2, 0, 2, 0, 100}, {4, 3, 0, 2, 0, 100}}, circle...),
			[]table.TeamID{1, 2, 3, 4}},
		"two of three have won a match between them": {6, []score{ // 2, 3 and 4 have won two and lost one
			{3, 1, 2, 0, 50, 50}, {3, 2, 2, 0, 50, 50}, {2, 1, 2, 0, 50, 50}, {4, 3, 2, 0, 50, 50}, {2, 5, 2, 0, 50, 50},
			{1, 5, 2, 0, 50, 50}, {1, 6, 2, 0, 50, 50}, {4, 5, 0, 2, 50, 50}, {6, 4, 0, 2, 50, 50},
		}, []table.TeamID{3, 4, 2, 1, 5, 6}},
		"matches that nobody won decide nothing": {2, []score{{2, 1, 1, 1, 50, 50}}, []table.TeamID{1, 2}},
	} {
		require.Equal(t, c.places, order(c.teams, c.scores...), name)
	}
}
