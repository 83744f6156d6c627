package board

import (
	"strconv"
	"sync"

	"boneyard/rules"
)

// The places of tiles are found by playing the round again. Each piece takes the first place that its arm
// prefers and that leaves every other end its name, its count, and room for one more tile or double; failing
// that, the first that leaves as much of that as possible. An arm goes straight on while there is room for
// the tile and a double after it; then it turns, at a double already if the next tile but one had to turn
// anyway. After a turn a line goes back the other way. If a piece has no place, the piece to which it is
// joined moves, with all after it, within a budget of tries; then the next strategy begins afresh, and after
// the last one a smaller size.
//
// Up to its last piece a layout has the places of the layout before it, unless that was a dead end, and a
// strategy that fails once fails for all later layouts. So pieces stay where they are from move to move, and
// the same pieces in the same room always lie in the same places.

const maxTips = 16

// tip is an edge of a piece to which a tile may be joined, now or later in the round.
type tip struct {
	at     int8
	edge   rules.Edge
	out    dir     // the direction in which a tile is joined straight on
	first  dir     // the direction in which the arm began
	corner bool    // a tile may also be joined to the long sides of the outer half
	ends   bool    // a double, not a spinner: a tile may also be joined to its ends
	snake  bool    // the arm has run level before, and goes up or down only to turn
	level  dir     // the direction in which the arm ran level last, or prefers to
	upDown dir     // the direction in which it prefers to turn from there
	name   int     // the columns of its name
	label  label   // where the name is
	spare  [2]rect // places for another tile, and for a double; w is 0 if none is known
}

// label is the place of an end's name and of the count after it.
type label struct {
	rect
	side dir // of the tile that it belongs to
	out  dir // the arm's direction
	bent bool
}

// ease is what the ends may lack so that a piece finds a place.
type ease uint8

const (
	roomy  ease = iota // nothing
	spare              // room for a double
	dense              // room for any other tile
	silent             // and their counts
	easeEnd
)

// figures returns the columns of the count of the end at piece i, with a blank before it.
func (p *placer) figures(i int8) int {
	if q := p.l.Piece(int(i)); q.Double() && q.Outer >= 5 {
		return 3
	}
	return 2
}

// stage is the state after one piece has been placed.
type stage struct {
	tips [maxTips]tip
	n    int
	box  rect // around all tiles
	all  rect // around all tiles and labels
	x, y int  // where column and row 0 of the places are in the room
	// What is left to try for the next piece.
	cand  [maxCand]lie
	nCand int
	next  int
	ease  ease // what the ends may lack
	taken int  // the tip that it covers
}

const maxCand = 8

// placer finds places for the pieces of one layout.
type placer struct {
	*measure
	strategy
	l      *rules.Layout
	w, h   int
	budget int
	lies   [rules.SetSize]lie
	stages [rules.SetSize]stage
}

// placers are kept for the next board. One takes 70 kB: a session's stack that had to hold it would stay as
// large until several collections have halved it.
var placers = sync.Pool{New: func() any { return new(placer) }}

func (p *placer) release() {
	p.l = nil
	placers.Put(p)
}

// run places all pieces, or reports that it could not. What earlier runs have left does not matter.
func (p *placer) run() bool {
	n := p.l.Len()
	if n == 0 {
		return true
	}
	lead := p.l.Piece(0)
	w, h := p.dims(east, lead.Double())
	p.lies[0] = lie{rect{0, 0, w, h}, east}
	s := &p.stages[0]
	s.n, s.box, s.x, s.y = 0, p.lies[0].rect, p.w/2-w/2, p.h/2-h/2
	p.addTips(s, 0, east, nil)
	if !p.settle(s, 0, roomy) {
		return false
	}
	if n > 1 {
		p.prepare(s, 1)
	}
	for i := 1; i < n; {
		s := &p.stages[i-1]
		if s.next == s.nCand && s.ease+1 < easeEnd {
			s.ease, s.next = s.ease+1, 0
		}
		if s.next == s.nCand {
			// The piece laid just before is seldom in the way: move the one that this piece is joined to.
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
		if !p.place(i, c, s.ease) {
			continue
		}
		if i++; i < n {
			p.prepare(&p.stages[i-1], i)
		}
	}
	return true
}

// inside reports whether a box fits into the room at stage s; the whole picture may move if the lead may.
func (p *placer) inside(s *stage, box rect) bool {
	if !p.pinned {
		return box.w <= p.w && box.h <= p.h
	}
	x, y := box.x+s.x, box.y+s.y
	return x >= 0 && x+box.w <= p.w && y >= 0 && y+box.h <= p.h
}

// edgeOf returns the edge of piece a that piece q covers.
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
			s.nCand = p.candidates(s, t, q.Double(), &s.cand)
			break
		}
	}
	s.next, s.ease = 0, roomy
}

