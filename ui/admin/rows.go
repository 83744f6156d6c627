package admin

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// entry is one row of a list.
type entry struct {
	cells   []cell
	command string // the command an operator most likely wants for the row, to be edited and sent; may be empty
	of      any    // what the row is about, while in the list
}

// cell is a part of a row; width 0 means as much as needed.
type cell struct {
	text  string
	width int
}

func (p *Page) entries() []entry {
	snap := p.club.Snapshot()
	switch p.at {
	case people:
		return each(snap.People, person)
	case tables:
		return each(snap.Tables, tableRow)
	case sanctions:
		return each(p.kept.sanctions, sanction)
	case reports:
		return each(p.kept.reports, report)
	case suspicions:
		return each(p.kept.suspicions, suspicion)
	}
	return each(p.kept.audit, func(e *lobby.AuditEntry) entry {
		return entry{cells: []cell{{stamp(e.At), 11}, {e.By, 12}, {e.Did, 8}, {e.Whom, 0}, {e.Why, 0}}, of: *e}
	})
}

func each[T any](list []T, row func(*T) entry) []entry {
	rows := make([]entry, len(list))
	for i := range list {
		rows[i] = row(&list[i])
	}
	return rows
}

func person(o *lobby.Person) entry {
	what := ""
	switch {
	case o.Operator:
		what = "operator"
	case o.Guest:
		what = "guest"
	case o.Player.Bot:
		what = "program"
	}
	sessions := ""
	if o.Sessions > 1 {
		sessions = strconv.Itoa(o.Sessions) + " sessions"
	}
	return entry{[]cell{{o.Player.Name, 16}, {o.Doing, 18}, {what, 8}, {sessions, 0}}, "/who " + o.Player.Name, o.Player.ID}
}

func tableRow(s *table.Summary) entry {
	names := text.Each(s.Seats, func(seat table.SeatView) string { return cmp.Or(seat.Name(), "-") })
	id := strconv.FormatInt(int64(s.Table), 10)
	return entry{
		[]cell{{id, 5}, {string(s.State), 9}, {strconv.Itoa(s.Watchers) + " watch", 8}, {strings.Join(names, ", "), 0}, {s.Config.Name, 0}},
		"/close " + id, s.Table,
	}
}

func sanction(s *lobby.Sanction) entry {
	until := "for good"
	if !s.Until.IsZero() {
		until = s.Until.UTC().Format("2006-01-02 15:04") // which may be in another year
	}
	return entry{
		[]cell{{s.Kind, 4}, {s.Name, 18}, {until, 16}, {s.Finds(), 18}, {s.Why, 0}, {"by " + s.By, 0}},
		"/un" + s.Kind + " " + s.Name, s.ID,
	}
}

func report(r *lobby.Report) entry {
	by := cmp.Or(r.Name, "a guest")
	if r.Times > 1 {
		by += " (" + strconv.Itoa(r.Times) + " times)"
	}
	return entry{
		[]cell{{stamp(r.At), 11}, {r.About, 16}, {r.Where, 9}, {r.Text, 0}, {"by " + by, 0}},
		"/mute " + r.About + " 30m ", *r,
	}
}

func suspicion(s *lobby.Suspicion) entry {
	net := ""
	if s.OneNetwork {
		net = "both on one network now"
	}
	return entry{[]cell{{s.Name, 16}, {s.Did(), 0}, {net, 0}}, "/who " + s.Name, [2]table.PlayerID{s.Player, s.Other}}
}

func (e *entry) line(t *theme.Theme) string {
	var parts []string
	for _, c := range e.cells {
		s := text.Printable(c.text)
		if c.width > 0 {
			s = text.FitTail(s, c.width, t.Glyphs().Ellipsis)
		} else if s == "" {
			continue
		}
		parts = append(parts, s)
	}
	return strings.TrimRight(strings.Join(parts, "  "), " ")
}

func stamp(t time.Time) string { return t.UTC().Format("01-02 15:04") }

func (p *Page) head() []string {
	lines := p.drawFigures(p.Width)
	if most := max(p.Height/3, 1); len(lines) > most {
		lines = lines[:most]
	}
	if p.Height >= page.RoomyBody {
		lines = append(lines, "")
	}
	return append(lines, p.drawTabs())
}

// inputRow returns the row in which a command is typed: below the list.
func (p *Page) inputRow() int {
	l := &p.lists[p.at]
	return min(len(p.head())+min(max(l.Len(), 1), l.Rows()), p.Height-1)
}

// sheet draws the figures, and a list with the typed line below it, or the answer to a command.
func (p *Page) sheet() page.Sheet {
	t, w := p.env.Theme, p.Width
	fit := func(r theme.Role, s string) string { return " " + page.Fit(t, r, s, w-2) }
	if !p.club.Operator() {
		return page.Sheet{Above: []string{"", fit(theme.Bad, string(lobby.ErrOperatorsOnly))}}
	}
	if p.answer != nil {
		return page.Sheet{Above: p.answer.Lines()}
	}
	above, after := p.head(), ""
	list := &p.lists[p.at]
	if list.Len() == 0 {
		above = append(above, " "+t.Paint(theme.Muted, "Nothing."))
	}
	switch {
	case p.input.Active():
		s, _ := p.input.Line(t, w-2)
		after = " " + s
	case p.fault != "":
		after = fit(theme.Bad, p.fault)
	}
	return page.Sheet{Above: above, After: []string{after}, Rows: list.Drawn(func(_ int, e *entry, chosen bool) string {
		return page.Mark(t, ansi.Truncate(e.line(t), w-4, t.Glyphs().Ellipsis), chosen, page.Usual)
	})}
}

// drawFigures draws the server's figures, as many per line as fit.
func (p *Page) drawFigures(w int) (lines []string) {
	t := p.env.Theme
	line, width := "", 0
	for _, f := range p.figures {
		n := text.Width(f.Name) + 1 + text.Width(f.Value)
		if width > 0 && width+3+n > w-2 {
			lines = append(lines, " "+line)
			line, width = "", 0
		}
		if width > 0 {
			line, width = line+"   ", width+3
		}
		line += t.Paint(theme.Muted, f.Name) + " " + t.Paint(theme.Text, f.Value)
		width += n
	}
	if width > 0 {
		lines = append(lines, " "+line)
	}
	for i, s := range lines {
		lines[i] = ansi.Truncate(s, w, t.Glyphs().Ellipsis)
	}
	return lines
}

// names are those of the lists, that of the shown one with how many rows it has.
func (p *Page) names() []string {
	names := slices.Clone(listNames[:])
	names[p.at] += " (" + strconv.Itoa(p.lists[p.at].Len()) + ")"
	return names
}

func (p *Page) tabsWidth() int { return p.Width - 1 }

// drawTabs names the lists; where there is no room for all, the shown one alone.
func (p *Page) drawTabs() string {
	names := p.names()
	shown := names[p.at]
	if page.ChoicesWidth(names) > p.tabsWidth() {
		names = []string{shown}
	}
	return " " + page.Choices(p.env.Theme, names, shown, true)
}
