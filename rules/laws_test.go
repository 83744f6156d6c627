package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pgregory.net/rapid"
)

// drawRules draws a game with house rules, and a number of seats that can play them.
func drawRules(t *rapid.T) (Ruleset, int) {
	for {
		rule := rapid.SampledFrom(presetNames[:]).Draw(t, "preset")
		for _, k := range keys {
			if rapid.IntRange(0, 4).Draw(t, k.Name) > 0 {
				continue
			}
			var value string
			switch k.Name {
			case "hand":
				value = fmt.Sprint(rapid.IntRange(1, 9).Draw(t, "hand"))
			case "target", "above":
				if k.Name == "above" && strings.Contains(rule, "target=") {
					continue
				}
				value = fmt.Sprint(rapid.IntRange(1, 120).Draw(t, "target"))
			case "rounds":
				value = fmt.Sprint(rapid.IntRange(1, 5).Draw(t, "rounds"))
			default:
				value = rapid.SampledFrom(strings.Split(k.Values, "|")).Draw(t, k.Name)
				if value == "N" {
					value = fmt.Sprint(rapid.IntRange(1, 4).Draw(t, "draw"))
				}
			}
			rule += " " + k.Name + "=" + value
		}
		r, err := Parse(rule)
		if err != nil {
			continue
		}
		seats := rapid.IntRange(2, MaxSeats).Draw(t, "seats")
		if r.CheckSeats(seats) == nil {
			return r, seats
		}
	}
}

// drawMove draws what the seat to move does, among all that is allowed.
func drawMove(t *rapid.T, g *Game) Move {
	if duty := g.Duty(); duty != Play {
		return Move{Seat: g.Turn(), Kind: duty, Arm: NoArm}
	}
	m := g.Move(rapid.SampledFrom(g.AppendChoices(nil)).Draw(t, "choice"))
	m.HighLeft = g.Layout().Len() == 0 && rapid.Bool().Draw(t, "turned")
	return m
}

func drawSeed(t *rapid.T) Seed {
	return Seed(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed"))
}

// walk plays a game of at most the given number of rounds and shows every step to see: the game before and after a move.
func walk(t *rapid.T, rounds int, see func(before, after *Game, e Event)) {
	r, seats := drawRules(t)
	seed := drawSeed(t)
	g, err := New(r, seats)
	require.NoError(t, err)
	t.Logf("%v, %d seats, seed %v", r, seats, seed)
	for g.Phase() != Over && (g.Phase() == Playing || g.Round() < rounds) {
		if g.Phase() == Dealing {
			next, err := g.Deal(seed.Deal(&r, seats, g.Round()+1))
			require.NoError(t, err)
			see(&g, &next, Event{})
			g = next
			continue
		}
		m := drawMove(t, &g)
		before := g
		next, e, err := g.Apply(m)
		if err != nil {
			t.Fatalf("%+v: %v", m, err)
		}
		if g != before {
			t.Fatal("Apply changed the game it was given")
		}
		if again, e2, _ := g.Apply(m); again != next || e2 != e {
			t.Fatal("the same move gave another game")
		}
		see(&g, &next, e)
		g = next
	}
}

// The set is always whole: each of the 28 tiles is in one hand, in the boneyard or on the table.
func TestLawWholeSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		walk(t, 3, func(_, g *Game, _ Event) {
			var all Hand
			n := 0
			for _, h := range g.hands {
				all |= h
				n += h.Len()
			}
			for _, tile := range g.stock[g.next:g.nStock] {
				all = all.With(tile)
				n++
			}
			for i := range g.layout.Len() {
				all = all.With(g.layout.Piece(i).Tile)
				n++
			}
			if all != FullSet || n != SetSize {
				t.Fatalf("%d tiles, missing %v", n, FullSet&^all)
			}
		})
	})
}

// The incremental count equals a recount, the terms add up to it in the order of the ends, and the ends are where tiles fit.
func TestLawCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		walk(t, 2, func(_, g *Game, e Event) {
			l := &g.layout
			rule := g.rules.Count
			var sum Points
			next := 0
			for _, term := range l.Terms(rule) {
				sum += term.Points
				for next < l.EndCount() && int(l.End(next).At) != term.Piece {
					next++
				}
				if next == l.EndCount() {
					t.Fatalf("terms %+v are not in the order of the ends", l.Terms(rule))
				}
			}
			if l.Count() != l.recount(rule) || sum != l.Count() || e.Kind == Play && e.Count != l.Count() {
				t.Fatalf("kept %d, from scratch %d, terms %d, told %d", l.Count(), l.recount(rule), sum, e.Count)
			}
			var fits Hand
			seen := map[Arm]bool{}
			for i := range l.EndCount() {
				end := l.End(i)
				if seen[end.Arm] || l.pieces[end.At].Covered&end.Edge != 0 {
					t.Fatalf("end %+v is not open", end)
				}
				seen[end.Arm] = true
				fits |= WithPip(end.Pip)
				if found, ok := l.EndOf(end.Arm); !ok || found != end {
					t.Fatalf("EndOf(%v) is %+v", end.Arm, found)
				}
				if again, err := ParseArm(end.Arm.String()); err != nil || again != end.Arm {
					t.Fatalf("arm %v is read as %v, %v", end.Arm, again, err)
				}
			}
			if l.Len() > 0 && l.Fits() != fits {
				t.Fatalf("fits %v, want %v", l.Fits(), fits)
			}
		})
	})
}

