package bot

import (
	"math/rand/v2"

	"boneyard/rules"
)

// slips describes how a weak player goes wrong.
type slips struct {
	overlooks float64 // share of counts that it misses
	noise     float64 // pips by which it misjudges a tile, either way, if nothing is counted in play
}

var (
	novice = slips{overlooks: 0.8, noise: 25}
	casual = slips{overlooks: 0.45, noise: 8}
	sharp  = slips{}
)

// The worth in pips of laying a double and of a tile that still fits, if nothing is counted in play.
const (
	pipsOfDouble = 3
	pipsOfFit    = 3
)

// worth is what an option has to offer, most important first.
type worth struct {
	points rules.Points // scored at once
	weight float64      // pips laid, which no longer count against the hand, or their equivalent
	fits   int          // tiles left in the hand that would fit the layout
}

func (w worth) less(than worth) bool {
	switch {
	case w.points != than.points:
		return w.points < than.points
	case w.weight != than.weight:
		return w.weight < than.weight
	}
	return w.fits < than.fits
}

// greedy returns one of the options that look best to a player with these slips.
func greedy(s *Seen, rng *rand.Rand, how slips) rules.Choice {
	var top worth
	found := make([]rules.Choice, 0, 8)
	for _, o := range s.Options {
		l := s.After(o.Choice)
		left := s.Hand.Without(o.Tile)
		w := worth{o.Points, float64(o.Tile.Weight()), (left & l.Fits()).Len()}
		if o.Points > 0 && how.overlooks > 0 && rng.Float64() < how.overlooks {
			w.points = 0
		}
		if s.Rules.Multiple == 0 {
			w.weight += pipsOfFit*float64(w.fits) + how.noise*(2*rng.Float64()-1)
			if o.Tile.Double() {
				w.weight += pipsOfDouble
			}
		}
		switch {
		case len(found) == 0 || top.less(w):
			top, found = w, append(found[:0], o.Choice)
		case !w.less(top):
			found = append(found, o.Choice)
		}
	}
	return found[rng.IntN(len(found))]
}
