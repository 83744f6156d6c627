package rating_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"boneyard/lobby/rating"
)

type (
	R    = rating.Rating
	side = []R
)

var newcomer = rating.Initial()

// Values published with openskill.js (philihp/openskill.js, src/models/__tests__/bradley-terry-full.test.ts; the same in
// vivekjoshy/openskill.py, tests/models/test_bradley_terry_full.py).
func TestPublishedValues(t *testing.T) {
	n := newcomer
	for _, c := range []struct {
		name        string
		sides, want []side
		ranks       []int
	}{
		{
			"two players", []side{{n}, {n}},
			[]side{{{27.63523138347365, 8.065506316323548}}, {{22.36476861652635, 8.065506316323548}}},
			[]int{1, 2},
		},
		{
			"three players", []side{{n}, {n}, {n}},
			[]side{{{30.2704627669473, 7.788474807872566}}, {{25, 7.788474807872566}}, {{19.7295372330527, 7.788474807872566}}},
			[]int{1, 2, 3},
		},
		{
			"four players", []side{{n}, {n}, {n}, {n}},
			[]side{
				{{32.90569415042095, 7.5012190693964005}},
				{{27.63523138347365, 7.5012190693964005}},
				{{22.36476861652635, 7.5012190693964005}},
				{{17.09430584957905, 7.5012190693964005}},
			},
			[]int{1, 2, 3, 4},
		},
		{
			"sides of three, one and two", []side{{n, n, n}, {n}, {n, n}},
			[]side{
				{{25.992743915179297, 8.19709997489984}, {25.992743915179297, 8.19709997489984}, {25.992743915179297, 8.19709997489984}},
				{{28.48909130001799, 8.220848339985736}},
				{{20.518164784802714, 8.127515465304823}, {20.518164784802714, 8.127515465304823}},
			},
			[]int{1, 2, 3},
		},
	} {
		t.Run(c.name, func(t *testing.T) { near(t, rating.Update(c.sides, c.ranks), c.want, 1e-12) })
	}
}

// Values of openskill.py 6.2.0 (tests/models/data/bradleyterryfull.json, as quoted in openskill.js,
// src/__tests__/parity-bradley-terry-full.test.ts). There a variance grows by τ² = (25/300)² before each game, which is
// not part of the paper's algorithm; here that is done to what goes in.
func TestPublishedValuesOfMixedSides(t *testing.T) {
	r := R{Mu: 16.03354781649136, Sigma: math.Hypot(12.429396412128556, 25.0/300)}
	for _, c := range []struct {
		name        string
		sides, want []side
		ranks       []int
	}{
		{
			"one against two", []side{{r}, {r, r}},
			[]side{
				{{20.686574848684717, 12.190916868103495}},
				{{11.380520784298003, 12.090638819927161}, {11.380520784298003, 12.090638819927161}},
			},
			[]int{1, 2},
		},
		{
			"places in another order", []side{{r}, {r, r}, {r}, {r, r}},
			[]side{
				{{22.58458782319289, 11.44990951618401}},
				{{23.594511753367236, 11.47082891120956}, {23.594511753367236, 11.47082891120956}},
				{{7.329544012760081, 11.44990951618401}},
				{{10.625547676645233, 11.47082891120956}, {10.625547676645233, 11.47082891120956}},
			},
			[]int{2, 1, 4, 3},
		},
		{
			"ties", []side{{r}, {r, r}, {r, r, r}},
			[]side{
				{{22.368878389960223, 12.064304058091345}},
				{{9.40905558180175, 11.91450441624131}, {9.40905558180175, 11.91450441624131}},
				{{16.32270947771211, 11.999970481449761}, {16.32270947771211, 11.999970481449761}, {16.32270947771211, 11.999970481449761}},
			},
			[]int{1, 2, 1},
		},
		{
			"two against two", []side{{r, r}, {r, r}},
			[]side{
				{{19.057184533885163, 12.174009240629777}, {19.057184533885163, 12.174009240629777}},
				{{13.009911099097556, 12.174009240629777}, {13.009911099097556, 12.174009240629777}},
			},
			[]int{1, 2},
		},
	} {
		t.Run(c.name, func(t *testing.T) { near(t, rating.Update(c.sides, c.ranks), c.want, 1e-12) })
	}
}

// Three games one after the other, with ties: numbers that openskill.js took from the program rank 1.02
// (src/models/__tests__/bradley-terry-full-series.test.ts).
func TestPublishedSeries(t *testing.T) {
	p := []R{newcomer, newcomer, newcomer, newcomer, newcomer}
	play := func(ranks []int, players ...int) {
		var sides []side
		for _, i := range players {
			sides = append(sides, side{p[i]})
		}
		for k, after := range rating.Update(sides, ranks) {
			p[players[k]] = after[0]
		}
	}
	play([]int{1, 2, 2, 4, 4}, 0, 1, 2, 3, 4)
	play([]int{1, 2, 2}, 4, 2, 1)
	play([]int{1, 1, 3, 3}, 3, 1, 2, 0)
	near(t, []side{p}, []side{{
		{27.643471362, 6.716636758}, {28.84497938, 6.310098392}, {20.705805441, 6.310098392}, {24.387640207, 6.668755907},
		{23.354955778, 6.854096855},
	}}, 1e-8)
}

