package rating

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	_ "boneyard/rules/sameseed"
)

func TestExp(t *testing.T) {
	check := func(t interface{ Errorf(string, ...any) }, x float64) {
		if got, want := exp(x), math.Exp(x); math.Abs(got-want) > 1e-15*want {
			t.Errorf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	for x := -60.0; x <= 60; x += 1.0 / 64 {
		check(t, x)
	}
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.Float64Range(-700, 700).Draw(t, "x")) })
	if exp(0) != 1 {
		t.Errorf("exp(0) = %v: equals would not have even chances", exp(0))
	}
	for _, x := range []float64{1e6, math.MaxFloat64, math.Inf(1)} {
		if p, q := 1/(1+exp(x)), 1/(1+exp(-x)); p > 1e-300 || q != 1 {
			t.Errorf("chances at ±%v: %v, %v", x, p, q)
		}
	}
}
