package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// parse reads a rule string, or ends the test.
func parse(tb testing.TB, rule string) Ruleset {
	tb.Helper()
	r, err := Parse(rule)
	require.NoError(tb, err)
	return r
}

// newGame starts a game, or ends the test.
func newGame(tb testing.TB, rule string, seats int) Game {
	tb.Helper()
	g, err := New(parse(tb, rule), seats)
	require.NoError(tb, err)
	return g
}

// hand reads tiles such as "5-5 0-6".
func hand(tb testing.TB, text string) Hand { tb.Helper(); return NewHand(tiles(tb, text)...) }

func tiles(tb testing.TB, text string) []Tile {
	tb.Helper()
	var all []Tile
	for _, w := range strings.Fields(text) {
		t, _, _, err := ParseTile(w)
		require.NoError(tb, err)
		all = append(all, t)
	}
	return all
}

// dealt starts a game and deals its first round: hands in turn order; stock is the beginning of the boneyard.
// Tiles not named are at its end, in the order of the set. A lot falls to seat 1.
func dealt(tb testing.TB, rule string, hands []string, stock string) Game {
	tb.Helper()
	return deal(tb, newGame(tb, rule, len(hands)), hands, stock)
}

// deal deals the next round of g as [dealt] does the first.
func deal(tb testing.TB, g Game, hands []string, stock string) Game {
	tb.Helper()
	d := Deal{Stock: tiles(tb, stock), Lot: 1}
	rest := FullSet &^ NewHand(d.Stock...)
	for i, text := range hands {
		d.Hands[i] = hand(tb, text)
		rest &^= d.Hands[i]
	}
	d.Stock = append(d.Stock, rest.Tiles()...)
	g, err := g.Deal(d)
	require.NoError(tb, err)
	return g
}

// parseMove reads a move as a record has it, without the count: "1 5-5", "2 5-0 R", "2 draw", "1 pass".
func parseMove(tb testing.TB, text string) Move {
	tb.Helper()
	w := strings.Fields(text)
	m := Move{Seat: Seat(w[0][0] - '0'), Kind: Play, Arm: NoArm}
	switch w[1] {
	case "draw":
		m.Kind = Draw
		return m
	case "pass":
		m.Kind = Pass
		return m
	}
	t, a, b, err := ParseTile(w[1])
	require.NoError(tb, err)
	m.Tile = t
	if len(w) == 2 {
		m.HighLeft = a > b
		return m
	}
	if m.Arm, err = ParseArm(w[2]); err != nil {
		tb.Fatal(err)
	}
	return m
}

// after applies moves, all of which must be legal, and returns the game and what the last one did.
func after(tb testing.TB, g Game, moves ...string) (Game, Event) {
	tb.Helper()
	var e Event
	for _, text := range moves {
		var err error
		if g, e, err = g.Apply(parseMove(tb, text)); err != nil {
			tb.Fatalf("%s: %v", text, err)
		}
	}
	return g, e
}

// receipt is a count term by term, and what it scores; empty where the rules score nothing in play.
func receipt(r *Ruleset, l *Layout) string {
	if r.Multiple == 0 || l.Len() == 0 {
		return ""
	}
	var parts []string
	for _, t := range l.Terms(r.Count) {
		parts = append(parts, t.String())
	}
	text := strings.Join(parts, " + ")
	if total := fmt.Sprint(l.Count()); text == "" {
		text = total
	} else if text != total {
		text += " = " + total
	}
	if p := r.InPlay(l.Count()); p > 0 {
		return fmt.Sprintf("%s, scores %d", text, p)
	}
	return text + ", no score"
}
