package screen

import (
	"strconv"
	"strings"
	"unicode"
)

// Sequences that the screen sends. Terminals that do not know them ignore them.
const (
	syncBegin  = "\x1b[?2026h"
	syncEnd    = "\x1b[?2026l"
	hideCursor = "\x1b[?25l"
	showCursor = "\x1b[?25h"
	eraseLine  = "\x1b[K" // from the cursor to the end of the line
	nextLine   = "\x1bE"  // to the start of the next line
	wipe       = "\x1b[?25l\x1b[m\x1b[H\x1b[2J"
)

// maxPlain is how many bytes a terminal surely gets in one piece: they come in one packet, and it reads more
// at a time. So a shorter patch, such as an ordinary move's, has no brackets of a synchronized update, which
// would be a sixth of it.
const maxPlain = 256

// scratch is memory for making a patch.
type scratch struct {
	buf      []byte
	old, new []cell
}

// Patch returns the bytes that turn a terminal showing prev, or an unknown one if prev is nil, into one with
// next.
func Patch(prev, next *Frame) []byte { return appendPatch(nil, prev, next, new(scratch)) }

// appendPatch appends the bytes that turn a terminal showing prev into one showing next. If prev is nil, or
// has another size, it paints everything; if both look the same, it appends nothing. Before and after a patch
// the terminal writes in its own style.
func appendPatch(dst []byte, prev, next *Frame, sc *scratch) []byte {
	empty := len(dst)
	dst = append(dst, syncBegin...)
	begun := len(dst)

	p := painter{dst: dst, at: at{x: -1, y: -1}}
	whole := prev == nil || prev.Width != next.Width || prev.Height != next.Height
	var before Cursor
	if whole {
		p.dst = append(p.dst, wipe...)
		p.x, p.y = 0, 0
	} else {
		before = prev.Cursor
	}
	if before.Visible && !next.Cursor.Visible {
		p.dst = append(p.dst, hideCursor...)
	}
	if title := next.Title; prev == nil && title != "" || prev != nil && title != prev.Title {
		p.dst = appendTitle(p.dst, title)
	}
	for y := range next.Height {
		was, is := "", next.line(y)
		if !whole {
			was = prev.line(y)
		}
		if was == is {
			continue
		}
		c := change{was, is, next.Width, y, p.at}
		if next.Alike {
			p.repeat(c, sc)
		} else {
			p.change(c, sc)
		}
	}
	p.setStyle("")
	if c := next.Cursor; c.Visible && (c != before || len(p.dst) > begun) {
		p.moveTo(c.X, c.Y)
		if !before.Visible {
			p.dst = append(p.dst, showCursor...)
		}
	}
	if !whole && len(p.dst)-begun <= maxPlain {
		return append(p.dst[:empty], p.dst[begun:]...)
	}
	return append(p.dst, syncEnd...)
}

// fill pads a row with blanks to width.
func fill(row []cell, width int) []cell {
	for len(row) < width {
		row = append(row, blank)
	}
	return row
}

// appendTitle appends the sequence that sets the title of the terminal's window.
func appendTitle(dst []byte, title string) []byte {
	title = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, title)
	const longest = 100 // in bytes
	if len(title) > longest {
		title = strings.ToValidUTF8(title[:longest], "")
	}
	dst = append(dst, "\x1b]2;"...)
	dst = append(dst, title...)
	return append(dst, '\a')
}

// painter writes cells and tracks the terminal's state.
type painter struct {
	dst []byte
	at
}

// at is the terminal's state.
type at struct {
	style style
	x, y  int // the terminal's cursor; negative if unknown
}

// change is the change of a row, and the terminal's state before it.
type change struct {
	was, is  string
	width, y int
	at       at
}

// changes are the changes of rows that many screens show. The lobby's screens differ by a name or a cursor,
// but a row that changes does so on all of them.
var changes = NewCache[change, changed](512)

type changed struct {
	bytes []byte
	at    at
}

// repeat makes a change that another screen may have made before.
func (p *painter) repeat(c change, sc *scratch) {
	did := changes.Get(c, func() changed {
		p := painter{at: c.at}
		p.change(c, sc)
		return changed{p.dst, p.at}
	})
	p.dst, p.at = append(p.dst, did.bytes...), did.at
}

func (p *painter) change(c change, sc *scratch) {
	sc.old = fill(parseLine(sc.old[:0], c.was, c.width), c.width)
	sc.new = fill(parseLine(sc.new[:0], c.is, c.width), c.width)
	p.row(c.y, sc.old, sc.new)
}

