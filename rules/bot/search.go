package bot

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"boneyard/rules"
	"boneyard/rules/search"
)

// Value is what a choice is worth, estimated by playouts.
type Value struct {
	rules.Choice
	Points   rules.Points // scored at once
	Mean     float64      // points that the seat's side makes until the end of the round, less the others' average
	Error    float64      // the standard error of its distance to the best
	Worse    float64      // share of playouts, from 0 to 1, in which it makes less than the best
	Out      float64      // share of playouts, from 0 to 1, in which the seat's side went out
	Playouts int          // 0 where Mean is exact
}

// Values holds the values of all distinct choices, best first.
type Values []Value

// Best returns the best choice.
func (v Values) Best() Value { return v[0] }

// Of returns the value of a choice, or of an equivalent one.
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

// trial is a choice being tried.
type trial struct {
	play search.Play
	made []float32 // in each playout
	sum  float64
	out  int // playouts in which the seat's side went out
}

func (t *trial) mean() float64 { return t.sum / float64(max(len(t.made), 1)) }

// behind reports whether a choice is clearly no better than best, which was tried on the same guesses.
func (t *trial) behind(best *trial) bool {
	n := float64(len(t.made))
	sum, sq := 0.0, 0.0
	for i, v := range t.made {
		d := float64(best.made[i] - v)
		sum += d
		sq += d * d
	}
	if sum < 0 {
		return false
	}
	return sq == 0 || sum*sum > clear*clear*max(sq-sum*sum/n, 0)*n/(n-1)
}

const (
	block = 64 // guesses made at a time
	check = 32 // playouts of each choice between two checks for choices that are behind
	clear = 3  // standard errors by which a choice must be behind to be dropped
)

// Search estimates the values of the choices of the seat to move, sharing playouts among them. It repeatedly
// drops the worse half, and at once any choice that is clearly behind, so that most playouts go to the close
// ones. It depends only on its arguments. There must be a choice.
func Search(s *Seen, playouts int, rng *rand.Rand) Values { return look(s, playouts, rng, true) }

// Weigh values all choices with n playouts each.
func Weigh(s *Seen, n int, rng *rand.Rand) Values { return look(s, n*len(s.Options), rng, false) }

// How many positions may be searched for exact values: a master has 2 ms, and the coach more time.
const (
	masterPositions = 20_000
	coachPositions  = 500_000
)

// solve returns exact values if the seat knows all tiles: there are two seats and the boneyard is empty.
// Otherwise, or if it takes too long, it returns nil.
func solve(s *Seen, t *search.Table, first search.State, plays []search.Play, unseen rules.Hand, positions int) (all Values) {
	if s.Seats != 2 || s.Stock > 0 {
		return nil
	}
	seat := int(s.Seat) - 1
	first.Hands[1-seat] = unseen
	for _, p := range plays {
		after := first
		t.Do(&after, p)
		v, ok := t.Solve(&after, &positions)
		if !ok {
			return nil
		}
		if seat == 1 {
			v = -v
		}
		all = append(all, Value{Choice: rules.Choice{Tile: p.Tile, Arm: first.Arm(p)}, Points: t.Pays(&first, p), Mean: float64(v)})
	}
	slices.SortStableFunc(all, func(a, b Value) int { return cmp.Compare(b.Mean, a.Mean) })
	return all
}

func look(s *Seen, playouts int, rng *rand.Rand, halving bool) Values {
	t := search.NewTable(&s.Rules, s.Seats, s.Scores)
	h := hide(s, &t)
	seat := int(s.Seat) - 1
	first := t.Of(&s.View, s.own())
	if h.last >= 0 {
		first.SetLast(h.last)
	}
	var room [64]search.Play
	plays := first.AppendPlays(room[:0], true)
	positions := coachPositions
	if halving {
		positions = masterPositions
	}
	if exact := solve(s, &t, first, plays, h.unseen, positions); exact != nil {
		return exact
	}
	if halving && len(plays) == 1 { // all legal plays are equivalent
		playouts = min(playouts, check)
	}
	rounds := 1
	if halving {
		rounds = max(bits.Len(uint(len(plays)-1)), 1) // how often they can be halved
	}
	needed := 0
	for n, r := len(plays), 0; r < rounds; n, r = (n+1)/2, r+1 {
		needed += max(playouts/(rounds*n), 1)
	}
	all := make([]trial, len(plays))
	made := make([]float32, len(plays)*needed)
	for i, p := range plays {
		all[i].play, all[i].made = p, made[i*needed:i*needed:(i+1)*needed]
	}
	left := all
	src := source{h: &h, seat: seat, mine: s.Hand, rng: search.Rand(rng.Uint64())}
	for range rounds {
		if halving && len(left) == 1 && len(left[0].made) > 0 {
			break
		}
		for range max(playouts/(rounds*len(left)), 1) {
			g := src.next()
			if g == nil {
				break
			}
			start := first
			start.Hands = g.hands
			for i := range left {
				left[i].try(&t, start, g.order[:h.stock], seat)
			}
			if halving && len(left) > 1 && len(left[0].made)%check == 0 {
				if left = ahead(left); len(left) == 1 {
					break
				}
			}
		}
		rank(left)
		if halving {
			left = left[:(len(left)+1)/2]
		}
	}
	values := make(Values, len(all))
	for i := range all {
		values[i] = all[i].value(&t, &first, &all[0])
	}
	return values
}

// try plays the round out once.
func (t *trial) try(table *search.Table, s search.State, stock []rules.Tile, seat int) {
	table.Do(&s, t.play)
	table.PlayOut(&s, stock)
	v := swing(table, &s, seat)
	t.sum += v
	t.made = append(t.made, float32(v))
	if s.Ended() == rules.Domino && table.Side(s.Last()) == table.Side(seat) {
		t.out++
	}
}

// rank sorts the trials, best first.
func rank(trials []trial) {
	slices.SortStableFunc(trials, func(a, b trial) int { return cmp.Compare(b.mean(), a.mean()) })
}

// ahead ranks some choices and returns those that are not clearly behind.
func ahead(trials []trial) []trial {
	rank(trials)
	n := 1
	for i := 1; i < len(trials); i++ {
		if !trials[i].behind(&trials[0]) {
			trials[n], trials[i] = trials[i], trials[n]
			n++
		}
	}
	rank(trials[n:])
	return trials[:n]
}

func (t *trial) value(table *search.Table, s *search.State, best *trial) Value {
	n := float64(len(t.made))
	v := Value{Choice: rules.Choice{Tile: t.play.Tile, Arm: s.Arm(t.play)}, Points: table.Pays(s, t.play),
		Mean: t.mean(), Playouts: len(t.made), Out: float64(t.out) / max(n, 1)}
	v.Error, v.Worse = t.compare(best)
	return v
}

// compare returns the standard error of the trial's distance to best, and the share of guesses in which it
// makes less. The guesses of a block are drawn together, some several times, so the error is that of the
// means of blocks.
func (t *trial) compare(best *trial) (err, worse float64) {
	short := best.mean() - t.mean()
	sq, blocks, n := 0.0, 0.0, min(len(t.made), len(best.made))
	for at := 0; at < n; at += block {
		sum, end := 0.0, min(at+block, n)
		for i := at; i < end; i++ {
			sum += float64(best.made[i] - t.made[i])
			if best.made[i] > t.made[i] {
				worse++
			}
		}
		off := sum/float64(end-at) - short
		sq += off * off
		blocks++
	}
	return math.Sqrt(sq / max(blocks*(blocks-1), 1)), worse / float64(max(n, 1))
}

// swing returns what the seat's side has made in the round, less the others' average.
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
