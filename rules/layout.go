package rules

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Arm names a chain of tiles that grows from one end: L and R are the two directions of the line, U and D grow from
// the first double; with spinner=all the double laid as the seventh tile of the round opens 7U and 7D.
type Arm uint8

// The four arms that every layout may have. A branch is twice the ordinal of its double, plus one for D.
const (
	ArmL Arm = iota
	ArmR
	ArmU
	ArmD
	// NoArm is the arm of a lead.
	NoArm Arm = 255
)

// ErrArm is returned when a text is not an arm.
var ErrArm = errors.New("not an arm")

// Up reports whether the arm is U or a branch such as 7U.
func (a Arm) Up() bool { return a >= 2 && a != NoArm && a%2 == 0 }

// Down reports whether the arm is D or a branch such as 7D.
func (a Arm) Down() bool { return a >= 2 && a != NoArm && a%2 == 1 }

// String returns the arm as records write it.
func (a Arm) String() string {
	switch {
	case a == NoArm:
		return ""
	case a < 4:
		return "LRUD"[a : a+1]
	}
	return strconv.Itoa(int(a)/2) + "UD"[a%2:a%2+1]
}

// ParseArm parses L, R, U, D, or a branch such as 7U. The error wraps [ErrArm].
func ParseArm(s string) (Arm, error) {
	switch s {
	case "L":
		return ArmL, nil
	case "R":
		return ArmR, nil
	case "U":
		return ArmU, nil
	case "D":
		return ArmD, nil
	}
	if n := len(s); (n == 2 || n == 3) && s[0] >= '1' && s[0] <= '9' && (s[n-1] == 'U' || s[n-1] == 'D') {
		if k, err := strconv.Atoi(s[:n-1]); err == nil && k >= 2 && k <= SetSize {
			if s[n-1] == 'U' {
				return Arm(2 * k), nil
			}
			return Arm(2*k + 1), nil
		}
	}
	return NoArm, fmt.Errorf("%q: %w", clip(s), ErrArm)
}

// Edge is one of the four edges of a tile on the table, seen along its arm.
type Edge uint8

// The edges of a piece, as bits. For the lead, EdgeNear is the edge at L, EdgeFar that at R.
const (
	EdgeNear Edge = 1 << iota // towards the piece it was joined to
	EdgeFar                   // where its arm continues
	EdgeUp                    // where U grows from a spinner
	EdgeDown                  // where D grows from a spinner

	bothSides = EdgeNear | EdgeFar
)

// Piece is a tile on the table.
type Piece struct {
	Tile    Tile
	Arm     Arm  // the arm on which it lies; NoArm for the lead
	Inner   Pip  // the half that touches the piece it is joined to; for the lead, the half at L
	Outer   Pip  // the other half; for the lead, the half at R
	At      int8 // the index of the piece it is joined to, -1 for the lead
	Covered Edge // the edges that something is joined to
	Spinner bool // it can be joined on four edges
}

// Double reports whether both halves are equal.
func (p *Piece) Double() bool { return p.Inner == p.Outer }

// Worth returns how many halves of the piece count now, and their points (docs/rules.md, "The count").
func (p *Piece) Worth(rule CountRule) (halves int, pts Points) {
	pip := Points(p.Outer)
	switch {
	case p.Spinner:
		sides := p.Covered&bothSides == bothSides
		k := bits.OnesCount8(uint8(p.Covered))
		switch {
		case rule == CountFlank && sides, k == 4:
			return 0, 0
		case rule == CountSniff && k == 3:
			return 1, pip
		}
		return 2, 2 * pip
	case p.Double():
		if p.Covered&bothSides == bothSides {
			return 0, 0
		}
		return 2, 2 * pip
	}
	if p.Covered&EdgeFar == 0 {
		halves, pts = 1, pip
	}
	if p.Covered&EdgeNear == 0 { // the lead, nothing joined at L
		halves, pts = halves+1, pts+Points(p.Inner)
	}
	return halves, pts
}

// End is a place where a tile may be joined.
type End struct {
	Arm  Arm
	Pip  Pip  // the open value: a tile must have it to be joined here
	At   int8 // the index of the piece that a tile is joined to
	Edge Edge // the edge of that piece
}

const maxEnds = 16 // two of the line, and two of each of seven doubles

// Layout is the tiles on the table, in the order in which they were laid. It is a value; zero is empty.
type Layout struct {
	n      uint8
	nEnds  uint8
	double bool // a double has been laid
	first  int8 // the index of the first double, if there is one
	count  int16
	fits   Hand
	pieces [SetSize]Piece
	ends   [maxEnds]End
}

// Len is the number of tiles on the table.
func (l *Layout) Len() int { return int(l.n) }

// Piece returns piece i, from 0, in the order of play.
func (l *Layout) Piece(i int) Piece { return l.pieces[i] }

// Tiles is the set of all tiles on the table.
func (l *Layout) Tiles() Hand {
	var h Hand
	for i := range l.pieces[:l.n] {
		h = h.With(l.pieces[i].Tile)
	}
	return h
}

// EndCount is the number of open ends.
func (l *Layout) EndCount() int { return int(l.nEnds) }

// End returns open end i; ends are ordered L, R, U, D, then branches by their ordinal.
func (l *Layout) End(i int) End { return l.ends[i] }

// EndOf returns the open end of an arm.
func (l *Layout) EndOf(a Arm) (End, bool) {
	for _, e := range l.ends[:l.nEnds] {
		if e.Arm == a {
			return e, true
		}
	}
	return End{}, false
}

// Fits is the set of all tiles that can be joined to some end. For an empty layout it is the full set.
func (l *Layout) Fits() Hand {
	if l.n == 0 {
		return FullSet
	}
	return l.fits
}

