package board

import (
	"slices"
	"strconv"

	"boneyard/rules"
)

// The places of tiles are found by playing the round again: each piece in turn takes the first place that its arm
// would like (straight on; at the edge of the room a turn; after a turn back the other way) and that leaves every
// other end its label and room for one more tile. Where none is left, the piece to which it is joined is moved, and
// all after that, as far as a budget of tries goes; then all is begun again in another strategy.
//
// What a strategy finds for a layout, up to the last piece, is what it found for the layout before it unless that was a
// dead end, and a strategy that fails once fails for all that follows. So pieces stay where they are from move to move,
// and the same pieces in the same room always lie in the same places.
//
// Where another strategy or a smaller size is needed, it begins from the shape of the picture that was shown until then: each
// piece goes on in the direction in which it lay, if there is a place for that.

const maxTips = 16

// stage is the state after one piece has been placed.
type stage struct {
	tips [maxTips]tip
	n    int
	box  rect // around all tiles
	all  rect // around all tiles and labels
	x    int  // where the line drifts: the column of the room in which column 0 of the places is
	// What is left to try for the next piece.
	cand  [5]lie
	nCand int
	next  int
	taken int // the tip that the next piece covers
}

// placer finds places for the pieces of one layout.
type placer struct {
	*measure
	strategy
	l       *rules.Layout
	w, h    int
	budget  int
	was     shape // how the pieces lay before this strategy was needed
	reached shape // what the strategies so far have come to, for the most pieces
	lies    [rules.SetSize]lie
	stages  [rules.SetSize + 1]stage
}

// shape is the directions in which the first pieces of a layout lie.
type shape struct {
	n    int
	dirs [rules.SetSize]dir
}

// reach notes the shape of the first n pieces, if no strategy has placed so many before: it is the picture that was shown then.
func (p *placer) reach(n int) {
	if n <= p.reached.n {
		return
	}
	p.reached.n = n
	for i := range n {
		p.reached.dirs[i] = p.lies[i].dir
	}
}

// like takes the places at which piece i lies as it did before to the front.
func (p *placer) like(i int, cand []lie) {
	if i >= p.was.n {
		return
	}
	slices.SortStableFunc(cand, func(a, b lie) int {
		switch d := p.was.dirs[i]; {
		case a.dir == b.dir:
			return 0
		case a.dir == d:
			return -1
		case b.dir == d:
			return 1
		}
		return 0
	})
}

// run places all pieces, or tells that it could not.
func (p *placer) run() bool {
	n := p.l.Len()
	if n == 0 {
		return true
	}
	lead := p.l.Piece(0)
	w, h := p.dims(east, lead.Double())
	p.lies[0] = lie{rect{0, 0, w, h}, east}
	s := &p.stages[0]
	*s = stage{box: p.lies[0].rect, x: p.w/2 - p.lies[0].midX()}
	p.addTips(s, 0, east, nil)
	if !p.settle(s, 0) {
		return false
	}
	p.reach(1)
	if n == 1 {
		return true
	}
	p.prepare(s, 1)
	for i := 1; i < n; {
		s := &p.stages[i-1]
		if s.next == s.nCand {
			// What stands in the way is seldom the piece laid just before: move the one this piece is joined to.
			q := p.l.Piece(i)
			if i = int(q.At); i <= 0 {
				return false
			}
			continue
		}
		if p.budget--; p.budget < 0 {
			return false
		}
		c := s.cand[s.next]
		s.next++
		if !p.place(i, c) {
			continue
		}
		p.reach(i + 1)
		if i++; i < n {
			p.prepare(&p.stages[i-1], i)
		}
	}
	return true
}

// driftFrom is the columns from which a room is wide: those of the board on a screen of 145 columns that has the log beside it.
const driftFrom = 98

// drifts reports whether the lead stays in its row only. In a wide room a line would fold at half of the width if the lead stayed in
// the middle. Where an end would pass the edge, and a tile or more is free at the other side, the whole picture is moved to the
// middle instead: about once in a round.
func (p *placer) drifts() bool { return p.pinned && p.w >= driftFrom }

