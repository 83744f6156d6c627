package search_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/search"
)

var plays = flag.Int("plays", 60_000, "random moves with which TestAgreesWithRules compares the two")

// anyRules draws a preset with overrides of every key, and a number of seats.
func anyRules(rng *rand.Rand) (rules.Ruleset, int) {
	for {
		seats := 2 + rng.IntN(3)
		text := rules.Presets()[rng.IntN(len(rules.Presets()))].String()
		for _, key := range []struct {
			name   string
			values []string
		}{
			{"hand", []string{"2", "3", "5", "7", "9", "7/6/5"}},
			{"teams", []string{"on", "off"}},
			{"lead", []string{"double", "lot", "six"}},
			{"next", []string{"winner", "domino", "lead"}},
			{"spinner", []string{"first", "all", "all", "none"}},
			{"order", []string{"sides", "any"}},
			{"count", []string{"flank", "sniff"}},
			{"multiple", []string{"5", "3", "0"}},
			{"draw", []string{"all", "none", "1", "2", "3", "7"}},
			{"end", []string{"award", "subtract", "bonus", "take"}},
			{"pegs", []string{"on", "off"}},
			{"target", []string{"1", "30", "61", "1000000"}},
			{"win", []string{"now", "round"}},
			{"rounds", []string{"1", "3"}},
		} {
			if rng.IntN(3) == 0 {
				text += " " + key.name + "=" + key.values[rng.IntN(len(key.values))]
			}
		}
		if r, err := rules.Parse(text); err == nil && r.CheckSeats(seats) == nil {
			return r, seats
		}
	}
}

// shuffled is a random deal for the next round.
func shuffled(g *rules.Game, rng *rand.Rand) rules.Deal {
	order := rng.Perm(rules.SetSize)
	r := g.Rules()
	size := r.HandSize(g.Seats())
	var d rules.Deal
	for i, n := range order {
		if seat := i / size; seat < g.Seats() {
			d.Hands[seat] = d.Hands[seat].With(rules.Tile(n))
		} else {
			d.Stock = append(d.Stock, rules.Tile(n))
		}
	}
	d.Lot = rules.Seat(1 + rng.IntN(g.Seats()))
	return d
}

// pair is a game in both forms.
type pair struct {
	game  rules.Game
	table search.Table
	state search.State
}

// deal begins the next round in both.
func (p *pair) deal(d rules.Deal) error {
	g, err := p.game.Deal(d)
	if err != nil {
		return err
	}
	r := g.Rules()
	p.game, p.table = g, search.NewTable(&r, g.Seats(), scores(&g))
	v := g.View(g.Turn())
	p.state = p.table.Begin(d.Hands, len(d.Stock), g.Leader(), v.Forced)
	return nil
}

func scores(g *rules.Game) (all [rules.MaxSeats]rules.Points) {
	for i := range g.Sides() {
		all[i] = g.Score(rules.Side(i + 1))
	}
	return all
}

// compare returns where the two differ.
func (p *pair) compare() error {
	g, s := &p.game, &p.state
	for i := range g.Sides() {
		if have, want := p.table.Scores()[i]+s.Points(i), g.Score(rules.Side(i+1)); have != want {
			return fmt.Errorf("side %d has %d points, want %d", i+1, have, want)
		}
	}
	layout := g.Layout()
	ended := rules.NotEnded
	if g.Phase() != rules.Playing && g.Result().Round == g.Round() {
		ended = g.Result().How
	}
	over := g.Phase() == rules.Over && ended == rules.NotEnded
	switch {
	case s.Count() != layout.Count():
		return fmt.Errorf("count %d, want %d", s.Count(), layout.Count())
	case s.Fits() != layout.Fits():
		return fmt.Errorf("%v fit, want %v", s.Fits(), layout.Fits())
	case s.Stock() != g.Stock(), s.Len() != layout.Len(), s.EndCount() != layout.EndCount():
		return fmt.Errorf("stock %d of %d, tiles %d of %d, ends %d of %d", s.Stock(), g.Stock(), s.Len(), layout.Len(), s.EndCount(),
			layout.EndCount())
	case s.Ended() != ended || s.GameOver() != over || s.Done() != (g.Phase() != rules.Playing):
		return fmt.Errorf("ended %v over %v, want %v %v", s.Ended(), s.GameOver(), ended, over)
	}
	for i := range s.EndCount() {
		if have, want := s.End(i), layout.End(i); have.Arm != want.Arm || have.Pip() != want.Pip {
			return fmt.Errorf("end %d is %v, want %v", i, have, want)
		}
	}
	for i := range g.Seats() {
		if s.Hands[i] != g.Hand(rules.Seat(i+1)) {
			return fmt.Errorf("seat %d holds %v, want %v", i+1, s.Hands[i], g.Hand(rules.Seat(i+1)))
		}
	}
	if g.Phase() != rules.Playing {
		return nil
	}
	switch {
	case s.Turn()+1 != int(g.Turn()):
		return fmt.Errorf("turn of %d, want %d", s.Turn()+1, g.Turn())
	case s.Playable() != g.Playable() || p.table.Duty(s) != g.Duty():
		return fmt.Errorf("duty %v with %v, want %v with %v", p.table.Duty(s), s.Playable(), g.Duty(), g.Playable())
	}
	return nil
}

