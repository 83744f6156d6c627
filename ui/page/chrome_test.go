package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/ui/page"
	"boneyard/ui/theme"
)

var (
	plain = theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)
	ascii = theme.Get(theme.Mono, colorprofile.NoTTY, theme.ASCII)
)

// At every size a screen has as many lines as the terminal, none too wide, and the body where Room says.
func TestAround(t *testing.T) {
	does := page.Actions{}.And(page.Bind("a", "one", "a"), page.KeyBack, page.KeyHelp)
	for h := 12; h < 30; h++ {
		for _, w := range []int{40, 80} {
			top, rows := page.Room(h)
			body := make([]string, rows+3) // more than fits
			for i := range body {
				body[i] = fmt.Sprintf("row %d", i)
			}
			for _, foot := range []string{"", " it happened"} {
				lines := page.Around(plain, w, h, page.Header(plain, "Table 12", "ana", w), body, foot, does)
				require.Len(t, lines, h)
				for _, line := range lines {
					require.LessOrEqual(t, ansi.StringWidth(line), w)
				}
				require.Equal(t, body[:rows], lines[top:top+rows])
				require.Contains(t, lines[0], "Table 12")
				require.True(t, strings.HasSuffix(lines[0], "ana "))
				if foot != "" {
					require.Contains(t, lines, foot)
				}
				if foot == "" || h >= page.Roomy {
					require.Contains(t, lines[h-1], "all keys")
				}
			}
		}
	}
}

// A title needs the room of the club's name; one that is too long then gives way to what is at the right.
func TestHeader(t *testing.T) {
	require.Equal(t, " Leagues and cups       Bartholomew-Quin ", page.Header(plain, "Leagues and cups", "Bartholomew-Quin", 41))
	require.Equal(t, " Boneyard  Leagues and cups   ana ", page.Header(plain, "Leagues and cups", "ana", 34))
	got := page.Header(plain, strings.Repeat("long ", 20), "ana", 40)
	require.Equal(t, 40, ansi.StringWidth(got))
	require.True(t, strings.HasSuffix(got, "…  ana "), got)
}

// A key without room leaves it to the next one that has.
func TestHelpLine(t *testing.T) {
	does := page.Actions{}.And(page.Bind("p", "a first round with a guide", "p"), page.Bind("enter", "sit down", "enter"), page.KeyHelp)
	require.Equal(t, "p a first round with a guide   enter sit down   ? all keys", page.HelpLine(plain, does, 76))
	require.Equal(t, "enter sit down   ? all keys", page.HelpLine(plain, does, 38))
}

func TestPlain(t *testing.T) {
	const say = "5·5 + 4 → 14 – or ↑↓"
	require.Equal(t, say, page.Plain(plain, say))
	got := page.Plain(ascii, say)
	require.Equal(t, len(got), len([]rune(got)), "%q is not ASCII", got)
}
