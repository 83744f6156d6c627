package coach

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"boneyard/rules"
	"boneyard/rules/bot"
	"boneyard/rules/replay"
)

// Chances holds how likely each side was to win at each moment of a game, by moment and side, as far as the
// gallery could know it then. Where that could not be computed, the previous value is repeated.
type Chances [][]float64

// An outline computes the chances at this many moments, with this many guesses each. No cheaper combination gives as good a
// curve; twice the guesses hardly improve it. wander is about how much a chance changes with one moment.
const (
	outlined       = 32
	outlineGuesses = bot.ForecastGuesses / 4
	wander         = 0.03
)

// Follow computes the chances at every moment of a game. The same record gives the same chances. It costs about half a
// millisecond of CPU per moment, and returns the context's error if ctx ends first.
func Follow(ctx context.Context, r *replay.Record) (Chances, error) {
	return follow(ctx, r, len(r.Moments), bot.ForecastGuesses)
}

// Outline is like Follow, for a curve that is viewed as a whole: it computes the chances at a few moments,
// more where they change most, and interpolates between those. It costs about 6 ms of CPU, however long the
// game was. It does not show at which moment a chance changed.
func Outline(ctx context.Context, r *replay.Record) (Chances, error) {
	return follow(ctx, r, min(outlined, len(r.Moments)), outlineGuesses)
}

// follow computes the chances at n moments, each from the given number of guesses.
func follow(ctx context.Context, r *replay.Record, n, guesses int) (Chances, error) {
	if len(r.Moments) == 0 {
		return nil, nil
	}
	f, err := bot.NewForecast(&r.Rules, len(r.Names), rand.New(rand.NewPCG(0, 0)))
	if err != nil {
		return nil, err
	}
	c := make(Chances, len(r.Moments))
	var known []int // the moments computed so far, in order
	for _, at := range landmarks(r, n) {
		if known, err = c.know(ctx, known, at, r, f, guesses); err != nil {
			return nil, err
		}
	}
	for len(known) < n {
		if known, err = c.know(ctx, known, c.between(known), r, f, guesses); err != nil {
			return nil, err
		}
	}
	for i := 1; i < len(known); i++ {
		c.line(known[i-1], known[i])
	}
	return c, nil
}

// landmarks returns the moments to compute first, in order: the whole game if it fits in n, otherwise the
// first and last moments and the ends of rounds, within half of n.
func landmarks(r *replay.Record, n int) []int {
	all := []int{0}
	last := len(r.Moments) - 1
	if n > last {
		for at := range last {
			all = append(all, at+1)
		}
		return all
	}
	every := 1 + 2*len(r.Rounds)/n
	for i := every; i < len(r.Rounds); i += every {
		all = append(all, r.Rounds[i].Start-1)
	}
	return append(all, last)
}

// know computes the chances at one more moment, and adds it to the known ones.
func (c Chances) know(ctx context.Context, known []int, at int, r *replay.Record, f *bot.Forecast, guesses int) ([]int, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var past []rules.Event
	for i := r.Round(r.Moments[at].Round).Start; i <= at; i++ {
		if m := &r.Moments[i]; m.Kind == replay.Moved {
			past = append(past, m.Event)
		}
	}
	g := r.Game(at)
	s := bot.See(g.View(0), past)
	c[at] = f.Chances(&s, guesses, rand.New(rand.NewPCG(uint64(at), 0)))
	i, _ := slices.BinarySearch(known, at)
	if c[at] == nil && i > 0 {
		c[at] = c[known[i-1]]
	}
	return slices.Insert(known, i, at), nil
}

// between returns the moment in the middle of the two known ones between which the chances may have changed most.
func (c Chances) between(known []int) (at int) {
	most := 0.0
	for i := 1; i < len(known); i++ {
		from, to := known[i-1], known[i]
		if to-from < 2 {
			continue
		}
		if may := apart(c[from], c[to]) + wander*math.Sqrt(float64(to-from)); may > most {
			most, at = may, (from+to)/2
		}
	}
	return at
}

// line interpolates between two moments.
func (c Chances) line(from, to int) {
	for i := from + 1; i < to; i++ {
		part := float64(i-from) / float64(to-from)
		c[i] = make([]float64, len(c[from]))
		for side := range c[i] {
			c[i][side] = (1-part)*c[from][side] + part*c[to][side]
		}
	}
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
