package club

import (
	"time"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// talk is what this person hears of the lobby's chat, which all sessions share.
type talk struct {
	chat    []lobby.Line       // the snapshot's
	unheard map[int64]struct{} // numbers of its lines by those whom this person does not hear; nil for most
	last    int64              // the number of the last line that was looked at
	change  int                // counts up with each change
}

// hear takes up the chat of a new snapshot.
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
		if l := &chat[i]; !l.House && !hears(l.From) {
			if t.unheard == nil {
				t.unheard = map[int64]struct{}{}
			}
			t.unheard[l.Seq] = struct{}{}
		}
	}
	t.last = chat[len(chat)-1].Seq
}

// again rereads the whole chat, since the reader may ignore other people now.
func (t *talk) again(hears func(table.Player) bool) {
	t.unheard, t.last = nil, 0
	t.hear(t.chat, hears)
}

// before is the index of the newest line that is heard before the line of index i; -1 if there is none.
func (t *talk) before(i int) int {
	for i--; i >= 0; i-- {
		if _, no := t.unheard[t.chat[i].Seq]; !no {
			break
		}
	}
	return i
}

// newest is the newest line that is heard, nil if there is none.
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

// rows are the newest lines before the last skip ones, in at most h rows, with their times unless now is zero.
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

// inUTC is said where there is room for it.
const inUTC = "times UTC"
