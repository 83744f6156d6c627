package club

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/table"
)

// A game that has stopped since nobody is there is listed as asleep, not as in a round.
func TestATableWhereNobodyIsSleeps(t *testing.T) {
	s := table.Summary{State: table.Playing, Round: 3}
	_, word := state(&s, table.Reader{Player: table.Player{ID: 1}})
	require.Equal(t, "round 3", word)
	s.Asleep = true
	_, word = state(&s, table.Reader{Player: table.Player{ID: 1}})
	require.Equal(t, "asleep", word)
}

// Bots are always ready for another game, but nobody asks for one at the house's own table.
func TestTheHousesGameIsOver(t *testing.T) {
	s := table.Summary{State: table.Finished, Seats: []table.SeatView{{Ready: true}, {Ready: true}}}
	_, word := state(&s, table.Reader{})
	require.Equal(t, "rematch?", word)
	s.Config.House = true
	_, word = state(&s, table.Reader{})
	require.Equal(t, "over", word)
}
