package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// lay lays tiles one after the other, written as in a record: the lead "5-5" first, then plays such as "5-0
// R", without turns and hands. It returns the layout and the rules.
func lay(tb testing.TB, rule string, plays ...string) (*Layout, *Ruleset) {
	tb.Helper()
	r, err := Parse(rule)
	require.NoError(tb, err)
	l := new(Layout)
	for _, p := range plays {
		tile, arm, joined := strings.Cut(p, " ")
		t, a, b, err := ParseTile(tile)
		require.NoError(tb, err)
		if !joined {
			l.lead(&r, a, b)
			continue
		}
		on, err := ParseArm(arm)
		require.NoError(tb, err)
		i := endIndex(l, on)
		if i < 0 || !t.Has(l.ends[i].Pip) {
			tb.Fatalf("%s cannot be laid on\n%s", p, picture(tb, l))
		}
		l.join(&r, t, i)
	}
	return l, &r
}

func endIndex(l *Layout, a Arm) int {
	for i := range l.EndCount() {
		if l.End(i).Arm == a {
			return i
		}
	}
	return -1
}

// picture draws a layout: the line from left (L) to right (R), the arms of the spinner up (U) and down (D). A tile along
// a row reads 5-0, and down a column it has its halves one above the other. Doubles lie crosswise: <5> is a spinner, [2] a
// double that is none. A branch of a double that lies in a column goes left (U) and right (D).
//
//	         4
//	         5
//	[3] 3-5 <5> 5-0 0-2 [2] 2-5
func picture(tb testing.TB, l *Layout) string {
	tb.Helper()
	d := drawing{tb: tb, l: l, cells: map[point]byte{}}
	if l.Len() == 0 {
		return ""
	}
	d.piece(0, point{}, point{1, 0})
	return d.String()
}

type point struct{ x, y int }

func (p point) plus(q point, times int) point { return point{p.x + times*q.x, p.y + times*q.y} }

type drawing struct {
	tb    testing.TB
	l     *Layout
	cells map[point]byte
}

// piece draws piece i and all that grows from it. at is the middle of the piece's first half; on is the way its arm grows.
func (d *drawing) piece(i int, at, on point) {
	p := d.l.Piece(i)
	near, far := at, at // where the edges are
	switch {
	case p.Double():
		brackets := "[]"
		if p.Spinner {
			brackets = "<>"
		}
		d.put(at, '0'+byte(p.Outer))
		d.put(at.plus(point{-1, 0}, 1), brackets[0])
		d.put(at.plus(point{1, 0}, 1), brackets[1])
		if on.x != 0 {
			near, far = at.plus(on, -1), at.plus(on, 1)
		}
	case on.x != 0:
		far = at.plus(on, 2)
		d.put(at, '0'+byte(p.Inner))
		d.put(at.plus(on, 1), '-')
		d.put(far, '0'+byte(p.Outer))
	default:
		far = at.plus(on, 1)
		d.put(at, '0'+byte(p.Inner))
		d.put(far, '0'+byte(p.Outer))
	}
	across := point{0, -1} // the way U grows
	if on.y != 0 {
		across = point{-1, 0}
	}
	for j := i + 1; j < d.l.Len(); j++ {
		c := d.l.Piece(j)
		if int(c.At) != i {
			continue
		}
		switch {
		case i > 0 && c.Arm == p.Arm, i == 0 && c.Arm == ArmR:
			d.next(j, far, on)
		case i == 0 && c.Arm == ArmL:
			d.next(j, near, point{-on.x, -on.y})
		case c.Arm.Up():
			d.next(j, d.side(at, across), across)
		default:
			down := point{-across.x, -across.y}
			d.next(j, d.side(at, down), down)
		}
	}
}

// side is the edge of a double towards the branch: its bracket, if the branch grows along the row.
func (d *drawing) side(at, on point) point { return at.plus(point{on.x, 0}, 1) }

// next draws the piece that is joined to an edge: with a blank between along a row, directly above or below in a column.
func (d *drawing) next(j int, edge, on point) {
	c := d.l.Piece(j)
	switch gap := 2; {
	case on.y != 0:
		d.piece(j, edge.plus(on, 1), on)
	case c.Double():
		d.piece(j, edge.plus(on, gap+1), on)
	default:
		d.piece(j, edge.plus(on, gap), on)
	}
}

func (d *drawing) put(at point, c byte) {
	d.tb.Helper()
	if d.cells[at] != 0 {
		d.tb.Fatalf("two pieces lie at %v; choose a layout that can be drawn\n%s", at, d)
	}
	d.cells[at] = c
}

func (d *drawing) String() string {
	var from, to point
	for p := range d.cells {
		from = point{min(from.x, p.x), min(from.y, p.y)}
		to = point{max(to.x, p.x), max(to.y, p.y)}
	}
	var rows []string
	for y := from.y; y <= to.y; y++ {
		row := make([]byte, 0, to.x-from.x+1)
		for x := from.x; x <= to.x; x++ {
			c := d.cells[point{x, y}]
			if c == 0 {
				c = ' '
			}
			row = append(row, c)
		}
		rows = append(rows, strings.TrimRight(string(row), " "))
	}
	return strings.Join(rows, "\n")
}

// undent removes the blank first and last line and the common indentation of a drawn picture.
func undent(s string) string {
	lines := strings.Split(s, "\n")
	var kept []string
	shared := -1
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		line = strings.ReplaceAll(strings.TrimRight(line, " \t"), "\t", "")
		blanks := len(line) - len(strings.TrimLeft(line, " "))
		if shared < 0 || blanks < shared {
			shared = blanks
		}
		kept = append(kept, line)
	}
	for i := range kept {
		kept[i] = kept[i][shared:]
	}
	return strings.Join(kept, "\n")
}

// layoutCase is a layout: its plays, its picture, and its count term by term.
type layoutCase struct {
	name    string
	rule    string
	plays   string // parted by commas
	picture string
	receipt string
	ends    string // the open ends, arm and value
}

func checkLayouts(t *testing.T, cases []layoutCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			l, r := lay(t, c.rule, strings.Split(c.plays, ", ")...)
			if got, want := picture(t, l), undent(c.picture); got != want {
				t.Errorf("the layout is\n%s\nwant\n%s", got, want)
			}
			if got := receipt(r, l); got != c.receipt {
				t.Errorf("it counts %q, want %q", got, c.receipt)
			}
			if got := endText(l); got != c.ends {
				t.Errorf("open are %q, want %q", got, c.ends)
			}
			if got := l.recount(r.Count); got != l.Count() {
				t.Errorf("the count kept along is %d, from scratch it is %d", l.Count(), got)
			}
		})
	}
}

// endText lists the open ends: "L3 R5 U4 D5".
func endText(l *Layout) string {
	var ends []string
	for i := range l.EndCount() {
		e := l.End(i)
		ends = append(ends, fmt.Sprintf("%v%d", e.Arm, e.Pip))
	}
	return strings.Join(ends, " ")
}