// Count is the open-end total, 0 for an empty layout.
func (l *Layout) Count() Points { return Points(l.count) }

// Term is one summand of the count: what one piece contributes.
type Term struct {
	Piece  int    // index of the piece
	Pip    Pip    // the pips of each half that counts; for a lone lead that is not a double, see Other
	Halves int    // how many halves count
	Other  Pip    // the second half if it differs: only for a lone lead that is not a double
	Points Points // what it adds to the count
}

// String returns the term as in a receipt: "10" for both halves of the 5-5, "4" for one, "6 + 4" for a lone
// lead.
func (t Term) String() string {
	if t.Halves == 2 && t.Pip != t.Other {
		return strconv.Itoa(int(t.Pip)) + " + " + strconv.Itoa(int(t.Other))
	}
	return strconv.Itoa(int(t.Points))
}

// Sum returns a count term by term with plus in between, a double as its sum: "10 + 4 + 3 = 17" or "10".
func Sum(terms []Term, count Points, plus string) string {
	parts := make([]string, len(terms))
	for i, t := range terms {
		parts[i] = strings.ReplaceAll(t.String(), " + ", plus)
	}
	sum, total := strings.Join(parts, plus), strconv.Itoa(int(count))
	if sum == total || sum == "" {
		return total
	}
	return sum + " = " + total
}

// Terms explains the count: one term for each piece with a half that counts, blanks included, in the order of
// the open ends: left, right, up, down, then branches. A spinner that still counts further in appears at its
// first open end. The points of the terms sum to [Layout.Count].
func (l *Layout) Terms(rule CountRule) []Term {
	terms := make([]Term, 0, 4)
	var reported [SetSize]bool
	for _, e := range l.ends[:l.nEnds] {
		p := &l.pieces[e.At]
		halves, pts := p.Worth(rule)
		if reported[e.At] || halves == 0 {
			continue
		}
		reported[e.At] = true
		t := Term{Piece: int(e.At), Pip: p.Outer, Other: p.Outer, Halves: halves, Points: pts}
		if p.At < 0 && p.Covered&EdgeNear == 0 {
			t.Pip = p.Inner // the lead's half at L is open too
		}
		terms = append(terms, t)
	}
	return terms
}

// layDouble makes the double just laid, with index at, a spinner if the rules say so.
func (l *Layout) layDouble(r *Ruleset, at int8) {
	spins := r.Spinner == SpinnerAll || r.Spinner == SpinnerFirst && !l.double
	if !l.double {
		l.double, l.first = true, at
	}
	l.pieces[at].Spinner = spins
	if spins && r.Order == OrderAny {
		l.branch(at)
	}
}

// lay lays a tile, as the lead with a at L and b at R, else on an arm. It reports whether the tile fits there.
func (l *Layout) lay(r *Ruleset, t Tile, arm Arm, a, b Pip) bool {
	if l.n == 0 {
		l.lead(r, a, b)
		return true
	}
	i := slices.IndexFunc(l.ends[:l.nEnds], func(e End) bool { return e.Arm == arm && t.Has(e.Pip) })
	if i >= 0 {
		l.join(r, t, i)
	}
	return i >= 0
}

// lead lays the first tile, with a at L and b at R.
func (l *Layout) lead(r *Ruleset, a, b Pip) {
	p := &l.pieces[0]
	*p = Piece{Tile: tileOf[a][b], Arm: NoArm, Inner: a, Outer: b, At: -1}
	l.n = 1
	l.open(ArmL, a, 0, EdgeNear)
	l.open(ArmR, b, 0, EdgeFar)
	if a == b {
		l.layDouble(r, 0)
	}
	_, pts := p.Worth(r.Count)
	l.count = int16(pts)
	l.refit()
}

// join lays t at the open end with index i; t must have the end's pip.
func (l *Layout) join(r *Ruleset, t Tile, i int) {
	e := l.ends[i]
	old := &l.pieces[e.At]
	_, before := old.Worth(r.Count)
	old.Covered |= e.Edge
	_, after := old.Worth(r.Count)

	at := l.n
	p := &l.pieces[at]
	*p = Piece{Tile: t, Arm: e.Arm, Inner: e.Pip, Outer: t.Other(e.Pip), At: e.At, Covered: EdgeNear}
	l.n++
	l.ends[i].Pip, l.ends[i].At, l.ends[i].Edge = p.Outer, int8(at), EdgeFar
	if p.Double() {
		l.layDouble(r, int8(at))
	}
	if old.Spinner && r.Order == OrderSides && e.Edge&bothSides != 0 && old.Covered&bothSides == bothSides {
		l.branch(e.At)
	}
	_, own := p.Worth(r.Count)
	l.count += int16(after - before + own)
	l.refit()
}

// branch opens the two ends of the spinner with index at. The first double has U and D whenever it is laid; a
// later one is named by its ordinal.
func (l *Layout) branch(at int8) {
	up, down := Arm(2*(at+1)), Arm(2*(at+1)+1)
	if at == l.first {
		up, down = ArmU, ArmD
	}
	pip := l.pieces[at].Outer
	l.open(up, pip, at, EdgeUp)
	l.open(down, pip, at, EdgeDown)
}

// open adds an end, keeping the ends in order.
func (l *Layout) open(a Arm, p Pip, at int8, edge Edge) {
	i := l.nEnds
	for ; i > 0 && l.ends[i-1].Arm > a; i-- {
		l.ends[i] = l.ends[i-1]
	}
	l.ends[i] = End{Arm: a, Pip: p, At: at, Edge: edge}
	l.nEnds++
}

func (l *Layout) refit() {
	var fits Hand
	for _, e := range l.ends[:l.nEnds] {
		fits |= withPip[e.Pip]
	}
	l.fits = fits
}
