package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the columns taken by s, which must be [Printable]. Terminals measure some scripts by grapheme
// cluster or by character (Devanagari क्षि takes one column or three); Width is the larger, so that a text
// cut to it overflows in neither.
func Width(s string) int {
	if n, ok := UsualWidth(s); ok {
		return n
	}
	return max(ansi.StringWidth(s), ansi.StringWidthWc(s))
}

// UsualWidth measures text whose characters take one column on every terminal and combine with nothing, as
// most screens and names do. Colours take none. ok is false if there is anything else.
func UsualWidth(s string) (n int, ok bool) {
	for i := 0; i < len(s); n++ {
		c := s[i]
		if c >= 0x20 && c < 0x7f {
			i++
			continue
		}
		if c == 0x1b && i+1 < len(s) && s[i+1] == '[' {
			for i += 2; i < len(s) && s[i] >= '0' && s[i] <= ';'; i++ {
			}
			if i == len(s) || s[i] != 'm' {
				return 0, false
			}
			i++
			n--
			continue
		}
		size := usual(s[i:])
		if size == 0 {
			return 0, false
		}
		i += size
	}
	return n, true
}

// usual returns the length in bytes of the usual character beyond ASCII with which s begins, or 0: Latin-1,
// dashes and dots (U+2010 to U+2027), arrows (U+2190 to U+2193), the minus sign, lines, blocks and shapes
// (U+2500 to U+25FC).
func usual(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch c := s[1]; {
	case s[0] == 0xc2 && c >= 0xa0 && c <= 0xbf && c != 0xad, // but not the soft hyphen
		s[0] == 0xc3 && c >= 0x80 && c <= 0xbf:
		return 2
	case s[0] != 0xe2 || len(s) < 3 || s[2] < 0x80 || s[2] > 0xbf:
		return 0
	case c == 0x80 && s[2] >= 0x90 && s[2] <= 0xa7,
		c == 0x86 && s[2] >= 0x90 && s[2] <= 0x93,
		c == 0x88 && s[2] == 0x92,
		c >= 0x94 && c <= 0x96,
		c == 0x97 && s[2] <= 0xbc:
		return 3
	}
	return 0
}

// Clip returns the printable form of s, cut to width columns with an ellipsis, to quote what somebody typed.
func Clip(s string, width int) string {
	s = Printable(s)
	if Width(s) <= width {
		return s
	}
	return strings.TrimRight(Fit(s, width), " ")
}

// Fit returns the printable form of s in width columns, cut with an ellipsis or padded with spaces. Its
// [Width] is exactly that; where terminals disagree on the script, some draw it narrower and none wider. A
// width of zero or less gives "".
func Fit(s string, width int) string {
	return FitTail(s, width, "…")
}

// FitTail is Fit with another mark for cut text, such as "~" for terminals without an ellipsis.
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
		// ansi.Truncate measures by clusters; for scripts wider by characters, less is requested.
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
