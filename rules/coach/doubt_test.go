package coach

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// A first look rules a mistake out only if no choice may be better by Least, even if the played one seems
// best, which may be luck.
func TestDoubt(t *testing.T) {
	first, second := rules.Choice{Tile: 1}, rules.Choice{Tile: 2}
	for _, c := range []struct {
		played    rules.Choice
		mean, err float64 // of the second choice; the first has 0
		doubtful  bool
	}{
		{second, -1, 0.4, false},
		{second, -1, 0.6, true},
		{first, -0.1, 1.8, true},
		{first, -0.1, 1.2, false},
		{first, -3, 1.8, false},
	} {
		d := Decision{Played: c.played, Best: first, Values: bot.Values{{Choice: first}, {Choice: second, Mean: c.mean, Error: c.err}}}
		d.best = d.Values[0]
		if c.played == second {
			d.Lost, d.Error = -c.mean, c.err
		}
		require.Equal(t, c.doubtful, d.doubtful(), "%+v", c)
	}
}
