package play

import (
	"slices"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// chat draws the latest lines of chat in h rows of w columns, newest last, with what watchers say in
// parentheses.
func (d *picture) chat(w, h int) []string {
	if h < 1 {
		return nil
	}
	if rows := d.latest(w, h, true); len(rows) > 0 {
		return rows
	}
	return []string{d.fit(theme.Faint, "No chat yet; press t to talk.", w)}
}

// talkFirst is chat for a round in play: if room is scarce, people come before the house.
func (d *picture) talkFirst(w, h int) []string {
	all := d.v.Chat
	room := h
	said := make([][]string, len(all))
	for _, house := range []bool{false, true} {
		for i := len(all) - 1; i >= 0 && room > 0; i-- {
			if all[i].House != house {
				continue
			}
			said[i] = d.said(&all[i], w, room)
			room -= len(said[i])
		}
	}
	if rows := slices.Concat(said...); len(rows) > 0 {
		return rows
	}
	return d.chat(w, h)
}

// latest draws the latest lines in at most h rows, with or without the house's announcements.
func (d *picture) latest(w, h int, house bool) (rows []string) {
	for i := len(d.v.Chat) - 1; i >= 0 && len(rows) < h; i-- {
		if house || !d.v.Chat[i].House {
			rows = append(d.said(&d.v.Chat[i], w, h-len(rows)), rows...)
		}
	}
	return rows
}

// said wraps a line of chat into at most h rows; nil if the reader ignores its author.
func (d *picture) said(l *table.ChatLine, w, h int) []string {
	if l.House {
		return page.Beginning(d.th, d.wrap(theme.System, l.Text, w), w, h)
	}
	if d.hears != nil && !d.hears(l.From) {
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
	return page.Beginning(d.th, rows, w, h)
}
