package games

import (
	"fmt"
	"strconv"
	"strings"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// listTop is the row of the page's body in which the list begins: below the search and the heads of the columns.
const listTop = 2

// column is one column of the list.
type column struct {
	head  string
	width int // negative: set to the right; 0: what is left
	cell  func(g *lobby.GameInfo) string
}

// columns are the columns for which w columns have room, beside the players.
func (p *Page) columns(w int) []column {
	number := column{"No", -5, func(g *lobby.GameInfo) string { return strconv.FormatInt(int64(g.ID), 10) }}
	players := column{"Players", 0, p.players}
	if w < 60 {
		return []column{number, players}
	}
	date := column{"Date", 10, func(g *lobby.GameInfo) string { return g.Started.UTC().Format("2006-01-02") }}
	if w >= 100 {
		date = column{"Date (UTC)", 16, func(g *lobby.GameInfo) string { return g.Started.UTC().Format("2006-01-02 15:04") }}
	}
	rulesw := 8
	if w >= 100 {
		rulesw = 26
	}
	return []column{
		number, date,
		{"Game", rulesw, func(g *lobby.GameInfo) string { return g.Rules }},
		players,
		{"Rds", -3, func(g *lobby.GameInfo) string { return strconv.Itoa(g.Rounds) }},
		{"Kind", 6, kind},
		{"Ending", 9, howEnded},
	}
}

func kind(g *lobby.GameInfo) string {
	if g.Rated {
		return "rated"
	}
	return "casual"
}

// howEnded is a game's ending in a word.
func howEnded(g *lobby.GameInfo) string {
	switch {
	case unfinished(g):
		return "goes on"
	case g.Ending == table.EndForfeit:
		return "forfeit"
	}
	return string(g.Ending)
}

// widest is the widest list; beyond, lines would be too long to follow.
const widest = 120

// Lines draws the search, the list, and the chosen game in more words.
func (p *Page) Lines(w, h int) []string {
	t := p.env.Theme
	lines := append(make([]string, 0, h), p.top(w))
	width := min(w-1, widest)
	foot := p.detail(w - 2)
	p.rows = max(h-listTop-len(foot), 1)
	p.cursor.Clamp(len(p.list), p.rows)
	cols := p.columns(width)
	flex := width - 2
	for _, c := range cols {
		flex -= max(c.width, -c.width) + 2
	}
	for i := range cols {
		if cols[i].width == 0 {
			cols[i].width = flex + 2
		}
	}
	if len(p.list) == 0 {
		return append(lines, notice(t, theme.Faint, p.empty(), w)...)
	}
	heads := make([]string, len(cols))
	for i, c := range cols {
		heads[i] = c.head
	}
	lines = append(lines, "   "+t.Paint(theme.Muted, p.row(cols, heads)))
	for i := p.cursor.Top; i < min(p.cursor.Top+p.rows, len(p.list)); i++ {
		cells := make([]string, len(cols))
		for j, c := range cols {
			cells[j] = c.cell(&p.list[i])
		}
		row := p.row(cols, cells)
		switch {
		case i == p.cursor.At:
			lines = append(lines, " "+t.Paint(theme.Selected, t.Glyphs().Cursor+" "+row))
		default:
			lines = append(lines, "   "+row)
		}
	}
	return append(page.Fill(lines, h-len(foot)), foot...)
}

// row sets cells into columns with two blanks between.
func (p *Page) row(cols []column, cells []string) string {
	var b strings.Builder
	for i, c := range cols {
		if i > 0 {
			b.WriteString("  ")
		}
		if c.width < 0 {
			b.WriteString(fmt.Sprintf("%*s", -c.width, cells[i]))
			continue
		}
		b.WriteString(text.FitTail(cells[i], c.width, p.env.Theme.Glyphs().Ellipsis))
	}
	return b.String()
}

// top is the search, or what is listed.
func (p *Page) top(w int) string {
	t := p.env.Theme
	if p.search.Active() {
		line, _ := p.search.Line(t, w-2)
		return " " + line
	}
	what := "All games"
	if p.mine {
		what = "My games"
	}
	left := " " + t.Paint(theme.Title, what)
	if s := p.search.Value(); s != "" {
		left += t.Paint(theme.Muted, " with ") + t.Paint(theme.Accent, strings.TrimRight(text.FitTail(s, max(w-26, 4), t.Glyphs().Ellipsis), " "))
	}
	count := strconv.Itoa(len(p.list))
	if p.older {
		count += "+"
	}
	return page.Right(left, t.Paint(theme.Muted, count)+" ", w)
}

// empty says why the list is empty, and what to do.
func (p *Page) empty() string {
	switch {
	case p.asking:
		return "Looking" + p.env.Theme.Glyphs().Ellipsis
	case p.search.Value() != "":
		return "No game has all of these words. Names, tags, games and dates such as 2026-11 are looked at."
	case p.mine:
		return "You have not played yet: p in the lobby finds you a game."
	}
	return "Nobody has finished a game yet: p in the lobby finds you one."
}

// detail is the chosen game in more words, for which narrow lists have no columns: at most two lines.
func (p *Page) detail(w int) []string {
	g, t := p.chosen(), p.env.Theme
	if g == nil || w >= 58 {
		return nil
	}
	dot := " " + t.Glyphs().Dot + " "
	first := g.Started.UTC().Format("2006-01-02 15:04") + dot + g.Rules
	second := fmt.Sprintf("%d rounds", g.Rounds) + dot + kind(g) + dot + howEnded(g)
	return []string{
		" " + t.Paint(theme.Muted, text.FitTail(first, w, t.Glyphs().Ellipsis)),
		" " + t.Paint(theme.Muted, text.FitTail(second, w, t.Glyphs().Ellipsis)),
	}
}

// players are the sides with their scores, the winner marked: "✓ana 105 : 80 ben".
func (p *Page) players(g *lobby.GameInfo) string {
	sides := sideCount(g)
	parts := make([]string, sides)
	for i := range parts {
		name := sideName(g, i+1)
		if g.Winner == i+1 {
			name = p.env.Theme.Glyphs().Check + name
		}
		score := p.env.Theme.Glyphs().Dash
		if i < len(g.Scores) {
			score = strconv.Itoa(g.Scores[i])
		}
		switch {
		case sides == 2 && i == 1:
			parts[i] = score + " " + name
		default:
			parts[i] = name + " " + score
		}
	}
	if sides == 2 {
		return strings.Join(parts, " : ")
	}
	return strings.Join(parts, ", ")
}

// sideCount is the number of sides of a game: with partners there are two.
func sideCount(g *lobby.GameInfo) int {
	r, err := rules.Parse(g.Rules)
	return rules.SideCount(len(g.Seats), err == nil && r.Teams)
}

// sideName is a side's name: a player's, a team's tag and players, or the partners'.
func sideName(g *lobby.GameInfo, side int) string {
	sides := sideCount(g)
	if side < 1 || side > sides {
		return ""
	}
	if sides == len(g.Seats) {
		return g.Seats[side-1]
	}
	name := g.Seats[side-1] + "+" + g.Seats[side+1]
	if g.Teams[side-1] != "" {
		name = "[" + g.Teams[side-1] + "] " + name
	}
	return name
}
