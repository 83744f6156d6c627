package page

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/text"
	"boneyard/ui/theme"
)

// Answer is what the club has said to this person only, in several lines. It takes the place of a page's body
// until a key is pressed that does not scroll it.
type Answer struct {
	Size
	theme *theme.Theme
	asked string // the command
	said  []string
	lines []string // what is said, wrapped and painted
	top   int
}

// NewAnswer returns the answer to a command, or nil if it is a single line, for which the foot of the screen
// is enough.
func NewAnswer(asked, reply string) *Answer {
	if !strings.Contains(reply, "\n") {
		return nil
	}
	a := &Answer{asked: text.Printable(asked)}
	for s := range strings.SplitSeq(reply, "\n") {
		a.said = append(a.said, text.Printable(s))
	}
	return a
}

// Resize says how large the page's body is, and in which theme it is drawn. It is called before anything
// else, also of a nil answer.
func (a *Answer) Resize(t *theme.Theme, w, h int) {
	if a == nil {
		return
	}
	a.Size, a.theme, a.lines = Size{w, h}, t, nil
	for _, s := range a.said {
		for i, row := range Wrap(Plain(t, s), min(w, 100)-6) {
			if i > 0 {
				row = "  " + row
			}
			a.lines = append(a.lines, "   "+row)
		}
	}
	a.top = max(min(a.top, len(a.lines)-a.room()), 0)
}

func (a *Answer) room() int { return max(a.Height-4, 1) }

// Actions scroll the answer; any other key closes it.
func (a *Answer) Actions() (does Actions) {
	does.Scroll(len(a.lines) > a.room(), KeyScroll, func(pressed string) tea.Cmd {
		a.top = Scrolled(pressed, a.top, len(a.lines), a.room())
		return nil
	})
	return does
}

// Lines draws the answer.
func (a *Answer) Lines() []string {
	t, w := a.theme, a.Width
	lines := []string{" " + Rule(t, Clip(t, a.asked, w-8), min(w-2, 100)), ""}
	lines = append(lines, a.lines[a.top:min(a.top+a.room(), len(a.lines))]...)
	more := "Any key goes back."
	if len(a.lines) > a.room() {
		more = "Arrows scroll; any other key goes back."
	}
	return append(Fill(lines, a.Height-1), " "+t.Paint(theme.Muted, Clip(t, more, w-2)))
}
