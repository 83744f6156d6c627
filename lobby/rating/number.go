package rating

import (
	"math"
	"strconv"
)

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

// Number returns the rating as it is shown: 1500 + 29.48·(Mu − 25), rounded. It is a point of the scale that players
// know from chess (1500 for a newcomer; 400 more is ten wins for each loss), and it is the likeliest strength, not a
// cautious one: a cautious number (Mu − 3·Sigma) starts at 0 and goes up in defeat. That it may be far off in the
// beginning is said by [Rating.Provisional] instead.
func (r Rating) Number() int {
	return int(math.Round(numberBase + float64(numberScale*(r.Mu-InitialMu))))
}

// Points is how far Mu moves when the Number changes by so much.
func Points(number float64) float64 { return number / numberScale }

// Provisional reports whether too few games stand behind r to rank it with others.
func (r Rating) Provisional() bool {
	return r.Sigma > settledSigma
}

// String returns the Number, with "?" while it is provisional: "1612?".
func (r Rating) String() string {
	s := strconv.Itoa(r.Number())
	if r.Provisional() {
		s += "?"
	}
	return s
}
