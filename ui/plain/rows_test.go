package plain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

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
