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

// Chances are how likely each side was to win at each moment of a game, by moment and side, as far as the gallery could know it then.
// Where that could not be worked out it is what it was before.
type Chances [][]float64

// outlined is at how many moments an outline has the chances worked out, as often guessed as outlineGuesses says. Neither fewer moments nor
// fewer guesses cost less for as good a curve; with twice the guesses it is hardly better. A chance changes by about wander with a moment.
const (
	outlined       = 32
	outlineGuesses = bot.ForecastGuesses / 4
	wander         = 0.03
)

// Follow works out the chances of a game. The same record gives the same chances. It costs about half a millisecond of CPU a moment, and
// is given up with the context's error when ctx ends.
func Follow(ctx context.Context, r *replay.Record) (Chances, error) {
	return follow(ctx, r, len(r.Moments), bot.ForecastGuesses)
}

// Outline is Follow for a curve that is looked at as a whole: it works out the chances at a few moments, more where they change most, and
// between those they go in straight lines. It costs about 6 ms of CPU, however long the game was. It does not tell at
// which moment a chance changed.
func Outline(ctx context.Context, r *replay.Record) (Chances, error) {
	return follow(ctx, r, min(outlined, len(r.Moments)), outlineGuesses)
}

// follow works out the chances at n moments, at each from so many guesses.
func follow(ctx context.Context, r *replay.Record, n, guesses int) (Chances, error) {
	if len(r.Moments) == 0 {
		return nil, nil
	}
	f, err := bot.NewForecast(&r.Rules, len(r.Names), rand.New(rand.NewPCG(0, 0)))
	if err != nil {
		return nil, err
	}
	c := make(Chances, len(r.Moments))
	var known []int // the moments at which they have been worked out, in their order
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

// landmarks are the moments that are known before others, in their order: all of a game if there is room for n, otherwise the first and
// the last one and the ends of rounds, in half of the room.
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

// know works out the chances at one moment more, and adds it to those at which they are known.
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

// between is the moment in the middle of those two known ones between which the chances may have changed most.
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

// line draws a straight line between two moments.
func (c Chances) line(from, to int) {
	for i := from + 1; i < to; i++ {
		part := float64(i-from) / float64(to-from)
		c[i] = make([]float64, len(c[from]))
		for side := range c[i] {
			c[i][side] = (1-part)*c[from][side] + part*c[to][side]
		}
	}
}

// apart is the most by which a side's chance differs.
func apart(a, b []float64) (most float64) {
	for i, p := range a {
		most = max(most, math.Abs(p-b[i]))
	}
	return most
}

// A turning point is a moment with which a side's chance changed by so much, and there are at most so many in a game.
const (
	leastTurn = 0.08
	mostTurns = 9
)

// Turns are the moments at which the game turned, in their order.
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

// change is the most by which a side's chance changed with a moment.
func (c Chances) change(at int) float64 {
	if at == 0 {
		return 0
	}
	return apart(c[at-1], c[at])
}
