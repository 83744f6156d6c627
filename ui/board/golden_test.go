package board_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/ui/board"
	"boneyard/ui/golden"
	"boneyard/ui/theme"
)

// layouts are the pictures' positions: the rules, and the tiles with their arms in the order of play.
var layouts = map[string][2]string{
	"four":    {"classic", "1-0 2-1R 0-0L 5-0L 3-0U 5-1L 2-0R 1-1L 6-0R 3-3U 4-1L 6-1R"},
	"lead":    {"classic", "6-4"},
	"example": {"classic", "5-5 5-0R 5-3L 0-2R 5-4U 2-2R 2-5R 3-3L"}, // the worked example of docs/rules.md
	// A block game in which every tile is laid, most of them at R.
	"snake": {"block", "6-6 6-5R 5-1R 1-6R 6-4R 4-0R 0-3R 3-3R 3-4R 4-4R 4-2R 2-2R 2-5R 5-5R 5-4R 4-1R 1-1R 1-3R 6-2L 2-1L 1-0L 0-2L 2-3L 3-5L 5-0L 0-0L 0-6L 6-3L"},
	"arms":  {"spruce", "3-5 5-5R 5-1R 3-3L 1-1R 1-4R 3-6L 5-6U 5-2D 6-6U 2-2D 6-0U 2-0D 0-3D 4-4R 4-0R 6-2L 0-1U"},
	// All doubles are spinners, and one grows from another.
	"tree": {"classic spinner=all", "5-5 5-2R 2-2R 2-4R 5-3L 2-6-3U 4-1R 2-0-3D 6-6-3U 6-1-9U 5-1U 5-0D 3-3L 3-0-13U 0-6D"},
	// The longest rounds of some of the recorded games that test the rules.
	"azneef-teams": {"azneef", "6-6 6-4R 6-2L 6-0D 4-4R 0-0D 0-5D 2-2L 2-4L 6-5U 4-1L 5-4U 5-1D 1-3D 3-6D 4-3R 4-0U 1-2L 0-2U 3-3R 3-0R 2-3L 3-5L 0-1R 1-1R"},
	"classic-two": {"classic",
		"4-4 4-2L 2-6L 4-6D 6-3L 4-1U 1-1U 1-5U 3-4L 4-0R 0-0R 0-5R 4-5L 6-5D 5-5L 5-2L 2-1L 1-3L 3-3L 3-0L 0-1L 5-3U 1-6L"},
	"sniff-three":    {"sniff", "1-6 1-4L 4-5L 5-3L 6-6R 6-3R 3-0R 3-2L 0-4R 2-4L 4-4L 6-5U 4-3R 5-2U 2-1U 1-3U 4-6L 6-0L 3-3U 6-2D 0-5L 2-0D 5-5L 5-1L"},
	"spruce-two":     {"spruce", "4-6 4-3L 6-6R 3-3L 3-5L 6-3R 3-2R 2-4R 6-1D 1-5D 4-4R 4-5R 5-2D 6-2U 2-2D 2-0U 0-1U 1-1U 5-5L 1-4U 5-0L 4-0U 0-6U 0-3L"},
	"spinners-three": {"classic spinner=all", "4-6 6-3R 3-4R 4-1L 4-2R 1-1L 2-0R 0-3R 1-0U 0-5U 3-2R 5-6U 2-5R 5-3R 6-0U 1-5D 0-0U 0-4U 4-4U"},
}

// build lays the tiles of a text such as "5-5 5-0R 2-6-3U", whose last tile is on the branch 3U.
func build(t testing.TB, rule, text string) *rules.Layout {
	r, err := rules.Parse(rule)
	require.NoError(t, err)
	v := rules.View{Rules: r}
	for i, word := range strings.Fields(text) {
		tile, _, _, err := rules.ParseTile(word[:3])
		require.NoError(t, err, word)
		c := rules.Choice{Tile: tile, Arm: rules.NoArm}
		if i > 0 {
			c.Arm, err = rules.ParseArm(strings.TrimPrefix(word[3:], "-"))
			require.NoError(t, err, word)
		}
		v.Layout = v.After(c)
		require.Equal(t, i+1, v.Layout.Len(), "%s does not fit", word)
	}
	return &v.Layout
}

