// Package rating turns results of games into ratings of strength: it knows ranks and arithmetic, and must not
// know players, clocks, databases or which games count.
//
// The method is the Bradley–Terry full-pair update of R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for
// Online Ranking", Journal of Machine Learning Research 12 (2011) 267–300, Algorithm 1. A rating is a belief about a
// strength, normally distributed around Mu with deviation Sigma; the strength of a side is the sum of its members'.
//
// Standings are rebuilt from the journal and have to come out the same to the last bit, on any machine. So here every
// product that is added to something passes through an explicit float64(), which the language defines to forbid fusing
// the two into one instruction; the exponential is this package's own, since math.Exp is written in assembly, and
// differently, for some processors; and sums are taken in an order that does not depend on that of the sides.
package rating

import (
	"math"
	"slices"
	"strconv"
)

// The constants of the method, μ, σ, β and κ, as they are in common use with it.
const (
	InitialMu    = 25.0
	InitialSigma = 25.0 / 3
	Beta         = 25.0 / 6 // deviation of a single performance from a player's strength
	Kappa        = 1e-4     // least factor of the variance in one game, so that it stays positive
)

// A Rating is an estimate of one player's, pair's or team's strength.
type Rating struct {
	Mu    float64 // the most likely strength
	Sigma float64 // its standard deviation
}

// Initial returns the rating of a newcomer.
func Initial() Rating { return Rating{Mu: InitialMu, Sigma: InitialSigma} }

// Update returns the ratings after one game, in the order of sides and their members. ranks[i] is the place
// of sides[i]: lower is better, equal is a tie; only their order matters. Update does not change sides. Sides
// usually have one or two members; a rating whose Sigma is zero stays.
//
// The result is the same to the last bit for any order of the sides, and of two members. Update panics if
// there are not as many ranks as sides.
func Update(sides [][]Rating, ranks []int) [][]Rating {
	return UpdateBy(sides, ranks, func(int, int, int, float64) float64 { return 1 })
}

// UpdateBy is Update in which what one side learns from another counts only in part. weigh returns, for a
// member of a side, the part that counts of the change due to the other side, from 0 to 1; gain is how far
// all of it would move the member's Mu. It is called once for each member and each other side, in their
// order.
func UpdateBy(sides [][]Rating, ranks []int, weigh func(side, member, other int, gain float64) float64) [][]Rating {
	if len(sides) != len(ranks) {
		panic("rating: as many ranks as sides are needed")
	}
	strengths := make([]strength, len(sides))
	for i, side := range sides {
		strengths[i] = strengthOf(side)
	}
	out := make([][]Rating, len(sides))
	for i, side := range sides {
		omegas, deltas := changes(strengths, ranks, i)
		out[i] = make([]Rating, len(side))
		for j, r := range side {
			part := r.partOf(strengths[i])
			var omega, delta []float64
			for q := range sides {
				if q == i {
					continue
				}
				w := weigh(i, j, q, float64(part*omegas[q]))
				omega, delta = append(omega, float64(w*omegas[q])), append(delta, float64(w*deltas[q]))
			}
			out[i][j] = r.after(part, sum(omega), sum(delta))
		}
	}
	return out
}

// A strength is a side's: normally distributed, with mean mu.
type strength struct{ mu, variance float64 }

func strengthOf(side []Rating) strength {
	var s strength
	for _, r := range side {
		s.mu += r.Mu
		s.variance += float64(r.Sigma * r.Sigma)
	}
	return s
}

// changes returns Algorithm 1's Ω and Δ of side i by opponents: how far its mean moves, and by what share its
// variance shrinks.
func changes(sides []strength, ranks []int, i int) (omegas, deltas []float64) {
	omegas, deltas = make([]float64, len(sides)), make([]float64, len(sides))
	for q := range sides {
		if q == i {
			continue
		}
		c := math.Sqrt(sides[i].variance + sides[q].variance + 2*Beta*Beta)
		p := 1 / (1 + exp((sides[q].mu-sides[i].mu)/c)) // the chance that i beats q
		share := sides[i].variance / c
		gamma := math.Sqrt(sides[i].variance) / c
		omegas[q] = float64(share * (score(ranks[i], ranks[q]) - p))
		deltas[q] = float64(gamma * (share / c) * p * (1 - p))
	}
	return omegas, deltas
}

