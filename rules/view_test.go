package rules

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pgregory.net/rapid"
)

// twin is a game that differs from g only in what the reader at seat may not know: the tiles in the other
// hands and in the boneyard are shuffled. (After a round the hands are open: then only the boneyard is.)
func twin(g *Game, seat Seat, rng *rand.Rand) Game {
	other := *g
	stock := g.stock[g.next:g.nStock]
	hidden := slices.Clone(stock)
	open := func(i int) bool { return g.phase != Playing || Seat(i+1) == seat }
	for i, h := range g.hands[:g.seats] {
		if !open(i) {
			hidden = append(hidden, h.Tiles()...)
		}
	}
	rng.Shuffle(len(hidden), func(i, j int) { hidden[i], hidden[j] = hidden[j], hidden[i] })
	n := copy(other.stock[g.next:g.nStock], hidden)
	hidden = hidden[n:]
	for i, h := range g.hands[:g.seats] {
		if !open(i) {
			other.hands[i] = NewHand(hidden[:h.Len()]...)
			hidden = hidden[h.Len():]
		}
	}
	if g.phase == Playing && g.turn != seat {
		if g.forced != NoTile { // it is known that the lead is forced, but not to which tile
			other.forced = other.hands[g.turn-1].Lowest()
		}
		other.drawn = NoTile
		if drawn := other.hands[g.turn-1] & other.layout.fits; g.draws > 0 && rng.IntN(2) == 0 {
			other.drawn = drawn.Lowest()
		}
	}
	// Drawn tiles are in a hand now; the order in which they came is hidden too.
	rng.Shuffle(int(g.next), func(i, j int) { other.stock[i], other.stock[j] = other.stock[j], other.stock[i] })
	return other
}

// checkSecrecy compares the views of g with those of games that differ only in what is hidden. Equal views
// have equal unexported parts too, so no exported method can tell them apart.
func checkSecrecy(tb rapid.TB, g *Game, rng *rand.Rand) {
	for seat := Seat(0); int(seat) <= g.Seats(); seat++ {
		other := twin(g, seat, rng)
		v, w := g.View(seat), other.View(seat)
		if !reflect.DeepEqual(v, w) {
			tb.Fatalf("the view of seat %d tells\n%+v\nfrom\n%+v", seat, v, w)
		}
		if a, b := fmt.Sprintf("%#v", v), fmt.Sprintf("%#v", w); a != b {
			tb.Fatalf("the printed view of seat %d tells\n%s\nfrom\n%s", seat, a, b)
		}
		a, errA := json.Marshal(v)
		b, errB := json.Marshal(w)
		if errA != nil || errB != nil || !slices.Equal(a, b) {
			tb.Fatalf("the encoded view of seat %d tells\n%s\nfrom\n%s (%v, %v)", seat, a, b, errA, errB)
		}
	}
}

// Whole games of each preset, for every number of seats, every seat and the gallery.
func TestViewsRevealNothing(t *testing.T) {
	for _, p := range Presets() {
		for seats := 2; seats <= MaxSeats; seats++ {
			if r := p.Rules(); r.CheckSeats(seats) != nil {
				continue
			}
			t.Run(fmt.Sprintf("%v/%d", p, seats), func(t *testing.T) {
				g := newGame(t, p.String(), seats)
				s := newShuffler(uint64(seats))
				steps := 0
				for g.Phase() != Over {
					var err error
					if g.Phase() == Dealing {
						g, err = g.Deal(s.deal(&g))
					} else {
						g, _, err = g.Apply(s.move(&g, nil))
					}
					require.NoError(t, err)
					checkSecrecy(t, &g, s.rng)
					steps++
				}
				if steps < 10 {
					t.Errorf("only %d positions were seen", steps)
				}
			})
		}
	}
}

// The same under house rules of all kinds.
func TestLawViewsRevealNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "mix"), 0))
		walk(t, 1, func(_, g *Game, e Event) {
			checkSecrecy(t, g, rng)
			for seat := Seat(0); int(seat) <= g.Seats(); seat++ {
				seen := e.For(seat)
				if hidden := e.Kind == Draw && e.Seat != seat; hidden && seen.Tile != NoTile || !hidden && seen != e {
					t.Fatalf("seat %d sees %+v of %+v", seat, seen, e)
				}
			}
		})
	})
}

// A view contains what its reader may know.
func TestViewTells(t *testing.T) {
	g, _ := after(t, dealt(t, "classic hand=2", []string{"5-5 5-6", "1-0 1-1"}, "0-0 5-1 2-2"), "1 5-5", "2 draw", "2 draw")
	own, other, gallery := g.View(2), g.View(1), g.View(0)
	for _, v := range []View{own, other, gallery} {
		if v.Held != [MaxSeats]int{1, 4} || v.Stock != SetSize-1-1-4 || v.Draws != 2 || v.Turn != 2 || v.Round != 1 || v.Scores[0] != 10 ||
			v.Layout.Len() != 1 {
			t.Errorf("seat %d sees %+v", v.Seat, v)
		}
	}
	if own.Hand != hand(t, "0-0 0-1 1-1 1-5") || own.Duty != Play || own.Forced != NewTile(1, 5) || own.Playable() != hand(t, "1-5") {
		t.Errorf("the player sees %+v", own)
	}
	if other.Hand != hand(t, "5-6") || other.Duty != 0 || other.Options != nil || other.Forced != NoTile || gallery.Hand != 0 {
		t.Errorf("the others see %+v and %+v", other, gallery)
	}

	g, _ = after(t, dealt(t, "classic hand=1", []string{"5-5", "1-0"}, ""), "1 5-5")
	v := g.View(0)
	if v.Open[1] != hand(t, "0-1") || v.Result.Winner != 1 || v.Phase != Dealing {
		t.Errorf("when the round is over the gallery sees %+v", v)
	}
}

// A view's options predict each play.
func TestOptionsTell(t *testing.T) {
	g, _ := after(t, dealt(t, "classic hand=3", []string{"5-5 5-6 0-1", "5-0 5-1 2-2"}, ""), "1 5-5")
	v := g.View(2)
	for _, c := range []struct {
		option  Option
		receipt string
	}{
		{Option{Choice{NewTile(0, 5), ArmL}, 10, 10}, "0 + 10 = 10, scores 10"},
		{Option{Choice{NewTile(1, 5), ArmU}, 11, 0}, "10 + 1 = 11, no score"},
	} {
		if !slices.Contains(v.Options, c.option) {
			t.Errorf("%+v is not among %+v", c.option, v.Options)
		}
		l := v.After(c.option.Choice)
		if got := receipt(&v.Rules, &l); got != c.receipt {
			t.Errorf("receipt %q, want %q", got, c.receipt)
		}
	}
	if len(v.Options) != 8 {
		t.Errorf("%d options, want 8", len(v.Options))
	}
	if l := v.After(Choice{NewTile(2, 2), ArmL}); l != v.Layout {
		t.Error("a tile that does not fit changes the layout")
	}
}
