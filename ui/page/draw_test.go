package page

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"boneyard/lobby/text"
	_ "boneyard/rules/sameseed"
)

func TestWidth(t *testing.T) {
	pieces := []string{
		"a", " ", "~", "[4◆0]", "─", "╔", "▸", "◼", "◽", "░", "→", "↔", "é", "e\u0301", "·", "©", "\u00ad", "–", "−", "×", "漢", "…", "\u200d",
		"\ufe0f", "👍🏽",
		"\x1b[m", "\x1b[1;38;5;254m", "\x1b[", "\x1b", "\x1b[?25h", "\x1b[2K", "\x1b]2;x\a", "\xe2", "\xe2\x94", "\x7f", "\t", "m", ";",
	}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces"), "")
		require.Equal(t, ansi.StringWidth(s), Width(s), "%q", s)
	})
	for _, s := range []string{"", "plain", "\x1b[38;5;145m3 watching\x1b[m │ ╚5╝ ▸", "josé · 1×2 – −5 … ←→"} {
		_, ok := text.UsualWidth(s)
		require.True(t, ok, "%q is what most lines are like", s)
	}
}

func BenchmarkWidth(b *testing.B) {
	line := "\x1b[38;5;145mRound 2   to 200   boneyard 14\x1b[m   60 s" + strings.Repeat(" ", 20) + "║◆║ [5◆4]"
	for b.Loop() {
		Width(line)
	}
}

// Wrap breaks no tile and no date that fits into a line.
func TestWrapKeepsTilesWhole(t *testing.T) {
	for w := 10; w < 60; w++ {
		for _, line := range Wrap("On 2026-11-25 jolly-seven played 1-0; a master plays 3-0, in 28 % of cases; 5, 10, 15 … scores.", w) {
			require.False(t, strings.HasSuffix(line, "-") || strings.HasPrefix(line, "%") || strings.HasPrefix(line, "…"), "%d: %q", w, line)
		}
	}
}

// A sentence without room loses whole parts.
func TestParts(t *testing.T) {
	for w, want := range map[int]string{
		80: "classic, 15 s a turn; 3 games so far", 35: "classic, 15 s a turn", 20: "classic, 15 s a turn", 19: "classic", 7: "classic",
		6: "classic, 15 s a turn; 3 games so far",
	} {
		require.Equal(t, want, Parts("classic, 15 s a turn; 3 games so far", w), "%d columns", w)
	}
}

// No line is too wide, and only blanks are lost, wherever there are hyphens.
func TestWrapKeepsToItsWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"-", " ", "a", "word", "·", "中", "-b", "c-", ",", ".", "1", "é"}), 0,
			40).Draw(t, "pieces"), "")
		w := rapid.IntRange(2, 30).Draw(t, "width")
		lines := Wrap(s, w)
		for _, line := range lines {
			require.LessOrEqual(t, Width(line), w, "%q", line)
		}
		blanks := strings.NewReplacer(" ", "", "\n", "")
		require.Equal(t, blanks.Replace(s), blanks.Replace(strings.Join(lines, "")))
	})
}
