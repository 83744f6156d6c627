package board

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"boneyard/rules"
	"boneyard/ui/theme"
)

// Moment is a text beside the tile laid last, or shortly before, where the picture is free: a sum that adds
// up, say, and what it scores in large digits. Nothing moves for it; if there is no room, it is not shown. It
// is comparable, as part of [Options].
type Moment struct {
	Text   string
	Whole  bool       // false shows only the text up to its first equals sign, with room for the rest
	Number int        // 0 for none
	Sign   bool       // a plus precedes the number
	Role   theme.Role // of the number
	Back   int        // how many tiles have been laid since
}

// SumOf returns the moment of a play that scored: its sum, term by term, and the points. A tight sum has no
// blanks around its pluses.
func SumOf(t *theme.Theme, by *rules.Ruleset, e *rules.Event, terms []rules.Term, tight bool) Moment {
	m := Moment{Text: rules.Sum(terms, e.Count, "+"), Whole: true, Number: int(e.Points), Sign: true, Role: theme.Good}
	if !tight {
		m.Text = strings.ReplaceAll(m.Text, "+", " + ")
	}
	if n := by.Multiple; n > 1 && e.Count > n {
		m.Text += " = " + strconv.Itoa(int(e.Count/n)) + t.Glyphs().Times + strconv.Itoa(int(n))
	}
	return m
}

// momentGap is how many rows and columns stay free around a moment.
const momentGap = 1

// say writes o.Moment.
func (p *Plan) say(c *canvas, o Options) {
	m := &o.Moment
	if m.Text == "" || p.layout.Len() == 0 {
		return
	}
	w, rows, number := utf8.RuneCountInString(m.Text), [3]string{}, ""
	sizes := []rect{{w: w, h: 1}}
	if m.Number != 0 {
		rows = Digits(m.Number, m.Sign, o.Theme)
		if number = "  " + strconv.Itoa(m.Number); m.Sign {
			number = "  +" + strconv.Itoa(m.Number)
		}
		sizes = []rect{{w: max(w, utf8.RuneCountInString(rows[0])), h: 1 + len(rows)}, {w: w + len(number), h: 1}, {w: w, h: 1}}
	}
	for i, size := range sizes {
		at, ok := p.free(size.w, size.h, m.Back)
		switch {
		case !ok:
			continue
		case !m.Whole:
			begun, _, _ := strings.Cut(m.Text, " = ")
			c.text(at.x, at.y, theme.Text, begun)
			return
		}
		c.text(at.x, at.y, theme.Text, m.Text)
		switch {
		case size.h > 1:
			for k, row := range rows {
				c.text(at.x, at.y+1+k, m.Role, row)
			}
		case i == 1:
			c.text(at.x+w, at.y, m.Role, number)
		}
		return
	}
}

// free returns the place for w×h cells, clear of tiles and labels, nearest to the tile laid back tiles ago.
func (p *Plan) free(w, h, back int) (best rect, ok bool) {
	last, least := p.lies[p.layout.Len()-1-back], 0
	for y := range p.h - h + 1 {
		for x := 0; x <= p.w-w; x++ {
			r := rect{x, y, w, h}
			if q, taken := p.taken(r); taken {
				x = q.x + q.w - 1 + momentGap
				continue
			}
			dx, dy := r.midX()-last.midX(), 2*(r.midY()-last.midY())
			if d := dx*dx + dy*dy; !ok || d < least {
				best, ok, least = r, true, d
			}
		}
	}
	return best, ok
}

// taken returns a tile or label that is too near to r, if there is one.
func (p *Plan) taken(r rect) (rect, bool) {
	for i := range p.layout.Len() {
		if q := p.lies[i].rect; r.meets(q, momentGap) {
			return q, true
		}
	}
	for i := range p.layout.EndCount() {
		if q := p.labels[i].rect; r.meets(q, momentGap) {
			return q, true
		}
	}
	return rect{}, false
}