// The rooms are those of players on screens of 80×24, 120×40 and 200×50, and a low one.
func TestPictures(t *testing.T) {
	for name, game := range layouts {
		t.Run(name, func(t *testing.T) {
			l := build(t, game[0], game[1])
			var b strings.Builder
			for _, room := range [][2]int{{78, 11}, {73, 25}, {144, 36}, {38, 5}} {
				for _, faces := range theme.AllFaces() {
					if faces != theme.Digits && name != "four" {
						continue
					}
					o := board.Options{Width: room[0], Height: room[1], Theme: theme.Get(theme.Mono, colorprofile.NoTTY, faces), Count: rules.CountFlank}
					plan := board.Lay(l, room[0], room[1], 0)
					if faces == theme.Pips && plan.Size() != board.Large {
						continue // as with digits
					}
					fmt.Fprintf(&b, "== %dx%d %v %v\n", room[0], room[1], faces, plan.Size())
					for _, s := range plan.Draw(o) {
						b.WriteString(s + "\n")
					}
				}
			}
			golden.Check(t, name+".txt", b.String())
		})
	}
}

// The colours of the tile laid last, of a proposed one, and of ends that the hand fits.
func TestColours(t *testing.T) {
	l := build(t, layouts["arms"][0], layouts["arms"][1])
	var b strings.Builder
	for _, n := range theme.Names() {
		o := board.Options{
			Width: 78, Height: 12, Theme: theme.Get(n, colorprofile.TrueColor, theme.Digits),
			Ghost: true, Hand: rules.NewHand(rules.NewTile(2, 1)), Count: rules.CountFlank,
		}
		fmt.Fprintf(&b, "== %v\n", n)
		for _, s := range board.Draw(l, o) {
			b.WriteString(strings.ReplaceAll(s, "\x1b", "^") + "\n")
		}
	}
	golden.Check(t, "colours.txt", b.String())
}

// A proposed tile differs from the others, and from the one laid last, without colours too.
func TestGhost(t *testing.T) {
	l := build(t, "classic", "5-5 5-0R 5-3L")
	for _, th := range []*theme.Theme{ascii, theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)} {
		for _, size := range []board.Size{board.Strip, board.Small, board.Medium, board.Large} {
			o := board.Options{Width: 97, Height: 28, Theme: th, Largest: size}
			plain := strings.Join(board.Draw(l, o), "\n")
			o.Ghost = true
			ghost := strings.Join(board.Draw(l, o), "\n")
			last := th.Glyphs().Last
			require.Equal(t, 1, strings.Count(plain, last), plain)
			require.Equal(t, 1, strings.Count(ghost, last), "the tile laid before keeps its mark\n%s", ghost)
			require.NotEqual(t, strings.Index(plain, last), strings.Index(ghost, last))
			for _, mark := range []string{"(", "┆", "....."} {
				require.NotContains(t, plain, mark)
			}
			require.Regexp(t, `\(|┆|\.\.\.\.\.`, ghost)
		}
	}
}

// Ends that the hand fits are bright, the others are not.
func TestBrightEnds(t *testing.T) {
	th := theme.Get(theme.Dark, colorprofile.TrueColor, theme.Digits)
	l := build(t, "classic", "5-5 5-0R 5-3L")
	for _, size := range []board.Size{board.Strip, board.Medium} {
		text := strings.Join(board.Draw(l,
			board.Options{Width: 118, Height: 28, Theme: th, Largest: size, Hand: rules.NewHand(rules.NewTile(3, 1), rules.NewTile(5, 1))}), "\n")
		for arm, role := range map[string]theme.Role{"L": theme.Accent, "R": theme.Key, "U": theme.Accent, "D": theme.Accent} {
			require.Contains(t, text, strings.TrimSuffix(th.Paint(role, arm), "\x1b[m"), "%s at %s", arm, size)
		}
	}
}

// The lead of a round has two ends: the nearer one counts.
func TestArmAt(t *testing.T) {
	plan := board.Lay(build(t, "classic", "6-4"), 78, 12, 0)
	_, ok := plan.ArmAt(-1, -1)
	require.False(t, ok)
	_, words := read(plan.Draw(board.Options{Theme: ascii}))
	for x, want := range map[int]rules.Arm{words["L"][0] + 3: rules.ArmL, words["R"][0] - 3: rules.ArmR} {
		arm, ok := plan.ArmAt(x, words["L"][1])
		require.True(t, ok)
		require.Equal(t, want, arm)
	}
}

// Pictures keep to rooms that are too small for anything.
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

var ascii = theme.Get(theme.Mono, colorprofile.NoTTY, theme.ASCII)

func TestEmptyLayout(t *testing.T) {
	var l rules.Layout
	for _, size := range []board.Size{0, board.Strip} {
		lines := board.Draw(&l, board.Options{Width: 60, Height: 9, Theme: ascii, Largest: size})
		require.Equal(t, make([]string, 9), lines)
	}
	require.Empty(t, board.Draw(&l, board.Options{Theme: ascii}))
}
