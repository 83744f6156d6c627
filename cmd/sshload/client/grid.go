package client

import (
	"strings"
	"unicode/utf8"
)

// grid is what a terminal shows, as far as a load generator has to know it: characters without their looks.
// It follows the sequences that the club sends and skips all others, and takes every character for one cell
// wide; that is right for everything but people's chat, which nothing here depends on. It is used by one
// goroutine.
type grid struct {
	w, h  int
	cells []rune
	x, y  int
	dirty uint64 // the rows that have changed since the last frame, for the first 64
	open  bool   // a synchronized update has begun

	state byte   // where in a sequence the input stands: 0, or one of the constants below
	seq   []byte // the sequence so far
	part  []byte // the first bytes of a character that was cut
}

// The states beside plain text.
const (
	inEscape = 'e'
	inCSI    = '['
	inString = ']'
)

// maxSeq is how many bytes of a sequence are kept; the club's longest is the window's title.
const maxSeq = 256

func newGrid(w, h int) *grid {
	g := &grid{w: w, h: h, cells: make([]rune, w*h)}
	g.erase(0, len(g.cells))
	return g
}

// write takes output and calls frame at the end of each frame in it, with the number of bytes up to there. A
// frame ends where a synchronized update does; a short one is not bracketed, and ends with what was read.
func (g *grid) write(p []byte, frame func(n int)) {
	for i, c := range p {
		switch {
		case g.state == inEscape:
			g.escape(c)
		case g.state == inCSI:
			g.seq = append(g.seq, c)
			if c >= 0x40 && c <= 0x7e || len(g.seq) > maxSeq {
				g.state = 0
				switch string(g.seq) {
				case "?2026h":
					g.open = true
				case "?2026l":
					g.open = false
					frame(i + 1)
					g.dirty = 0
				default:
					g.control(string(g.seq[:len(g.seq)-1]), c)
				}
			}
		case g.state == inString:
			if c == '\a' || c == '\\' && len(g.seq) > 0 && g.seq[len(g.seq)-1] == 0x1b {
				g.state = 0
			}
			g.seq = append(g.seq[:0], c)
		case c == 0x1b:
			g.state = inEscape
		case c == '\r':
			g.x = 0
		case c == '\n':
			g.y = min(g.y+1, g.h-1)
		case c < 0x20 || c == 0x7f:
		case c < 0x80:
			g.put(rune(c))
		default:
			g.part = append(g.part, c)
			if utf8.FullRune(g.part) {
				r, _ := utf8.DecodeRune(g.part)
				g.part = g.part[:0]
				g.put(r)
			}
		}
	}
	if g.dirty != 0 && !g.open {
		frame(len(p))
		g.dirty = 0
	}
}

func (g *grid) escape(c byte) {
	g.seq = g.seq[:0]
	switch c {
	case '[', ']':
		g.state = c
	case 'P', '_', '^', 'X':
		g.state = inString
	case 'E':
		g.x, g.y, g.state = 0, min(g.y+1, g.h-1), 0
	default:
		g.state = 0
	}
}

// control follows one control sequence.
func (g *grid) control(params string, final byte) {
	if strings.HasPrefix(params, "?") {
		return
	}
	a, b := numbers(params)
	switch final {
	case 'H':
		g.y, g.x = clamp(a-1, g.h), clamp(b-1, g.w)
	case 'G':
		g.x = clamp(a-1, g.w)
	case 'K':
		g.touch()
		g.erase(g.y*g.w+g.x, (g.y+1)*g.w)
	case 'X':
		g.touch()
		g.erase(g.y*g.w+g.x, min(g.y*g.w+g.x+a, (g.y+1)*g.w))
	case 'J':
		g.dirty = ^uint64(0)
		g.erase(0, len(g.cells))
	}
}

// numbers are the first two parameters of a sequence, 1 where they are missing.
func numbers(params string) (a, b int) {
	n := [2]int{}
	i := 0
	for _, c := range []byte(params) {
		switch {
		case c == ';':
			if i++; i == len(n) {
				return max(n[0], 1), max(n[1], 1)
			}
		case c >= '0' && c <= '9' && n[i] < 1e6:
			n[i] = 10*n[i] + int(c-'0')
		}
	}
	return max(n[0], 1), max(n[1], 1)
}

func clamp(n, end int) int { return min(max(n, 0), end-1) }

func (g *grid) put(r rune) {
	if g.x < g.w {
		g.touch()
		g.cells[g.y*g.w+g.x] = r
		g.x++
	}
}

func (g *grid) touch() { g.dirty |= 1 << (g.y & 63) }

func (g *grid) erase(from, to int) {
	for i := from; i < to; i++ {
		g.cells[i] = ' '
	}
}

// row returns a row without the blanks at its end.
func (g *grid) row(y int) string {
	return strings.TrimRight(string(g.cells[y*g.w:(y+1)*g.w]), " ")
}

func (g *grid) text() string {
	var b strings.Builder
	for y := range g.h {
		b.WriteString(g.row(y))
		b.WriteByte('\n')
	}
	return b.String()
}

// version finds the mark of a table's version, "v123" at the end of a row, among the rows that have changed.
func (g *grid) version() (v uint64, row int, ok bool) {
	for y := range min(g.h, 64) {
		if g.dirty&(1<<y) != 0 {
			if v, ok := versionIn(g.cells[y*g.w : (y+1)*g.w]); ok {
				return v, y, true
			}
		}
	}
	return 0, 0, false
}

// versionIn reads the mark at the end of a row.
func versionIn(row []rune) (v uint64, ok bool) {
	i := len(row) - 1
	for i > 0 && row[i] == ' ' {
		i--
	}
	unit := uint64(1)
	for digits := 0; i > 0 && row[i] >= '0' && row[i] <= '9' && digits < 18; digits++ {
		v += unit * uint64(row[i]-'0')
		unit *= 10
		i--
	}
	return v, unit > 1 && i > 0 && row[i] == 'v' && row[i-1] == ' '
}
