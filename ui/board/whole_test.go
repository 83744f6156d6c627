package board_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"boneyard/rules"
	"boneyard/ui/board"
	"boneyard/ui/theme"
)

var ascii = theme.Get(theme.Mono, colorprofile.NoTTY, theme.ASCII)

// checkWhole holds a picture against its layout: every piece is there once and nothing else is, the joined ones and
// no others touch, each with the halves where they belong, and every open end has its name beside its tile.
func checkWhole(t require.TestingT, l *rules.Layout, lines []string, w, h int) {
	picture := "\n" + strings.Join(lines, "\n")
	require.Len(t, lines, h)
	for _, s := range lines {
		require.LessOrEqual(t, len(s), w, picture)
		require.Equal(t, strings.TrimRight(s, " "), s, "blanks at the end")
	}
	tiles, words := read(lines)
	require.Len(t, tiles, l.Len(), picture)
	of := map[rules.Tile]seen{}
	for _, s := range tiles {
		of[s.tile()] = s
	}
	require.Len(t, of, l.Len(), picture)
	joined := map[[2]rules.Tile]bool{}
	for i := range l.Len() {
		p := l.Piece(i)
		s, ok := of[p.Tile]
		require.True(t, ok, "%s is missing %s", p.Tile, picture)
		require.Equal(t, p.Spinner, s.spinner, "%s %s", p.Tile, picture)
		require.Equal(t, i == l.Len()-1, s.last, "%s %s", p.Tile, picture)
		if p.At >= 0 {
			other := l.Piece(int(p.At)).Tile
			joined[[2]rules.Tile{p.Tile, other}], joined[[2]rules.Tile{other, p.Tile}] = true, true
			checkHalves(t, &p, s, of[other], picture)
		}
	}
	for _, a := range tiles {
		for _, b := range tiles {
			if a != b {
				require.Equal(t, joined[[2]rules.Tile{a.tile(), b.tile()}], a.touches(b), "%s and %s %s", a.tile(), b.tile(), picture)
			}
		}
	}
	require.Len(t, words, l.EndCount(), picture)
	for i := range l.EndCount() {
		e := l.End(i)
		at, ok := words[e.Arm.String()]
		require.True(t, ok, "%s has no name %s", e.Arm, picture)
		var beside []seen
		for _, s := range tiles {
			if at[0]+len(e.Arm.String()) >= s.x-1 && at[0] <= s.x+s.w+1 && at[1] >= s.y-1 && at[1] <= s.y+s.h {
				beside = append(beside, s)
			}
		}
		require.Contains(t, beside, of[l.Piece(int(e.At)).Tile], "%s %s", e.Arm, picture)
	}
}

// checkHalves reports whether the inner half of a tile is the one that touches the tile it is joined to.
func checkHalves(t require.TestingT, p *rules.Piece, s, on seen, picture string) {
	if p.Double() {
		return
	}
	inner := s
	if s.w > 2*s.h-2 { // it lies
		inner.w = s.w/2 + 1
		if s.a != p.Inner {
			inner.x += s.w / 2
		}
	} else {
		inner.h = s.h/2 + 1
		if s.a != p.Inner {
			inner.y += s.h / 2
		}
	}
	require.True(t, inner.touches(on), "%s is joined by its %d %s", p.Tile, p.Inner, picture)
}

// checkStrip holds a strip against its layout: every open end is named, and followed or preceded by its value.
func checkStrip(t require.TestingT, l *rules.Layout, lines []string, w, h int) {
	picture := "\n" + strings.Join(lines, "\n")
	require.Len(t, lines, h)
	words := strings.Fields(strings.Join(lines, "  "))
	for _, s := range lines {
		require.LessOrEqual(t, ansi.StringWidth(s), w, picture)
	}
	for i := range l.EndCount() {
		e := l.End(i)
		k := slices.Index(words, e.Arm.String())
		require.GreaterOrEqual(t, k, 0, "%s has no name %s", e.Arm, picture)
		pip := fmt.Sprint(e.Pip)
		switch e.Arm {
		case rules.ArmL:
			require.Equal(t, pip, strings.Trim(words[k+1], "<>")[:1], "%s %s", e.Arm, picture)
		case rules.ArmR:
			before := strings.Trim(words[k-1], "<>")
			require.Equal(t, pip, before[len(before)-1:], "%s %s", e.Arm, picture)
		default:
			for k++; k < len(words) && words[k][0] != 'U' && words[k][0] != 'D' && !strings.HasSuffix(words[k], "U") && !strings.HasSuffix(words[k], "D"); k++ {
			}
			last := strings.Trim(words[k-1], "<>")
			require.Equal(t, pip, last[len(last)-1:], "%s %s", e.Arm, picture)
		}
	}
}

func check(t require.TestingT, l *rules.Layout, w, h int) board.Size {
	plan := board.Lay(l, w, h, 0)
	lines := plan.Draw(board.Options{Theme: ascii})
	if plan.Size() == board.Strip {
		checkStrip(t, l, lines, w, h)
	} else {
		checkWhole(t, l, lines, w, h)
	}
	return plan.Size()
}

// Whatever is played, in whatever room: the picture is whole, and the tiles never grow while the round goes on.
func TestWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(40, 130).Draw(t, "width"), rapid.IntRange(4, 40).Draw(t, "height")
		rule := rapid.SampledFrom(variants).Draw(t, "rules")
		seats := 4
		if !strings.HasPrefix(rule, "block") {
			seats = rapid.IntRange(2, 4).Draw(t, "seats")
		}
		var seed rules.Seed
		copy(seed[:], rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "seed"))
		size := board.Large
		play(t, rule, seats, seed, func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") }, func(l *rules.Layout) {
			now := check(t, l, w, h)
			require.LessOrEqual(t, now, size, "tiles grew")
			size = now
		})
	})
}

// Rooms that are too small for anything are kept to all the same.
func TestTinyRooms(t *testing.T) {
	l := build(t, layouts["tree"][0], layouts["tree"][1])
	for w := -1; w < 40; w++ {
		for h := -1; h < 7; h++ {
			lines := board.Draw(l, board.Options{Width: w, Height: h, Theme: ascii})
			require.Len(t, lines, max(h, 0))
			for _, s := range lines {
				require.LessOrEqual(t, len(s), max(w, 0))
			}
		}
	}
}
