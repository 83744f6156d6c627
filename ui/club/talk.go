package club

import (
	"time"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// talk is what this person reads of the lobby's chat, which all sessions share.
type talk struct {
	chat    []lobby.Line       // the snapshot's
	unheard map[int64]struct{} // the numbers of its lines that this person may not or will not read; nil for most
	last    int64              // the number of the last line that hear has checked
	change  int                // counts changes
}

// hear takes the chat of a new snapshot.
func (t *talk) hear(chat []lobby.Line, hears func(table.Player) bool) {
	t.chat = chat
	for i := range chat { // an event that kept people apart may be over
		if _, no := t.unheard[chat[i].Seq]; no && hears(chat[i].From) {
			delete(t.unheard, chat[i].Seq)
			t.change++
		}
	}
	if len(chat) == 0 || chat[len(chat)-1].Seq == t.last {
		return
	}
	t.change++
	for i := len(chat) - 1; i >= 0 && chat[i].Seq > t.last; i-- {
		if l := &chat[i]; !hears(l.From) {
			if t.unheard == nil {
				t.unheard = map[int64]struct{}{}
			}
			t.unheard[l.Seq] = struct{}{}
		}
	}
	t.last = chat[len(chat)-1].Seq
}

// before returns the index of the newest visible line before line i, or -1.
func (t *talk) before(i int) int {
	for i--; i >= 0; i-- {
		if _, no := t.unheard[t.chat[i].Seq]; !no {
			break
		}
	}
	return i
}

// newest returns the newest visible line, or nil.
func (t *talk) newest() *lobby.Line {
	if i := t.before(len(t.chat)); i >= 0 {
		return &t.chat[i]
	}
	return nil
}

func (t *talk) count() int {
	n := 0
	for i := t.before(len(t.chat)); i >= 0; i = t.before(i) {
		n++
	}
	return n
}

// rows returns the newest lines before the last skip ones, in at most h rows; with times unless now is zero.
func (t *talk) rows(th *theme.Theme, skip, w, h int, now time.Time) []string {
	i := t.before(len(t.chat))
	for ; skip > 0 && i >= 0; skip-- {
		i = t.before(i)
	}
	var rows []string
	for ; i >= 0 && len(rows) < h; i = t.before(i) {
		rows = append(page.Beginning(th, page.SaidRows(th, &t.chat[i], w, now), w, h-len(rows)), rows...)
	}
	return rows
}

// inUTC is shown if there is room.
const inUTC = "times UTC"
