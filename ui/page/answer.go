package page

import (
	"strings"

	"boneyard/lobby/text"
	"boneyard/ui/theme"
)

// Answer is a reply of several lines to this person only. It replaces a page's body until a key is pressed
// that does not scroll it.
type Answer struct {
	Listed
	theme *theme.Theme
	asked string // the command
	said  []string
	lines []string // what is said, wrapped and painted
	text  Text
}

// NewAnswer returns the answer to a command on a page of that size, or nil if it is a single line, for which the
// foot of the screen is enough.
func NewAnswer(t *theme.Theme, s Size, asked, reply string) *Answer {
	if !strings.Contains(reply, "\n") {
		return nil
	}
	a := &Answer{asked: text.Printable(asked), said: text.Each(strings.Split(reply, "\n"), text.Printable)}
	a.Sheet = a.sheet
	a.Resize(t, s.Width, s.Height)
	return a
}

// Resize says how large the page's body is, and in which theme it is drawn, also to a nil answer.
func (a *Answer) Resize(t *theme.Theme, w, h int) {
	if a == nil {
		return
	}
	a.theme, a.lines = t, nil
	for _, s := range a.said {
		for i, row := range Wrap(Plain(t, s), min(w, 100)-6) {
			if i > 0 {
				row = "  " + row
			}
			a.lines = append(a.lines, "   "+row)
		}
	}
	a.Listed.Resize(w, h)
}

// Actions scroll the answer; any other key closes it.
func (a *Answer) Actions() (does Actions) {
	does.Scroll(a.Scrolls(), KeyScroll, a.Move)
	return does
}

func (a *Answer) sheet() Sheet {
	t, w := a.theme, a.Width
	s := Sheet{Above: []string{" " + Rule(t, Clip(t, a.asked, w-8), min(w-2, 100)), ""}, Rows: a.text.Of(a.lines)}
	more := "Any key goes back."
	if s.Below = make([]string, 2); len(a.lines) > a.room(&s) {
		more = "Arrows scroll; any other key goes back."
	}
	s.Below[1] = " " + t.Paint(theme.Muted, Clip(t, more, w-2))
	return s
}
