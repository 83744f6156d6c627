// Package bot knows how the players of the house choose their moves; it must not know more than a player at the table
// does, so it is given a view of one seat and nothing else.
package bot

import (
	"math/rand/v2"

	"boneyard/rules"
)

// Level is how well a bot plays.
type Level uint8

const (
	// Novice plays any tile that fits.
	Novice Level = iota
	// Regular plays for points, then gets rid of pips, then keeps its hand playable.
	Regular
)

var names = [...]string{"novice", "regular"}

// Levels lists the levels, the weakest first.
func Levels() []Level { return []Level{Novice, Regular} }

// String is the name of the level: "novice" or "regular".
func (l Level) String() string { return names[l] }

// Choose returns a legal move for the seat whose view this is, or the zero Move when it is not that seat's turn. It depends
// on the view and on what rng yields, and on nothing else.
func (l Level) Choose(v rules.View, rng *rand.Rand) rules.Move {
	m := rules.Move{Seat: v.Seat, Kind: v.Duty}
	switch v.Duty {
	case 0:
		return rules.Move{}
	case rules.Play:
		options := v.Options
		if l == Regular {
			options = best(&v)
		}
		o := options[rng.IntN(len(options))]
		m.Tile, m.Arm = o.Tile, o.Arm
	}
	return m
}

// worth is what speaks for an option, the most important first.
type worth struct {
	points rules.Points // scored at once
	weight rules.Points // pips that can no longer be caught in the hand
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

// best returns the options that nothing beats.
func best(v *rules.View) []rules.Option {
	var top worth
	var found []rules.Option
	for _, o := range v.Options {
		l := v.After(o.Choice)
		left := v.Hand.Without(o.Tile)
		w := worth{o.Points, o.Tile.Weight(), (left & l.Fits()).Len()}
		switch {
		case len(found) == 0 || top.less(w):
			top, found = w, append(found[:0], o)
		case !w.less(top):
			found = append(found, o)
		}
	}
	return found
}
