package play

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/ui/golden"
	"boneyard/ui/theme"
)

var sizes = [][2]int{{40, 12}, {80, 24}, {120, 40}}

// TestGolden compares every screen with its golden file: at each size in digits and ASCII, once in colour.
func TestGolden(t *testing.T) {
	digits := theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)
	ascii := theme.Get(theme.Mono, colorprofile.NoTTY, theme.ASCII)
	dark := theme.Get(theme.Dark, colorprofile.ANSI256, theme.Digits)
	for _, sc := range scenes(t) {
		t.Run(sc.name, func(t *testing.T) {
			var b strings.Builder
			for _, size := range sizes {
				for _, th := range []*theme.Theme{digits, ascii} {
					fmt.Fprintf(&b, "== %d×%d %s\n", size[0], size[1], th.Faces())
					screen := screenOf(sc.open(th), size[0], size[1])
					require.Len(t, screen, size[1])
					for _, line := range screen {
						require.LessOrEqual(t, ansi.StringWidth(line), size[0], line)
						if th == ascii {
							require.Equal(t, utf8.RuneCountInString(line), len(line), "more than ASCII: %s", line)
						}
						b.WriteString(strings.TrimRight(line, " ") + "\n")
					}
				}
			}
			b.WriteString("== 80×24 colours\n")
			for _, line := range screenOf(sc.open(dark), 80, 24) {
				b.WriteString(strings.ReplaceAll(line, "\x1b", "␛") + "\n")
			}
			golden.Check(t, sc.name+".txt", b.String())
		})
	}
}
