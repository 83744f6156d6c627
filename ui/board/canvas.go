package board

import (
	"unicode/utf8"

	"boneyard/ui/theme"
)

// cell is one character of the picture; a zero rune is a blank, unless it has lines.
type cell struct {
	r     rune
	role  theme.Role
	lines lines
}

// lines are the border lines in a cell: four bits for the directions up, right, down and left, and the pens
// of the vertical and of the horizontal ones. Where the borders of two tiles meet, the heavier pen draws.
type lines uint8

const (
	up lines = 1 << iota
	right
	down
	left
)

// pen is how a tile's border is drawn.
type pen uint8

const (
	dashed pen = iota // a proposed tile
	light
	heavy  // a tile chosen from a hand
	double // a spinner
)

func (l lines) vertical() pen   { return pen(l >> 4 & 3) }
func (l lines) horizontal() pen { return pen(l >> 6) }

// with adds lines drawn with a pen.
func (l lines) with(more lines, p pen) lines {
	v, h := l.vertical(), l.horizontal()
	if more&(up|down) != 0 {
		v = max(v, p)
	}
	if more&(left|right) != 0 {
		h = max(h, p)
	}
	return l&15 | more | lines(v)<<4 | lines(h)<<6
}

// The characters of lines, by directions, for each pair of pens.
var (
	lightLines  = []rune(" ╵╶└╷│┌├╴┘─┴┐┤┬┼")
	dashedLines = []rune(" ┆╌╰┆┆╭├╌╯╌┴╮┤┬┼")
	heavyLines  = []rune(" ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋")
	doubleLines = []rune(" ║═╚║║╔╠═╝═╩╗╣╦╬")
	tallDouble  = []rune(" ║╶╙║║╓╟╴╜─╨╖╢╥╫")
	wideDouble  = []rune(" ╵═╘╷│╒╞═╛═╧╕╡╤╪")
	plainLines  = []rune(" |-+||++-+-+++++")
	dashedPlain = []rune(" :.:::.+.:.+.+++")
)

// rune returns the character that shows the lines.
func (l lines) rune(ascii bool) rune {
	v, h := l.vertical(), l.horizontal()
	set := lightLines
	switch {
	case ascii && (v == double || h == double):
		if l&(up|down) == 0 {
			return '='
		}
		return '#'
	case ascii && h == heavy && l&(up|down) == 0:
		return '='
	case ascii && v == dashed && h == dashed:
		set = dashedPlain
	case ascii:
		set = plainLines
	case v == double && h == double || l&(left|right) == 0 && v == double || l&(up|down) == 0 && h == double:
		set = doubleLines
	case v == double:
		set = tallDouble
	case h == double:
		set = wideDouble
	case v == heavy || h == heavy:
		set = heavyLines
	case v == dashed && h == dashed:
		set = dashedLines
	}
	return set[l&15]
}

// canvas is a room of cells, painted in roles of a theme.
type canvas struct {
	w, h  int
	th    *theme.Theme
	cells []cell
	plain bool // see [Options.Plain]
}

func newCanvas(w, h int, th *theme.Theme) *canvas {
	return &canvas{w: w, h: h, th: th, cells: make([]cell, w*h)}
}

// at returns a cell, or nil outside of the canvas.
func (c *canvas) at(x, y int) *cell {
	if x < 0 || x >= c.w || y < 0 || y >= c.h {
		return nil
	}
	return &c.cells[y*c.w+x]
}

func (c *canvas) set(x, y int, r rune, role theme.Role) {
	if at := c.at(x, y); at != nil {
		at.r, at.role = r, c.look(role)
	}
}

// look returns the role to paint in place of role.
func (c *canvas) look(role theme.Role) theme.Role {
	switch {
	case c.plain && role == theme.Key:
		return theme.Strong
	case c.plain && (role == theme.Border || role == theme.TilePlayable):
		return theme.Tile
	}
	return role
}

// box draws a border, joined to the lines that are there.
func (c *canvas) box(b rect, p pen, role theme.Role) {
	add := func(x, y int, l lines) {
		if at := c.at(x, y); at != nil {
			if at.lines == 0 || role != theme.Border { // a tile that stands out has its whole border in its role
				at.role = c.look(role)
			}
			at.lines = at.lines.with(l, p)
		}
	}
	r, d := b.x+b.w-1, b.y+b.h-1
	for x := b.x + 1; x < r; x++ {
		add(x, b.y, left|right)
		add(x, d, left|right)
	}
	for y := b.y + 1; y < d; y++ {
		add(b.x, y, up|down)
		add(r, y, up|down)
	}
	add(b.x, b.y, right|down)
	add(r, b.y, left|down)
	add(b.x, d, up|right)
	add(r, d, up|left)
}

// text writes s from x, y to the right; each of its runes must be one column wide.
func (c *canvas) text(x, y int, role theme.Role, s string) {
	for _, r := range s {
		c.set(x, y, r, role)
		x++
	}
}

// rows returns the lines, without trailing blanks; each run of one role is painted as one piece.
func (c *canvas) rows() []string {
	ascii := c.th.Faces() == theme.ASCII
	out := make([]string, c.h)
	var line, run []byte
	for y := range out {
		row := c.cells[y*c.w : (y+1)*c.w]
		for len(row) > 0 && row[len(row)-1] == (cell{}) {
			row = row[:len(row)-1]
		}
		line = line[:0]
		for len(row) > 0 {
			role := row[0].role
			run = run[:0]
			n := 0
			for n < len(row) && row[n].role == role {
				switch at := &row[n]; {
				case at.r != 0:
					run = utf8.AppendRune(run, at.r)
				case at.lines != 0:
					run = utf8.AppendRune(run, at.lines.rune(ascii))
				default:
					run = append(run, ' ')
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
