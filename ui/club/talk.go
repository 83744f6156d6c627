package club

import (
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// talk is what this person hears in the lobby: the club's chat without those they ignore.
type talk struct {
	lines  []spoken
	heard  int64 // the number of the last line of the chat that was taken up
	change int   // counts up with each change
}

// spoken is one line of the chat; without a name it is the club's.
type spoken struct {
	at         time.Time
	name, text string
}

// keptTalk is how many lines a page keeps.
const keptTalk = 300

// hear takes up what is new in the chat.
func (t *talk) hear(chat []lobby.Line, hears func(table.Player) bool) {
	if len(chat) == 0 || chat[len(chat)-1].Seq == t.heard {
		return
	}
	first := len(chat)
	for first > 0 && chat[first-1].Seq > t.heard {
		first--
	}
	for i := range chat[first:] {
		l := &chat[first+i]
		switch {
		case l.House:
			t.add(spoken{l.At, "", text.Printable(l.Text)})
		case hears(l.From):
			t.add(spoken{l.At, text.Printable(l.From.Name), text.Printable(l.Text)})
		}
	}
	t.heard = chat[len(chat)-1].Seq
}

// again takes up the whole chat once more.
func (t *talk) again(chat []lobby.Line, hears func(table.Player) bool) {
	t.lines, t.heard = nil, 0
	t.change++
	t.hear(chat, hears)
}

func (t *talk) add(s spoken) {
	t.change++
	t.lines = append(t.lines, s)
	if len(t.lines) > 2*keptTalk {
		t.lines = append([]spoken(nil), t.lines[len(t.lines)-keptTalk:]...)
	}
}

// stamp is how wide the time before a line is, with the blank behind it.
const stamp = 6

// draw wraps a line into w columns, with what does not fit into one indented below the text.
func (s *spoken) draw(t *theme.Theme, w int, timed bool) []string {
	indent, when := 2, ""
	if timed {
		indent, when = stamp, "      "
		if !s.at.IsZero() {
			when = t.Paint(theme.Faint, s.at.UTC().Format("15:04")) + " "
		}
	}
	role, say, lead := theme.System, page.Plain(t, s.text), 0
	if s.name != "" {
		role, lead = theme.Chat, len(s.name)
		say = s.name + "  " + say
	}
	first := w
	if timed {
		first = w - stamp
	}
	// All rows are wrapped to the room of the later ones, which are indented.
	rows := page.Wrap(say, min(first, w-indent))
	for i, row := range rows {
		switch {
		case i > 0:
			rows[i] = page.Pad("", indent) + t.Paint(role, row)
		case lead > 0 && len(row) >= lead:
			rows[i] = when + t.Paint(theme.Title, row[:lead]) + t.Paint(role, row[lead:])
		default:
			rows[i] = when + t.Paint(role, row)
		}
	}
	return rows
}
