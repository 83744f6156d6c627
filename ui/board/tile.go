package board

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"boneyard/rules"
	"boneyard/ui/theme"
)

// face is how one tile is drawn.
type face struct {
	a, b     rules.Pip // the left or upper half, and the other
	standing bool
	last     bool
	ghost    bool
	spinner  bool
	chosen   bool       // in a hand
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

	chosenFrame = frame{'━', '┃', '┏', '┓', '┗', '┛', '┳', '┻', '┣', '┫', '▸', ']'}

	plainASCII   = frame{'-', '|', '+', '+', '+', '+', '+', '+', '+', '+', '[', ']'}
	spinnerASCII = frame{'=', '#', '#', '#', '#', '#', '#', '#', '#', '#', '#', '#'}
	chosenASCII  = frame{'=', '|', '+', '+', '+', '+', '+', '+', '+', '+', '>', ']'}
	ghostASCII   = frame{'.', ':', '.', '.', ':', ':', '.', ':', ':', ':', '(', ')'}
)

func frameOf(f face, ascii bool) *frame {
	switch {
	case f.ghost && ascii:
		return &ghostASCII
	case f.ghost:
		return &ghostFrame
	case f.chosen && ascii:
		return &chosenASCII
	case f.chosen:
		return &chosenFrame
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
	if f.last {
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
		c.half(x+w/2, y+m.halfY, m, f.a, true, role)
		c.half(x+w/2, y+h-1-m.halfY, m, f.b, true, role)
		return
	}
	for dy := 1; dy < h-1; dy++ {
		set(w/2, dy, fr.v)
	}
	set(w/2, 0, fr.top)
	set(w/2, h-1, fr.bottom)
	set(w/2, h/2, mark)
	c.half(x+m.halfX, y+h/2, m, f.a, false, role)
	c.half(x+w-1-m.halfX, y+h/2, m, f.b, false, role)
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

// half draws one half around its middle. Where pips have room they are dots, or with faces of digits the digit in the
// places of the pips: a six is six sixes, and nobody has to count. Elsewhere it is one digit.
func (c *canvas) half(x, y int, m *measure, p rules.Pip, standing bool, role theme.Role) {
	dot := digit(p)
	if c.th.Faces() == theme.Pips && m.spread > 0 {
		dot, _ = utf8.DecodeRuneInString(c.th.Glyphs().Pip)
	} else if m.spread == 0 || p == 0 {
		c.set(x, y, dot, role)
		return
	}
	for _, d := range dots[p] {
		if standing || m.spread == 1 { // close together, three pips in a row would be one bar
			c.set(x+m.spread*d[0], y+d[1], dot, role)
		} else {
			c.set(x+m.spread*d[1], y-d[0], dot, role)
		}
	}
}

func digit(p rules.Pip) rune { return '0' + rune(p) }

// Tile draws one tile by itself, lying or standing, its higher half first.
func Tile(t rules.Tile, th *theme.Theme, size Size, standing bool) []string {
	if size < Small || size > Large {
		size = Small
	}
	m := &measures[size]
	w, h := m.long, m.flat
	if standing {
		w, h = m.thin, m.tall
	}
	c := newCanvas(w, h, th)
	c.tile(0, 0, size, face{a: t.High(), b: t.Low(), standing: standing})
	return c.lines()
}

// Backs are n tiles lying face down, and their number behind them; where not all fit in width columns, one stands
// for all.
func Backs(n, width int, th *theme.Theme) string {
	g := th.Glyphs()
	number := strconv.Itoa(n)
	if n+1+len(number) > width {
		return th.Paint(theme.TileGhost, g.Back) + g.Times + number
	}
	if n == 0 {
		return number
	}
	return th.Paint(theme.TileGhost, strings.Repeat(g.Back, n)) + " " + number
}
