package club

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// block is a drawn panel, and what it was drawn for.
type block struct {
	key   blockKey
	lines []string
}

// blockKey is all that a panel's lines depend on.
type blockKey struct {
	w, h    int
	theme   *theme.Theme
	focused bool
	cursor  page.Cursor
	list    any // the first item of the snapshot's list, a pointer
	change  int
	day     string
}

// cache keeps what is drawn, so that a line of chat costs the drawing of the chat only.
type cache struct {
	tables, chat, people, news block
	lists                      [panels]place // where the panels' rows were drawn last
	tops                       [panels]int   // rows of a panel above its list
	newsRows                   []int         // which item of the news each row belongs to

	rows   map[table.ID]drawnRow // of the tables that were in sight lately
	rowsOf rowKey
}

// drawnRow is a table's row as it was drawn last.
type drawnRow struct {
	version uint64
	chosen  bool
	line    string
}

// rowKey is what all rows of the list of tables depend on.
type rowKey struct {
	columns columns
	theme   *theme.Theme
	me      table.Player
}

// row draws a table's row, unless it is drawn already: of hundreds of tables few change at a time.
func (p *Page) row(s *table.Summary, c columns, chosen bool) string {
	const most = 128
	d := &p.drawn
	if k := (rowKey{c, p.env.Theme, p.me}); d.rowsOf != k || len(d.rows) > most {
		d.rows, d.rowsOf = map[table.ID]drawnRow{}, k
	}
	r, ok := d.rows[s.Table]
	if !ok || r.version != s.Version || r.chosen != chosen {
		r = drawnRow{s.Version, chosen, p.drawTable(s, c, chosen)}
		d.rows[s.Table] = r
	}
	return r.line
}

// keep draws a panel of exactly w columns and h rows, unless it is drawn already.
func (p *Page) keep(b *block, at panel, w, h int, list any, draw func(w, h int) []string) []string {
	k := blockKey{
		w: w, h: h, theme: p.env.Theme, focused: p.focus == at, cursor: p.cursor[at], list: list, change: p.talk.change,
		day: p.env.Now().UTC().Format(time.DateOnly),
	}
	if at != chat {
		k.change = 0
	}
	if b.lines == nil || b.key != k {
		b.lines = page.Fill(draw(w, h), h)
		for i, s := range b.lines {
			b.lines[i] = page.Pad(s, w)
		}
		k.cursor = p.cursor[at] // drawing brings it into sight
		b.key = k
	}
	return b.lines
}

func (p *Page) tablesBlock(w, h int) []string {
	return p.keep(&p.drawn.tables, tables, w, h, nil, p.drawTables)
}

func (p *Page) chatBlock(w, h int) []string {
	return p.keep(&p.drawn.chat, chat, w, h, nil, p.drawChat)
}

func (p *Page) peopleBlock(w, h int) []string {
	var list any
	if len(p.snap.People) > 0 {
		list = &p.snap.People[0]
	}
	return p.keep(&p.drawn.people, people, w, h, list, p.drawPeople)
}

func (p *Page) newsBlock(w, h int) []string {
	var list any
	if len(p.snap.News) > 0 {
		list = &p.snap.News[0]
	}
	return p.keep(&p.drawn.news, news, w, h, list, p.drawNews)
}

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
		return p.answer.draw(p.env.Theme, w, h)
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
	lines := []string{page.Right(" "+tabs.String(), p.counts(w-28)+" ", w)}
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
	say := "You are a guest and own nothing here. ssh-keygen makes a key; with it you are a member."
	if w < 90 {
		say = "You are a guest, and own nothing. With a key (ssh-keygen) you are a member."
	}
	if w < smallWidth {
		say = "A guest owns nothing: see ssh-keygen."
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
	switch n := len(p.talk.lines); {
	case p.snap.Notice != "":
		return " " + t.Paint(theme.Warn, page.Clip(t, p.snap.Notice, w-2))
	case n > 0 && (len(p.snap.News) == 0 || p.talk.lines[n-1].at.After(p.snap.News[0].At)):
		l := &p.talk.lines[n-1]
		if l.name == "" {
			return " " + t.Paint(theme.System, page.Clip(t, l.text, w-2))
		}
		name := page.Clip(t, l.name, 16)
		return " " + t.Paint(theme.Title, name) + " " + t.Paint(theme.Chat, page.Clip(t, page.Plain(t, l.text), w-3-text.Width(name)))
	case len(p.snap.News) > 0:
		return " " + t.Paint(theme.Muted, page.Clip(t, page.Plain(t, p.snap.News[0].Text), w-2))
	case p.me.ID.Guest():
		return p.guest(w)
	}
	return " " + t.Paint(theme.Faint, page.Clip(t, "Nothing said yet: t talks.", w-2))
}

// drawChat draws what is said, the newest at the bottom.
func (p *Page) drawChat(w, h int) []string {
	t := p.env.Theme
	up := p.cursor[chat].At
	timed, right := w >= 44, ""
	switch {
	case up > 0:
		right = t.Paint(theme.Accent, "scrolled back "+t.Glyphs().Dot+" end leads back")
	case timed:
		right = t.Paint(theme.Faint, "UTC")
	}
	lines := []string{p.head(chat, "Chat", right, w)}
	p.drawn.tops[chat] = 1
	rows := max(h-1, 1)
	p.seen[chat] = rows
	if len(p.talk.lines) == 0 {
		return page.Fill(append(lines, " "+t.Paint(theme.Faint, page.Clip(t, "Nobody has said anything yet.", w-2))), h)
	}
	var said []string
	for i := len(p.talk.lines) - 1 - up; i >= 0 && len(said) < rows; i-- {
		said = append(p.talk.lines[i].draw(t, w-1, timed), said...)
	}
	for _, s := range said[max(len(said)-rows, 0):] {
		lines = append(lines, " "+s)
	}
	return page.Fill(lines, h)
}

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
	doing := 11 // "watching 12"
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
		r.Add(theme.Muted, activity(who.Doing, who.Table), doing)
		lines = append(lines, r.Draw(i == c.At && p.focus == people))
	}
	return page.Fill(lines, h)
}

// activity shortens "playing at 12" to "playing 12". Who is in the lobby needs no words.
func activity(doing string, at table.ID) string {
	if at == 0 {
		return ""
	}
	return strings.Replace(doing, " at ", " ", 1)
}

// drawNews lists what others did, the newest first.
func (p *Page) drawNews(w, h int) []string {
	t := p.env.Theme
	all := p.snap.News
	lines := []string{p.head(news, "News", "", w)}
	p.drawn.tops[news] = 1
	rows := max(h-1, 1)
	p.drawn.newsRows = p.drawn.newsRows[:0]
	c := &p.cursor[news]
	c.Clamp(len(all), rows)
	if len(all) == 0 {
		return page.Fill(append(lines, " "+t.Paint(theme.Faint, page.Clip(t, "No news yet: what others do is told here.", w-2))), h)
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
	today := p.env.Now().UTC().Format(time.DateOnly)
	i := c.Top
	for ; i < len(all); i++ {
		item := told(i)
		if len(lines)-1+len(item) > rows && i > c.Top {
			break
		}
		when, layout := all[i].At.UTC(), "15:04"
		if when.Format(time.DateOnly) != today {
			layout = "2 Jan"
		}
		for j, say := range item {
			r := page.NewLine(t)
			draw := r.Draw
			if j == 0 {
				r.Add(theme.Faint, when.Format(layout), 6)
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