// Algorithm 1 written out for one game of two against two, all four of them different.
func TestByHand(t *testing.T) {
	a, b := side{{30, 4}, {20, 2}}, side{{24, 5}, {22, 1}}
	varianceA, varianceB := 16.0+4, 25.0+1             // 4² + 2², 5² + 1²
	c := math.Sqrt(varianceA + varianceB + 2*625.0/36) // β² = (25/6)²
	chance := 1 / (1 + math.Exp((46-50)/c))
	omegaA := varianceA / c * (1 - chance)
	deltaA := math.Sqrt(varianceA) / c * varianceA / (c * c) * chance * (1 - chance)
	omegaB := varianceB / c * (0 - (1 - chance))
	deltaB := math.Sqrt(varianceB) / c * varianceB / (c * c) * chance * (1 - chance)
	want := []side{
		{
			{30 + 16.0/20*omegaA, 4 * math.Sqrt(1-16.0/20*deltaA)},
			{20 + 4.0/20*omegaA, 2 * math.Sqrt(1-4.0/20*deltaA)},
		},
		{
			{24 + 25.0/26*omegaB, 5 * math.Sqrt(1-25.0/26*deltaB)},
			{22 + 1.0/26*omegaB, 1 * math.Sqrt(1-1.0/26*deltaB)},
		},
	}
	near(t, rating.Update([]side{a, b}, []int{1, 2}), want, 1e-12)
}

// The bits that standings are rebuilt from. They are the same on every processor; on an amd64 machine,
// GOARCH=386 go test ./lobby/rating looks at a second one.
func TestBits(t *testing.T) {
	ana, bob, cyd, dan := newcomer, newcomer, newcomer, newcomer
	for game := range 40 {
		ranks := [][]int{{1, 2}, {2, 1}, {1, 1}, {1, 2}, {1, 2}}[game%5]
		out := rating.Update([]side{{ana, bob}, {cyd, dan}}, ranks)
		ana, bob, cyd, dan = out[0][0], out[0][1], out[1][0], out[1][1]
		out = rating.Update([]side{{dan}, {ana}, {cyd}, {bob}}, [][]int{{1, 2, 3, 4}, {2, 2, 1, 4}, {3, 1, 1, 3}}[game%3])
		dan, ana, cyd, bob = out[0][0], out[1][0], out[2][0], out[3][0]
	}
	for _, c := range []struct {
		name string
		got  R
		want [2]uint64
	}{
		{"ana", ana, [2]uint64{0x404037a9f5b4e931, 0x40010709d10bfb72}},
		{"bob", bob, [2]uint64{0x402fa73c26ee1df1, 0x40025481aa3616d6}},
		{"cyd", cyd, [2]uint64{0x403bd88c7cdf4ae8, 0x400056dc88e38cfa}},
		{"dan", dan, [2]uint64{0x4038790abb8157c5, 0x400054ba9bccc358}},
	} {
		if got := [2]uint64{math.Float64bits(c.got.Mu), math.Float64bits(c.got.Sigma)}; got != c.want {
			t.Errorf("%s: %v is %#x, want %#x", c.name, c.got, got, c.want)
		}
	}
}

var (
	anyRating = rapid.Custom(func(t *rapid.T) R {
		return R{Mu: rapid.Float64Range(-50, 150).Draw(t, "mu"), Sigma: rapid.Float64Range(1e-3, 25).Draw(t, "sigma")}
	})
	anySides = rapid.SliceOfN(rapid.SliceOfN(anyRating, 1, 2), 2, 4)
)

func drawGame(t *rapid.T) ([]side, []int) {
	sides := anySides.Draw(t, "sides")
	return sides, rapid.SliceOfN(rapid.IntRange(1, 4), len(sides), len(sides)).Draw(t, "ranks")
}

func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides, ranks := drawGame(t)
		want := rating.Update(sides, ranks)
		order := rapid.Permutation(indices(len(sides))).Draw(t, "order")
		swap := rapid.Bool().Draw(t, "swap members")
		shuffled, places := make([]side, len(sides)), make([]int, len(sides))
		for to, from := range order {
			shuffled[to], places[to] = members(sides[from], swap), ranks[from]
		}
		got := rating.Update(shuffled, places)
		for to, from := range order {
			for j, r := range members(got[to], swap) {
				if r != want[from][j] {
					t.Fatalf("side %d, member %d: %v, in the order %v %v", from, j, want[from][j], order, r)
				}
			}
		}
	})
}

