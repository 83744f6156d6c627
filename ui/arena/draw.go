package arena

import (
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/text"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// above is the number of rows above the standing, and the one below it for one's own row.
const above, below = 3, 1

// Resize implements [page.Page].
func (p *Page) Resize(w, h int) {
	p.Size.Resize(w, h)
	p.all.Resize(h)
	p.rows.Resize(h - p.top() - below)
}

// top is the number of rows above the standing.
func (p *Page) top() int {
	if p.one != nil && len(p.one.Teams) > 0 {
		return above + 1
	}
	return above
}

func (p *Page) title() string {
	if p.id == 0 {
		return "Arenas"
	}
	title := "Arena " + strconv.FormatInt(int64(p.id), 10)
	if p.one != nil && p.one.Config.Name != "" {
		title += " " + text.Printable(p.one.Config.Name)
	}
	return title
}

func (p *Page) fit(r theme.Role, s string, w int) string { return page.Fit(p.env.Theme, r, s, w) }

// Lines draws the page.
func (p *Page) Lines() []string {
	if p.id == 0 {
		return page.Fill(p.list(), p.Height)
	}
	if p.one == nil {
		return page.Nothing(p.env.Theme, p.fault, p.Size)
	}
	foot := p.line.Foot(p.env.Theme, p.Width)
	return append(page.Fill(p.standing(), p.Height-len(foot)), foot...)
}

// list draws all arenas.
func (p *Page) list() []string {
	if p.all.Len() == 0 {
		say := "No arena is planned. Captains and operators make one with ssh " + p.env.Address + " arena new in=30 length=60 classic"
		return page.Paragraph(p.env.Theme, theme.Muted, say, 1, p.Width-2)
	}
	var lines []string
	for i, a := range p.all.Seen() {
		name := text.Printable(a.Config.Name)
		if name == "" {
			name = "Arena " + strconv.FormatInt(int64(a.ID), 10)
		}
		r := page.NewLine(p.env.Theme)
		r.Add(theme.Title, name, 22)
		r.Gap(2)
		r.Add(theme.Text, p.time(a), min(22, p.Width-28))
		if left := p.Width - 53; left > 0 {
			r.Gap(2)
			r.Add(theme.Muted, page.Plain(p.env.Theme, a.Config.Rules+", "+string(a.Config.Pace)+", "+p.kind(a)+", "+plain.Number(len(a.Entrants), "player")), left)
		}
		lines = append(lines, r.Draw(i == p.all.At()))
	}
	return lines
}

// kind says who plays whom.
func (p *Page) kind(a *lobby.Arena) string {
	kind := "singles"
	if a.Config.Pairs {
		kind = "pairs"
	}
	if a.Config.Battle {
		kind += ", teams"
	}
	if a.Config.Weekly {
		kind += ", weekly"
	}
	return kind
}

// time says when the arena begins, or how much time is left.
func (p *Page) time(a *lobby.Arena) string {
	now := p.env.Now()
	switch {
	case a.Over:
		return plain.Arenas.Column("STATE").Cell(a)
	case !a.Begun && a.Begins.Sub(now) > 90*time.Minute:
		return "begins " + a.Begins.UTC().Format("2 Jan 15:04") + " UTC"
	case !a.Begun:
		return "begins in " + plain.Time(a.Begins.Sub(now))
	case now.Before(a.Ends):
		return plain.Time(a.Ends.Sub(now)) + " left"
	}
	return "final games"
}

// standing draws one arena.
func (p *Page) standing() []string {
	a, t, w := p.one, p.env.Theme, p.Width
	left := " " + p.fit(theme.Muted, a.Config.Rules+", "+string(a.Config.Pace)+", "+p.kind(a)+"; "+plain.Number(a.Played, "game")+" so far", w-26)
	lines := []string{page.Right(left, p.fit(theme.Accent, p.time(a), 24)+" ", w)}
	if len(a.Teams) > 0 {
		parts := make([]string, 0, len(a.Teams))
		for i, team := range a.Teams {
			parts = append(parts, strconv.Itoa(team.Rank)+" "+t.Paint(theme.Side(i), text.Printable(team.Tag))+" "+strconv.Itoa(team.Score))
		}
		lines = append(lines, " "+page.Pad(strings.Join(parts, "   "), w-2))
	}
	lines = append(lines, "", p.row(theme.Muted, page.Usual, false, "", "Name", "Score", "Mean", "Won", "Row", "Plays"))
	if len(a.Entrants) == 0 {
		say := "Nobody has joined yet."
		switch {
		case a.Over:
			say = "Nobody joined."
		case p.mayEnter():
			say = "Nobody has joined yet: press e."
		}
		return append(lines, " "+p.fit(theme.Muted, say, w-2))
	}
	me := p.club.Player().ID
	seen := false
	for i, e := range p.rows.Seen() {
		seen = seen || e.Has(me)
		lines = append(lines, p.entrant(e, i == p.rows.At(), e.Has(me)))
	}
	if own := a.Of(me); own != nil && !seen {
		lines = append(lines, p.entrant(own, false, true))
	}
	return lines
}

// entrant is a row of the standing.
func (p *Page) entrant(e *arena.Entrant, chosen, own bool) string {
	role, look := theme.Text, page.Usual
	switch {
	case own:
		look = page.Own
	case e.Away:
		role = theme.Faint
	}
	name := e.Name()
	if tag := e.Members[0].Tag; tag != "" {
		name = tag + " " + name
	}
	plays := ""
	switch state := plain.ArenaState(p.one.View, e); state {
	case "playing":
		plays = p.opponent(e)
	case "waiting", "over":
	default:
		plays = state
	}
	row := ""
	if e.Row > 1 {
		row = strconv.Itoa(e.Row)
	}
	return p.row(role, look, chosen, strconv.Itoa(e.Rank), name, strconv.Itoa(e.Score), strconv.FormatFloat(e.Tie, 'f', 1, 64), strconv.Itoa(e.Won)+"/"+strconv.Itoa(e.Games), row, plays)
}

// opponent says whom somebody plays, and where.
func (p *Page) opponent(e *arena.Entrant) string {
	for _, g := range p.one.Games {
		if g.No != e.Game {
			continue
		}
		other := g.A
		if other == e.ID {
			other = g.B
		}
		if o := p.one.Of(other); o != nil {
			return o.Name() + ", table " + strconv.FormatInt(int64(p.one.Tables[g.No]), 10)
		}
	}
	return ""
}

// row sets a row into columns; on narrow screens only the name, the score and who plays whom.
func (p *Page) row(role theme.Role, look page.Look, chosen bool, rank, name, score, mean, won, row, plays string) string {
	right := func(s string, w int) string { return strings.Repeat(" ", max(w-page.Width(s), 0)) + s }
	cell := func(s string, w int) string { return page.Cut(p.env.Theme, s, w) }
	plays = text.Printable(plays)
	width := 20
	if p.one.Config.Pairs {
		width = 36
	}
	line := right(rank, 3) + "  " + cell(name, width) + right(score, 6) + right(mean, 7) + right(won, 8) + right(row, 5) + "  " + plays
	if p.Width < 70 {
		line = right(rank, 3) + " " + cell(name, min(p.Width-26, width)) + right(score, 5) + "  " + plays
	}
	line = page.Pad(line, p.Width-4)
	if look == page.Usual && !chosen {
		line = p.env.Theme.Paint(role, line)
	}
	return page.Mark(p.env.Theme, line, chosen, look)
}
