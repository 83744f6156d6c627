package board

import (
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"boneyard/rules"
	"boneyard/ui/theme"
)

// The strip is for rooms in which no tiles fit: the line from L to R as text, below it the arms that grow
// from it, each without its middle if the room is short:
//
//	L 6-4 <4-4> … 5-1 R
//	U 4-3 3-0
//	D 4
//
// The spinner is in < >, a proposed tile in ( ), and the tile laid last has the theme's mark between its
// halves. An arm without tiles shows its open value. If there are more arms than lines, they share lines.

// word is a piece of a strip's line.
type word struct {
	s    string
	role theme.Role
}

// chain is one line of the strip before it is cut.
type chain struct {
	head, tail  word // labels; the tail may be empty
	words       []word
	first, last rules.Pip // the open pips at head (of the line only) and tail
}

func (p *Plan) strip(o Options) []string {
	out := make([]string, p.h)
	chains := p.chains(o)
	if len(chains) == 0 || p.h == 0 {
		return out
	}
	rows, cols := len(chains), 1
	if rows > p.h {
		rows = p.h
		if rows == 1 {
			cols = len(chains)
		} else {
			cols = (len(chains) - 2 + rows - 1) / (rows - 1)
			rows = 1 + (len(chains)-2+cols)/cols
		}
	}
	y := (p.h - rows) / 2
	if rows > 1 {
		out[y] = chains[0].fit(o.Theme, p.w, false)
		chains = chains[1:]
		y++
	}
	const gap = 2
	width := (p.w - gap*(cols-1)) / cols
	for i := range chains {
		at := &out[y+i/cols]
		if i%cols > 0 {
			*at += "  "
		}
		*at += chains[i].fit(o.Theme, width, cols > 1 && i%cols < cols-1)
	}
	for i := range out {
		out[i] = ansi.Truncate(out[i], p.w, "")
	}
	return out
}

// chains returns the line, then the arms in the order of the layout's ends.
func (p *Plan) chains(o Options) []chain {
	l := &p.layout
	n := l.Len()
	if n == 0 {
		return nil
	}
	var arms [rules.NoArm]chain
	for i := range n {
		q := l.Piece(i)
		c := &arms[rules.ArmR]
		a, b := q.Inner, q.Outer
		if i > 0 {
			c = &arms[q.Arm]
			if q.Arm == rules.ArmL {
				a, b = b, a
			}
		}
		f := p.face(i, o)
		f.a, f.b = a, b
		c.words = append(c.words, tileWord(o, f))
	}
	out := make([]chain, 1, l.EndCount())
	line := &out[0]
	left := arms[rules.ArmL].words
	for i := len(left) - 1; i >= 0; i-- {
		line.words = append(line.words, left[i])
	}
	line.words = append(line.words, arms[rules.ArmR].words...)
	for i := range l.EndCount() {
		e := l.End(i)
		name := word{e.Arm.String(), labelRole(e, o)}
		switch e.Arm {
		case rules.ArmL:
			line.head, line.first = name, e.Pip
		case rules.ArmR:
			line.tail, line.last = name, e.Pip
		default:
			c := arms[e.Arm]
			c.head, c.last = name, e.Pip
			out = append(out, c)
		}
	}
	return out
}

func tileWord(o Options, f face) word {
	between := "-"
	if f.last {
		between = o.Theme.Glyphs().Last
	}
	s := strconv.Itoa(int(f.a)) + between + strconv.Itoa(int(f.b))
	switch {
	case f.ghost:
		s = "(" + s + ")"
	case f.spinner:
		s = "<" + s + ">"
	}
	return word{s, roleOf(f)}
}

// fit paints the chain in at most width columns, padded with blanks if fill is true. It omits as many tiles
// of the middle as it must; if not even the outermost fit, it shows only the open values.
func (c *chain) fit(th *theme.Theme, width int, fill bool) string {
	dots := word{th.Glyphs().Ellipsis, theme.Faint}
	open := func(p rules.Pip) word { return word{strconv.Itoa(int(p)), theme.Tile} }
	isLine := c.tail.s != ""
	var words []word
	for left := len(c.words); ; left-- {
		words = append(words[:0], c.head)
		switch {
		case left == len(c.words) && left > 0:
			words = append(words, c.words...)
		case left > 1 || left == 1 && !isLine:
			before := left / 2
			if !isLine {
				before = 0 // an arm loses tiles near the spinner, whose value is known
			}
			words = append(words, c.words[:before]...)
			words = append(words, dots)
			words = append(words, c.words[len(c.words)-(left-before):]...)
		case isLine:
			words = append(words, open(c.first), dots, open(c.last))
		default:
			words = append(words, open(c.last))
		}
		if isLine {
			words = append(words, c.tail)
		}
		if left <= 0 || widthOf(words) <= width {
			break
		}
	}
	var b []byte
	for i, w := range words {
		if i > 0 {
			b = append(b, ' ')
		}
		b = th.AppendPaint(b, w.role, w.s)
	}
	for n := widthOf(words); fill && n < width; n++ {
		b = append(b, ' ')
	}
	return string(b)
}

func widthOf(words []word) int {
	n := len(words) - 1
	for _, w := range words {
		n += ansi.StringWidth(w.s)
	}
	return n
}
