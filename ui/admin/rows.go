package admin

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/ui/page"
	"boneyard/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// count is how many rows the list that is shown has.
func (p *Page) count() int {
	switch p.at {
	case people:
		return len(p.club.Snapshot().People)
	case tables:
		return len(p.club.Snapshot().Tables)
	case sanctions:
		return len(p.kept.sanctions)
	case reports:
		return len(p.kept.reports)
	case suspicions:
		return len(p.kept.suspicions)
	}
	return len(p.kept.audit)
}

// cell is a part of a row; a width of 0 takes what is needed.
type cell struct {
	text  string
	width int
}

// row is one row of the list that is shown.
func (p *Page) row(i int) []cell {
	snap := p.club.Snapshot()
	switch p.at {
	case people:
		o := snap.People[i]
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
		return []cell{{o.Player.Name, 16}, {o.Doing, 18}, {what, 8}, {sessions, 0}}
	case tables:
		s := snap.Tables[i]
		var names []string
		for _, seat := range s.Seats {
			name := seat.Name()
			if name == "" {
				name = "-"
			}
			names = append(names, name)
		}
		return []cell{{strconv.FormatInt(int64(s.Table), 10), 5}, {string(s.State), 9}, {strconv.Itoa(s.Watchers) + " watch", 8}, {strings.Join(names, ", "), 0}, {s.Config.Name, 0}}
	case sanctions:
		s := p.kept.sanctions[i]
		until := "for good"
		if !s.Until.IsZero() {
			until = stamp(s.Until)
		}
		return []cell{{s.Kind, 4}, {s.Name, 18}, {until, 11}, {s.Finds(), 18}, {s.Why, 0}, {"by " + s.By, 0}}
	case reports:
		r := p.kept.reports[i]
		by := r.Name
		if by == "" {
			by = "a guest"
		}
		if r.Times > 1 {
			by += " (" + strconv.Itoa(r.Times) + " times)"
		}
		return []cell{{stamp(r.At), 11}, {r.About, 16}, {r.Where, 9}, {r.Text, 0}, {"by " + by, 0}}
	case suspicions:
		s := p.kept.suspicions[i]
		if s.Against == "" {
			return []cell{{s.Name, 16}, {fmt.Sprintf("quick losses: %d of %d games", s.Count, s.Games), 0}}
		}
		net := ""
		if s.OneNetwork {
			net = "both from one network now"
		}
		return []cell{{s.Name, 16}, {fmt.Sprintf("beat %s in %d of %d games", s.Against, s.Count, s.Games), 0}, {net, 0}}
	}
	e := p.kept.audit[i]
	return []cell{{stamp(e.At), 11}, {e.By, 12}, {e.Did, 8}, {e.Whom, 0}, {e.Why, 0}}
}

// line is a row as one line of text.
func (p *Page) line(i int) string {
	var parts []string
	for _, c := range p.row(i) {
		s := text.Printable(c.text)
		if c.width > 0 {
			s = text.FitTail(s, c.width, p.env.Theme.Glyphs().Ellipsis)
		} else if s == "" {
			continue
		}
		parts = append(parts, s)
	}
	return strings.TrimRight(strings.Join(parts, "  "), " ")
}

// command is what an operator most likely wants to do with the chosen row, to be changed and sent.
func (p *Page) command() string {
	p.cursor[p.at].Clamp(p.count(), p.rows)
	i := p.cursor[p.at].At
	if i >= p.count() {
		return ""
	}
	switch p.at {
	case people:
		return "/who " + p.club.Snapshot().People[i].Player.Name
	case tables:
		return "/close " + strconv.FormatInt(int64(p.club.Snapshot().Tables[i].Table), 10)
	case sanctions:
		s := p.kept.sanctions[i]
		return "/un" + s.Kind + " " + s.Name
	case reports:
		return "/mute " + p.kept.reports[i].About + " 30m "
	case suspicions:
		return "/who " + p.kept.suspicions[i].Name
	}
	return ""
}

func stamp(t time.Time) string { return t.UTC().Format("01-02 15:04") }

// Lines draws the page.
func (p *Page) Lines(w, h int) []string {
	t := p.env.Theme
	if !p.club.Operator() {
		return []string{"", " " + t.Paint(theme.Bad, text.FitTail(string(lobby.ErrOperatorsOnly), w-2, t.Glyphs().Ellipsis))}
	}
	lines := p.drawFigures(w)
	if len(lines) > max(h/3, 1) {
		lines = lines[:max(h/3, 1)]
	}
	if h >= page.Roomy-4 {
		lines = append(lines, "")
	}
	lines = append(lines, p.drawTabs(w))
	p.rows = max(h-len(lines)-1, 1)
	if len(p.reply) > 0 {
		return append(lines, p.drawReply(w)...)
	}
	n := p.count()
	c := p.cursor[p.at]
	c.Clamp(n, p.rows)
	if n == 0 {
		lines = append(lines, " "+t.Paint(theme.Muted, "Nothing."))
	}
	for i := c.Top; i < min(n, c.Top+p.rows); i++ {
		s := " " + ansi.Truncate(p.line(i), w-2, t.Glyphs().Ellipsis)
		if i == c.At {
			s = t.Paint(theme.Selected, page.Pad(s, w))
		}
		lines = append(lines, s)
	}
	p.inputY = min(len(lines), h-1)
	switch {
	case p.input.Active():
		s, _ := p.input.Line(t, w-2)
		lines = append(lines, " "+s)
	case p.fault != "":
		lines = append(lines, " "+t.Paint(theme.Bad, text.FitTail(p.fault, w-2, t.Glyphs().Ellipsis)))
	}
	return lines
}

// drawFigures draws what the server says of itself, as many figures a line as have room.
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

// drawTabs names the lists, the one that is shown brightest; where there is no room for all, it alone is named.
func (p *Page) drawTabs(w int) string {
	t := p.env.Theme
	var all []string
	width := 1
	for i, name := range listNames {
		role := theme.Muted
		if list(i) == p.at {
			role = theme.Title
			name += " (" + strconv.Itoa(p.count()) + ")"
		}
		width += text.Width(name) + 2
		all = append(all, t.Paint(role, name))
	}
	if width > w {
		return " " + all[p.at]
	}
	return " " + strings.Join(all, "  ")
}

func (p *Page) drawReply(w int) (lines []string) {
	t := p.env.Theme
	for _, s := range p.reply[:min(len(p.reply), p.rows)] {
		lines = append(lines, " "+t.Paint(theme.Accent, text.FitTail(text.Printable(s), w-2, t.Glyphs().Ellipsis)))
	}
	return lines
}