// inside reports whether a box can be shown whole at stage s.
func (p *placer) inside(s *stage, box rect) bool {
	if !p.pinned {
		return box.w <= p.w && box.h <= p.h
	}
	x, y := p.lies[0].midX()-p.w/2, p.lies[0].midY()-p.h/2
	if p.drifts() {
		if box.w+p.long <= p.w { // or it can be moved there
			return box.y >= y && box.y+box.h <= y+p.h
		}
		x = -s.x
	}
	return box.x >= x && box.y >= y && box.x+box.w <= x+p.w && box.y+box.h <= y+p.h
}

// edgeOf reports which edge of the piece at a the piece q covers.
func edgeOf(a *rules.Piece, q *rules.Piece) rules.Edge {
	switch {
	case a.At >= 0 && a.Arm == q.Arm || a.At < 0 && q.Arm == rules.ArmR:
		return rules.EdgeFar
	case q.Arm.Up():
		return rules.EdgeUp
	case q.Arm.Down():
		return rules.EdgeDown
	}
	return rules.EdgeNear
}

// prepare lists the places that piece i may take, best first.
func (p *placer) prepare(s *stage, i int) {
	q := p.l.Piece(i)
	a := p.l.Piece(int(q.At))
	edge := edgeOf(&a, &q)
	for k := range s.tips[:s.n] {
		if t := &s.tips[k]; t.at == q.At && t.edge == edge {
			s.taken = k
			s.nCand = p.candidates(t, q.Double(), &s.cand)
			if p.mix != 0 {
				p.stir(i, s.cand[:s.nCand])
			}
			p.like(i, s.cand[:s.nCand])
			break
		}
	}
	s.next = 0
}

// candidates are the places at a tip, best first.
func (p *placer) candidates(t *tip, double bool, out *[5]lie) int {
	n := 0
	on := p.lies[t.at]
	add := func(l lie) { out[n] = l; n++ }
	turn := func(d dir) {
		if !double && !p.strategy.beside {
			add(p.bend(on, t.out, d))
		}
		if t.corner {
			add(p.measure.beside(on, t.out, d, double))
		}
		if !double && p.strategy.beside {
			add(p.bend(on, t.out, d))
		}
	}
	switch {
	case t.out.level():
		add(p.straight(on, t.out, double))
		turn(t.upDown)
		turn(t.upDown.back())
	case t.snake:
		turn(t.level.back())
		add(p.straight(on, t.out, double))
		turn(t.level)
	case p.tight:
		turn(t.level)
		turn(t.level.back())
		add(p.straight(on, t.out, double))
	default:
		add(p.straight(on, t.out, double))
		turn(t.level)
		turn(t.level.back())
	}
	return n
}

// place puts piece i at c, if that leaves all others what they need.
func (p *placer) place(i int, c lie) bool {
	if !p.upright(i, c.dir) {
		return false
	}
	s, old := &p.stages[i], &p.stages[i-1]
	s.box, s.x = old.box.with(c.rect), old.x
	if !p.inside(s, s.box) {
		return false
	}
	on := int(old.tips[old.taken].at)
	for k := range p.lies[:i] {
		if k != on && c.meets(p.lies[k].rect, 1) {
			return false
		}
	}
	p.lies[i] = c
	s.n = copy(s.tips[:], old.tips[:old.taken])
	s.n += copy(s.tips[s.n:], old.tips[old.taken+1:old.n])
	p.addTips(s, i, c.dir, &old.tips[old.taken])
	if !p.settle(s, i) {
		return false
	}
	if s.all.x+s.x < 0 || s.all.x+s.all.w+s.x > p.w {
		s.x = (p.w-s.all.w)/2 - s.all.x
	}
	return true
}

// upright reports whether piece i may lie along d. The spinner stands upright, so that each arm leaves it in the direction that
// its name says: L to the left, U upwards.
func (p *placer) upright(i int, d dir) bool {
	switch q := p.l.Piece(i); {
	case !q.Spinner || !p.first(i):
		return true
	case q.Arm == rules.ArmL:
		return d == west
	}
	return d == east
}

