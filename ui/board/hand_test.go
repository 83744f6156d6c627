package board_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"boneyard/rules"
	_ "boneyard/rules/sameseed"
	"boneyard/ui/board"
	"boneyard/ui/golden"
	"boneyard/ui/theme"
)

func sevenTiles() rules.Hand {
	var h rules.Hand
	for _, p := range [][2]rules.Pip{{6, 4}, {5, 5}, {3, 0}, {6, 6}, {2, 1}, {4, 1}, {0, 0}} {
		h = h.With(rules.NewTile(p[0], p[1]))
	}
	return h
}

func TestHandPictures(t *testing.T) {
	var b strings.Builder
	for _, faces := range theme.AllFaces() {
		for _, room := range [][2]int{{78, 10}, {78, 6}, {78, 4}, {40, 12}, {40, 4}, {40, 2}, {40, 1}, {20, 1}} {
			o := board.HandOptions{
				Width: room[0], Height: room[1], Theme: theme.Get(theme.Mono, colorprofile.NoTTY, faces), Below: true,
				Playable: rules.WithPip(4) | rules.WithPip(5), Chosen: rules.NewTile(4, 1),
			}
			fmt.Fprintf(&b, "== %dx%d %v\n", room[0], room[1], faces)
			for _, s := range board.Hand(sevenTiles(), o) {
				b.WriteString(s + "\n")
			}
		}
	}
	golden.Check(t, "hand.txt", b.String())
}

// Any hand in any room: no line is too long, there are not too many, and every tile is shown, or counted as
// omitted.
func TestHandFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rules.Hand(rapid.Uint32().Draw(t, "hand")) & rules.FullSet
		o := board.HandOptions{
			Width: rapid.IntRange(4, 130).Draw(t, "width"), Height: rapid.IntRange(1, 14).Draw(t, "height"), Theme: ascii,
			Below: rapid.Bool().Draw(t, "below"), Chosen: rules.NoTile,
		}
		lines := board.Hand(h, o)
		require.LessOrEqual(t, len(lines), o.Height)
		for _, s := range lines {
			require.LessOrEqual(t, len(s), o.Width)
		}
		text := strings.Join(lines, "\n")
		tiles, words := read(lines)
		shown, left := len(tiles), 0
		for w := range words {
			if strings.HasPrefix(w, "+") {
				_, err := fmt.Sscanf(w, "+%d", &left)
				require.NoError(t, err)
			}
		}
		if shown == 0 {
			shown = strings.Count(text, "-")
		}
		require.Equal(t, h.Len(), shown+left, text)

		found := rules.Hand(0)
		for y := range o.Height {
			for x := range o.Width {
				if tile, ok := board.HandAt(h, o, x, y); ok {
					found = found.With(tile)
				}
			}
		}
		require.GreaterOrEqual(t, found.Len(), shown)
		require.Empty(t, found&^h)
	})
}

// HandAt finds the tile that is drawn there.
func TestHandAt(t *testing.T) {
	o := board.HandOptions{Width: 40, Height: 12, Theme: ascii, Chosen: rules.NoTile, Below: true}
	tiles, _ := read(board.Hand(sevenTiles(), o))
	require.Len(t, tiles, 7)
	for _, s := range tiles {
		for _, at := range [][2]int{{s.x, s.y}, {s.x + s.w - 1, s.y + s.h - 1}} {
			got, ok := board.HandAt(sevenTiles(), o, at[0], at[1])
			require.True(t, ok)
			require.Equal(t, s.tile(), got)
		}
		_, ok := board.HandAt(sevenTiles(), o, s.x+s.w, s.y)
		require.False(t, ok, "between the tiles")
	}
	_, ok := board.HandAt(0, o, 1, 1)
	require.False(t, ok)
}

// Tiles that can be played stand out by their role, and by what they earn.
func TestHandRoles(t *testing.T) {
	th := theme.Get(theme.Dark, colorprofile.TrueColor, theme.Digits)
	o := board.HandOptions{Width: 80, Height: 2, Theme: th, Playable: rules.WithPip(4), Chosen: rules.NewTile(4, 1), Below: true}
	o.Earn[rules.NewTile(6, 4)], o.Earn[rules.NewTile(4, 1)], o.Earn[rules.NewTile(4, 2)] = 11, 1, 1
	lines := board.Hand(sevenTiles(), o)
	require.Len(t, lines, 2)
	require.Contains(t, lines[0], th.Paint(theme.TilePlayable, "[6│4]"))
	require.Contains(t, lines[0], th.Paint(theme.Selected, "▸4┃1]"))
	require.Contains(t, lines[0], th.Paint(theme.Faint, "[5│5]"))
	require.Equal(t, "                   ↑–    +10", ansi.Strip(lines[1]))
	o.Playable = 0
	require.NotContains(t, board.Hand(sevenTiles(), o)[0], th.Paint(theme.Faint, "[5│5]"), "not one's turn: no tile is dim")
}

func TestBacks(t *testing.T) {
	require.Equal(t, "#### 4", board.Backs(4, 9, ascii))
	require.Equal(t, "#x14", board.Backs(14, 9, ascii))
	require.Equal(t, "0", board.Backs(0, 9, ascii))
	require.Equal(t, "░░ 2", board.Backs(2, 4, theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)))
}
