package play

import (
	"path/filepath"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"boneyard/ui/golden"
	"boneyard/ui/theme"
)

// TestPicture holds the pictures in the documents against tables as a terminal shows them. With -update it draws them again:
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
