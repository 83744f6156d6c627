package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the columns that s, which must be [Printable], takes. Terminals measure some scripts in two ways, by
// grapheme cluster or by character (Devanagari क्षि takes one column or three); Width is the larger, so that what is
// cut by it overflows in neither.
func Width(s string) int {
	if plain(s) {
		return len(s)
	}
	return max(ansi.StringWidth(s), ansi.StringWidthWc(s))
}

// agreed reports whether both ways of measuring give the same.
func agreed(s string) bool {
	return ansi.StringWidth(s) == ansi.StringWidthWc(s)
}

// Clip returns the printable form of s, cut with an ellipsis to width columns: for quoting what somebody typed.
func Clip(s string, width int) string {
	s = Printable(s)
	if Width(s) <= width {
		return s
	}
	return strings.TrimRight(Fit(s, width), " ")
}

// Fit returns the printable form of s in width columns: cut with an ellipsis or filled with spaces. It has exactly that
// [Width]; where terminals disagree on the script, some draw it narrower and none wider. A width of zero or less
// gives "".
func Fit(s string, width int) string {
	return FitTail(s, width, "…")
}

// FitTail is Fit with another mark of what was cut away, such as "~" for terminals without an ellipsis.
func FitTail(s string, width int, tail string) string {
	if width <= 0 {
		return ""
	}
	s = Printable(s)
	w := Width(s)
	if w > width {
		if Width(tail) > width {
			tail = ""
		}
		// ansi.Truncate measures by clusters; for the rare script whose characters are wider, it is asked for less.
		for ask := width; ; ask-- {
			cut := ansi.Truncate(s, ask, tail)
			if w = Width(cut); w <= width {
				s = cut
				break
			}
		}
	}
	return s + strings.Repeat(" ", width-w)
}
