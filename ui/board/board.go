// Package board draws layouts and hands as lines of text, given the size of a room and a theme. It must not
// know players, turns or terminals.
//
// A layout is always drawn whole. [Lay] finds a place for each tile in the largest size that fits, and falls
// back to a strip of text if no tiles fit. The places depend only on the pieces in their order and on the
// room: tiles stay where they are when the next one is laid, unless it has no place otherwise, and the size
// never grows during a round. Joined tiles share their border, and no others touch.
package board

import (
	"strconv"
	"unicode/utf8"

	"boneyard/rules"
	"boneyard/ui/theme"
)

// Options is how a layout is drawn. It is comparable, so that it can be part of a cache's key.
type Options struct {
	Width, Height int             // the room, in columns and rows
	Theme         *theme.Theme    // its faces determine how halves are drawn
	Largest       Size            // the largest size of tiles; 0 for no limit
	Ghost         bool            // the piece laid last is only a proposal, made by [rules.View.After]
	Hand          rules.Hand      // the labels of ends that one of these tiles fits are bright; 0 for none
	Count         rules.CountRule // halves that count are marked, and ends show their count; 0 if nothing counts
	Lit           bool            // the halves that count have just scored
	Moment        Moment          // shown if there is room
	Seen          bool            // ends are named by where they lie, see [Plan.Name]; otherwise as in the record
	// Plain draws tiles in the role [theme.Tile] only and labels in [theme.Strong], so that a move changes
	// few bytes. A strip keeps its colours.
	Plain bool
}

// Counts returns [Options.Count] for a game with these rules.
func Counts(r *rules.Ruleset) rules.CountRule {
	if r.Multiple == 0 {
		return 0
	}
	return r.Count
}

// Draw returns the picture of a layout: o.Height lines of at most o.Width columns, without trailing blanks.
func Draw(l *rules.Layout, o Options) []string {
	return Lay(l, o.Width, o.Height, o.Largest).Draw(o)
}

