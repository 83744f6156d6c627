package page

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// Sheet is a page's body: lines above what scrolls, what scrolls, the lines that follow it at once, and those
// at the foot of the page.
type Sheet struct {
	Above []string
	Rows  Rows // nil: nothing scrolls
	After []string
	Below []string
}

// Rows is what scrolls on a page: a [List], of which a row can be chosen, or [Text].
type Rows interface {
	fit(rows int)               // says how many rows are seen
	lines(rows int) []string    // draws as many, and changes nothing
	move(pressed string)        // does what a key of KeyMove does
	click(row int) (again bool) // chooses one of the rows that are seen; again: it was chosen already
}

// Listed is a page that is a [Sheet]. What draws it says where a click lands, and how far a key moves. A page
// embeds it, and says in New what the sheet is.
type Listed struct {
	Size
	Sheet func() Sheet
	Moved bool // the reader has moved or clicked; until then a page may choose their own row
}

// room is how many rows of the sheet scroll.
func (l *Listed) room(s *Sheet) int { return max(l.Height-len(s.Above)-len(s.After)-len(s.Below), 1) }

// Fit sees to it that what is chosen is in sight. It is called when something else stands above, or below.
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

// Move does what a key of [KeyMove] or [KeyScroll] does.
func (l *Listed) Move(pressed string) tea.Cmd {
	if s := l.Fit(); s.Rows != nil {
		s.Rows.move(pressed)
		l.Moved = true
	}
	return nil
}

// Scrolls reports whether the page's text has more lines than are seen.
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

// Text is where lines that scroll are scrolled to.
type Text struct{ top, rows int }

// Top goes back to the beginning.
func (t *Text) Top() { t.top = 0 }

// From is the first line that is seen, from 0.
func (t *Text) From() int { return t.top }

// Of is the text whose lines are drawn now.
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

func (s scrolled) move(pressed string) { s.top = Scrolled(pressed, s.top, len(s.all), s.rows) }

func (s scrolled) click(int) bool { return false }