// candidates lists the places at a tip, best first, and returns their number.
func (p *placer) candidates(s *stage, t *tip, double bool, out *[maxCand]lie) int {
	n := 0
	on := p.lies[t.at]
	add := func(l lie) { out[n] = l; n++ }
	turn := func(d dir) {
		if t.ends && !double {
			add(p.straight(on, d, false))
		}
		beside := t.corner && (p.strategy.beside || t.snake && !t.out.level())
		if beside {
			add(p.measure.beside(on, t.out, d, double))
		}
		if !double {
			add(p.bend(on, t.out, d))
		}
		if t.corner && !beside {
			add(p.measure.beside(on, t.out, d, double))
		}
	}
	straight := p.straight(on, t.out, double)
	first, second := t.level, t.level.back() // where it turns
	across, along := p.flat-p.lap, p.tall-p.lap
	if t.out.level() {
		first, second = t.upDown, t.upDown.back()
		across, along = p.thin-p.lap, p.long-p.lap
	} else if t.snake {
		first, second = second, first
	}
	fits := func(more int) bool { return p.inside(s, s.box.with(straight.longer(t.out, more))) }
	branch := !t.corner && !t.ends && !t.out.level() // above or below a spinner
	ahead := double || branch && fits(0) || fits(across) && !(t.ends && !fits(across+along))
	if ahead && !double && !t.out.level() && (t.snake || p.tight) {
		ahead = false
	}
	if ahead {
		add(straight)
	}
	turn(first)
	if !ahead && t.snake && !t.out.level() {
		add(straight)
		ahead = true
	}
	turn(second)
	if !ahead {
		add(straight)
	}
	return n
}

// place puts piece i at c, if that leaves all ends what they need.
func (p *placer) place(i int, c lie, e ease) bool {
	if !p.upright(i, c.dir) {
		return false
	}
	s, old := &p.stages[i], &p.stages[i-1]
	s.box, s.x, s.y = old.box.with(c.rect), old.x, old.y
	if !p.inside(s, s.box) || !p.free(c.rect, int(old.tips[old.taken].at), 0, i-1) {
		return false
	}
	p.lies[i] = c
	s.n = copy(s.tips[:], old.tips[:old.taken])
	s.n += copy(s.tips[s.n:], old.tips[old.taken+1:old.n])
	p.addTips(s, i, c.dir, &old.tips[old.taken])
	if !p.settle(s, i, e) {
		return false
	}
	if s.all.x+s.x < 0 || s.all.x+s.all.w+s.x > p.w {
		s.x = (p.w-s.all.w)/2 - s.all.x
	}
	if s.all.y+s.y < 0 || s.all.y+s.all.h+s.y > p.h {
		s.y = (p.h-s.all.h)/2 - s.all.y
	}
	return true
}

// free reports whether a tile at r, joined to piece on, is clear of the other pieces from first to last.
func (p *placer) free(r rect, on, first, last int) bool {
	at := p.l.Piece(on).At
	for k := first; k <= last; k++ {
		if k != on && !r.clear(p.lies[k].rect, int(at) == k || int(p.l.Piece(k).At) == on, p.lap) {
			return false
		}
	}
	return true
}

// upright reports whether piece i may lie along d. The spinner stands upright, so that each arm leaves it in
// the direction of its name: L to the left, U upwards.
func (p *placer) upright(i int, d dir) bool {
	switch q := p.l.Piece(i); {
	case !q.Spinner || !p.firstDouble(i):
		return true
	case q.Arm == rules.ArmL:
		return d == west
	}
	return d == east
}

