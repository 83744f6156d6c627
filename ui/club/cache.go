package club

import (
	"time"

	"boneyard/lobby/event/daily"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// panelKey is all that a panel's lines depend on, besides the reader.
type panelKey struct {
	w, h    int
	theme   *theme.Theme
	focused bool
	cursor  page.Cursor
	day     time.Time
	bare    bool // see layout
}

// common are the panels that most people see alike, drawn once. One cache serves all clubs of a process,
// since listed tells them apart. It is small, since it keeps the lists alive.
var common = screen.NewCache[commonKey, []string](32)

type commonKey struct {
	at panel
	panelKey
	listed any            // a pointer to an item of the snapshot's list
	hearer table.PlayerID // a reader who ignores authors of the chat, or is named in the news; 0 for most
	heard  int            // counts changes of what the hearer reads
	minute time.Time      // of a list with idle times
}

type cache struct {
	tables   []string // nil if they must be drawn again
	tablesAs panelKey

	rows   map[table.ID]drawnRow // of the tables that were visible lately
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
	me      table.Reader
}

// row draws a table's row, unless it has been drawn already: of hundreds of tables few change at a time.
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

// block draws a panel at exactly the size it has in the layout.
func (p *Page) block(at panel, l *layout) []string {
	r := l.panels[at]
	day, _ := daily.Bounds(p.env.Now())
	k := commonKey{at: at, panelKey: panelKey{r.w, r.h, p.env.Theme, p.focus == at, p.cursor[at], day, l.bare}}
	draw := p.drawNews
	switch at {
	case tables:
		if d := &p.drawn; d.tables == nil || d.tablesAs != k.panelKey {
			d.tables, d.tablesAs = filled(p.drawTables(r.w, r.h), r), k.panelKey
		}
		return p.drawn.tables
	case chat:
		draw, k.listed = p.drawChat, end(p.talk.chat)
		if p.talk.unheard != nil {
			k.hearer, k.heard = p.me.ID, p.talk.change
		}
	case people:
		draw, k.listed = p.drawPeople, end(p.people.People)
		k.minute = p.env.Now().Truncate(time.Minute)
	case news:
		k.listed = end(p.snap.News)
		if p.mentioned {
			k.hearer = p.me.ID
		}
	}
	if at == people && len(p.people.Friends) > 0 { // in this person's own order
		return p.markOwn(filled(draw(r.w, r.h), r), r)
	}
	lines := common.Get(k, func() []string { return filled(draw(r.w, r.h), r) })
	if at == people {
		lines = p.markOwn(lines, r)
	}
	return lines
}

// filled cuts or extends lines to the size of a panel.
func filled(lines []string, r rect) []string {
	lines = page.Fill(lines, r.h)
	for i, s := range lines {
		lines[i] = page.Pad(s, r.w)
	}
	return lines
}

// end returns a pointer to a list's last item, which tells lists of snapshots apart.
func end[T any](list []T) any {
	if len(list) == 0 {
		return nil
	}
	return &list[len(list)-1]
}
