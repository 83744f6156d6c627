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
	counts   [2]bool   // these halves are part of the count
	lit      bool      // they have just scored
	standing bool
	last     bool
	ghost    bool
	spinner  bool
	chosen   bool       // in a hand
	role     theme.Role // theme.Text leaves it to the other fields
}

// pen returns the pen of the border.
func (f *face) pen() pen {
	switch {
	case f.ghost:
		return dashed
	case f.chosen:
		return heavy
	case f.spinner:
		return double
	}
	return light
}

// brackets returns the border of small lying tiles.
func (f *face) brackets(ascii bool) string {
	switch p := f.pen(); {
	case p == dashed:
		return "()"
	case p == heavy && ascii:
		return ">]"
	case p == heavy:
		return "▸]"
	case p == double && ascii:
		return "##"
	case p == double:
		return "╣╠"
	}
	return "[]"
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

// half returns the role of a half.
func (f *face) half(i int) theme.Role {
	switch role := roleOf(*f); {
	case f.counts[i] && f.lit:
		return theme.Lit
	case f.counts[i] && role == theme.Tile:
		return theme.TilePlayable
	default:
		return role
	}
}

// tile draws one tile with its upper left corner at x, y.
func (c *canvas) tile(x, y int, size Size, f face) {
	m := &measures[size]
	ascii, role := c.th.Faces() == theme.ASCII, roleOf(f)
	border := role
	if role == theme.Tile && !f.spinner {
		border = theme.Border
	}
	// A lighter line separates the halves than the tiles.
	divider, across := '╎', '╌'
	if ascii {
		divider, across = ':', '-'
	}
	mark, of := divider, border
	if f.standing {
		mark = across
	}
	if f.last {
		mark, _ = utf8.DecodeRuneInString(c.th.Glyphs().Last)
		of = role
		if c.plain {
			f.role, border = theme.Tile, theme.Tile
		}
	}
	if size == Small && !f.standing {
		b := []rune(f.brackets(ascii))
		if mark == divider {
			mark = lines(0).with(up|down, f.pen()).rune(ascii)
		}
		c.set(x, y, b[0], border)
		c.set(x+1, y, digit(f.a), f.half(0))
		c.set(x+2, y, mark, of)
		c.set(x+3, y, digit(f.b), f.half(1))
		c.set(x+4, y, b[1], border)
		return
	}
	w, h := m.long, m.flat
	if f.standing {
		w, h = m.thin, m.tall
	}
	c.box(rect{x, y, w, h}, f.pen(), border)
	for dy := 1; dy < h-1; dy++ {
		for dx := 1; dx < w-1; dx++ {
			c.set(x+dx, y+dy, ' ', border)
		}
	}
	if f.standing {
		for dx := 1; dx < w-1; dx++ {
			c.set(x+dx, y+h/2, across, border)
		}
		c.set(x+w/2, y+h/2, mark, of)
		c.half(x+w/2, y+m.halfY, m, f.a, true, f.half(0))
		c.half(x+w/2, y+h-1-m.halfY, m, f.b, true, f.half(1))
		return
	}
	for dy := 1; dy < h-1; dy++ {
		c.set(x+w/2, y+dy, divider, border)
	}
	c.set(x+w/2, y+h/2, mark, of)
	c.half(x+m.halfX, y+h/2, m, f.a, false, f.half(0))
	c.half(x+w-1-m.halfX, y+h/2, m, f.b, false, f.half(1))
}

// dots are the places of a half's pips around its middle, in columns and rows, for a standing tile.
var dots = [...][][2]int{
	0: {},
	1: {{0, 0}},
	2: {{-1, -1}, {1, 1}},
	3: {{-1, -1}, {0, 0}, {1, 1}},
	4: {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}},
	5: {{-1, -1}, {1, -1}, {0, 0}, {-1, 1}, {1, 1}},
	6: {{-1, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {1, 1}},
}

// half draws one half around its middle. If pips have room they are dots, or with digits the digit in place
// of each pip: a six is six sixes, and nobody has to count. Otherwise it is one digit.
func (c *canvas) half(x, y int, m *measure, p rules.Pip, standing bool, role theme.Role) {
	dot := digit(p)
	if c.th.Faces() == theme.Pips && m.spread > 0 {
		dot, _ = utf8.DecodeRuneInString(c.th.Glyphs().Pip)
	} else if m.spread == 0 || p == 0 {
		c.set(x, y, dot, role)
		return
	}
	for _, d := range dots[p] {
		if standing || m.spread == 1 { // in less room, three pips in a row would look like a bar
			c.set(x+m.spread*d[0], y+d[1], dot, role)
		} else {
			c.set(x+m.spread*d[1], y-d[0], dot, role)
		}
	}
}

func digit(p rules.Pip) rune { return '0' + rune(p) }

// Tile draws one tile by itself, lying or standing, its higher half first.
func Tile(t rules.Tile, th *theme.Theme, size Size, standing bool) []string {
	m := &measures[size]
	w, h := m.long, m.flat
	if standing {
		w, h = m.thin, m.tall
	}
	c := newCanvas(w, h, th)
	c.tile(0, 0, size, face{a: t.High(), b: t.Low(), standing: standing})
	return c.rows()
}

// Backs draws n tiles face down and their number; if width columns have no room for all, one stands for all.
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
