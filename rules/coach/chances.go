package coach

import (
	"cmp"
	"math"
	"slices"

	"boneyard/rules/bot"
	"boneyard/rules/replay"
)

// Chances holds how likely each side was to win at each moment of a game, by moment and side; see [bot.Chances].
type Chances [][]float64

// Follow returns the chances at every moment of a game.
func Follow(r *replay.Record) Chances {
	c := make(Chances, len(r.Moments))
	for at, g := range r.Games() {
		v := g.View(0)
		c[at] = bot.Chances(&v)
	}
	return c
}

// Percent returns the chances of the sides at a moment in percent.
func (c Chances) Percent(at int) []int {
	all := make([]int, len(c[at]))
	for side, p := range c[at] {
		all[side] = int(100*p + 0.5)
	}
	return all
}

// apart returns the largest difference in a side's chance.
func apart(a, b []float64) (most float64) {
	for i, p := range a {
		most = max(most, math.Abs(p-b[i]))
	}
	return most
}

// A turning point changes a side's chance by at least this much, and a game has at most this many.
const (
	leastTurn = 0.08
	mostTurns = 9
)

// Turns returns the moments at which the game turned, in order.
func (c Chances) Turns() []int {
	var all []int
	for i := range c {
		if c.change(i) >= leastTurn {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(c.change(b), c.change(a)) })
	all = all[:min(len(all), mostTurns)]
	slices.Sort(all)
	return all
}

// change returns the largest change in a side's chance at a moment.
func (c Chances) change(at int) float64 {
	if at == 0 {
		return 0
	}
	return apart(c[at-1], c[at])
}
