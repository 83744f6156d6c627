package page

import "github.com/charmbracelet/x/ansi"

// Width is how many columns a painted line takes: what ansi.StringWidth tells, which looks each character up
// in tables, and is asked for each line of each picture several times.
func Width(s string) int {
	if n, ok := usualWidth(s); ok {
		return n
	}
	return ansi.StringWidth(s)
}

// usualWidth measures lines of characters that take one column and combine with nothing: ASCII, and the
// lines, blocks and shapes from U+2500 to U+25FC. Colours take none. It gives up where it finds anything
// else.
func usualWidth(s string) (n int, ok bool) {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c >= 0x20 && c < 0x7f:
			n++
			i++
		case c == 0x1b && i+1 < len(s) && s[i+1] == '[':
			i += 2
			for i < len(s) && s[i] >= '0' && s[i] <= ';' {
				i++
			}
			if i == len(s) || s[i] != 'm' {
				return 0, false
			}
			i++
		case c == 0xe2 && i+2 < len(s) && s[i+2] >= 0x80 && s[i+2] <= lastUsual(s[i+1]):
			n++
			i += 3
		default:
			return 0, false
		}
	}
	return n, true
}

// lastUsual is the greatest last byte of the characters that usualWidth takes, in UTF-8 and after 0xe2 and
// the given second byte: 0 where it takes none.
func lastUsual(second byte) byte {
	switch second {
	case 0x94, 0x95, 0x96:
		return 0xbf
	case 0x97:
		return 0xbc
	default:
		return 0
	}
}
