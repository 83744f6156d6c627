package club

import (
	"strconv"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// drawChat draws what is said, the newest at the bottom.
func (p *Page) drawChat(w, h int) []string {
	t := p.env.Theme
	up := p.cursor[chat].At
	timed, right := timed(w), ""
	switch {
	case up > 0:
		right = t.Paint(theme.Accent, "scrolled back "+t.Glyphs().Dot+" end leads back")
	case timed:
		right = t.Paint(theme.Faint, inUTC)
	}
	lines := []string{p.head(chat, "Chat", right, w)}
	p.drawn.tops[chat] = 1
	rows := max(h-1, 1)
	p.seen[chat] = rows
	if p.talk.newest() == nil {
		return page.Fill(append(lines, " "+t.Paint(theme.Faint, page.Clip(t, "Nobody has said anything yet.", w-2))), h)
	}
	for _, s := range p.talk.rows(t, up, w-1, rows, timed) {
		lines = append(lines, " "+s)
	}
	return page.Fill(lines, h)
}

// timed reports whether the chat has room for times in w columns.
func timed(w int) bool { return w >= 44 }

// drawPeople lists who is here, and what they do.
func (p *Page) drawPeople(w, h int) []string {
	t := p.env.Theme
	all := p.snap.People
	lines := []string{p.head(people, "People "+strconv.Itoa(len(all)), "", w)}
	p.drawn.tops[people] = 1
	rows := max(h-1, 1)
	p.seen[people] = rows
	c := &p.cursor[people]
	c.Clamp(len(all), rows)
	doing := 11 // "plays at 12"
	if w >= 34 {
		doing = 13
	}
	for i := c.Top; i < min(c.Top+rows, len(all)); i++ {
		who := &all[i]
		r := page.NewLine(t)
		role := theme.Text
		switch {
		case who.Player.ID == p.me.ID:
			role = theme.Title
		case who.Guest:
			role = theme.Muted
		}
		name := text.Printable(who.Player.Name)
		if who.Player.Tag != "" {
			name += " [" + text.Printable(who.Player.Tag) + "]"
		}
		if who.Player.Bot {
			name += " (bot)"
		}
		if op := " (op)"; who.Operator && text.Width(name)+len(op) <= w-4-doing {
			name += op
		}
		r.Add(role, name, w-4-doing)
		r.Gap(1)
		r.Add(theme.Muted, activity(who, p.env.Now()), doing)
		lines = append(lines, r.Draw(i == c.At && p.focus == people))
	}
	return page.Fill(lines, h)
}

// activity is what somebody does, such as "plays at 12". Who is in the lobby needs no words, unless they are idle.
func activity(who *lobby.Person, now time.Time) string {
	if who.Table != 0 {
		return who.Doing
	}
	if d := who.Idle(now); d > 0 {
		return "idle " + strconv.Itoa(int(min(d, 99*time.Minute)/time.Minute)) + " min"
	}
	return ""
}

// drawNews lists what others did, the newest first.
func (p *Page) drawNews(w, h int) []string {
	t := p.env.Theme
	all := p.snap.News
	lines := []string{p.head(news, "News", t.Paint(theme.Faint, inUTC), w)}
	p.drawn.tops[news] = 1
	rows := max(h-1, 1)
	p.drawn.newsRows = p.drawn.newsRows[:0]
	c := &p.cursor[news]
	c.Clamp(len(all), rows)
	if len(all) == 0 {
		return page.Fill(append(lines, " "+t.Paint(theme.Faint, page.Clip(t, "No news yet.", w-2))), h)
	}
	most := 1 // rows of an item
	if h > 12 {
		most = 3
	}
	told := func(i int) []string {
		say := text.Printable(page.Plain(t, all[i].Text))
		if most == 1 || text.Width(say) <= w-11 {
			return []string{say}
		}
		wrapped := page.Wrap(say, w-11)
		return wrapped[:min(most, len(wrapped))]
	}
	for used, i := 0, c.At; i >= c.Top; i-- { // the chosen item is seen whole
		if used += len(told(i)); used > rows {
			c.Top = i + 1
		}
	}
	c.Top = min(c.Top, c.At)
	now := p.env.Now()
	i := c.Top
	for ; i < len(all); i++ {
		item := told(i)
		if len(lines)-1+len(item) > rows && i > c.Top {
			break
		}
		for j, say := range item {
			r := page.NewLine(t)
			draw := r.Draw
			if j == 0 {
				r.Add(theme.Faint, clock(all[i].At, now), 6)
			} else {
				r.Gap(6)
				draw = r.DrawBelow
			}
			r.Gap(1)
			r.Add(theme.Text, say, w-11)
			lines = append(lines, draw(i == c.At && p.focus == news))
			p.drawn.newsRows = append(p.drawn.newsRows, i)
		}
	}
	p.seen[news] = i - c.Top
	return page.Fill(lines, h)
}
