package play

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// At 80x24 the explanation of each game fits beside the list of keys, and nothing is cut.
func TestExplanationFits(t *testing.T) {
	th := theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)
	for _, preset := range rules.Presets() {
		p := newPage(envFor(th), &fakeClub{}, 1)
		p.view = &table.View{Summary: table.Summary{Config: table.Config{Rules: preset.Rules()}}}
		all := p.Explain(39, 100)
		require.Contains(t, strings.Join(all, " "), "seven tiles in hand")
		for h := 14; h < 30; h++ {
			lines := p.Explain(39, h)
			require.LessOrEqual(t, len(lines), h)
			for _, s := range lines {
				require.LessOrEqual(t, page.Width(s), 39)
			}
			if preset != rules.Block && h >= 16 {
				require.Contains(t, strings.Join(lines, "\n"), "5-0 R: 10+0 = 10, scores 10\n", "%s in %d rows", preset, h)
			}
			if h >= 20 {
				require.Equal(t, all[len(all)-1], lines[len(lines)-1], "%s in %d rows", preset, h)
			}
		}
	}
}
