package page

import (
	"strings"

	"boneyard/lobby/text"
	"boneyard/ui/theme"
)

// Columns sets cells into columns of the given widths with two blanks between; a negative width sets the cell
// to the right. Cells are plain text of anybody, and are cut with the theme's ellipsis where they are too
// long.
func Columns(t *theme.Theme, widths []int, cells []string) string {
	var b strings.Builder
	for i, w := range widths {
		if i > 0 {
			b.WriteString("  ")
		}
		if w < 0 {
			n := min(-w, text.Width(text.Printable(cells[i])))
			b.WriteString(strings.Repeat(" ", -w-n) + Cut(t, cells[i], n))
			continue
		}
		b.WriteString(Cut(t, cells[i], w))
	}
	return b.String()
}