// step makes one move, chosen by pick, in both, and returns where they differ.
func (p *pair) step(pick func(n int) int) error {
	g, s := &p.game, &p.state
	m := rules.Move{Seat: g.Turn(), Kind: g.Duty()}
	var points rules.Points
	if m.Kind == rules.Play {
		want := g.AppendChoices(nil)
		have := s.AppendPlays(nil, false)
		if len(have) != len(want) {
			return fmt.Errorf("%d plays, want %d", len(have), len(want))
		}
		v := g.View(g.Turn())
		for i, c := range want {
			if have[i].Tile != c.Tile || s.Arm(have[i]) != c.Arm || p.table.CountAfter(s, have[i]) != v.Options[i].Count ||
				p.table.Pays(s, have[i]) != v.Options[i].Points {
				return fmt.Errorf("play %d is %v %v count %d, want %+v", i, have[i].Tile, s.Arm(have[i]), p.table.CountAfter(s, have[i]), v.Options[i])
			}
		}
		if err := p.merged(have); err != nil {
			return err
		}
		// The same position from what the seat sees.
		if seen := p.table.Of(&v, s.Hands); seen != seen.WithScored(s) {
			return fmt.Errorf("from the view %+v, want %+v", seen, *s)
		}
		i := pick(len(want))
		m = g.Move(want[i])
		m.HighLeft = m.Arm == rules.NoArm && pick(2) == 1
		points = p.table.Pays(s, have[i])
		if m.HighLeft {
			p.table.Lead(s, m.Tile, true)
		} else {
			p.table.Do(s, have[i])
		}
	}
	next, e, err := g.Apply(m)
	if err != nil {
		return err
	}
	switch m.Kind {
	case rules.Draw:
		p.table.Draw(s, e.Tile)
	case rules.Pass:
		p.table.Pass(s)
	default:
		if points != e.Points {
			return fmt.Errorf("%d points, want %d", points, e.Points)
		}
	}
	p.game = next
	return p.compare()
}

// merged checks that merging omits only plays equivalent to one that is kept.
func (p *pair) merged(all []search.Play) error {
	kept := p.state.AppendPlays(nil, true)
	for _, c := range all {
		if slices.Contains(kept, c) {
			continue
		}
		after := p.state
		p.table.Do(&after, c)
		if !slices.ContainsFunc(kept, func(k search.Play) bool {
			o := p.state
			p.table.Do(&o, k)
			return k.Tile == c.Tile && o.Count() == after.Count() && o.Fits() == after.Fits() && o.EndCount() == after.EndCount()
		}) {
			return fmt.Errorf("%v %v is like no other play", c.Tile, p.state.Arm(c))
		}
	}
	return nil
}

// The two agree in everything, at every move of random games by all rules.
func TestAgreesWithRules(t *testing.T) {
	done := 0
	for seed := uint64(1); done < *plays; seed++ {
		rng := rand.New(rand.NewPCG(seed, 15))
		r, seats := anyRules(rng)
		g, err := rules.New(r, seats)
		require.NoError(t, err)
		p := pair{game: g}
		for p.game.Phase() != rules.Over && p.game.Round() < 12 {
			if p.game.Phase() == rules.Dealing {
				err = p.deal(shuffled(&p.game, rng))
			} else {
				err = p.step(rng.IntN)
				done++
			}
			if err != nil {
				t.Fatalf("seed %d: %s, %d seats, round %d: %v", seed, r.String(), seats, p.game.Round(), err)
			}
		}
	}
}

