package play

import (
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// chat is what was said last, in h rows of w columns, the newest at the bottom. What watchers say to each other stands in
// brackets.
func (d *picture) chat(w, h int) []string {
	if h < 1 {
		return nil
	}
	var rows []string
	for i := len(d.v.Chat) - 1; i >= 0 && len(rows) < h; i-- {
		rows = append(d.said(&d.v.Chat[i], w), rows...)
	}
	if len(rows) == 0 {
		return []string{d.fit(theme.Faint, "No chat yet; press t to talk.", w)}
	}
	return rows[max(len(rows)-h, 0):]
}

// said is one line of chat, wrapped; nothing if the reader does not want to hear it.
func (d *picture) said(l *table.ChatLine, w int) []string {
	if l.House {
		return d.wrap(theme.System, l.Text, w)
	}
	if d.own != nil && !d.own.hears(l.From) {
		return nil
	}
	name, role := text.Printable(l.From.Name), theme.Muted
	if l.Room == table.RoomWatchers {
		name = "(" + name + ")"
	} else if n := d.v.SeatOf(l.From.ID); n != 0 {
		role = d.side(rules.Seat(n))
	}
	rows := page.Wrap(name+": "+page.Plain(d.th, text.Printable(l.Text)), w)
	for i, s := range rows {
		if i == 0 && len(s) > len(name) && s[:len(name)] == name {
			rows[i] = d.th.Paint(role, name) + d.th.Paint(theme.Chat, s[len(name):])
		} else {
			rows[i] = d.th.Paint(theme.Chat, s)
		}
	}
	return rows
}
