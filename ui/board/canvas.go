package board

import (
	"unicode/utf8"

	"boneyard/ui/theme"
)

// cell is one character of the picture; a zero rune is a blank.
type cell struct {
	r    rune
	role theme.Role
}

// canvas is a room of cells, painted in the roles of a theme.
type canvas struct {
	w, h  int
	th    *theme.Theme
	cells []cell
	plain bool // see [Options.Plain]
}

func newCanvas(w, h int, th *theme.Theme) *canvas {
	return &canvas{w: w, h: h, th: th, cells: make([]cell, w*h)}
}

func (c *canvas) set(x, y int, r rune, role theme.Role) {
	if c.plain {
		role = theme.Tile
	}
	if x >= 0 && x < c.w && y >= 0 && y < c.h {
		c.cells[y*c.w+x] = cell{r, role}
	}
}

// text writes s from x, y to the right; each of its runes is one column wide.
func (c *canvas) text(x, y int, role theme.Role, s string) {
	for _, r := range s {
		c.set(x, y, r, role)
		x++
	}
}

// lines returns the rows, each run of one role painted as one piece, without the blanks at their ends.
func (c *canvas) lines() []string {
	out := make([]string, c.h)
	var line, run []byte
	for y := range out {
		row := c.cells[y*c.w : (y+1)*c.w]
		for len(row) > 0 && row[len(row)-1].r == 0 {
			row = row[:len(row)-1]
		}
		line = line[:0]
		for len(row) > 0 {
			role := row[0].role
			run = run[:0]
			n := 0
			for n < len(row) && row[n].role == role {
				if row[n].r == 0 {
					run = append(run, ' ')
				} else {
					run = utf8.AppendRune(run, row[n].r)
				}
				n++
			}
			line = c.th.AppendPaint(line, role, string(run))
			row = row[n:]
		}
		out[y] = string(line)
	}
	return out
}
