package club

import (
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/text"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// answer is what the club has said to this person only, in several lines. It takes the place of the lobby until a key is
// pressed that does not scroll it.
type answer struct {
	asked string // the command
	lines []string
	top   int
	rows  int // of all lines when they are wrapped, as drawn last
	room  int // of them are seen
}

func newAnswer(asked string, lines []string) *answer {
	a := &answer{asked: text.Printable(asked), room: 10}
	for _, s := range lines {
		a.lines = append(a.lines, text.Printable(s))
	}
	return a
}

// key scrolls; it reports whether the answer stays.
func (a *answer) key(msg tea.KeyPressMsg) bool {
	c := page.Cursor{At: a.top}
	if !c.Move(msg, max(a.rows-a.room+1, 1), a.room) {
		return false
	}
	a.top = c.At
	return true
}

// draw draws the answer into h lines.
func (a *answer) draw(t *theme.Theme, w, h int) []string {
	lines := []string{" " + page.Rule(t, page.Clip(t, a.asked, w-8), min(w-2, 100)), ""}
	a.room = max(h-4, 1)
	var body []string
	for _, s := range a.lines {
		for i, row := range page.Wrap(page.Plain(t, s), min(w, 100)-6) {
			if i > 0 {
				row = "  " + row
			}
			body = append(body, "   "+row)
		}
	}
	a.rows = len(body)
	a.top = max(min(a.top, len(body)-a.room), 0)
	lines = append(lines, body[a.top:min(a.top+a.room, len(body))]...)
	more := "Any other key goes back."
	if a.rows > a.room {
		more = "Arrows scroll; any other key goes back."
	}
	return append(page.Fill(lines, h-1), " "+t.Paint(theme.Muted, page.Clip(t, more, w-2)))
}
