package client

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// grid is what a terminal shows, without colours. It obeys the sequences that the club sends, and takes every
// character for one cell wide, which is wrong only in chat. It is used by one goroutine.
type grid struct {
	w, h  int
	cells []rune
	x, y  int
	dirty uint64 // of the first 64 rows, those that have changed since the last frame
	open  bool   // a synchronized update has begun
	shut  bool   // a synchronized update has just ended

	parser ansi.Parser
}

func newGrid(w, h int) *grid {
	g := &grid{w: w, h: h, cells: slices.Repeat([]rune{' '}, w*h)}
	g.parser.SetParamsSize(16)
	g.parser.SetDataSize(1) // titles and the like are skipped
	g.parser.SetHandler(ansi.Handler{Print: g.put, HandleCsi: g.control,
		Execute: func(b byte) {
			switch b {
			case '\r':
				g.x = 0
			case '\n':
				g.y = min(g.y+1, g.h-1)
			}
		},
		HandleEsc: func(cmd ansi.Cmd) {
			if cmd.Final() == 'E' {
				g.x, g.y = 0, min(g.y+1, g.h-1)
			}
		},
	})
	return g
}

// write calls frame at the end of each frame, that of a synchronized update or of p, with the bytes so far.
func (g *grid) write(p []byte, frame func(n int)) {
	for i, b := range p {
		if g.parser.Advance(b); g.shut {
			frame(i + 1)
			g.shut, g.dirty = false, 0
		}
	}
	if g.dirty != 0 && !g.open {
		frame(len(p))
		g.dirty = 0
	}
}

// control obeys a control sequence.
func (g *grid) control(cmd ansi.Cmd, params ansi.Params) {
	n := func(i int) int { v, _, _ := params.Param(i, 1); return max(v, 1) }
	at := g.y*g.w + g.x
	switch cmd {
	case 'H':
		g.y, g.x = min(n(0), g.h)-1, min(n(1), g.w)-1
	case 'G':
		g.x = min(n(0), g.w) - 1
	case 'K':
		g.erase(at, (g.y+1)*g.w)
	case 'X':
		g.erase(at, min(at+n(0), (g.y+1)*g.w))
	case 'J':
		g.erase(0, len(g.cells))
	case 'h' | '?'<<8, 'l' | '?'<<8: // the prefix of a command is its second byte
		if n(0) == 2026 {
			g.open = cmd.Final() == 'h'
			g.shut = !g.open
		}
	}
}

func (g *grid) put(r rune) {
	if g.x < g.w {
		g.dirty |= 1 << (g.y & 63)
		g.cells[g.y*g.w+g.x] = r
		g.x++
	}
}

// erase clears cells of one row, or all cells.
func (g *grid) erase(from, to int) {
	g.dirty |= 1 << (g.y & 63)
	if to-from > g.w {
		g.dirty = math.MaxUint64
	}
	for i := from; i < to; i++ {
		g.cells[i] = ' '
	}
}

// row returns a row without trailing blanks.
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

// version finds a table's version, "v123" at the end of a row that has changed, and what is left of it.
func (g *grid) version() (v uint64, left string, ok bool) {
	for y := range min(g.h, 64) {
		if g.dirty&(1<<y) == 0 {
			continue
		}
		row := g.row(y)
		if i := strings.LastIndex(row, " v"); i >= 0 {
			if v, err := strconv.ParseUint(row[i+2:], 10, 64); err == nil {
				return v, row[:i], true
			}
		}
	}
	return 0, "", false
}
