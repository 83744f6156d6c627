package bot_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// Nothing is searched if all plays do the same, such as at either side of a double that was led.
func TestNothingToChoose(t *testing.T) {
	same := 0
	for seed := range uint64(20) {
		r := randomRound(t, "spruce", 4, rand.New(rand.NewPCG(seed, 7)))
		for n := range r.moves {
			g := &r.after[n]
			s := bot.See(g.View(g.Turn()), r.past[:n])
			if s.Duty != rules.Play || len(s.Options) < 2 {
				continue
			}
			v := bot.Search(&s, 100, rand.New(rand.NewPCG(seed, 7)))
			all := 0
			for i := range v {
				all += v[i].Rollouts
			}
			if len(v) == 1 {
				same++
				require.Less(t, all, 50)
			} else {
				require.Greater(t, all, 50)
			}
		}
	}
	require.NotZero(t, same)
}
