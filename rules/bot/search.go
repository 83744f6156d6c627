package bot

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"boneyard/rules"
	"boneyard/rules/search"
)

// Value is what a choice is worth by the rollouts made for it.
type Value struct {
	rules.Choice
	Points   rules.Points // that it scores at once
	Mean     float64      // points that the seat's side makes from here to the end of the round, less those of the others on average
	Error    float64      // the standard error of Mean
	Out      float64      // in what share of them, from 0 to 1, the seat's side went out
	Rollouts int
}

// Values are the values of all choices that differ, the best first.
type Values []Value

// Best is the best choice.
func (v Values) Best() Value { return v[0] }

// Of finds the value of a choice, or of one that does the same.
func (v Values) Of(s *Seen, c rules.Choice) (Value, bool) {
	for _, o := range v {
		if o.Choice == c {
			return o, true
		}
	}
	after := s.After(c)
	for _, o := range v {
		if o.Tile != c.Tile {
			continue
		}
		if l := s.After(o.Choice); l.Count() == after.Count() && l.Fits() == after.Fits() {
			return o, true
		}
	}
	return Value{}, false
}

// trial is a choice while it is being tried.
type trial struct {
	play search.Play
	sum  float64
	sq   float64
	n    int
	out  int // times that the seat's side went out
}

func (t *trial) mean() float64 { return t.sum / float64(max(t.n, 1)) }

// Search values the choices of the seat to move by rollouts shared over them: half of what remains to be tried is given up again
// and again, so that most go to those that are close. It depends on what was seen and on what rng yields. There must be a choice.
func Search(s *Seen, rollouts int, rng *rand.Rand) Values { return look(s, rollouts, rng, true) }

// Weigh values all choices with n rollouts each.
func Weigh(s *Seen, n int, rng *rand.Rand) Values { return look(s, n*len(s.Options), rng, false) }

func look(s *Seen, rollouts int, rng *rand.Rand, halving bool) Values {
	t := search.NewTable(&s.Rules, s.Seats, s.Scores)
	h := hide(s, &t)
	fast := search.Rand(rng.Uint64())
	seat := int(s.Seat) - 1
	first := t.Of(&s.View, s.own())
	if h.last >= 0 {
		first.SetLast(h.last)
	}
	var room [64]search.Play
	plays := first.AppendPlays(room[:0], true)
	all := make([]trial, len(plays))
	for i, p := range plays {
		all[i].play = p
	}
	left := all
	rounds := 1
	if halving {
		rounds = max(halvings(len(all)), 1)
	}
	needed := 0
	for n, r := len(all), 0; r < rounds; n, r = (n+1)/2, r+1 {
		needed += max(rollouts/(rounds*n), 1)
	}
	guesses := h.guesses(needed, seat, s.Hand, &fast)
	at := 0
	for range rounds {
		if len(guesses) == 0 || len(left) < 2 && halving && left[0].n > 0 {
			break
		}
		for range max(rollouts/(rounds*len(left)), 1) {
			g := &guesses[at%len(guesses)]
			at++
			start := first
			start.Hands = g.hands
			for i := range left {
				after := start
				t.Do(&after, left[i].play)
				t.PlayOut(&after, g.order[:h.stock])
				v := swing(&t, &after, seat)
				left[i].sum += v
				left[i].sq += v * v
				left[i].n++
				if after.Ended() == rules.Domino && t.Side(after.Last()) == t.Side(seat) {
					left[i].out++
				}
			}
		}
		slices.SortStableFunc(left, func(a, b trial) int { return cmp.Compare(b.mean(), a.mean()) })
		if halving {
			left = left[:(len(left)+1)/2]
		}
	}
	values := make(Values, len(all))
	for i := range all {
		values[i] = all[i].value(&t, &first)
	}
	return values
}

func (t *trial) value(table *search.Table, s *search.State) Value {
	v := Value{Choice: rules.Choice{Tile: t.play.Tile, Arm: s.Arm(t.play)}, Points: table.Pays(s, t.play), Mean: t.mean(), Rollouts: t.n,
		Out: float64(t.out) / float64(max(t.n, 1))}
	if t.n > 1 {
		v.Error = math.Sqrt(max(t.sq/float64(t.n)-v.Mean*v.Mean, 0) / float64(t.n))
	}
	return v
}

// halvings is how often n can be halved, rounded up.
func halvings(n int) (k int) {
	for ; n > 1; n = (n + 1) / 2 {
		k++
	}
	return k
}

// swing is what the seat's side has made in the round more than the others on average.
func swing(t *search.Table, s *search.State, seat int) float64 {
	mine, others := 0.0, 0.0
	for side := range t.Sides() {
		if side == t.Side(seat) {
			mine = float64(s.Points(side))
		} else {
			others += float64(s.Points(side))
		}
	}
	return mine - others/float64(t.Sides()-1)
}
