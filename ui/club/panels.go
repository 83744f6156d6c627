package club

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/text"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

func (p *Page) drawChat(w, h int) []string {
	t := p.env.Theme
	up := p.cursor[chat].At
	timed, right := timed(w), ""
	switch {
	case up > 0:
		right = t.Paint(theme.Accent, "scrolled back "+t.Glyphs().Dot+" end: latest")
	case timed:
		right = t.Paint(theme.Faint, inUTC)
	}
	lines := []string{p.head(chat, "Chat", right, w)}
	rows := max(h-1, 1)
	if p.talk.newest() == nil {
		return page.Fill(append(lines, " "+t.Paint(theme.Faint, page.Clip(t, "Nobody has said anything yet.", w-2))), h)
	}
	var now time.Time
	if timed {
		now = p.env.Now()
	}
	return page.Fill(append(lines, page.Shift(p.talk.rows(t, up, w-1, rows, now), 1)...), h)
}

func timed(w int) bool { return w >= 44 }

func (p *Page) drawPeople(w, h int) []string {
	all := len(p.people.People)
	lines := []string{p.head(people, "People "+strconv.Itoa(all), "", w)}
	top := p.cursor[people].Top
	for i := top; i < min(top+max(h-1, 1), all); i++ {
		lines = append(lines, p.drawPerson(i, w, false))
	}
	return page.Fill(lines, h)
}

// markOwn marks the reader in the list of people, which is drawn for all.
func (p *Page) markOwn(lines []string, r rect) []string {
	top := p.cursor[people].Top
	for i := top; i < min(top+len(lines)-1, len(p.people.People)); i++ {
		if p.people.At(i).Player.ID == p.me.ID {
			lines = slices.Clone(lines)
			lines[1+i-top] = page.Pad(p.drawPerson(i, r.w, true), r.w)
		}
	}
	return lines
}

func (p *Page) drawPerson(i, w int, own bool) string {
	who := p.people.At(i)
	doing := who.Idle(p.env.Now())
	if who.Table != 0 {
		doing = who.Doing // such as "plays at 12"
	}
	room := w - 4 // for the name, which matters more than its description
	if doing != "" {
		room -= text.Width(doing) + 1
	}
	role := theme.Text
	switch {
	case own:
		role = theme.Title
	case who.Guest:
		role = theme.Muted
	}
	name := text.Printable(who.Player.Name)
	more := func(on bool, s string) {
		if on && text.Width(name)+text.Width(s) <= room {
			name += s
		}
	}
	if bot := " (bot)"; who.Player.Bot { // this is never omitted
		name = page.Clip(p.env.Theme, name, room-len(bot)) + bot
	}
	more(i < len(p.people.Friends), " +")
	more(who.Player.Tag != "", " ["+text.Printable(who.Player.Tag)+"]")
	more(who.Operator, " (op)")
	more(who.Shield, " "+p.env.Theme.Glyphs().Shield)
	r := page.NewLine(p.env.Theme)
	r.Add(role, name, room)
	if doing != "" {
		r.Gap(1)
		r.Add(theme.Muted, doing, text.Width(doing))
	}
	return r.Draw(i == p.cursor[people].At && p.focus == people)
}

// newsRow is one row of an item of the news.
type newsRow struct {
	item  int
	first bool // of the item's rows
	text  string
}

// newsText returns an item of the news, worded for this person.
func (p *Page) newsText(i int) string {
	if !p.mentioned {
		return p.snap.News[i].Text
	}
	return plain.NewsFor(&p.snap.News[i], p.me.Player)
}

// newsOf returns an item of the news in rows, for a panel of this size.
func (p *Page) newsOf(i int, r rect) []newsRow {
	most := 1
	switch {
	case r.h > 8:
		most = 4
	case p.focus == news && i == p.cursor[news].At: // where each item has one row, the chosen one can be read whole
		most = max(r.h-1, 1)
	}
	say := text.Printable(page.Plain(p.env.Theme, p.newsText(i)))
	if most == 1 || text.Width(say) <= r.w-11 {
		return []newsRow{{i, true, say}}
	}
	lines := page.Wrap(say, r.w-11)
	if len(lines) > most {
		lines[most-1] = page.Clip(p.env.Theme, strings.Join(lines[most-1:], " "), r.w-11)
		lines = lines[:most]
	}
	rows := make([]newsRow, len(lines))
	for j, s := range lines {
		rows[j] = newsRow{i, j == 0, s}
	}
	return rows
}

// newsRows returns the rows visible in a panel. Items are visible as a whole, except perhaps the first.
func (p *Page) newsRows(r rect) (rows []newsRow) {
	room, top := max(r.h-1, 1), p.cursor[news].Top
	for i := top; i < len(p.snap.News); i++ {
		item := p.newsOf(i, r)
		if len(rows)+len(item) > room && i > top {
			break
		}
		rows = append(rows, item...)
	}
	return rows
}

// scrollNews makes the chosen item visible as a whole.
func (p *Page) scrollNews(r rect) {
	room, c := max(r.h-1, 1), &p.cursor[news]
	c.Clamp(len(p.snap.News), room)
	for used, i := 0, c.At; i >= c.Top && i < len(p.snap.News); i-- {
		if used += len(p.newsOf(i, r)); used > room {
			c.Top = i + 1
		}
	}
	c.Top = min(c.Top, c.At)
}

// drawNews lists what others did, newest first.
func (p *Page) drawNews(w, h int) []string {
	t := p.env.Theme
	lines := []string{p.head(news, "News", t.Paint(theme.Faint, inUTC), w)}
	if len(p.snap.News) == 0 {
		return page.Fill(append(lines, " "+t.Paint(theme.Faint, page.Clip(t, "No news yet.", w-2))), h)
	}
	now := p.env.Now()
	for _, row := range p.newsRows(rect{w: w, h: h}) {
		r := page.NewLine(t)
		if r.Below = !row.first; row.first {
			r.Add(theme.Faint, page.When(p.snap.News[row.item].At, now), 6)
		} else {
			r.Gap(6)
		}
		r.Gap(1)
		r.Add(theme.Text, row.text, w-11)
		lines = append(lines, r.Draw(row.item == p.cursor[news].At && p.focus == news))
	}
	return page.Fill(lines, h)
}
