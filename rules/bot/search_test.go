package bot_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// Nothing is searched if all plays are equivalent, such as at either side of a double that was led.
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
				all += v[i].Playouts
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

// Only if the seat knows all tiles do its choices have the values of the best play of both sides, which agree
// with the rules' own games.
func TestKnownTilesAreSolved(t *testing.T) {
	const few = 8 // tiles in both hands; the comparison searches every game
	solved := 0
	for _, rule := range []string{"spruce hand=11", "sniff hand=11", "classic hand=11"} {
		for seed := range uint64(20) {
			r := randomRound(t, rule, 2, rand.New(rand.NewPCG(seed, 10)))
			for n := range r.moves {
				g := &r.after[n]
				seat := g.Turn()
				s := bot.See(g.View(seat), r.past[:n])
				if s.Duty != rules.Play || len(s.Options) < 2 {
					continue
				}
				best := bot.Search(&s, 40, rand.New(rand.NewPCG(seed, 10))).Best()
				if g.Stock() > 0 {
					require.NotZero(t, best.Playouts, "seed %d move %d", seed, n)
				} else if g.Hand(1).Len()+g.Hand(2).Len() <= few {
					require.Zero(t, best.Playouts)
					require.Equal(t, bestSwing(t, *g, seat)-ahead(g, seat), best.Mean, "%s seed %d move %d", rule, seed, n)
					solved++
				}
			}
		}
	}
	require.Greater(t, solved, 20)
}

func ahead(g *rules.Game, seat rules.Seat) float64 {
	return float64(g.Score(rules.Side(seat)) - g.Score(rules.Side(3-seat)))
}

// bestSwing is how far the seat is ahead at the end of the round if both play as well as can be.
func bestSwing(t *testing.T, g rules.Game, seat rules.Seat) float64 {
	if g.Phase() != rules.Playing {
		return ahead(&g, seat)
	}
	moves := []rules.Move{{Seat: g.Turn(), Kind: g.Duty()}}
	if g.Duty() == rules.Play {
		moves = moves[:0]
		for _, c := range g.AppendChoices(nil) {
			moves = append(moves, g.Move(c))
		}
	}
	best := math.Inf(-1)
	for _, m := range moves {
		next, _, err := g.Apply(m)
		require.NoError(t, err)
		v := bestSwing(t, next, seat)
		if g.Turn() != seat {
			v = -v
		}
		best = max(best, v)
	}
	if g.Turn() != seat {
		best = -best
	}
	return best
}
