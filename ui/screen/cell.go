package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// cell is one place on the screen.
type cell struct {
	// text is the character with its combining marks: a space if there is nothing, empty in the right half of
	// a wide character.
	text  string
	style style
	width uint8 // 1 or 2; 0 for the right half of a wide character
	// unsure reports whether terminals disagree about the width.
	unsure bool
}

var blank = cell{text: " ", width: 1}

// maxCluster is the length in bytes, with marks, of the longest character that is sent. The longest emoji
// have less than half of that; text with hundreds of combining marks is longer, and is shown without them.
const maxCluster = 64

// looksLike reports whether two cells look the same.
func (c *cell) looksLike(d *cell) bool {
	if c.text != d.text {
		return false
	}
	if c.style == d.style {
		return true
	}
	return c.text == " " && c.style.onBlank() == d.style.onBlank()
}

// isBlank reports whether nothing is visible in the cell.
func (c *cell) isBlank() bool { return c.text == " " && c.style.onBlank() == "" }

// parseLine appends at most width cells of a styled line to row, without padding. It keeps what ansi.Truncate
// would, with tabs and line breaks as spaces, and drops other control characters and all escape sequences
// except SGR.
func parseLine(row []cell, line string, width int) []cell {
	var st style
	begin, end := len(row), len(row)+width
	looked := false // the last character had to be looked up
	for i := 0; i < len(line); {
		c := line[i]
		switch {
		case c == 0x1b:
			params, n := escape(line[i:])
			if params != "" {
				st = st.apply(params[:len(params)-1])
			}
			i += n
			continue
		case c == '\t' || c == '\n':
			if len(row) == end {
				return row
			}
			row = append(row, cell{text: " ", style: st, width: 1})
			looked = false
			i++
			continue
		case c < 0x20 || c == 0x7f:
			i++
			continue
		}

		if n := simple(line, i); n > 0 {
			if len(row) == end {
				return row
			}
			text := line[i : i+n]
			if looked && joins(row[begin:], text) {
				text = "\ufffd"
			}
			row = append(row, cell{text: text, style: st, width: 1})
			looked = false
			i += n
			continue
		}
		text, n, w, unsure := cluster(line[i:])
		i += n
		if w == 0 {
			continue
		}
		if len(row)+w > end {
			return row
		}
		looked = true
		if joins(row[begin:], text) {
			for range w {
				row = append(row, cell{text: "\ufffd", style: st, width: 1})
			}
			continue
		}
		row = append(row, cell{text: text, style: st, width: uint8(w), unsure: unsure})
		if w == 2 {
			row = append(row, cell{style: st})
		}
	}
	return row
}

// joins reports whether a terminal would join text to the last character in the row. In the line they were
// apart, but what was between them, such as a colour, has no width.
func joins(row []cell, text string) bool {
	i := len(row) - 1
	if i > 0 && row[i].text == "" {
		i-- // the second half of a wide one
	}
	if i < 0 {
		return false
	}
	last := row[i].text
	first, _ := ansi.FirstGraphemeCluster(last+text, ansi.GraphemeWidth)
	return len(first) > len(last)
}

// simple returns the length in bytes of the character at i if it needs no tables: it is one cell wide, and
// the next character cannot combine with it. That holds for ASCII, Latin-1, and the lines, blocks and shapes
// from U+2500 on, of which a table's picture is made; for others it returns 0. The character must not be an
// ASCII control character.
func simple(s string, i int) int {
	n := simpleRune(s[i:])
	if n == 0 || i+n == len(s) || s[i+n] < 0x80 || n == 3 && simpleRune(s[i+n:]) == 3 {
		return n
	}
	return 0
}

// simpleRune is simple without regard to the next character.
func simpleRune(s string) int {
	switch c := s[0]; {
	case c < 0x80:
		return 1
	case c == 0xc2 && len(s) > 1 && s[1] >= 0xa0 && s[1] <= 0xbf && s[1] != 0xad, // not U+00AD, the soft hyphen
		c == 0xc3 && len(s) > 1 && s[1] >= 0x80 && s[1] <= 0xbf:
		return 2
	case c == 0xe2 && len(s) > 2 && s[2] >= 0x80 && s[2] <= 0xbf &&
		(s[1] >= 0x94 && s[1] <= 0x96 || s[1] == 0x97 && s[2] < 0xbd): // up to U+25FC, two wide ones follow
		return 3
	}
	return 0
}

// cluster returns the first character of s with its marks as it is to be sent, its bytes in s, its width,
// which is 0 for what is not sent, and whether terminals disagree about the width.
func cluster(s string) (text string, n, width int, unsure bool) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		return "\ufffd", 1, 1, false
	case unicode.IsControl(r) || r == '\u2028' || r == '\u2029':
		return "", size, 0, false
	}
	text, width = ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	n = len(text)
	if n > maxCluster || !utf8.ValidString(text) {
		text = text[:size]
		width = ansi.StringWidth(text)
	}
	// Terminals without mode 2027 draw characters of several runes as wide as their parts; the width of
	// pictographs depends on the age of a terminal's tables.
	if len(text) > size && width != 1 || r >= 0x1f000 && r < 0x20000 {
		unsure = true
	}
	return text, n, min(width, 2), unsure
}

// escape returns the length of the escape sequence at the start of s. For an SGR sequence it also returns the
// parameters with the final m.
func escape(s string) (sgr string, n int) {
	seq, _, n, _ := ansi.DecodeSequence(s, ansi.NormalState, nil)
	if params, ok := strings.CutPrefix(seq, "\x1b["); ok && strings.TrimLeft(params, "0123456789:;") == "m" {
		sgr = params
	}
	return sgr, n
}