// score returns what a side placed at rank scored against an opponent placed at other.
func score(rank, other int) float64 {
	switch {
	case rank < other:
		return 1
	case rank > other:
		return 0
	}
	return 0.5
}

// partOf returns r's share of its side's variance.
func (r Rating) partOf(side strength) float64 {
	if side.variance == 0 {
		return 0
	}
	return float64(r.Sigma*r.Sigma) / side.variance
}

// after returns r moved by its share of its side's Ω and Δ.
func (r Rating) after(part, omega, delta float64) Rating {
	return Rating{
		Mu:    r.Mu + float64(part*omega),
		Sigma: r.Sigma * math.Sqrt(max(1-float64(part*delta), Kappa)),
	}
}

// sum adds the terms in sorted order, so that their own order does not matter. It sorts the argument.
func sum(terms []float64) float64 {
	slices.Sort(terms)
	var s float64
	for _, t := range terms {
		s += t
	}
	return s
}

// exp returns e to the x, to within a few units of the last place, by the same steps on every machine: with
// x = k·ln 2 + r, it is 2ᵏ times the Taylor series of eʳ.
func exp(x float64) float64 {
	// ln 2 in two parts: the first has so many zeros at its end that k times it is exact.
	const ln2Hi, ln2Lo = 6.93147180369123816490e-01, 1.90821492927058770002e-10
	x = min(max(x, -700), 700) // beyond that a chance is 0 or 1
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	r := x - float64(k*ln2Hi) - float64(k*ln2Lo)
	s := 1.0
	for n := 14.0; n > 0; n-- { // |r| < 0.35, and 0.35¹⁵/15! < 2⁻⁵³
		s = 1 + float64(s*r)/n
	}
	return math.Ldexp(s, int(k))
}

const (
	// numberBase is the Number of a newcomer.
	numberBase = 1500
	// numberScale is points per unit of Mu: 400 points are odds of ten to one between two players whose strength is
	// known well, as in Elo's system. For them the method's chance is 1/(1+e^(-d/(√2·β))) for a difference d.
	numberScale = 400 / (math.Ln10 * math.Sqrt2 * Beta)
	// settledSigma is the deviation from which on a rating is no longer provisional: two thirds of a newcomer's. It is
	// reached after about 15 even games between newcomers, and 8 against well-known players.
	settledSigma = 5.5
)

// Number returns the rating as it is shown: 1500 + 29.48·(Mu − 25), rounded. The scale is the one that
// players know from chess (1500 for a newcomer; 400 more means ten wins for each loss). The number is the
// most likely strength, not a cautious one: a cautious number (Mu − 3·Sigma) starts at 0 and rises even in
// defeat. [Rating.Provisional] says that it may be far off.
func (r Rating) Number() int {
	return int(math.Round(numberBase + float64(numberScale*(r.Mu-InitialMu))))
}

// Points returns how far Mu moves when the Number changes by number.
func Points(number float64) float64 { return number / numberScale }

// Provisional reports whether r is based on too few games to rank it with others.
func (r Rating) Provisional() bool { return r.Sigma > settledSigma }

// String returns the Number, with "?" while it is provisional: "1612?".
func (r Rating) String() string {
	s := strconv.Itoa(r.Number())
	if r.Provisional() {
		s += "?"
	}
	return s
}

// Levels is the number of heights in a sparkline.
const Levels = 8

// Sparkline returns the history of series, oldest first, as heights from 0 to Levels-1 in at most width
// columns. The lowest value shown is 0 and the highest Levels-1; a constant history is in the middle. A
// longer series is thinned: each column has the last value of its equal part, so the last column is the
// current value. The theme decides what a height looks like. Sparkline returns nil if the series is empty or
// width is not positive.
func Sparkline[N int | float64](series []N, width int) []int {
	if len(series) == 0 || width <= 0 {
		return nil
	}
	n := min(width, len(series))
	shown := make([]float64, n)
	for i := range shown {
		shown[i] = float64(series[(i+1)*len(series)/n-1])
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range shown {
		low, high = min(low, v), max(high, v)
	}
	heights := make([]int, n)
	for i, v := range shown {
		if high == low {
			heights[i] = Levels/2 - 1
			continue
		}
		heights[i] = int(math.Round((v - low) / (high - low) * (Levels - 1)))
	}
	return heights
}
