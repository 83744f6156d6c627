package page

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/text"
	"boneyard/ui/theme"
)

// Answer is what the club has said to this person only, in several lines. It takes the place of a page's body until a key is
// pressed that does not scroll it.
type Answer struct {
	asked string // the command
	lines []string
	top   int
	rows  int // of all lines when they are wrapped, as drawn last
	room  int // of them are seen
}

var keyScroll = Bind("↑↓", "scroll", "up", "down", "pgup", "pgdown", "home", "end")

// NewAnswer returns the answer to a command, or nil if it is a single line, for which the foot of the screen is enough.
func NewAnswer(asked, reply string) *Answer {
	if !strings.Contains(reply, "\n") {
		return nil
	}
	a := &Answer{asked: text.Printable(asked), room: 10}
	for s := range strings.SplitSeq(reply, "\n") {
		a.lines = append(a.lines, text.Printable(s))
	}
	return a
}

// Key scrolls; it reports whether the answer stays.
func (a *Answer) Key(msg tea.KeyPressMsg) bool {
	c := Cursor{At: a.top}
	if a.rows <= a.room || !c.Move(msg, a.rows-a.room+1, a.room) {
		return false
	}
	a.top = c.At
	return true
}

// Keys are the answer's keys beside those that close it, as drawn last.
func (a *Answer) Keys() []key.Binding {
	if a.rows <= a.room {
		return nil
	}
	return []key.Binding{keyScroll}
}

// Draw draws the answer into h lines.
func (a *Answer) Draw(t *theme.Theme, w, h int) []string {
	lines := []string{" " + Rule(t, Clip(t, a.asked, w-8), min(w-2, 100)), ""}
	a.room = max(h-4, 1)
	var body []string
	for _, s := range a.lines {
		for i, row := range Wrap(Plain(t, s), min(w, 100)-6) {
			if i > 0 {
				row = "  " + row
			}
			body = append(body, "   "+row)
		}
	}
	a.rows = len(body)
	a.top = max(min(a.top, len(body)-a.room), 0)
	lines = append(lines, body[a.top:min(a.top+a.room, len(body))]...)
	more := "Any key goes back."
	if a.rows > a.room {
		more = "Arrows scroll; any other key goes back."
	}
	return append(Fill(lines, h-1), " "+t.Paint(theme.Muted, Clip(t, more, w-2)))
}