// members returns a side, reversed if asked.
func members(s side, swap bool) side {
	if swap && len(s) == 2 {
		return side{s[1], s[0]}
	}
	return s
}

func indices(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides, ranks := drawGame(t)
		kept := clone(sides)
		out := rating.Update(sides, ranks)
		for i, s := range sides {
			won, last := true, true // neither is shared
			for q, r := range ranks {
				won = won && (q == i || r > ranks[i])
				last = last && (q == i || r < ranks[i])
			}
			for j, before := range s {
				after := out[i][j]
				if before != kept[i][j] {
					t.Fatalf("what went in was changed: %v to %v", kept[i][j], before)
				}
				if won && after.Mu < before.Mu {
					t.Fatalf("the winner fell from %v to %v", before.Mu, after.Mu)
				}
				if last && after.Mu > before.Mu {
					t.Fatalf("the last rose from %v to %v", before.Mu, after.Mu)
				}
				if after.Sigma > before.Sigma || !(after.Sigma > 0) || math.IsNaN(after.Mu) || math.IsInf(after.Mu, 0) {
					t.Fatalf("%v became %v", before, after)
				}
			}
		}
		if again := rating.Update(sides, ranks); !equal(again, out) {
			t.Fatalf("twice the same game: %v and %v", out, again)
		}
		spread := make([]int, len(ranks))
		for i, r := range ranks {
			spread[i] = 10*r - 3
		}
		if other := rating.Update(sides, spread); !equal(other, out) {
			t.Fatal("the numbers of the places matter, not only their order")
		}
	})
}

func TestSymmetricDrawLeavesMu(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SliceOfN(anyRating, 1, 2).Draw(t, "side")
		n := rapid.IntRange(2, 4).Draw(t, "sides")
		sides, ranks := make([]side, n), make([]int, n)
		for i := range sides {
			sides[i], ranks[i] = s, 1
		}
		for _, after := range rating.Update(sides, ranks) {
			for j := range s {
				if after[j].Mu != s[j].Mu || after[j].Sigma > s[j].Sigma {
					t.Fatalf("%v became %v", s[j], after[j])
				}
			}
		}
	})
}

// Players of known, different strength find their places, whatever games they are drawn into.
func TestRatingsFindTheOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 2011))
	strengths := []float64{15, 20, 25, 30, 35}
	p := []R{newcomer, newcomer, newcomer, newcomer, newcomer}
	for range 600 {
		o := rnd.Perm(len(p))
		a, b, c, d := o[0], o[1], o[2], o[3]
		ranks := []int{1, 2}
		performance := func(i int) float64 { return strengths[i] + rating.Beta*rnd.NormFloat64() }
		if performance(a)+performance(b) < performance(c)+performance(d) {
			ranks = []int{2, 1}
		}
		out := rating.Update([]side{{p[a], p[b]}, {p[c], p[d]}}, ranks)
		p[a], p[b], p[c], p[d] = out[0][0], out[0][1], out[1][0], out[1][1]
	}
	for i := 1; i < len(p); i++ {
		if p[i].Mu-p[i-1].Mu < 2 {
			t.Errorf("strengths %v were rated %v", strengths, p)
		}
	}
}

func TestNothingToLearn(t *testing.T) {
	if out := rating.Update([]side{{newcomer}}, []int{1}); !equal(out, []side{{newcomer}}) {
		t.Errorf("a game alone: %v", out)
	}
	known := R{Mu: 40}
	out := rating.Update([]side{{known, known}, {newcomer}}, []int{2, 1})
	if out[0][0] != known || out[1][0].Mu <= newcomer.Mu {
		t.Errorf("against a side known without doubt: %v", out)
	}
}

func TestUpdateWantsARankForEachSide(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("two sides and one rank were taken")
		}
	}()
	rating.Update([]side{{newcomer}, {newcomer}}, []int{1})
}

func near(t *testing.T, got, want []side, within float64) {
	t.Helper()
	for i := range want {
		for j, w := range want[i] {
			g := got[i][j]
			if !(math.Abs(g.Mu-w.Mu) <= within && math.Abs(g.Sigma-w.Sigma) <= within) {
				t.Errorf("side %d, member %d: got %.15g ± %.15g, want %.15g ± %.15g", i, j, g.Mu, g.Sigma, w.Mu, w.Sigma)
			}
		}
	}
}

func clone(sides []side) []side {
	out := make([]side, len(sides))
	for i, s := range sides {
		out[i] = append(side(nil), s...)
	}
	return out
}

func equal(a, b []side) bool {
	for i := range a {
		for j := range a[i] {
			if a[i][j] != b[i][j] {
				return false
			}
		}
	}
	return len(a) == len(b)
}
