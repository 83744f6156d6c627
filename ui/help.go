package ui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// help is what ? shows: all keys, on as many sheets as they need.
type help struct {
	open bool
	at   int // the sheet
	of   int // sheets there are, as drawn last
}

// next turns to the next sheet; behind the last one the page comes back.
func (h *help) next() {
	if h.at++; h.at >= h.of {
		*h = help{}
	}
}

// keyColumn is the least width of a key with what it does.
const keyColumn = 34

// allKeys draws the present sheet into h lines.
func (m *model) allKeys(w, h int) []string {
	t := m.env.Theme
	bindings := m.bindings()
	lines := []string{"", " " + t.Paint(theme.Title, "Keys: "+m.page.Title()), ""}
	if h < page.Roomy-4 {
		lines = lines[1:2]
	}
	columns := max((w-1)/keyColumn, 1)
	column := min((w-1)/columns, keyColumn+6)
	rows := max(h-len(lines)-2, 1)
	m.help.of = (len(bindings) + rows*columns - 1) / (rows * columns)
	m.help.at = min(m.help.at, m.help.of-1)
	first := m.help.at * rows * columns
	sheet := bindings[first:min(first+rows*columns, len(bindings))]
	rows = (len(sheet) + columns - 1) / columns
	for r := range rows {
		var b strings.Builder
		b.WriteString(" ")
		for c := range columns {
			i := c*rows + r
			if i >= len(sheet) {
				break
			}
			k := sheet[i].Help()
			does := page.Clip(t, page.Plain(t, k.Desc), column-13)
			b.WriteString(page.Pad(page.Pad(t.Paint(theme.Key, page.Plain(t, k.Key)), 11)+" "+t.Paint(theme.Text, does), column))
		}
		lines = append(lines, b.String())
	}
	say := "Any key goes back."
	if m.help.at+1 < m.help.of {
		say = fmt.Sprintf("Any key goes on: %d of %d.", m.help.at+1, m.help.of)
	}
	return append(lines, "", " "+t.Paint(theme.Muted, say))
}

// bindings are all keys that do something now: the page's, then the club's.
func (m *model) bindings() []key.Binding {
	all := slices.DeleteFunc(slices.Clone(m.page.Keys()), func(k key.Binding) bool { return !k.Enabled() })
	if m.tab() >= 0 {
		all = append(all, keyPages, keyNext, keyPrev)
		if m.env.Visit.Operator() {
			all = append(all, keyAdmin)
		}
	}
	return append(all, m.keyBack(), page.KeyHelp, keyQuit)
}

// keyBack is the key that leads back; from the lobby it leads out of the club.
func (m *model) keyBack() key.Binding {
	back := page.KeyBack
	if m.at.Kind == page.Lobby {
		back.SetHelp("q", "leave")
	}
	return back
}
