package page

import (
	"strings"

	"boneyard/lobby/text"
	"boneyard/ui/theme"
)

// Cut is text of strangers, or any other, in exactly w columns, and safe to draw. What is cut away is marked
// with the theme's ellipsis.
func Cut(t *theme.Theme, s string, w int) string { return text.FitTail(s, w, t.Glyphs().Ellipsis) }

// Clip is Cut without blanks at the end: as wide as it needs to be, but at most w columns.
func Clip(t *theme.Theme, s string, w int) string {
	return strings.TrimRight(Cut(t, s, w), " ")
}

// Fit paints text of anybody, in the theme's characters and at most w columns.
func Fit(t *theme.Theme, r theme.Role, s string, w int) string {
	if w < 1 {
		return ""
	}
	return t.Paint(r, Clip(t, Plain(t, s), w))
}

// Choices sets what can be chosen side by side, each in the same place whatever is chosen. The present one
// stands out by its colours, and by brackets, so that it is seen without colours as well.
func Choices(t *theme.Theme, choices []string, now string, focused bool) string {
	var b strings.Builder
	for _, c := range choices {
		switch {
		case c == now && focused:
			b.WriteString(t.Paint(theme.Selected, "["+c+"]"))
		case c == now:
			b.WriteString(t.Paint(theme.Accent, "["+c+"]"))
		default:
			b.WriteString(" " + t.Paint(theme.Muted, c) + " ")
		}
	}
	return b.String()
}