// addTips adds the tips of piece i, which is joined to from.
func (p *placer) addTips(s *stage, i int, d dir, from *tip) {
	q := p.l.Piece(i)
	add := func(t tip) { t.at = int8(i); s.tips[s.n] = t; s.n++ }
	plain := tip{corner: !q.Double(), ends: q.Double() && !q.Spinner, name: 1}
	if from == nil {
		t := plain
		t.edge, t.out, t.first, t.level, t.upDown, t.snake = rules.EdgeNear, west, west, west, p.line[0], true
		add(t)
		t.edge, t.out, t.first, t.level, t.upDown = rules.EdgeFar, east, east, east, p.line[1]
		add(t)
	} else {
		t := plain
		t.edge, t.out, t.first, t.snake, t.level, t.upDown, t.name = rules.EdgeFar, d, from.first, from.snake, from.level, from.upDown, from.name
		if d.level() {
			t.level, t.snake = d, true
		} else {
			t.upDown = d
		}
		add(t)
	}
	if q.Spinner {
		name := 1
		if i > 0 && !p.firstDouble(i) {
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
		up.first, down.first = up.out, down.out
		add(up)
		add(down)
	}
}

// firstDouble reports whether piece i is the first double.
func (p *placer) firstDouble(i int) bool {
	for k := range i {
		if q := p.l.Piece(k); q.Double() {
			return false
		}
	}
	return true
}

// settle finds a label for every tip, and checks for room there.
func (p *placer) settle(s *stage, last int, e ease) bool {
	s.all = s.box
	for k := range s.tips[:s.n] {
		if !p.labelTip(s, k, last, p.figures(s.tips[k].at)) && (e < silent || !p.labelTip(s, k, last, 0)) {
			return false
		}
	}
	if e > spare {
		return true
	}
	for k := range s.tips[:s.n] {
		if t := &s.tips[k]; !p.hasRoom(s, t, last, false) || e == roomy && !p.hasRoom(s, t, last, true) {
			return false
		}
	}
	return true
}

// labelTip finds a place for the label of tip k: beyond it, beside its outer half, or near a double's corner.
func (p *placer) labelTip(s *stage, k, last, figures int) bool {
	t := &s.tips[k]
	on := p.lies[t.at]
	x, y := on.midX(), on.midY()
	w := t.name + figures
	if t.out != t.first {
		w++
	}
	try := func(d dir, x, y int) bool { return p.tryLabel(s, k, last, d, x, y, w) }
	if try(t.out, x, y) {
		return true
	}
	if !t.corner {
		// Along the edge of a double, towards its corners; or at its ends.
		if t.out.level() && (try(t.out, x, on.y) || try(t.out, x, on.y+on.h-1)) ||
			!t.out.level() && (try(t.out, on.x, y) || try(t.out, on.x+on.w-1, y)) {
			return true
		}
		return t.ends && (try(t.level, x, y) || try(t.level.back(), x, y))
	}
	x, y = p.outer(on, t.out)
	return try(t.out.left(), x, y) || try(t.out.right(), x, y)
}

func (p *placer) tryLabel(s *stage, k, last int, d dir, x, y, w int) bool {
	t := &s.tips[k]
	if d.level() {
		w++ // a blank between tile and label
	}
	r := p.lies[t.at].beyond(d, x, y, w, 1, 0)
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
		if r.meets(s.tips[i].label.rect, 1) {
			return false
		}
	}
	t.label, s.all = label{rect: r, side: d, out: t.out, bent: t.out != t.first}, all
	return true
}

// hasRoom reports whether a tile or a double could be joined at t.
func (p *placer) hasRoom(s *stage, t *tip, last int, double bool) bool {
	known := &t.spare[0]
	if double {
		known = &t.spare[1]
	}
	fits := func(r rect, from int) bool {
		return p.inside(s, s.box.with(r)) && p.free(r, int(t.at), from, last)
	}
	if known.w > 0 && fits(*known, last) {
		return true
	}
	var cand [maxCand]lie
	for _, c := range cand[:p.candidates(s, t, double, &cand)] {
		if fits(c.rect, 0) {
			*known = c.rect
			return true
		}
	}
	return false
}
