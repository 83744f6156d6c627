package plain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event/daily"
	"boneyard/rules"
	"boneyard/ui/plain"
)

// Of the decisions of a daily deal only those are listed in which a master differs.
func TestOnlyDifferencesAreListed(t *testing.T) {
	a, b := rules.Choice{Tile: rules.NewTile(3, 1)}, rules.Choice{Tile: rules.NewTile(6, 4)}
	same, other := daily.Decision{Round: 1, Move: 2, Played: a, Master: a}, daily.Decision{Round: 1, Move: 4, Played: a, Master: b}
	require.Empty(t, plain.DailyDecisions(nil))
	require.Equal(t, []string{"A master plays the same."}, plain.DailyDecisions([]daily.Decision{same, same}))
	lines := plain.DailyDecisions([]daily.Decision{same, other})
	require.Len(t, lines, 2)
	require.Contains(t, lines[0], "Round 1, move 4")
	require.Equal(t, "In your other decisions a master plays the same.", lines[1])
}
