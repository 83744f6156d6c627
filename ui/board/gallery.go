package board

import (
	"github.com/charmbracelet/x/ansi"

	"boneyard/rules"
	"boneyard/ui/theme"
)

// Gallery shows the same tile in each of the themes, side by side below the names of their faces; the one with index
// chosen is marked (-1: none). The tiles lie where width has room for that, else they stand, or are small.
func Gallery(themes []*theme.Theme, chosen, width int) []string {
	const gap = 3
	sample := rules.NewTile(6, 4)
	m := &measures[Large]
	fits := func(w int) bool { return len(themes)*(w+gap)-gap <= width }
	if !fits(m.thin) {
		var out []string
		for i, th := range themes {
			out = append(out, heading(th, i == chosen)+" "+Tile(sample, th, Small, false)[0])
		}
		return out
	}
	standing := !fits(m.long)
	var out []string
	for i, th := range themes {
		block := append([]string{heading(th, i == chosen)}, Tile(sample, th, Large, standing)...)
		if out == nil {
			out = make([]string, len(block))
		}
		w := m.long
		if standing {
			w = m.thin
		}
		for y, s := range block {
			if i > 0 {
				for n := ansi.StringWidth(out[y]); n < i*(w+gap); n++ {
					out[y] += " "
				}
			}
			out[y] += s
		}
	}
	return out
}

func heading(th *theme.Theme, chosen bool) string {
	if chosen {
		return th.Paint(theme.Accent, th.Glyphs().Cursor+" "+th.Faces().String())
	}
	return "  " + th.Paint(theme.Muted, th.Faces().String())
}
