package rating_test

import (
	"math"
	"testing"

	"boneyard/lobby/rating"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		r    R
		want string
	}{
		{newcomer, "1500?"},
		{R{25, 2}, "1500"},
		{R{30, 5.5}, "1647"},
		{R{30, 5.51}, "1647?"},
		{R{15.2, 3}, "1211"},
		{R{-40, 3}, "-416"},
	} {
		if got := c.r.String(); got != c.want {
			t.Errorf("%v ± %v is shown as %s, want %s", c.r.Mu, c.r.Sigma, got, c.want)
		}
	}
}

// 400 points are odds of ten to one between players known well.
func TestScale(t *testing.T) {
	a, b := R{Mu: 25, Sigma: 0.01}, R{Mu: 25 + math.Ln10*math.Sqrt2*rating.Beta, Sigma: 0.01}
	if got := b.Number() - a.Number(); got != 400 {
		t.Fatalf("ten to one is %d points", got)
	}
	// A win moves the mean by variance/c times what was not expected of it.
	lift := func(won, lost R) float64 {
		return rating.Update([]side{{won}, {lost}}, []int{1, 2})[0][0].Mu - won.Mu
	}
	if odds := lift(a, b) / lift(b, a); math.Abs(odds-10) > 0.01 {
		t.Errorf("odds of %v", odds)
	}
}

// The counts that settledSigma's comment gives.
func TestWhenSettled(t *testing.T) {
	games := func(opponent func(self R) R) int {
		r, other := newcomer, R{}
		for n := 1; ; n++ {
			other = opponent(r)
			ranks := []int{1 + n%2, 2 - n%2}
			r = rating.Update([]side{{r}, {other}}, ranks)[0][0]
			if !r.Provisional() {
				return n
			}
		}
	}
	even := games(func(self R) R { return R{Mu: 25, Sigma: self.Sigma} })
	known := games(func(R) R { return R{Mu: 25, Sigma: 2.5} })
	if even < 14 || even > 16 || known < 8 || known > 9 {
		t.Errorf("settled after %d games between newcomers, %d against known players", even, known)
	}
}