// FuzzAgreesWithRules has the fuzzer choose rules, deal and moves.
func FuzzAgreesWithRules(f *testing.F) {
	f.Add(uint64(1), []byte("\x01\x02\x03"))
	f.Add(uint64(77), []byte("boneyard"))
	f.Fuzz(func(t *testing.T, seed uint64, choices []byte) {
		rng := rand.New(rand.NewPCG(seed, 0))
		r, seats := anyRules(rng)
		g, err := rules.New(r, seats)
		require.NoError(t, err)
		p := pair{game: g}
		at := 0
		pick := func(n int) int {
			if len(choices) == 0 {
				return 0
			}
			at++
			return int(choices[at%len(choices)]) % n
		}
		for p.game.Phase() != rules.Over && p.game.Round() < 3 {
			if p.game.Phase() == rules.Dealing {
				err = p.deal(shuffled(&p.game, rng))
			} else {
				err = p.step(pick)
			}
			if err != nil {
				t.Fatalf("%s, %d seats: %v", r.String(), seats, err)
			}
		}
	})
}

func TestStateIsSmallAndDoesNotAllocate(t *testing.T) {
	if size := unsafe.Sizeof(search.State{}); size > 96 {
		t.Errorf("a state takes %d bytes", size)
	}
	rng := search.Rand(1)
	r, _ := rules.Parse("classic spinner=all")
	deck := newDeck(&r, 2)
	choices := make([]search.Play, 0, 64)
	if allocs := testing.AllocsPerRun(100, func() { deck.round(&rng, choices) }); allocs != 0 {
		t.Errorf("%v allocations a round", allocs)
	}
}

// deck deals and plays random rounds without allocating.
type deck struct {
	table search.Table
	size  int
	order [rules.SetSize]rules.Tile
}

func newDeck(r *rules.Ruleset, seats int) *deck {
	d := &deck{table: search.NewTable(r, seats, [rules.MaxSeats]rules.Points{}), size: r.HandSize(seats)}
	for i := range d.order {
		d.order[i] = rules.Tile(i)
	}
	return d
}

func (d *deck) round(rng *search.Rand, choices []search.Play) search.State {
	for i := rules.SetSize - 1; i > 0; i-- {
		j := rng.IntN(i + 1)
		d.order[i], d.order[j] = d.order[j], d.order[i]
	}
	var hands [rules.MaxSeats]rules.Hand
	n := d.table.Seats() * d.size
	for seat := range d.table.Seats() {
		for _, t := range d.order[seat*d.size : (seat+1)*d.size] {
			hands[seat] |= 1 << t
		}
	}
	s := d.table.Begin(hands, rules.SetSize-n, rules.Seat(1+rng.IntN(d.table.Seats())), rules.NoTile)
	for !s.Done() {
		switch d.table.Duty(&s) {
		case rules.Play:
			choices = s.AppendPlays(choices[:0], false)
			d.table.Do(&s, choices[rng.IntN(len(choices))])
		case rules.Draw:
			d.table.Draw(&s, d.order[rules.SetSize-s.Stock()])
		default:
			d.table.Pass(&s)
		}
	}
	return s
}

// If plays score nothing a playout blocks: seat 2 leaves nothing for seat 3, who would go out after the
// heavier 6-5.
func TestPlayOutBlocks(t *testing.T) {
	r := rules.Block.Rules()
	table := search.NewTable(&r, 4, [rules.MaxSeats]rules.Points{})
	tile := rules.NewTile
	s := table.Begin([rules.MaxSeats]rules.Hand{
		rules.NewHand(tile(6, 6), tile(0, 0)), rules.NewHand(tile(6, 5), tile(6, 1)), rules.NewHand(tile(5, 4)), rules.NewHand(tile(1, 2)),
	}, 0, 1, tile(6, 6))
	table.PlayOut(&s, nil)
	if s.Last() != 3 {
		t.Fatalf("seat %d went out, want 4", s.Last()+1)
	}
}

// BenchmarkRound plays random rounds of two seats, dealing included, as rules' benchmark of that name does.
func BenchmarkRound(b *testing.B) {
	for _, rule := range []string{"azneef", "sniff", "spruce", "classic", "classic spinner=all"} {
		b.Run(rule, func(b *testing.B) {
			r, err := rules.Parse(rule)
			if err != nil {
				b.Fatal(err)
			}
			d := newDeck(&r, 2)
			rng := search.Rand(2)
			choices := make([]search.Play, 0, 64)
			b.ReportAllocs()
			for b.Loop() {
				d.round(&rng, choices)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rounds/s")
		})
	}
}
