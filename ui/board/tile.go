package board

import (
	"unicode/utf8"

	"boneyard/rules"
	"boneyard/ui/theme"
)

// face is how one tile is drawn.
type face struct {
	a, b     rules.Pip // the left or upper half, and the other
	standing bool
	last     bool // it was laid last, or is chosen in a hand
	ghost    bool
	spinner  bool
	role     theme.Role // theme.Text: as the other fields say
}

// frame is the characters of a tile's border. Small tiles that lie have no border but two brackets.
type frame struct {
	h, v                   rune
	tl, tr, bl, br         rune
	top, bottom, lft, rght rune
	open, shut             rune
}

var (
	plainFrame   = frame{'─', '│', '┌', '┐', '└', '┘', '┬', '┴', '├', '┤', '[', ']'}
	spinnerFrame = frame{'═', '║', '╔', '╗', '╚', '╝', '╦', '╩', '╠', '╣', '╣', '╠'}
	ghostFrame   = frame{'╌', '┆', '╭', '╮', '╰', '╯', '╌', '╌', '┆', '┆', '(', ')'}

	plainASCII   = frame{'-', '|', '+', '+', '+', '+', '+', '+', '+', '+', '[', ']'}
	spinnerASCII = frame{'=', '#', '#', '#', '#', '#', '#', '#', '#', '#', '#', '#'}
	ghostASCII   = frame{'.', ':', '.', '.', ':', ':', '.', ':', ':', ':', '(', ')'}
)

func frameOf(f face, ascii bool) *frame {
	switch {
	case f.ghost && ascii:
		return &ghostASCII
	case f.ghost:
		return &ghostFrame
	case f.spinner && ascii:
		return &spinnerASCII
	case f.spinner:
		return &spinnerFrame
	case ascii:
		return &plainASCII
	}
	return &plainFrame
}

func roleOf(f face) theme.Role {
	switch {
	case f.role != theme.Text:
		return f.role
	case f.ghost:
		return theme.TileGhost
	case f.last:
		return theme.TileLast
	}
	return theme.Tile
}

// tile draws one tile with its upper left corner at x, y.
func (c *canvas) tile(x, y int, size Size, f face) {
	m := &measures[size]
	fr, role := frameOf(f, c.th.Faces() == theme.ASCII), roleOf(f)
	set := func(dx, dy int, r rune) { c.set(x+dx, y+dy, r, role) }
	mark := fr.v
	if f.standing {
		mark = fr.h
	}
	if f.last && !f.ghost {
		mark, _ = utf8.DecodeRuneInString(c.th.Glyphs().Last)
	}
	w, h := m.long, m.flat
	if f.standing {
		w, h = m.thin, m.tall
	}
	if size == Small && !f.standing {
		set(0, 0, fr.open)
		set(1, 0, digit(f.a))
		set(2, 0, mark)
		set(3, 0, digit(f.b))
		set(4, 0, fr.shut)
		return
	}
	for dx := 1; dx < w-1; dx++ {
		set(dx, 0, fr.h)
		set(dx, h-1, fr.h)
		for dy := 1; dy < h-1; dy++ {
			set(dx, dy, ' ')
		}
	}
	for dy := 1; dy < h-1; dy++ {
		set(0, dy, fr.v)
		set(w-1, dy, fr.v)
	}
	set(0, 0, fr.tl)
	set(w-1, 0, fr.tr)
	set(0, h-1, fr.bl)
	set(w-1, h-1, fr.br)
	if f.standing {
		for dx := 1; dx < w-1; dx++ {
			set(dx, h/2, fr.h)
		}
		if size > Small {
			set(0, h/2, fr.lft)
			set(w-1, h/2, fr.rght)
		}
		set(w/2, h/2, mark)
		c.half(x+w/2, y+m.halfY, size, f.a, true, role)
		c.half(x+w/2, y+h-1-m.halfY, size, f.b, true, role)
		return
	}
	for dy := 1; dy < h-1; dy++ {
		set(w/2, dy, fr.v)
	}
	set(w/2, 0, fr.top)
	set(w/2, h-1, fr.bottom)
	set(w/2, h/2, mark)
	c.half(x+m.halfX, y+h/2, size, f.a, false, role)
	c.half(x+w-1-m.halfX, y+h/2, size, f.b, false, role)
}

// dots are the places of a half's pips around its middle, for a standing tile: columns and rows.
var dots = [...][][2]int{
	0: {},
	1: {{0, 0}},
	2: {{-1, -1}, {1, 1}},
	3: {{-1, -1}, {0, 0}, {1, 1}},
	4: {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}},
	5: {{-1, -1}, {1, -1}, {0, 0}, {-1, 1}, {1, 1}},
	6: {{-1, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {1, 1}},
}

// half draws one half around its middle: pips where they are wanted and have room, else the digit.
func (c *canvas) half(x, y int, size Size, p rules.Pip, standing bool, role theme.Role) {
	if size != Large || c.th.Faces() != theme.Pips {
		c.set(x, y, digit(p), role)
		return
	}
	dot, _ := utf8.DecodeRuneInString(c.th.Glyphs().Pip)
	for _, d := range dots[p] {
		if standing {
			c.set(x+2*d[0], y+d[1], dot, role)
		} else {
			c.set(x+2*d[1], y-d[0], dot, role)
		}
	}
}

func digit(p rules.Pip) rune { return '0' + rune(p) }