// Apply accepts exactly the choices; a view's options predict what Apply does.
func TestLawChoices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		walk(t, 1, func(_, g *Game, _ Event) {
			if g.Phase() != Playing {
				return
			}
			legal := map[Choice]bool{}
			for _, c := range g.AppendChoices(nil) {
				legal[c] = true
			}
			if want := max(1, len(legal)); g.Options() != want || (len(legal) > 0) != (g.Duty() == Play) {
				t.Fatalf("%d options for %d choices", g.Options(), len(legal))
			}
			for tile := range Tile(SetSize) {
				for _, arm := range []Arm{NoArm, ArmL, ArmR, ArmU, ArmD, 6, 7, 14, 15} {
					_, e, err := g.Apply(g.Move(Choice{tile, arm}))
					if (err == nil) != legal[Choice{tile, arm}] {
						t.Fatalf("%v on %v: %v, a choice: %v", tile, arm, err, legal[Choice{tile, arm}])
					}
					if err != nil && e != (Event{}) {
						t.Fatalf("a refused move gave %+v", e)
					}
				}
			}
			v := g.View(g.Turn())
			if len(v.Options) != len(legal) || v.Duty != g.Duty() {
				t.Fatalf("the view has %d options, duty %v", len(v.Options), v.Duty)
			}
			for _, o := range v.Options {
				next, e, err := g.Apply(g.Move(o.Choice))
				if err != nil || e.Count != o.Count || e.Points != o.Points || next.layout != v.After(o.Choice) {
					t.Fatalf("option %+v gives %+v, %v", o, e, err)
				}
			}
		})
	})
}

// Points are the sum of what was scored in play and at the ends of rounds, and only those change totals.
func TestLawScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var totals [MaxSeats]Points
		walk(t, 4, func(before, g *Game, e Event) {
			if e.Points != 0 {
				totals[g.SideOf(e.Seat)-1] += e.Points
				if g.rules.Multiple == 0 || e.Count%g.rules.Multiple != 0 || e.Count == 0 {
					t.Fatalf("a count of %d scores %d", e.Count, e.Points)
				}
			}
			if e.End != NotEnded {
				res := g.Result()
				if res.Round != g.Round() || res.How != e.End || res.Totals != g.scores {
					t.Fatalf("the result is %+v", res)
				}
				for i, c := range res.Change {
					totals[i] += c
				}
				for i, w := range res.Left {
					if w != before.hands[i].Weight() && (e.Seat != Seat(i+1)) {
						t.Fatalf("seat %d has %d left", i+1, w)
					}
				}
			}
			if g.scores != totals {
				t.Fatalf("totals %v, want %v", g.scores, totals)
			}
			over, won := g.Phase() == Over, g.Winner() != 0
			if n := g.rules.Rounds; n == 0 && over != won || won && !over || e.GameOver != over {
				t.Fatalf("phase %v with winner %d", g.Phase(), g.Winner())
			} else if n > 0 && over != (g.round == n && e.End != NotEnded) {
				t.Fatalf("phase %v in round %d of %d", g.Phase(), g.round, n)
			}
			if g.rules.Rounds == 0 && won && !g.rules.Reached(g.Score(g.Winner()), g.seats) {
				t.Fatalf("side %d has won with %d", g.Winner(), g.Score(g.Winner()))
			}
			if g.rules.Rounds > 0 && over && g.Winner() != highest(g) {
				t.Fatalf("side %d has won, with scores %v", g.Winner(), g.scores)
			}
		})
	})
}

// highest is the side whose score is above those of all others, 0 if there is none.
func highest(g *Game) Side {
	for i := range g.Sides() {
		alone := true
		for j := range g.Sides() {
			alone = alone && (i == j || g.scores[i] > g.scores[j])
		}
		if alone {
			return Side(i + 1)
		}
	}
	return 0
}

// What a player could play if it were their turn is what they may play after a pass.
func TestLawAhead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		walk(t, 3, func(before, after *Game, e Event) {
			if e.Kind != Pass || after.Phase() != Playing || after.Turn() == before.Turn() {
				return
			}
			then, now := before.View(after.Turn()), after.View(after.Turn())
			ahead, ok := then.Ahead()
			if !ok || !slices.Equal(ahead.Options, now.Options) {
				t.Fatalf("ahead %v, %v; then %v", ok, ahead.Options, now.Options)
			}
			if _, ok := now.Ahead(); ok {
				t.Fatal("ahead on one's own turn")
			}
		})
	})
}

// Every round ends: each play and each draw uses up a tile, and between two of them each seat passes at most once.
func TestLawRoundsEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		passes := 0
		walk(t, 5, func(_, g *Game, e Event) {
			if passes++; e.Kind != Pass {
				passes = 0
			}
			if passes >= g.Seats() {
				t.Fatalf("%d passes in a row, and the round goes on", passes)
			}
		})
	})
}

// Every game ends if players play at random. Where hands are subtracted from scores the number of rounds has
// no bound, so these are fixed seeds, and games of the presets.
func TestGamesEnd(t *testing.T) {
	for _, p := range Presets() {
		for seats := 2; seats <= MaxSeats; seats++ {
			if r := p.Rules(); r.CheckSeats(seats) != nil {
				continue
			}
			for seed := range uint64(50) {
				g := newGame(t, p.String(), seats)
				s := newShuffler(seed)
				var choices []Choice
				for g.Phase() != Over {
					var err error
					if g.Phase() == Dealing {
						g, err = g.Deal(s.deal(&g))
					} else {
						g, _, err = g.Apply(s.move(&g, choices))
					}
					if err != nil || g.Round() > 10_000 {
						t.Fatalf("%v with %d seats, seed %d: round %d, %v", p, seats, seed, g.Round(), err)
					}
				}
			}
		}
	}
}

// recount is the count from scratch.
func (l *Layout) recount(rule CountRule) Points {
	var sum Points
	for i := range l.pieces[:l.n] {
		_, pts := l.pieces[i].Worth(rule)
		sum += pts
	}
	return sum
}
