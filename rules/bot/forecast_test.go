package bot_test

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"boneyard/rules"
	"boneyard/rules/bot"
	"boneyard/rules/bot/arena"
)

var (
	forecastGames   = flag.Int("forecast.games", 24, "games of each kind for which TestForecastIsCalibrated compares chances and results")
	forecastGuesses = flag.Int("forecast.guesses", 40, "guesses for each chance")
	forecastBy      = flag.String("forecast.by", "expert", "who plays: a level, or a number of rollouts")
)

// claims are the chances that were forecast, by tenths, and the results.
type claims struct {
	n          [10]int
	said, came [10]float64
	brier      float64
	all        int
}

func (c *claims) add(said, came float64) {
	i := min(int(10*said), 9)
	c.n[i]++
	c.said[i] += said
	c.came[i] += came
	c.brier += (said - came) * (said - came)
	c.all++
}

func (c *claims) sum(o *claims) {
	for i := range c.n {
		c.n[i] += o.n[i]
		c.said[i] += o.said[i]
		c.came[i] += o.came[i]
	}
	c.brier += o.brier
	c.all += o.all
}

func (c *claims) String() string {
	var b strings.Builder
	for i, n := range c.n {
		if n > 0 {
			fmt.Fprintf(&b, "| %d-%d %% | %d | %.1f | %.1f ± %.1f |\n", 10*i, 10*i+10, n, 100*c.said[i]/float64(n), 100*c.came[i]/float64(n), 100*c.error(i))
		}
	}
	fmt.Fprintf(&b, "Brier %.4f of %d\n", c.brier/float64(c.all), c.all)
	return b.String()
}

// error is the standard error of the results of a tenth.
func (c *claims) error(i int) float64 {
	p := c.said[i] / float64(c.n[i])
	return math.Sqrt(p * (1 - p) / float64(c.n[i]))
}

// watched plays a game, and makes a forecast for the gallery at one random move of each round.
func watched(t *testing.T, r *rules.Ruleset, seats int, by arena.Player, seed uint64, c *claims) {
	f, err := bot.NewForecast(r, seats, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	g, err := rules.New(*r, seats)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 3))
	var secret rules.Seed
	binary.BigEndian.PutUint64(secret[:], seed)
	var past []rules.Event
	var told [][]float64
	at := 0
	for g.Phase() != rules.Over {
		if g.Phase() == rules.Dealing {
			if g, err = g.Deal(secret.Deal(r, seats, g.Round()+1)); err != nil {
				t.Fatal(err)
			}
			past, at = past[:0], rng.IntN(20)
		}
		if len(past) == at {
			s := bot.See(g.View(0), past)
			if chances := f.Chances(&s, *forecastGuesses, rng); chances != nil {
				told = append(told, chances)
			}
		}
		m := rules.Move{Seat: g.Turn(), Kind: g.Duty()}
		if m.Kind == rules.Play {
			s := bot.See(g.View(m.Seat), past)
			if m, err = by.Choose(&s, rng); err != nil {
				t.Fatal(err)
			}
		}
		var e rules.Event
		if g, e, err = g.Apply(m); err != nil {
			t.Fatal(err)
		}
		past = append(past, e)
	}
	for _, chances := range told {
		side := rng.IntN(len(chances)) // one of them, since they depend on each other
		came := 0.0
		switch g.Winner() {
		case 0:
			came = 0.5
		case rules.Side(side + 1):
			came = 1
		}
		c.add(chances[side], came)
	}
}

// A side with a chance of 70 % wins about 70 % of such games; docs/bots.md has the figures of many.
func TestForecastIsCalibrated(t *testing.T) {
	var by arena.Player
	if level, ok := bot.ParseLevel(*forecastBy); ok {
		by = arena.Level(level)
	} else {
		n := 0
		fmt.Sscan(*forecastBy, &n)
		by = arena.Searcher(n)
	}
	var all claims
	for _, kind := range []struct {
		rule  string
		seats int
	}{
		{"azneef", 2}, {"sniff", 2}, {"spruce", 2}, {"classic", 2}, {"classic", 3}, {"classic rounds=5", 2}, {"classic", 4}, {"azneef teams=on", 4}, {"block", 4},
	} {
		r, err := rules.Parse(kind.rule)
		if err != nil {
			t.Fatal(err)
		}
		var c claims
		for n := range *forecastGames {
			watched(t, &r, kind.seats, by, uint64(n), &c)
		}
		t.Logf("%s, %d seats\n%s", kind.rule, kind.seats, c.String())
		all.sum(&c)
	}
	t.Logf("all\n%s", all.String())
	for i, n := range all.n {
		if n < 50 {
			continue
		}
		// Moments of one game depend on each other, so what came may differ by more than independent games would.
		if said, came := all.said[i]/float64(n), all.came[i]/float64(n); math.Abs(said-came) > 0.05+4*all.error(i) {
			t.Errorf("of %d moments with chances of about %.0f %%, %.0f %% were won", n, 100*said, 100*came)
		}
	}
}

// Percentages go in steps and sum up to 100, and small changes are not shown.
func TestPercent(t *testing.T) {
	for _, c := range []struct {
		chances []float64
		before  []int
		want    []int
	}{
		{[]float64{0.5, 0.5}, nil, []int{50, 50}},
		{[]float64{0.626, 0.374}, nil, []int{65, 35}},
		{[]float64{0.626, 0.374}, []int{60, 40}, []int{60, 40}},
		{[]float64{0.67, 0.33}, []int{60, 40}, []int{65, 35}},
		{[]float64{0.34, 0.33, 0.33}, nil, []int{35, 35, 30}},
		{[]float64{0.999, 0.001}, nil, []int{100, 0}},
		{[]float64{0.26, 0.26, 0.24, 0.24}, nil, []int{25, 25, 25, 25}},
	} {
		if have := bot.Percent(c.chances, c.before); !slices.Equal(have, c.want) {
			t.Errorf("%v after %v: %v, want %v", c.chances, c.before, have, c.want)
		}
	}
}