// Trim removes the empty rows around a picture, and returns how many of those were above.
func Trim(lines []string) (above int, trimmed []string) {
	for len(lines) > 0 && lines[0] == "" {
		above, lines = above+1, lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return above, lines
}

// Plan is where the pieces of a layout lie in a room. It is immutable and serves all themes.
type Plan struct {
	layout rules.Layout
	size   Size
	w, h   int
	lies   [rules.SetSize]lie
	labels [maxTips]label // by the layout's ends
}

// effort is what to spend on one size before trying the next smaller one.
type effort struct {
	budget int // how many places to try for all pieces together, in one strategy
	least  int // how many lying tiles must fit the room's area: to give a size up after a few moves makes the picture restless
}

// Lay finds a place for every piece in a room of width columns and height rows, in the largest size up to
// largest, or in any if largest is 0.
func Lay(l *rules.Layout, width, height int, largest Size) *Plan {
	efforts := [...]effort{Small: {1000, 0}, Medium: {300, 50}, Large: {300, 50}}
	const cramped = 60 // the number of lying tiles below which a strip is calmer than other strategies
	plan := &Plan{layout: *l, size: Strip, w: max(width, 0), h: max(height, 0)}
	if largest == 0 || largest > Large {
		largest = Large
	}
	p := placers.Get().(*placer)
	defer p.release()
	p.l, p.w, p.h = l, plan.w, plan.h
	for size := largest; size > Strip; size-- {
		m := &measures[size]
		p.measure = m
		rows := m.tall + 2 // a spinner with a name above and below, or in larger sizes with a tile
		if size > Small {
			rows = 3*m.tall - 2*m.lap
		}
		holds := plan.w * plan.h / (m.long * m.flat)
		if plan.h < rows || holds < efforts[size].least {
			continue
		}
		tries := strategies[:]
		if holds < cramped && size == Small {
			tries = strategies[:1]
		}
		for _, p.strategy = range tries {
			p.budget = efforts[size].budget
			if p.run() {
				plan.size = size
				plan.take(p)
				return plan
			}
		}
	}
	return plan
}

// take copies the places that p has found, moved into the room.
func (plan *Plan) take(p *placer) {
	n := plan.layout.Len()
	if n == 0 {
		return
	}
	last := &p.stages[n-1]
	for i := range n {
		plan.lies[i] = p.lies[i]
		plan.lies[i].x += last.x
		plan.lies[i].y += last.y
	}
	for i := range plan.layout.EndCount() {
		e := plan.layout.End(i)
		for _, t := range last.tips[:last.n] {
			if t.at == e.At && t.edge == e.Edge {
				plan.labels[i] = t.label
				plan.labels[i].x += last.x
				plan.labels[i].y += last.y
			}
		}
	}
}

// ArmAt returns the open end at column x and row y, counted from 0: the end whose label is there, or an end
// of the piece there; if that has several, the one with the nearest label. A strip has no such places.
func (p *Plan) ArmAt(x, y int) (rules.Arm, bool) {
	if p.size == Strip {
		return rules.NoArm, false
	}
	arm, best := rules.NoArm, 0
	for i := range p.layout.EndCount() {
		e, r := p.layout.End(i), p.labels[i]
		if !r.has(x, y) && !p.lies[e.At].has(x, y) {
			continue
		}
		dx, dy := x-r.midX(), 2*(y-r.midY()) // a cell is twice as high as wide
		if d := dx*dx + dy*dy + 1; best == 0 || d < best {
			arm, best = e.Arm, d
		}
	}
	return arm, best > 0
}

// Name names an arm by where it begins in this picture. It is the record's name, except at a later spinner
// across a vertical arm: there the record's 9U begins on the left and is 9L, and 9D is 9R.
func (p *Plan) Name(a rules.Arm) string {
	i := int(a)/2 - 1
	if p.size == Strip || a < rules.Arm(4) || a == rules.NoArm || i >= p.layout.Len() || p.lies[i].dir.level() {
		return a.String()
	}
	return strconv.Itoa(int(a)/2) + "LR"[a%2:a%2+1]
}

// Draw returns the picture as lines. It ignores the size and the largest size of o.
func (p *Plan) Draw(o Options) []string {
	if p.size == Strip {
		return p.strip(o)
	}
	c := newCanvas(p.w, p.h, o.Theme)
	c.plain = o.Plain
	var count counted
	if o.Count != 0 {
		count.take(&p.layout, o.Count)
	}
	for i := range p.layout.Len() {
		q, l := p.layout.Piece(i), p.lies[i]
		f := p.face(i, o)
		f.a, f.b, f.standing, f.counts = q.Inner, q.Outer, l.h*2 > l.w, count.halves[i]
		if l.dir == west || l.dir == north {
			f.a, f.b, f.counts[0], f.counts[1] = f.b, f.a, f.counts[1], f.counts[0]
		}
		c.tile(l.x, l.y, p.size, f)
	}
	for i := range p.layout.EndCount() {
		p.label(c, i, o, count.ends[i])
	}
	p.say(c, o)
	return c.rows()
}

// counted is the worth of each half and each end; an end that does not count has none.
type counted struct {
	halves [rules.SetSize][2]bool // the inner and the outer one
	ends   [maxTips]string
}

func (c *counted) take(l *rules.Layout, rule rules.CountRule) {
	for _, t := range l.Terms(rule) {
		q := l.Piece(t.Piece)
		inner := t.Halves == 2 || q.Covered&rules.EdgeFar != 0 || q.Outer != t.Pip
		c.halves[t.Piece] = [2]bool{inner, t.Halves == 2 || !inner}
		worth := []string{strconv.Itoa(int(t.Points))}
		if t.Pip != t.Other { // each end of a lone lead has its own half
			worth = []string{strconv.Itoa(int(t.Pip)), strconv.Itoa(int(t.Other))}
		}
		for i := range l.EndCount() {
			if int(l.End(i).At) == t.Piece && len(worth) > 0 {
				c.ends[i], worth = worth[0], worth[1:]
			}
		}
	}
}

// face returns how to draw piece i, except its halves.
func (p *Plan) face(i int, o Options) face {
	n, q := p.layout.Len(), p.layout.Piece(i)
	f := face{spinner: q.Spinner, ghost: o.Ghost && i == n-1, lit: o.Lit && !o.Plain}
	f.last = !f.ghost && (i == n-1 || o.Ghost && i == n-2)
	return f
}

// label writes the name of the open end i, with an arrow if its arm has turned, and its count.
func (p *Plan) label(c *canvas, i int, o Options, worth string) {
	e, r := p.layout.End(i), p.labels[i]
	name := e.Arm.String()
	if o.Seen {
		name = p.Name(e.Arm)
	}
	if r.bent {
		g := o.Theme.Glyphs()
		name += [...]string{g.Right, g.Down, g.Left, g.Up}[r.out]
	}
	n, w := utf8.RuneCountInString(name), r.w
	if r.side.level() {
		w--
	}
	if len(worth) > 0 && n+1+len(worth) <= w {
		n += 1 + len(worth)
	} else {
		worth = ""
	}
	x := r.x
	switch r.side {
	case east:
		x++
	case west:
		x += w - n
	default:
		x = r.midX() - n/2
	}
	role := labelRole(e, o)
	if r.side == west { // blanks in the same role cost a terminal less than a jump over them
		c.set(x+n, r.y, ' ', role)
	}
	c.text(x, r.y, role, name)
	if worth != "" {
		c.set(x+n-len(worth)-1, r.y, ' ', role)
		if o.Lit {
			role = theme.Lit
		}
		c.text(x+n-len(worth), r.y, role, worth)
	}
}

// labelRole returns the role of an end's name.
func labelRole(e rules.End, o Options) theme.Role {
	if !(o.Hand & rules.WithPip(e.Pip)).Empty() {
		return theme.Accent
	}
	return theme.Key
}
