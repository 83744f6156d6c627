package club

import (
	"fmt"
	"slices"
	"strings"

	"boneyard/lobby/text"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// The sizes from which panels are side by side, and in two columns.
const (
	smallWidth  = 56
	smallHeight = 14
	tallHeight  = 24 // of a narrow page: the chat, or if that is in use the news, below the panel in use
	wideWidth   = 112
	widest      = 220
	airy        = 30 // a blank row below the first line
	roomy       = 32 // a picture of the chosen table, and the agenda, between the panels

	leastBetween, mostBetween = 13, 18 // rows of these two, with a blank one, in a club with more than a few tables or people
	leastTables, quiet        = 8, 4   // rows of the tables; how many tables or people are a few
)

type rect struct{ x, y, w, h int }

func (r rect) has(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

// layout is where everything is on the page. It follows from the page's size, from whether there is a line
// above the panels, and from whether the club has more than a few tables or people.
type layout struct {
	small, wide bool
	bare        bool         // the tables have neither head nor heads of columns
	shown       panel        // if small, the panel in use,
	below       panel        // and the one below it; the same if there is no room
	panels      [panels]rect // with their heads; if small, in the same place
	glance      rect         // the chosen table; empty unless there is room
	agenda      rect         // what is planned, likewise
	say         rect         // the input line
}

func (p *Page) layout() layout {
	l := layout{small: p.Width < smallWidth || p.Height < smallHeight}
	l.bare = l.small && p.Width < fullList
	w, h, top := p.Width, p.Height, 0
	if l.small {
		up := h - 2
		l.shown = p.looked()
		l.below = l.shown
		if h >= tallHeight {
			l.shown, l.below, up = p.focus, chat, up*3/5
			if l.shown == chat {
				l.below = news
			}
		}
		for at := range l.panels {
			l.panels[at] = rect{0, 0, w, up + 1} // the heads share the row of the panels' names
		}
		l.panels[tables] = rect{0, 1, w, up}
		if l.below != l.shown {
			l.panels[l.below] = rect{0, 1 + up, w, h - 2 - up}
		}
		l.say = rect{0, h - 1, w, 1}
		return l
	}
	if p.first() != noLine {
		top = 1
		if h >= airy {
			top = 2
		}
		h -= top
	}
	if l.wide = w >= wideWidth; l.wide { // tables and chat in one column, people and news in another
		rw := min(max(w*3/10, 36), 52)
		lw := w - rw - 3
		mid := 0
		if h >= roomy {
			mid = min(max(h*2/5, leastBetween), mostBetween)
		}
		up := max((h-mid)*3/5, leastTables)
		if mid > 0 && len(p.snap.Tables) <= quiet && len(p.people.People) <= quiet { // the picture gets the rows that the lists do not need
			mid, up = mid+up-leastTables, leastTables
		}
		down := h - mid - up
		if mid > 0 {
			l.glance, l.agenda = rect{0, top + up, lw, mid - 1}, rect{lw + 3, top + up, rw, mid - 1}
		}
		l.panels = [panels]rect{
			tables: {0, top, lw, up - 1}, chat: {0, top + up + mid, lw, down - 1},
			people: {lw + 3, top, rw, up - 1}, news: {lw + 3, top + up + mid, rw, down},
		}
		l.say = rect{0, top + h - 1, lw, 1}
		return l
	}
	up := (h + 1) / 2 // the tables above; people, chat and news below
	down := h - up
	pw := min(max(w*7/20, 24), 34)
	cw := w - pw - 2
	newsH := min(max(down/3, 2), 8)
	chatH := down - newsH - 1
	l.panels = [panels]rect{
		tables: {0, top, w, up}, people: {0, top + up, pw, down},
		chat: {pw + 2, top + up, cw, chatH}, news: {pw + 2, top + up + chatH + 1, cw, newsH},
	}
	l.say = rect{pw + 2, top + up + chatH, cw, 1}
	return l
}

func (l *layout) list(at panel) rect {
	r := l.panels[at]
	heads, foot := 1, 0
	if at == tables {
		foot = 1 // the details of the chosen table
		if heads = 2; l.bare {
			heads = 0
		}
	}
	return rect{r.x, r.y + heads, r.w, max(r.h-heads-foot, 1)}
}

func (p *Page) rows(at panel) int {
	l := p.layout()
	if at != news {
		return l.list(at).h
	}
	rows := p.newsRows(l.panels[news])
	if len(rows) == 0 {
		return 1
	}
	return rows[len(rows)-1].item - p.cursor[news].Top + 1
}

// scroll makes the chosen row of each panel visible.
func (p *Page) scroll() {
	l := p.layout()
	p.cursor[tables].Clamp(len(p.order), l.list(tables).h)
	p.cursor[people].Clamp(len(p.people.People), l.list(people).h)
	p.scrollNews(l.panels[news])
}

// Lines draws the lobby.
func (p *Page) Lines() []string {
	if p.answer != nil {
		return p.answer.Lines()
	}
	l := p.layout()
	if l.small {
		return p.small()
	}
	lines := p.drawFirst()
	if l.wide {
		blank := []string{page.Pad("", l.say.w)}
		left, right := slices.Concat(p.block(tables, &l), blank), append(slices.Clip(p.block(people, &l)), "")
		if l.glance.h > 0 {
			left = append(append(left, filled(p.drawGlance(l.glance), l.glance)...), blank...)
			agenda, _ := p.drawAgenda(l.agenda)
			right = append(append(right, filled(agenda, l.agenda)...), "")
		}
		left = append(append(left, p.block(chat, &l)...), p.sayLine(l.say.w))
		right = append(right, p.block(news, &l)...)
		return slices.Concat(lines, abreast(left, "   ", right))
	}
	here, said, told, say := p.block(people, &l), p.block(chat, &l), p.block(news, &l), p.sayLine(l.say.w)
	return slices.Concat(lines, p.block(tables, &l), abreast(here, "  ", slices.Concat(said, []string{say}, told)))
}

// first is the line above the panels.
type first int

const (
	noLine  first = iota
	welcome       // how a newcomer begins
	guest         // what a guest lacks
	offer         // the daily deal
)

func (p *Page) first() first {
	switch {
	case p.newcomer:
		return welcome
	case p.me.ID.Guest():
		return guest
	case p.daily != 0:
		return offer
	}
	return noLine
}

// drawFirst draws the first line, with the blank row below it.
func (p *Page) drawFirst() []string {
	say := p.first()
	if say == noLine {
		return nil
	}
	draw := [...]func(w int) string{welcome: p.welcome, guest: p.guest, offer: p.offer}[say]
	lines := []string{draw(p.Width), ""}
	if p.Height < airy {
		return lines[:1]
	}
	return lines
}

// abreast joins two columns of equally many lines; the left ones must have their full width.
func abreast(left []string, gap string, right []string) []string {
	lines := make([]string, len(left))
	for i := range lines {
		lines[i] = left[i] + gap + right[i]
	}
	return lines
}

// small shows one panel, or two on a tall page, and a line of chat or news.
func (p *Page) small() []string {
	const smallTabs = len("  Tables  Chat  People  News ") // the width of the line with the panels' names
	t, w, l := p.env.Theme, p.Width, p.layout()
	looked := l.shown
	var tabs strings.Builder
	for at, name := range []string{"Tables", "Chat", "People", "News"} {
		if panel(at) == looked {
			tabs.WriteString(t.Paint(theme.Selected, " "+name+" "))
		} else {
			tabs.WriteString(t.Paint(theme.Muted, " "+name+" "))
		}
	}
	right := p.counts(w - smallTabs - 1)
	if right == "" && (looked == news || looked == chat && timed(w)) && w >= smallTabs+len(inUTC)+1 {
		right = t.Paint(theme.Faint, inUTC)
	}
	lines := []string{page.Right(" "+tabs.String(), right+" ", w)}
	body := p.block(looked, &l)
	if looked != tables {
		body = body[1:]
	}
	lines = append(lines, body...)
	if l.below != looked {
		lines = append(lines, p.block(l.below, &l)...)
	}
	if p.typing != nothing {
		return append(lines, p.sayLine(w))
	}
	return append(lines, p.oneLine(w))
}

func (p *Page) head(at panel, title, right string, w int) string {
	t := p.env.Theme
	mark := " "
	if p.focus == at {
		mark = t.Paint(theme.Accent, t.Glyphs().Cursor)
	}
	if right != "" {
		right = " " + right
	}
	return mark + page.RuleTo(t, title, right, w-1)
}

func (p *Page) welcome(w int) string {
	t := p.env.Theme
	say := page.Longest(w-len(" New here? p"), ": a first round with a guide, against an easy bot.", ": a first round with a guide.")
	if p.layout().small { // right above the key, of which the help line says that
		say = " shows you how to play."
	}
	return t.Paint(theme.Title, " New here?") + " " + t.Paint(theme.Key, "p") + t.Paint(theme.Accent, say)
}

// guest tells guests what they lack.
func (p *Page) guest(w int) string {
	t := p.env.Theme
	says := []string{
		"You're a guest; nothing is saved. Make a key with ssh-keygen to become a member.",
		"You're a guest; nothing is saved. With a key (ssh-keygen) you're a member.",
		"You're a guest; nothing is saved. See ssh-keygen.",
		"You're a guest: see ssh-keygen.",
	}
	if !p.club.MayPlay() {
		says = []string{
			"Guests can watch. To play, make a key with ssh-keygen: the key is your account.",
			"Guests can watch. To play, make a key with ssh-keygen.",
			"Guests can watch. To play, see ssh-keygen.",
			"To play, see ssh-keygen.",
		}
	}
	return " " + t.Paint(theme.Warn, page.Longest(w-2, says...))
}

// offer offers the daily deal to members who have not played it yet.
func (p *Page) offer(w int) string {
	t := p.env.Theme
	deal := fmt.Sprintf("Daily deal %d", p.daily)
	say := page.Longest(w-4, deal+": the same five rounds for everybody, one attempt each.", deal+": the same five rounds for everybody.",
		deal+": five rounds, one attempt.", deal+": one attempt.")
	return " " + t.Paint(theme.Key, "d") + " " + t.Paint(theme.Accent, say)
}

func (p *Page) sayLine(w int) string {
	t := p.env.Theme
	if p.typing == nothing {
		return page.Pad(" "+t.Paint(theme.Key, "t")+" "+t.Paint(theme.Faint, page.Clip(t, "talks to everybody here", w-3)), w)
	}
	line, _ := p.input.Line(t, w-1)
	return page.Pad(" "+line, w)
}

// oneLine returns the newest line of chat or news, for small terminals.
func (p *Page) oneLine(w int) string {
	t := p.env.Theme
	switch l := p.talk.newest(); {
	case p.snap.Notice != "":
		return " " + t.Paint(theme.Warn, page.Clip(t, p.snap.Notice, w-2))
	case p.newcomer:
		return p.welcome(w)
	case p.daily != 0:
		return p.offer(w)
	case l != nil && (len(p.snap.News) == 0 || l.At.After(p.snap.News[0].At)):
		name := page.Clip(t, l.From.Name, 16)
		return " " + t.Paint(theme.Title, name) + " " + t.Paint(theme.Chat, page.Clip(t, page.Plain(t, l.Text), w-3-text.Width(name)))
	case len(p.snap.News) > 0:
		return " " + t.Paint(theme.Muted, page.Clip(t, page.Plain(t, p.newsText(0)), w-2))
	case p.me.ID.Guest():
		return p.guest(w)
	}
	return " " + t.Paint(theme.Faint, page.Clip(t, page.Keyed("No chat yet: press %s to talk.", keyTalk), w-2))
}
