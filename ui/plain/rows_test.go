package plain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event/match"
	"boneyard/table"
	"boneyard/ui/plain"
)

// A table where a rematch is wanted has the scores of the game before; they must not sound like those of a game in play.
func TestScoresAreThoseOfTheGame(t *testing.T) {
	s := table.Summary{Table: 3, Config: table.DefaultConfig(), State: table.Playing, Game: 7, Round: 2, Scores: []int{205, 170}, Seats: make([]table.SeatView, 2)}
	row := plain.Listed{Summary: &s}
	require.Contains(t, row.Say(), "playing round 2, score 205:170")
	s.State = table.Gathering
	require.Contains(t, row.Say(), "gathering, score of the last game 205:170")
}

// TestStateOfAFixture: a match of which a game was played, and whose captains are to agree on a time for the rest, is not played now.
func TestStateOfAFixture(t *testing.T) {
	at := time.Now().Add(time.Hour)
	for state, m := range map[string]match.Match{
		"playing":  {Open: true, Pairing: 1, Games: []match.Game{{ID: 1}}},
		"open":     {Open: true, Games: []match.Game{{ID: 1}}},
		"agreed":   {Open: true, Games: []match.Game{{ID: 1}}, At: at},
		"proposed": {Open: true, Games: []match.Game{{ID: 1}}, Sides: [2]match.Side{{Offer: at}}},
		"over":     {Open: true, Games: []match.Game{{ID: 1}}, Done: true},
	} {
		require.Contains(t, string(plain.Fixtures.JSON(&plain.Fixture{Match: &m, In: &match.View{}})), `"state":"`+state+`"`)
	}
}
