// Package board knows how the tiles on a table, and those in a hand, look as lines of text: it is given a layout, the
// size of a room and a theme, and must know neither players nor turns nor terminals.
//
// A layout is always drawn whole. [Lay] finds a place for each tile in the largest size that fits, and falls back to
// a strip of text where no tiles fit. What it finds depends on nothing but the pieces in their order and the room:
// the tiles of a layout stay where they are when the next one is laid, unless there is no place for that, and the
// size never grows while a round goes on. Where it shrinks, the arms keep their shape as far as they can.
package board

import (
	"strconv"

	"boneyard/rules"
	"boneyard/ui/theme"
)

// Options is how a layout is drawn. It is comparable, so that it can be a part of a cache's key.
type Options struct {
	Width, Height int          // the room, in columns and rows
	Theme         *theme.Theme // its faces say how halves are drawn
	Largest       Size         // no tile is drawn larger; 0 is no limit
	Ghost         bool         // the piece laid last is only a proposal, made by [rules.View.After]
	Hand          rules.Hand   // the labels of ends that one of these tiles fits are bright; 0 for none
	Seen          bool         // ends are named by where they lie, see [Plan.Name]; else as in the record
	Plain         bool         // tiles and labels in the look of [theme.Tile] alone, so that a move changes few bytes; marks say the rest. A strip keeps its colours
}

// Draw returns the picture of a layout: o.Height lines of at most o.Width columns, without blanks at their ends.
func Draw(l *rules.Layout, o Options) []string {
	p := Lay(l, o.Width, o.Height, o.Largest)
	return p.Draw(o)
}

// Plan is where the pieces of a layout lie in a room. It is immutable and serves all themes.
type Plan struct {
	layout rules.Layout
	size   Size
	w, h   int
	lies   [rules.SetSize]lie
	labels [maxTips]rect // by the layout's ends
}

// effort is what is spent on one size before the next smaller one is taken.
type effort struct {
	strategies int // how many strategies are tried
	budget     int // how many places are tried for all pieces together, in one strategy
}

// Large and medium tiles lie as long as the lead stays in the middle, in wide rooms in its row; then the picture has to move anyway.
var efforts = [...]effort{Small: {len(strategies), 100}, Medium: {4, 80}, Large: {1, 60}}

// enough is how many lying tiles a room must hold by its area for their size to be taken: a size that is given up after
// a few moves only makes the picture restless.
const enough = 24

// inARow is how many large tiles a wide room must hold side by side: a line that has folded stays folded when the tiles shrink,
// though there is room for it.
const inARow = 14

// Lay finds a place for every piece in a room of width columns and height rows, in the largest size not above
// largest (0: any).
func Lay(l *rules.Layout, width, height int, largest Size) Plan {
	plan := Plan{layout: *l, size: Strip, w: max(width, 0), h: max(height, 0)}
	if largest == 0 || largest > Large {
		largest = Large
	}
	p := placer{l: &plan.layout, w: plan.w, h: plan.h}
	for size := largest; size > Strip; size-- {
		p.measure = &measures[size]
		if size > Small && plan.w*plan.h < enough*p.long*p.flat {
			continue
		}
		if size == Large && plan.w >= driftFrom && plan.w < inARow*p.long {
			continue
		}
		before := p.reached // in a larger size
		for _, strategy := range strategies[:efforts[size].strategies] {
			p.strategy, p.budget, p.was = strategy, efforts[size].budget, before
			switch {
			case !strategy.calm:
				p.was.n = 0
			case !strategy.pinned:
				p.was = p.reached
			}
			if p.run() {
				plan.size = size
				plan.take(&p)
				return plan
			}
		}
	}
	return plan
}

// Size is the size in which the tiles are drawn.
func (p *Plan) Size() Size { return p.size }

// take copies what p has found, moved into the room.
func (plan *Plan) take(p *placer) {
	n := plan.layout.Len()
	if n == 0 {
		return
	}
	// The first piece lies in the middle. The picture is moved only when it would leave the room, and then to the middle.
	x, y := plan.w/2-p.lies[0].midX(), plan.h/2-p.lies[0].midY()
	for i := range n {
		all := p.stages[i].all
		if p.drifts() {
			x = p.stages[i].x
		} else if all.x+x < 0 || all.x+all.w+x > plan.w {
			x = (plan.w-all.w)/2 - all.x
		}
		if all.y+y < 0 || all.y+all.h+y > plan.h {
			y = (plan.h-all.h)/2 - all.y
		}
	}
	for i := range n {
		plan.lies[i] = p.lies[i]
		plan.lies[i].x += x
		plan.lies[i].y += y
	}
	last := &p.stages[n-1]
	for i := range plan.layout.EndCount() {
		e := plan.layout.End(i)
		for _, t := range last.tips[:last.n] {
			if t.at == e.At && t.edge == e.Edge {
				plan.labels[i] = rect{t.label.x + x, t.label.y + y, t.label.w, t.label.h}
			}
		}
	}
}

// ArmAt reports which open end is meant by column x and row y: an end's label, or the piece at whose edge it is; of several
// ends at one piece, the one whose label is nearest. The upper left corner is 0, 0. A strip has no places.
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

// Name names an arm by where it begins in this picture. It is the record's name, but a later double that is a spinner may lie, in an arm
// that goes up or down: then what the record calls 9U begins at its left, and is 9L, and 9D at its right is 9R.
func (p *Plan) Name(a rules.Arm) string {
	i := int(a)/2 - 1
	if p.size == Strip || a < rules.Arm(4) || a == rules.NoArm || i >= p.layout.Len() || p.lies[i].dir.level() {
		return a.String()
	}
	return strconv.Itoa(int(a)/2) + "LR"[a%2:a%2+1]
}

// Draw returns the picture as lines; of o, the width, height and largest size are not looked at.
func (p *Plan) Draw(o Options) []string {
	if p.size == Strip {
		return p.strip(o)
	}
	c := newCanvas(p.w, p.h, o.Theme)
	c.plain = o.Plain
	for i := range p.layout.Len() {
		q, l := p.layout.Piece(i), p.lies[i]
		f := p.face(i, o)
		f.a, f.b, f.standing = q.Inner, q.Outer, l.h*2 > l.w
		if l.dir == west || l.dir == north {
			f.a, f.b = f.b, f.a
		}
		c.tile(l.x, l.y, p.size, f)
	}
	for i := range p.layout.EndCount() {
		p.label(c, i, o)
	}
	return c.lines()
}

// face is how piece i is drawn, its halves beside.
func (p *Plan) face(i int, o Options) face {
	n, q := p.layout.Len(), p.layout.Piece(i)
	f := face{spinner: q.Spinner, ghost: o.Ghost && i == n-1}
	f.last = !f.ghost && (i == n-1 || o.Ghost && i == n-2)
	return f
}

// label writes the name of the open end i.
func (p *Plan) label(c *canvas, i int, o Options) {
	e, r := p.layout.End(i), p.labels[i]
	on := p.lies[e.At]
	if r.y >= on.y && r.y < on.y+on.h { // beside the tile: a blank lies between
		if r.x > on.x {
			r.x++
		}
	}
	name := e.Arm.String()
	if o.Seen {
		name = p.Name(e.Arm)
	}
	c.text(r.x, r.y, labelRole(e, o), name)
}

// labelRole is the look of an end's name.
func labelRole(e rules.End, o Options) theme.Role {
	if !(o.Hand & rules.WithPip(e.Pip)).Empty() {
		return theme.Accent
	}
	return theme.Key
}