// addTips adds the tips of piece i, which was joined to from.
func (p *placer) addTips(s *stage, i int, d dir, from *tip) {
	q := p.l.Piece(i)
	add := func(t tip) { t.at = int8(i); s.tips[s.n] = t; s.n++ }
	if from == nil {
		add(tip{edge: rules.EdgeNear, out: west, corner: !q.Double(), level: west, upDown: p.line[0], snake: true, name: 1})
		add(tip{edge: rules.EdgeFar, out: east, corner: !q.Double(), level: east, upDown: p.line[1], snake: true, name: 1})
	} else {
		t := tip{edge: rules.EdgeFar, out: d, corner: !q.Double(), snake: from.snake, level: from.level, upDown: from.upDown, name: from.name}
		switch {
		case d.level():
			t.level, t.snake = d, true
		default:
			t.upDown = d
		}
		add(t)
	}
	if q.Spinner {
		name := 1
		if i > 0 && !p.first(i) {
			name = len(strconv.Itoa(i+1)) + 1
		}
		up, down := tip{edge: rules.EdgeUp, name: name}, tip{edge: rules.EdgeDown, name: name}
		if d.level() {
			up.out, up.level, up.upDown = north, p.branch[0], north
			down.out, down.level, down.upDown = south, p.branch[1], south
		} else {
			up.out, up.level, up.upDown, up.snake = west, west, north, true
			down.out, down.level, down.upDown, down.snake = east, east, south, true
		}
		add(up)
		add(down)
	}
}

// first reports whether piece i is the first double.
func (p *placer) first(i int) bool {
	for k := range i {
		if q := p.l.Piece(k); q.Double() {
			return false
		}
	}
	return true
}

// settle gives every tip its label and, if strategy asks for it, room for one more tile.
func (p *placer) settle(s *stage, last int) bool {
	s.all = s.box
	for k := range s.tips[:s.n] {
		if !p.labelTip(s, k, last) {
			return false
		}
	}
	if !p.room {
		return true
	}
	for k := range s.tips[:s.n] {
		if !p.hasRoom(s, &s.tips[k], last) {
			return false
		}
	}
	return true
}

// labelTip finds a place for the label of tip k: beyond it, or else beside its outer half; of a double, near a corner.
func (p *placer) labelTip(s *stage, k, last int) bool {
	t := &s.tips[k]
	on := p.lies[t.at]
	x, y := on.midX(), on.midY()
	if p.tryLabel(s, k, last, t.out, x, y) {
		return true
	}
	if !t.corner {
		// Along the edge of a double, towards its corners.
		if t.out.level() {
			return p.tryLabel(s, k, last, t.out, x, on.y) || p.tryLabel(s, k, last, t.out, x, on.y+on.h-1)
		}
		return p.tryLabel(s, k, last, t.out, on.x, y) || p.tryLabel(s, k, last, t.out, on.x+on.w-1, y)
	}
	x, y = p.outer(on, t.out)
	return p.tryLabel(s, k, last, t.out.left(), x, y) || p.tryLabel(s, k, last, t.out.right(), x, y)
}

func (p *placer) tryLabel(s *stage, k, last int, d dir, x, y int) bool {
	t := &s.tips[k]
	w := t.name
	if d.level() {
		w++ // a blank between tile and label
	}
	r := p.lies[t.at].beyond(d, x, y, w, 1)
	all := s.all.with(r)
	if !p.inside(s, all) {
		return false
	}
	for i := range p.lies[:last+1] {
		if i != int(t.at) && r.meets(p.lies[i].rect, 1) {
			return false
		}
	}
	for i := range s.tips[:k] {
		if r.meets(s.tips[i].label, 1) {
			return false
		}
	}
	t.label, s.all = r, all
	return true
}

// hasRoom reports whether a tile that is no double could be joined at t.
func (p *placer) hasRoom(s *stage, t *tip, last int) bool {
	fits := func(r rect, from int) bool {
		if !p.inside(s, s.box.with(r)) {
			return false
		}
		for i := from; i <= last; i++ {
			if i != int(t.at) && r.meets(p.lies[i].rect, 1) {
				return false
			}
		}
		return true
	}
	if t.spare.w > 0 && fits(t.spare, last) {
		return true
	}
	var cand [5]lie
	for _, c := range cand[:p.candidates(t, false, &cand)] {
		if fits(c.rect, 0) {
			t.spare = c.rect
			return true
		}
	}
	return false
}
