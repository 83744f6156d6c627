package coach_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules/bot"
	"boneyard/rules/coach"
	"boneyard/rules/replay"
)

// The chances begin even and end with the winner, and turn where they change most.
func TestFollow(t *testing.T) {
	for _, c := range []struct {
		rule   string
		levels []bot.Level
	}{
		{"classic target=60", []bot.Level{bot.Expert, bot.Regular}},
		{"azneef target=60", []bot.Level{bot.Regular, bot.Regular, bot.Regular}},
		{"block target=40", []bot.Level{bot.Regular, bot.Regular, bot.Regular, bot.Regular}},
		{"classic rounds=2", []bot.Level{bot.Regular, bot.Regular}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			rec := play(t, c.rule, 5, c.levels...)
			r, err := replay.Read(bytes.NewReader(rec))
			require.NoError(t, err)
			chances := coach.Follow(r)
			require.Len(t, chances, len(r.Moments))
			end := r.Game(len(r.Moments) - 1)
			sides := end.Sides()
			for i, all := range chances {
				require.Len(t, all, sides, i)
				sum := 0.0
				for _, p := range all {
					sum += p
				}
				require.InDelta(t, 1, sum, 1e-9)
			}
			require.InDelta(t, 1/float64(sides), chances[0][0], 1e-9)
			if w := end.Winner(); w != 0 {
				require.Equal(t, 1.0, chances[len(chances)-1][w-1])
			}
			turned := map[int]bool{}
			for _, at := range chances.Turns() {
				turned[at] = true
			}
			least := 1.0
			change := func(i int) (most float64) {
				for side, p := range chances[i] {
					most = max(most, math.Abs(p-chances[i-1][side]))
				}
				return most
			}
			for i := range turned {
				least = min(least, change(i))
			}
			require.GreaterOrEqual(t, least, 0.08)
			for i := 1; i < len(chances); i++ {
				if !turned[i] && len(turned) < 9 {
					require.Less(t, change(i), 0.08, i)
				}
			}
		})
	}
}
