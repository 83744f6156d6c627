package bot_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// round is one round as it was played: the deal and the moves.
type round struct {
	game  rules.Game // before the deal
	deal  rules.Deal
	moves []rules.Move
	after []rules.Game // after the deal and each move
	past  []rules.Event
}

// replay plays the moves on another deal and reports whether the rules allow them all.
func (r *round) replay(d rules.Deal) (round, bool) {
	o := round{game: r.game, deal: d}
	g, err := r.game.Deal(d)
	if err != nil {
		return o, false
	}
	o.after = append(o.after, g)
	for _, m := range r.moves {
		var e rules.Event
		if g, e, err = g.Apply(m); err != nil {
			return o, false
		}
		o.after, o.past, o.moves = append(o.after, g), append(o.past, e), append(o.moves, m)
	}
	return o, true
}

// randomRound plays random moves until the round ends.
func randomRound(t testing.TB, text string, seats int, rng *rand.Rand) round {
	t.Helper()
	r, err := rules.Parse(text)
	require.NoError(t, err)
	g, err := rules.New(r, seats)
	require.NoError(t, err)
	var seed rules.Seed
	for i := range seed {
		seed[i] = byte(rng.Uint32())
	}
	out := round{game: g, deal: seed.Deal(&r, seats, 1)}
	if g, err = g.Deal(out.deal); err != nil {
		t.Fatal(err)
	}
	out.after = append(out.after, g)
	for g.Phase() == rules.Playing {
		m := rules.Move{Seat: g.Turn(), Kind: g.Duty()}
		if m.Kind == rules.Play {
			choices := g.AppendChoices(nil)
			m = g.Move(choices[rng.IntN(len(choices))])
		}
		var e rules.Event
		if g, e, err = g.Apply(m); err != nil {
			t.Fatal(err)
		}
		out.after, out.past, out.moves = append(out.after, g), append(out.past, e), append(out.moves, m)
	}
	return out
}

// swapped exchanges two tiles wherever they were dealt.
func swapped(d rules.Deal, a, b rules.Tile) rules.Deal {
	other := func(t rules.Tile) rules.Tile {
		switch t {
		case a:
			return b
		case b:
			return a
		}
		return t
	}
	o := rules.Deal{Lot: d.Lot}
	for i, h := range d.Hands {
		for t := range h.All() {
			o.Hands[i] = o.Hands[i].With(other(t))
		}
	}
	for _, t := range d.Stock {
		o.Stock = append(o.Stock, other(t))
	}
	return o
}

// Two deals that differ only in tiles hidden from a seat are the same to its bot, at every level: what it
// knows, and what it plays. See gets the whole past, so that it is See that hides the others' draws.
func TestBotsAreToldNothingHidden(t *testing.T) {
	compared, drawn := 0, 0
	for _, c := range []struct {
		rule  string
		seats int
	}{{"classic", 2}, {"spruce", 2}, {"azneef", 3}, {"sniff", 4}, {"classic teams=on", 4}, {"block", 4}} {
		for seed := range uint64(12) {
			rng := rand.New(rand.NewPCG(seed, 2))
			first := randomRound(t, c.rule, c.seats, rng)
			for n := range first.moves {
				g := &first.after[n]
				seat := g.Turn()
				if g.Duty() != rules.Play || len(g.View(seat).Options) < 2 {
					continue
				}
				unseen := rules.FullSet &^ g.Hand(seat)
				for i := range g.Layout().Len() {
					unseen = unseen.Without(g.Layout().Piece(i).Tile)
				}
				tiles := unseen.Tiles()
				a, b := tiles[rng.IntN(len(tiles))], tiles[rng.IntN(len(tiles))]
				upTo := first
				upTo.moves = upTo.moves[:n]
				other, ok := upTo.replay(swapped(first.deal, a, b))
				if a == b || !ok || !samePast(first.past[:n], other.past, seat) {
					continue
				}
				here := bot.See(g.View(seat), first.past[:n])
				there := bot.See(other.after[n].View(seat), other.past)
				if !reflect.DeepEqual(here, there) {
					t.Fatalf("%s seed %d move %d: %v and %v are told apart by\n%+v\n%+v", c.rule, seed, n, a, b, here, there)
				}
				for _, e := range here.Past {
					if e.Kind == rules.Draw && e.Seat != seat {
						drawn++
						if e.Tile != rules.NoTile {
							t.Fatalf("seat %d is told that seat %d drew %v", seat, e.Seat, e.Tile)
						}
					}
				}
				if a, b := bot.Weigh(&here, 20, rand.New(rand.NewPCG(seed, 3))),
					bot.Weigh(&there, 20, rand.New(rand.NewPCG(seed, 3))); !reflect.DeepEqual(a, b) {
					t.Fatalf("%s seed %d move %d: valued %v or %v", c.rule, seed, n, a, b)
				}
				for _, level := range bot.Levels() {
					if m, o := choose(level, here, seed), choose(level, there, seed); m != o {
						t.Fatalf("%s seed %d move %d: %v plays %+v or %+v", c.rule, seed, n, level, m, o)
					}
				}
				compared++
			}
		}
	}
	if compared < 100 || drawn < 20 {
		t.Fatalf("only %d positions with %d draws compared", compared, drawn)
	}
}

// samePast reports whether a seat saw the same moves.
func samePast(a, b []rules.Event, seat rules.Seat) bool {
	for i := range a {
		if a[i].For(seat) != b[i].For(seat) {
			return false
		}
	}
	return true
}

// choose is what a level plays; a master with a small budget.
func choose(level bot.Level, s bot.Seen, seed uint64) rules.Move {
	rng := rand.New(rand.NewPCG(seed, 3))
	if level == bot.Master && s.Duty == rules.Play {
		c := bot.Search(&s, 40, rng).Best()
		return rules.Move{Seat: s.Seat, Kind: rules.Play, Tile: c.Tile, Arm: c.Arm}
	}
	return level.Choose(&s, rng)
}

// A choice follows from what was seen and the seed alone.
func TestChoicesAreReproducible(t *testing.T) {
	for seed := range uint64(6) {
		r := randomRound(t, "spruce", 3, rand.New(rand.NewPCG(seed, 4)))
		for n := range r.moves {
			g := &r.after[n]
			if g.Duty() != rules.Play {
				continue
			}
			s := bot.See(g.View(g.Turn()), r.past[:n])
			if a, b := bot.Search(&s, 60, rand.New(rand.NewPCG(seed, 5))),
				bot.Search(&s, 60, rand.New(rand.NewPCG(seed, 5))); fmt.Sprint(a) != fmt.Sprint(b) {
				t.Fatalf("seed %d move %d: %v, then %v", seed, n, a, b)
			}
		}
	}
}

// A bot with no past, or half of one, plays on with what it sees.
func TestBotsPlayWithoutAPast(t *testing.T) {
	for seed := range uint64(6) {
		r := randomRound(t, "azneef", 2, rand.New(rand.NewPCG(seed, 6)))
		for n := range r.moves {
			g := &r.after[n]
			for _, past := range [][]rules.Event{nil, r.past[:n/2]} {
				for _, level := range bot.Levels() {
					if _, _, err := g.Apply(choose(level, bot.See(g.View(g.Turn()), past), seed)); err != nil {
						t.Fatalf("seed %d move %d: %v: %v", seed, n, level, err)
					}
				}
			}
		}
	}
}
