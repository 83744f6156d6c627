package club

import (
	"time"

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
