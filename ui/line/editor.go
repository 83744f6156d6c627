package line

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"boneyard/lobby/text"
)

// editor makes lines of what is typed. With echo it returns what the terminal has to write for each byte: the
// character itself, or backspaces. It never writes an escape sequence, and swallows those that a terminal's keys send.
type editor struct {
	echo  bool
	width int // of the terminal; 0: not known

	line    string
	partial []byte // of a character that has not come whole
	escape  uint8  // how far an escape sequence has come
	cr      bool   // the last byte was CR: an LF behind it belongs to it
}

// event is what a key leads to beside its echo.
type event uint8

const (
	nothing event = iota
	entered       // the line is complete
	leave         // the person wants to leave
)

// The parts of an escape sequence.
const (
	noEscape uint8 = iota
	afterEsc       // ESC has come
	inCSI          // ESC [ has come, and a letter ends it
	afterSS3       // ESC O has come, and one more follows
)

// longest is how many characters a line has at most; what is typed behind it is dropped.
const longest = 512

func (e *editor) typed() string {
	if !e.echo {
		return ""
	}
	return e.line
}

// take returns the line and begins the next.
func (e *editor) take() string {
	s := e.line
	e.line = ""
	return s
}

func (e *editor) key(b byte) (echo string, ev event) {
	cr := e.cr
	e.cr = b == '\r'
	if e.escape != noEscape {
		e.inEscape(b)
		return "", nothing
	}
	if b >= utf8.RuneSelf {
		return e.wide(b), nothing
	}
	e.partial = e.partial[:0]
	switch b {
	case '\r':
		return e.echoed("\r\n"), entered
	case '\n':
		if cr {
			return "", nothing
		}
		return e.echoed("\r\n"), entered
	case 0x1b:
		e.escape = afterEsc
		return "", nothing
	case '\t':
		b = ' '
	}
	if b < ' ' || b == 0x7f {
		if e.echo {
			return e.control(b)
		}
		return "", nothing
	}
	return e.add(string(rune(b))), nothing
}

func (e *editor) control(b byte) (echo string, ev event) {
	switch b {
	case 0x03: // Ctrl+C
		return "\r\n", leave
	case 0x04: // Ctrl+D
		if e.line == "" {
			return "", leave
		}
	case 0x08, 0x7f:
		return e.erase(lastCharacter(e.line)), nothing
	case 0x15: // Ctrl+U
		return e.erase(0), nothing
	case 0x17: // Ctrl+W
		return e.erase(strings.LastIndexByte(strings.TrimRight(e.line, " "), ' ') + 1), nothing
	case 0x12: // Ctrl+R
		return "\r\n" + e.line, nothing
	}
	return "", nothing
}

func (e *editor) wide(b byte) string {
	e.partial = append(e.partial, b)
	if !utf8.FullRune(e.partial) {
		return ""
	}
	r, size := utf8.DecodeRune(e.partial)
	whole := size == len(e.partial)
	e.partial = e.partial[:0]
	if r == utf8.RuneError || !whole || !unicode.IsPrint(r) {
		return ""
	}
	return e.add(string(r))
}

func (e *editor) add(s string) string {
	if utf8.RuneCountInString(e.line) >= longest {
		return ""
	}
	e.line += s
	return e.echoed(s)
}

func (e *editor) erase(n int) string {
	before := text.Width(e.line)
	e.line = e.line[:n]
	after := text.Width(e.line)
	switch {
	case before == 0:
		return ""
	case e.width > 0 && before >= e.width: // backspaces do not go back to the row above
		return "\r\n" + e.line
	}
	return strings.Repeat("\b \b", before-after)
}

// inEscape takes a byte of an escape sequence.
func (e *editor) inEscape(b byte) {
	switch {
	case e.escape == afterEsc && b == '[':
		e.escape = inCSI
	case e.escape == afterEsc && b == 'O':
		e.escape = afterSS3
	case e.escape == inCSI && (b < 0x40 || b > 0x7e) && b >= ' ' && b < 0x7f: // parameters
	default:
		e.escape = noEscape
	}
}

func (e *editor) echoed(s string) string {
	if !e.echo {
		return ""
	}
	return s
}

// lastCharacter is where the last character of a line begins, with the marks that sit on it.
func lastCharacter(s string) int {
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
		if !unicode.Is(unicode.M, r) {
			break
		}
	}
	return len(s)
}
