package rules

import (
	"math/rand/v2"
	"testing"
)

// shuffler deals at random from one deck, without allocating.
type shuffler struct {
	rng   *rand.Rand
	order [SetSize]Tile
}

func newShuffler(seed uint64) *shuffler {
	s := &shuffler{rng: rand.New(rand.NewPCG(seed, 0))}
	for i := range s.order {
		s.order[i] = Tile(i)
	}
	return s
}

// deal returns a random deal for the next round of g; the stock is valid until the next call.
func (s *shuffler) deal(g *Game) Deal {
	s.rng.Shuffle(SetSize, func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
	var d Deal
	size := g.rules.HandSize(g.seats)
	for i, t := range s.order[:g.seats*size] {
		d.Hands[i/size] = d.Hands[i/size].With(t)
	}
	d.Stock = s.order[g.seats*size:]
	d.Lot = Seat(1 + s.rng.IntN(g.seats))
	return d
}

// move returns a random legal move. choices is scratch space, large enough for all choices.
func (s *shuffler) move(g *Game, choices []Choice) Move {
	duty := g.Duty()
	if duty != Play {
		return Move{Seat: g.Turn(), Kind: duty}
	}
	choices = g.AppendChoices(choices[:0])
	return g.Move(choices[s.rng.IntN(len(choices))])
}

// Bots play many thousands of rounds: listing choices, applying one and dealing must not allocate.
func TestPlaysDoNotAllocate(t *testing.T) {
	for _, rule := range []string{"azneef", "classic spinner=all", "classic end=take draw=none"} {
		fresh := newGame(t, rule, 2)
		s := newShuffler(4)
		choices := make([]Choice, 0, 64)
		allocs := testing.AllocsPerRun(100, func() {
			g, err := fresh.Deal(s.deal(&fresh))
			for err == nil && g.Phase() == Playing {
				g, _, err = g.Apply(s.move(&g, choices))
			}
			if err != nil {
				t.Fatal(err)
			}
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations a round", rule, allocs)
		}
	}
}

// BenchmarkPlay measures listing the legal choices of one position and applying one of them, averaged over the positions of
// random rounds; dealing is not counted.
func BenchmarkPlay(b *testing.B) {
	for _, rule := range []string{"azneef", "sniff", "spruce", "classic", "classic spinner=all"} {
		b.Run(rule, func(b *testing.B) {
			g := newGame(b, rule, 2)
			s := newShuffler(1)
			choices := make([]Choice, 0, 64)
			var positions []Game
			for len(positions) < 1000 {
				var err error
				if g, err = g.Deal(s.deal(&g)); err != nil {
					b.Fatal(err)
				}
				for g.Phase() == Playing {
					if g.Duty() == Play {
						positions = append(positions, g)
					}
					if g, _, err = g.Apply(s.move(&g, choices)); err != nil {
						b.Fatal(err)
					}
				}
				g = newGame(b, rule, 2)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				p := &positions[i%len(positions)]
				i++
				choices = p.AppendChoices(choices[:0])
				next, e, err := p.Apply(p.Move(choices[i%len(choices)]))
				if err != nil || e.Kind != Play || next.Round() == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRound plays random rounds of two seats, dealing included.
func BenchmarkRound(b *testing.B) {
	for _, rule := range []string{"azneef", "sniff", "spruce", "classic", "classic spinner=all"} {
		b.Run(rule, func(b *testing.B) {
			fresh := newGame(b, rule, 2)
			s := newShuffler(2)
			choices := make([]Choice, 0, 64)
			moves := 0
			b.ReportAllocs()
			for b.Loop() {
				g, err := fresh.Deal(s.deal(&fresh))
				for err == nil && g.Phase() == Playing {
					g, _, err = g.Apply(s.move(&g, choices))
					moves++
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rounds/s")
			b.ReportMetric(float64(moves)/float64(b.N), "moves/round")
		})
	}
}

// BenchmarkGame plays whole random games of each preset.
func BenchmarkGame(b *testing.B) {
	for _, p := range Presets() {
		seats := 2
		if p == Block {
			seats = 4
		}
		b.Run(p.String(), func(b *testing.B) {
			fresh := newGame(b, p.String(), seats)
			s := newShuffler(3)
			choices := make([]Choice, 0, 64)
			rounds := 0
			b.ReportAllocs()
			for b.Loop() {
				g := fresh
				for g.Phase() != Over {
					var err error
					if g.Phase() == Dealing {
						g, err = g.Deal(s.deal(&g))
						rounds++
					} else {
						g, _, err = g.Apply(s.move(&g, choices))
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(rounds)/float64(b.N), "rounds/game")
		})
	}
}
