package line

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"boneyard/lobby/text"
)

// editor turns input into lines. With echo it returns for each byte what to write to the terminal: the
// character itself, or backspaces. It never writes an escape sequence, and swallows those that a terminal's
// keys send.
type editor struct {
	echo  bool
	width int // of the terminal; 0: not known

	line    string
	partial []byte // the bytes so far of an incomplete character
	escape  uint8  // how much of an escape sequence has come
	cr      bool   // the last byte was CR: an LF after it belongs to it
}

// event is the effect of a key beside its echo.
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

// longest is the limit of a line in characters; more input is dropped.
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
	case e.width > 0 && before >= e.width: // backspaces do not reach the row above
		return "\r\n" + e.line
	}
	return strings.Repeat("\b \b", before-after)
}

// inEscape handles a byte of an escape sequence.
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

// lastCharacter returns the index of the last character of a line, with its combining marks.
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