// maxGap is how many unchanged bytes are sent again rather than jumped over, since a jump takes about as
// many.
const maxGap = 4

// row turns a row that shows old into one that shows new; both must have a cell for each column.
func (p *painter) row(y int, old, new []cell) {
	last := len(new) // the columns from last on are blank
	for last > 0 && new[last-1].isBlank() {
		last--
	}
	for x := 0; x < len(new); {
		switch {
		case new[x] == old[x] || new[x].looksLike(&old[x]):
			x++
		case x < last:
			end, unsure := runEnd(old[:last], new[:last], x)
			p.cells(x, y, new[x:end])
			x = end
			if unsure && last < len(new) {
				p.eraseFrom(last, y)
			}
		default:
			p.eraseFrom(x, y)
			return
		}
	}
}

// runEnd returns the column after the run of cells to write that starts at column x, which differs. If
// terminals disagree about the width of a character in it, that may have overrun the rest of the row, which
// is then in the run.
func runEnd(old, new []cell, x int) (end int, unsure bool) {
	gap := 0
	for i := x; i < len(new) && gap <= maxGap; i++ {
		c := &new[i]
		switch {
		case !c.looksLike(&old[i]):
			if c.unsure {
				return len(new), true
			}
			end, gap = i+1, 0
		case c.unsure || c.style != new[i-1].style:
			return end, false
		default:
			gap += len(c.text)
		}
	}
	return end, false
}

// cells writes cells from column x of row y on.
func (p *painter) cells(x, y int, row []cell) {
	const minErased = 5 // the most blanks that take no more bytes than the sequence that erases them
	for i := 0; i < len(row); i++ {
		c := &row[i]
		if c.width == 0 {
			continue
		}
		if n := blanks(row[i:]); n > minErased && (i+n == len(row) || n > minErased+maxGap) {
			p.moveTo(x+i, y)
			p.erase(n)
			i += n - 1
			continue
		}
		p.moveTo(x+i, y)
		if c.text != " " || c.style != p.style && c.style.onBlank() != p.style.onBlank() {
			p.setStyle(c.style)
		}
		if c.unsure {
			// The terminal may draw less than the width: blank it first.
			p.dst = append(p.dst, "  "[:c.width]...)
			p.x = -1
			p.moveTo(x+i, y)
		}
		p.dst = append(p.dst, c.text...)
		p.x += int(c.width)
		if c.unsure {
			p.x = -1
		}
	}
}

// blanks returns the number of blank cells at the start of a row.
func blanks(row []cell) (n int) {
	for n < len(row) && row[n].isBlank() {
		n++
	}
	return n
}

// erase blanks the next n columns; the cursor stays.
func (p *painter) erase(n int) {
	p.setStyle("") // some terminals erase to the background of the style
	p.dst = append(p.dst, "\x1b["...)
	p.dst = strconv.AppendInt(p.dst, int64(n), 10)
	p.dst = append(p.dst, 'X')
}

// eraseFrom blanks a row from column x on.
func (p *painter) eraseFrom(x, y int) {
	p.moveTo(x, y)
	p.setStyle("")
	p.dst = append(p.dst, eraseLine...)
}

func (p *painter) setStyle(s style) {
	p.dst = p.style.appendSGR(p.dst, s)
	p.style = s
}

// moveTo moves the terminal's cursor. It counts columns from the edge, not from the cursor, so that a
// character wider than expected displaces nothing after it.
func (p *painter) moveTo(x, y int) {
	switch {
	case x == p.x && y == p.y:
		return
	case y == p.y && x == 0:
		p.dst = append(p.dst, '\r')
	case y == p.y+1 && y > 0 && x == 0:
		p.dst = append(p.dst, nextLine...)
	case y == p.y || y == p.y+1 && y > 0: // a line feed may move the cursor to the first column, but the column follows anyway
		if y > p.y {
			p.dst = append(p.dst, '\n')
		}
		p.dst = append(p.dst, "\x1b["...)
		p.dst = strconv.AppendInt(p.dst, int64(x+1), 10)
		p.dst = append(p.dst, 'G')
	default:
		p.dst = append(p.dst, "\x1b["...)
		if x > 0 || y > 0 {
			p.dst = strconv.AppendInt(p.dst, int64(y+1), 10)
		}
		if x > 0 {
			p.dst = append(p.dst, ';')
			p.dst = strconv.AppendInt(p.dst, int64(x+1), 10)
		}
		p.dst = append(p.dst, 'H')
	}
	p.x, p.y = x, y
}
