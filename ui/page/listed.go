package page

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// Sheet is a page's body: lines above, rows that scroll, lines that follow right after them, and lines at the
// foot.
type Sheet struct {
	Above []string
	Rows  Rows // nil if nothing scrolls
	After []string
	Below []string
}

// Rows are what scrolls on a page: a [List], whose rows can be chosen, or [Text].
type Rows interface {
	fit(rows int)               // sets how many rows are visible
	lines(rows int) []string    // draws rows lines, and changes nothing
	move(pressed string)        // handles a key of KeyMove
	click(row int) (again bool) // chooses a visible row; again: it was chosen already
	At() int                    // the chosen row, of a text the first visible one
	choose(row int) bool        // chooses a row; false if there is none
}

// Listed is a page that is a [Sheet], which also determines where a click lands and how far a key moves. A
// page embeds it, and sets Sheet in New.
type Listed struct {
	Size
	Sheet func() Sheet
	Moved bool // the reader has moved or clicked; until then a page may choose the reader's own row
}

// room returns how many rows of the sheet scroll.
func (l *Listed) room(s *Sheet) int { return max(l.Height-len(s.Above)-len(s.After)-len(s.Below), 1) }

// Fit keeps what is chosen visible. It is called when the lines above or below change.
func (l *Listed) Fit() (s Sheet) {
	if s = l.Sheet(); s.Rows != nil {
		s.Rows.fit(l.room(&s))
	}
	return s
}

func (l *Listed) Resize(w, h int) {
	l.Size.Resize(w, h)
	l.Fit()
}

func (l *Listed) Lines() []string {
	s := l.Sheet()
	lines := slices.Clip(s.Above)
	if s.Rows != nil {
		lines = append(lines, s.Rows.lines(l.room(&s))...)
	}
	return append(Fill(append(lines, s.After...), l.Height-len(s.Below)), s.Below...)
}

// Move handles a key of [KeyMove] or [KeyScroll].
func (l *Listed) Move(pressed string) tea.Cmd {
	if s := l.Fit(); s.Rows != nil {
		s.Rows.move(pressed)
		l.Moved = true
	}
	return nil
}

// Row returns which row is chosen, or of a text the first visible one.
func (l *Listed) Row() int {
	if s := l.Sheet(); s.Rows != nil {
		return s.Rows.At()
	}
	return 0
}

// Choose chooses a row, and reports whether there is one.
func (l *Listed) Choose(row int) bool {
	s := l.Fit()
	if s.Rows == nil || !s.Rows.choose(row) {
		return false
	}
	l.Moved = true
	return true
}

// Scrolls reports whether some lines of the page's text are not visible.
func (l *Listed) Scrolls() bool {
	s := l.Sheet()
	text, ok := s.Rows.(scrolled)
	return ok && len(text.all) > l.room(&s)
}

func (l *Listed) Point(_, y int) (again bool, cmd tea.Cmd) {
	s := l.Fit()
	l.Moved = true
	return s.Rows != nil && s.Rows.click(y-len(s.Above)), nil
}

// Text is the scroll position of lines.
type Text struct{ top, rows int }

// Top goes back to the beginning.
func (t *Text) Top() { t.top = 0 }

// From returns the index of the first visible line.
func (t *Text) From() int { return t.top }

// Of returns rows that draw lines at this position.
func (t *Text) Of(lines []string) Rows { return scrolled{t, lines} }

type scrolled struct {
	*Text
	all []string
}

func (s scrolled) from(rows int) int { return max(min(s.top, len(s.all)-rows), 0) }

func (s scrolled) fit(rows int) { s.rows, s.top = rows, s.from(rows) }

func (s scrolled) lines(rows int) []string {
	from := s.from(rows)
	return s.all[from:min(from+rows, len(s.all))]
}

func (s scrolled) move(pressed string) {
	c := Cursor{At: s.top}
	c.Move(pressed, max(len(s.all)-s.rows, 0)+1, s.rows)
	s.top = c.At
}

func (s scrolled) click(int) bool { return false }

func (s scrolled) At() int { return s.top }

func (s scrolled) choose(row int) bool {
	if row >= len(s.all) {
		return false
	}
	s.top = row
	s.fit(s.rows)
	return true
}
