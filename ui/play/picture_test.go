package play

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/golden"
	"boneyard/ui/theme"
)

// TestPicture compares the documents' pictures with what a terminal shows. With -update it draws them again:
//
//	go test ./ui/play -run TestPicture -update
func TestPicture(t *testing.T) {
	const w, h = 80, 24
	th := theme.Get(theme.Dark, colorprofile.TrueColor, theme.Digits)
	pictures := map[string]string{"play-turn": "table.svg", "card": "card.svg"}
	for _, sc := range scenes(t) {
		if file, ok := pictures[sc.name]; ok {
			golden.Picture(t, filepath.Join("..", "..", "docs", file), screenOf(sc.open(th), w, h), w, h)
			delete(pictures, sc.name)
		}
	}
	require.Empty(t, pictures, "no such scene")
}

// TestPictureOfTheMoment is the same for the moment in which a play scores.
func TestPictureOfTheMoment(t *testing.T) {
	const w, h, laid, great = 80, 24, 9, 15
	s, p, now := glowing(t, 1)
	for n := 0; ; n++ {
		if s.game.Phase() != rules.Playing {
			s.deal()
			n = 0
		}
		if s.move().Points >= great && n >= laid && s.game.Phase() == rules.Playing {
			break
		}
	}
	p.env.Theme = theme.Get(theme.Dark, colorprofile.TrueColor, theme.Digits)
	p.view = s.of(1)
	for !strings.Contains(strings.Join(bare(p, w, h), "\n"), "×5") {
		*now = p.NextTick(*now)
		require.False(t, now.IsZero(), "no sum is shown")
	}
	golden.Picture(t, filepath.Join("..", "..", "docs", "moment.svg"), screenOf(p, w, h), w, h)
}

// The sum of the open ends is never cut: if the ends one by one don't fit, it appears alone.
func TestEndsSumShown(t *testing.T) {
	for seed := range byte(6) {
		s := sit(t, "classic", seed+1, "ana", "ben")
		s.deal()
		for s.move(); s.view.State == table.Playing; s.move() {
			v := s.of(1)
			for _, w := range []int{60, 66, 72, 80, 100, 120} {
				screen := shown(at(t, v), w, 24)
				require.Regexp(t, fmt.Sprintf(`Ends now(| .* =) +%d( |\n)`, v.Play.Layout.Count()), screen, "%d columns", w)
			}
		}
	}
}
