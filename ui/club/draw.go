package club

import (
	"slices"
	"strings"

	"boneyard/lobby/text"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// Where there is room for panels side by side, and for a column of them.
const (
	smallWidth  = 64
	smallHeight = 14
	wideWidth   = 112
	widest      = 164
)

// Lines draws the lobby.
func (p *Page) Lines(w, h int) []string {
	p.drawn.lists = [panels]place{}
	if p.answer != nil {
		return p.answer.Draw(p.env.Theme, w, h)
	}
	if w < smallWidth || h < smallHeight {
		return p.small(w, h)
	}
	top, lines := 0, []string(nil)
	if p.me.ID.Guest() {
		lines = []string{p.guest(w)}
		top, h = 1, h-1
	}
	w = min(w, widest)
	if w >= wideWidth {
		return append(lines, p.wide(w, h, top)...)
	}
	return append(lines, p.stacked(w, h, top)...)
}

// stacked has the tables above, and people, chat and news below.
func (p *Page) stacked(w, h, top int) []string {
	up := (h + 1) / 2
	down := h - up
	pw := min(max(w*7/20, 24), 34)
	cw := w - pw - 2
	newsH := min(max(down/3, 2), 8)
	chatH := down - newsH - 1
	lines := slices.Clone(p.tablesBlock(w, up))
	left := p.peopleBlock(pw, down)
	right := slices.Concat(p.chatBlock(cw, chatH), []string{p.sayLine(cw, pw+2, top+up+chatH)}, p.newsBlock(cw, newsH))
	p.put(tables, 0, top, w)
	p.put(people, 0, top+up, pw)
	p.put(chat, pw+2, top+up, cw)
	p.put(news, pw+2, top+up+chatH+1, cw)
	return append(lines, abreast(left, "  ", right)...)
}

// wide has tables and chat in one column, people and news in another.
func (p *Page) wide(w, h, top int) []string {
	rw := min(max(w*3/10, 36), 52)
	lw := w - rw - 3
	up := max(h*3/5, 8)
	down := h - up
	blank := []string{""}
	left := slices.Concat(p.tablesBlock(lw, up-1), blank, p.chatBlock(lw, down-1), []string{p.sayLine(lw, 0, top+h-1)})
	left[up-1] = page.Pad("", lw)
	right := slices.Concat(p.peopleBlock(rw, up-1), blank, p.newsBlock(rw, down))
	p.put(tables, 0, top, lw)
	p.put(chat, 0, top+up, lw)
	p.put(people, lw+3, top, rw)
	p.put(news, lw+3, top+up, rw)
	return abreast(left, "   ", right)
}

// abreast sets two columns of equally many lines side by side; those at the left have their full width already.
func abreast(left []string, gap string, right []string) []string {
	lines := make([]string, len(left))
	for i := range lines {
		lines[i] = left[i] + gap + right[i]
	}
	return lines
}

// small shows one panel, and a line of what is said or new.
func (p *Page) small(w, h int) []string {
	t := p.env.Theme
	var tabs strings.Builder
	for at, name := range []string{"Tables", "Chat", "People", "News"} {
		if panel(at) == p.focus {
			tabs.WriteString(t.Paint(theme.Selected, " "+name+" "))
		} else {
			tabs.WriteString(t.Paint(theme.Muted, " "+name+" "))
		}
	}
	right := p.counts(w - 28)
	if right == "" && (p.focus == news || p.focus == chat && timed(w)) && w >= 28+len(inUTC)+2 {
		right = t.Paint(theme.Faint, inUTC)
	}
	lines := []string{page.Right(" "+tabs.String(), right+" ", w)}
	rows := h - 2
	var body []string
	switch p.focus {
	case chat:
		body = p.chatBlock(w, rows+1)[1:]
	case people:
		body = p.peopleBlock(w, rows+1)[1:]
	case news:
		body = p.newsBlock(w, rows+1)[1:]
	default:
		body = p.tablesBlock(w, rows)
	}
	p.put(p.focus, 0, 1, w)
	if p.focus != tables {
		p.drawn.lists[p.focus].y--
	}
	lines = append(lines, page.Fill(body, rows)...)
	if p.typing != nothing {
		return append(lines, p.sayLine(w, 0, h-1))
	}
	return append(lines, p.oneLine(w))
}

// put notes where a panel's list is, for the mouse.
func (p *Page) put(at panel, x, y, w int) {
	rows := p.seen[at]
	if at == news {
		rows = len(p.drawn.newsRows)
	}
	p.drawn.lists[at] = place{x, y + p.drawn.tops[at], w, rows}
}

// head is a panel's title, marked if the panel is looked at, with something at its right end.
func (p *Page) head(at panel, title, right string, w int) string {
	t := p.env.Theme
	mark := " "
	if p.focus == at {
		mark = t.Paint(theme.Accent, t.Glyphs().Cursor)
	}
	line := page.Rule(t, title, w-1)
	if right != "" {
		line = page.Right(line, " "+right, w-1)
	}
	return mark + line
}

// guest says what somebody without a key does not have.
func (p *Page) guest(w int) string {
	t := p.env.Theme
	say := "You're a guest; nothing is saved. Make a key with ssh-keygen and you're a member."
	if w < 90 {
		say = "You're a guest; nothing is saved. With a key (ssh-keygen) you're a member."
	}
	if w < smallWidth {
		say = "You're a guest; nothing is saved. See ssh-keygen."
	}
	return " " + t.Paint(theme.Warn, page.Clip(t, say, w-2))
}

// sayLine is the line to type in, or what can be typed; x and y are where it is on the page.
func (p *Page) sayLine(w, x, y int) string {
	t := p.env.Theme
	if p.typing == nothing {
		return page.Pad(" "+t.Paint(theme.Key, "t")+" "+t.Paint(theme.Faint, page.Clip(t, "talks to everybody here", w-3)), w)
	}
	p.inputAt = place{x + 1, y, w - 1, 1}
	line, _ := p.input.Line(t, w-1)
	return page.Pad(" "+line, w)
}

// oneLine is the newest of all that is said or new, for terminals with little room.
func (p *Page) oneLine(w int) string {
	t := p.env.Theme
	switch l := p.talk.newest(); {
	case p.snap.Notice != "":
		return " " + t.Paint(theme.Warn, page.Clip(t, p.snap.Notice, w-2))
	case l != nil && (len(p.snap.News) == 0 || l.At.After(p.snap.News[0].At)):
		if l.House {
			return " " + t.Paint(theme.System, page.Clip(t, l.Text, w-2))
		}
		name := page.Clip(t, l.From.Name, 16)
		return " " + t.Paint(theme.Title, name) + " " + t.Paint(theme.Chat, page.Clip(t, page.Plain(t, l.Text), w-3-text.Width(name)))
	case len(p.snap.News) > 0:
		return " " + t.Paint(theme.Muted, page.Clip(t, page.Plain(t, p.snap.News[0].Text), w-2))
	case p.me.ID.Guest():
		return p.guest(w)
	}
	return " " + t.Paint(theme.Faint, page.Clip(t, "No chat yet: press t to talk.", w-2))
}
