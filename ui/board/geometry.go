package board

// Size is how large tiles are drawn.
type Size uint8

// The sizes, the largest last. The zero Size means no choice.
const (
	// Strip is a line of text for each arm, whose middle is left out if it is long.
	Strip Size = iota + 1
	// Small tiles are 5×1 lying and 3×3 standing.
	Small
	// Medium tiles are 9×3 lying and 5×5 standing.
	Medium
	// Large tiles are 17×5 lying and 9×9 standing, with room for pips as on real tiles.
	Large

	// compact tiles, 9×5 lying, have pips closer together. They are for hands only: lying ones look square.
	compact
)

// measure is a size in cells. All sides are odd, so that every edge has a middle.
type measure struct {
	long, flat   int // a lying tile: columns and rows
	thin, tall   int // a standing tile: columns and rows
	halfX, halfY int // from an end of a lying or standing tile to the middle of its half
	lap          int // the columns or rows that joined tiles share: their border
	spread       int // columns from the middle of a half to its outer pips, 0 if pips have no room
}

var measures = [...]measure{
	Small:   {long: 5, flat: 1, thin: 3, tall: 3, halfX: 1, halfY: 0},
	Medium:  {long: 9, flat: 3, thin: 5, tall: 5, halfX: 2, halfY: 1, lap: 1},
	Large:   {long: 17, flat: 5, thin: 9, tall: 9, halfX: 4, halfY: 2, lap: 1, spread: 2},
	compact: {long: 9, flat: 5, thin: 5, tall: 9, halfX: 2, halfY: 2, spread: 1},
}

// dims returns the columns and rows of a tile laid along d; a double lies across.
func (m *measure) dims(d dir, double bool) (w, h int) {
	if d.level() != double {
		return m.long, m.flat
	}
	return m.thin, m.tall
}

// dir is one of four directions, clockwise.
type dir uint8

const (
	east dir = iota
	south
	west
	north
)

func (d dir) right() dir  { return (d + 1) & 3 }
func (d dir) left() dir   { return (d + 3) & 3 }
func (d dir) back() dir   { return (d + 2) & 3 }
func (d dir) level() bool { return d&1 == 0 }

// rect is an area in cells, x to the right and y down.
type rect struct{ x, y, w, h int }

func (r rect) midX() int { return r.x + r.w/2 }
func (r rect) midY() int { return r.y + r.h/2 }

// meets reports whether two rects share a cell, or are closer than gap cells.
func (r rect) meets(o rect, gap int) bool {
	return r.x < o.x+o.w+gap && o.x < r.x+r.w+gap && r.y < o.y+o.h+gap && o.y < r.y+r.h+gap
}

func (r rect) has(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

// with returns the smallest rect around both.
func (r rect) with(o rect) rect {
	x, y := min(r.x, o.x), min(r.y, o.y)
	return rect{x, y, max(r.x+r.w, o.x+o.w) - x, max(r.y+r.h, o.y+o.h) - y}
}

// beyond returns a rect of w×h at r's edge in direction d, centred on x or y along that edge; it overlaps r
// by lap columns or rows.
func (r rect) beyond(d dir, x, y, w, h, lap int) rect {
	switch d {
	case east:
		return rect{r.x + r.w - lap, y - h/2, w, h}
	case west:
		return rect{r.x - w + lap, y - h/2, w, h}
	case north:
		return rect{x - w/2, r.y - h + lap, w, h}
	}
	return rect{x - w/2, r.y + r.h - lap, w, h}
}

// longer returns r with n more columns or rows in direction d.
func (r rect) longer(d dir, n int) rect {
	switch d {
	case east:
		r.w += n
	case west:
		r.x, r.w = r.x-n, r.w+n
	case north:
		r.y, r.h = r.y-n, r.h+n
	default:
		r.h += n
	}
	return r
}

// clear reports whether there is a blank between two tiles that are not joined. If both are joined to the
// same tile, their corners may be closer, as beside a spinner.
func (r rect) clear(o rect, near bool, lap int) bool {
	if !r.meets(o, 1) {
		return true
	}
	overX, overY := min(r.x+r.w, o.x+o.w)-max(r.x, o.x), min(r.y+r.h, o.y+o.h)-max(r.y, o.y)
	return near && (overX <= lap && overY <= 0 || overY <= lap && overX <= 0)
}

// lie is where a piece lies, and the direction in which its arm goes through it.
type lie struct {
	rect
	dir
}

// outer returns the middle of the half at the tip of a piece that is not a double.
func (m *measure) outer(p lie, out dir) (x, y int) {
	switch out {
	case east:
		return p.x + p.w - 1 - m.halfX, p.midY()
	case west:
		return p.x + m.halfX, p.midY()
	case south:
		return p.midX(), p.y + p.h - 1 - m.halfY
	}
	return p.midX(), p.y + m.halfY
}

// straight joins a tile straight on; at the end of a double that lies across, this turns the arm.
func (m *measure) straight(p lie, out dir, double bool) lie {
	w, h := m.dims(out, double)
	return lie{p.beyond(out, p.midX(), p.midY(), w, h, m.lap), out}
}

// bend joins a tile that is not a double by its inner half, and turns it to d.
func (m *measure) bend(p lie, out, d dir) lie {
	w, h := m.dims(d, false)
	r := p.beyond(out, p.midX(), p.midY(), w, h, m.lap)
	switch d {
	case east:
		r.x = p.midX() - m.halfX
	case west:
		r.x = p.midX() - (w - 1 - m.halfX)
	case south:
		r.y = p.midY() - m.halfY
	case north:
		r.y = p.midY() - (h - 1 - m.halfY)
	}
	return lie{r, d}
}

// beside joins a tile to a long side of the outer half.
func (m *measure) beside(p lie, out, d dir, double bool) lie {
	w, h := m.dims(d, double)
	x, y := m.outer(p, out)
	return lie{p.beyond(d, x, y, w, h, m.lap), d}
}
