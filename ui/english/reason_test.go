package english_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/ui/english"
)

// position deals the first round, with a boneyard that begins with some tiles, and makes moves: "1 5-5", "2 draw".
func position(t *testing.T, rule string, hands []string, stock string, moves []string) rules.Game {
	t.Helper()
	tiles := func(text string) (all []rules.Tile) {
		for _, w := range strings.Fields(text) {
			tile, _, _, err := rules.ParseTile(w)
			require.NoError(t, err)
			all = append(all, tile)
		}
		return all
	}
	g, err := rules.New(parse(t, rule), len(hands))
	require.NoError(t, err)
	d := rules.Deal{Stock: tiles(stock), Lot: 1}
	rest := rules.FullSet &^ rules.NewHand(d.Stock...)
	for i, text := range hands {
		d.Hands[i] = rules.NewHand(tiles(text)...)
		rest &^= d.Hands[i]
	}
	d.Stock = append(d.Stock, rest.Tiles()...)
	g, err = g.Deal(d)
	require.NoError(t, err)
	for _, text := range moves {
		seat, what, _ := strings.Cut(text, " ")
		m := rules.Move{Seat: rules.Seat(seat[0] - '0'), Kind: rules.Draw}
		if what != "draw" {
			m.Kind, m.Tile, m.Arm = rules.Play, tiles(what)[0], rules.NoArm
		}
		g, _, err = g.Apply(m)
		require.NoError(t, err, text)
	}
	return g
}

// A tile that may not be played is refused for a reason.
func TestUnplayable(t *testing.T) {
	for _, c := range []struct {
		rule  string
		hands []string
		stock string
		moves []string
		tile  string
		want  string
	}{
		{"classic hand=2", []string{"5-5 5-6", "1-5 1-1"}, "", []string{"1 5-5"}, "6-4", "You don't hold 6-4."},
		{"classic hand=2", []string{"5-5 5-6", "1-5 1-1"}, "", []string{"1 5-5"}, "1-1", "1-1 doesn't fit 5."},
		{"classic hand=2", []string{"5-3 5-6", "1-5 1-1"}, "", []string{"1 5-3"}, "1-1", "1-1 doesn't fit 5 or 3."},
		{"azneef hand=2", []string{"5-5 5-6", "1-0 1-1"}, "", nil, "6-5", "You hold the highest double, so you must lead 5-5."},
		{"classic hand=2", []string{"5-5 5-6", "1-0 1-1"}, "5-2", []string{"1 5-5", "2 draw"}, "1-1",
			"You drew 5-2 and it fits, so you must play it."},
	} {
		g := position(t, c.rule, c.hands, c.stock, c.moves)
		v := g.View(g.Turn())
		tile, _, _, err := rules.ParseTile(c.tile)
		require.NoError(t, err)
		require.Equal(t, c.want, english.Unplayable(&v, tile), "%s after %v", c.rule, c.moves)
	}
}

// Reason explains why a player has to move, draw or pass.
func TestReasons(t *testing.T) {
	for _, c := range []struct {
		rule  string
		hands []string
		stock string
		moves []string
		want  string
		brief string
	}{
		{"classic hand=2", []string{"5-5 5-6", "1-0 1-1"}, "", nil, "You lead: play any tile.", "You lead: play any tile."},
		{"azneef hand=2", []string{"5-5 5-6", "1-0 1-1"}, "", nil, "You hold the highest double, so you must lead 5-5.", "You must lead 5-5."},
		{"azneef hand=2", []string{"5-4 5-6", "1-0 1-2"}, "", nil, "Nobody holds a double and yours is the heaviest tile, so you must lead 6-5.",
			"You must lead 6-5."},
		{"classic hand=14 lead=six",
			[]string{"0-0 0-1 0-2 0-3 0-4 0-5 0-6 1-1 1-2 1-3 1-4 1-5 1-6 6-6", "2-2 2-3 2-4 2-5 2-6 3-3 3-4 3-5 3-6 4-4 4-5 4-6 5-5 5-6"}, "",
			nil, "You hold 6-6, so you must lead it.", "You must lead 6-6."},
		{"classic hand=2", []string{"5-5 5-6", "1-5 1-1"}, "", []string{"1 5-5"}, "You hold a tile that fits 5, so you must play.",
			"It must fit 5."},
		{"classic hand=2", []string{"5-5 5-6", "1-0 1-1"}, "", []string{"1 5-5"}, "Nothing fits 5: drawing for you…",
			"Nothing fits 5: drawing for you…"},
		{"classic hand=2", []string{"5-3 5-6", "1-0 1-1"}, "", []string{"1 5-3"}, "Nothing fits 5 or 3: drawing for you…",
			"Nothing fits 5 or 3: drawing for you…"},
		{"azneef hand=2", []string{"5-5 5-6", "1-0 1-1"}, "0-0", []string{"1 5-5", "2 draw"},
			"Nothing fits 5: drawing for you… (2 draws left this turn)", "Nothing fits 5: drawing for you…"},
		{"classic hand=2", []string{"5-5 5-6", "1-0 1-1"}, "5-2", []string{"1 5-5", "2 draw"}, "You drew 5-2 and it fits, so you must play it.",
			"You must play 5-2."},
		{"azneef hand=2", []string{"5-5 5-6", "1-0 1-1"}, "0-0 0-2 0-3", []string{"1 5-5", "2 draw", "2 draw", "2 draw"},
			"Nothing fits 5 and you have drawn 3 tiles, the most for one turn: passing for you.", "Nothing fits 5: passing for you."},
		{"classic hand=2 draw=none", []string{"5-5 5-6", "1-0 1-1"}, "", []string{"1 5-5"},
			"Nothing fits 5: passing for you. Nobody draws in this game.", "Nothing fits 5: passing for you."},
		{"classic hand=14", []string{"6-6 0-1 0-2 0-3 0-4 0-5 0-6 1-1 1-2 1-3 1-4 1-5 1-6 5-6",
			"0-0 2-2 2-3 2-4 2-5 6-2 3-3 3-4 3-5 3-6 4-4 4-5 4-6 5-5"}, "",
			[]string{"1 1-1"}, "Nothing fits 1 and the boneyard is empty: passing for you.", "Nothing fits 1: passing for you."},
	} {
		g := position(t, c.rule, c.hands, c.stock, c.moves)
		v := g.View(g.Turn())
		if got := english.Reason(&v); got != c.want {
			t.Errorf("%s after %v: got %q, want %q", c.rule, c.moves, got, c.want)
		}
		require.Equal(t, c.brief, english.BriefReason(&v), "%s after %v", c.rule, c.moves)
	}
}
