package bot_test

import (
	"math/rand/v2"
	"testing"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// BenchmarkSearch measures a master's choice with its whole budget, averaged over the positions of random rounds.
func BenchmarkSearch(b *testing.B) {
	for _, c := range []struct {
		rule  string
		seats int
	}{{"azneef", 2}, {"sniff", 2}, {"spruce", 2}, {"classic", 2}, {"classic", 4}, {"block", 4}} {
		b.Run(c.rule, func(b *testing.B) {
			var positions []bot.Seen
			for seed := range uint64(20) {
				r := randomRound(b, c.rule, c.seats, rand.New(rand.NewPCG(seed, 8)))
				for n := range r.moves {
					g := &r.after[n]
					if s := bot.See(g.View(g.Turn()), r.past[:n]); s.Duty == rules.Play && len(s.Options) > 1 {
						positions = append(positions, s)
					}
				}
			}
			rng := rand.New(rand.NewPCG(1, 1))
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				bot.Search(&positions[i%len(positions)], bot.Playouts, rng)
				i++
			}
		})
	}
}
