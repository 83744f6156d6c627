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
	role  theme.Role
	cell  func(g *lobby.GameInfo, w int) string
}

// columns are the columns for which w columns have room, beside the players.
func (p *Page) columns(w int) []column {
	number := column{"No", -5, theme.Muted, func(g *lobby.GameInfo, _ int) string { return strconv.FormatInt(int64(g.ID), 10) }}
	players := column{"Players", 0, theme.Text, p.players}
	if w < 60 {
		return []column{number, players}
	}
	date := column{"Date", 10, theme.Muted, func(g *lobby.GameInfo, _ int) string { return g.Started.UTC().Format("2006-01-02") }}
	if w >= 100 {
		date = column{"Date (UTC)", 16, theme.Muted, func(g *lobby.GameInfo, _ int) string { return g.Started.UTC().Format("2006-01-02 15:04") }}
	}
	game := column{"Game", 8, theme.Text, preset}
	if w >= 100 {
		game = column{"Game", 26, theme.Text, func(g *lobby.GameInfo, _ int) string { return g.Rules }}
	}
	return []column{
		number, date, game, players,
		{"Rds", -3, theme.Muted, func(g *lobby.GameInfo, _ int) string { return strconv.Itoa(g.Rounds) }},
		{"Kind", 6, theme.Muted, func(g *lobby.GameInfo, _ int) string { return kind(g) }},
		{"Ending", 7, theme.Muted, func(g *lobby.GameInfo, _ int) string { return howEnded(g) }},
	}
}

// preset is the game without its house rules, of which a plus sign tells.
func preset(g *lobby.GameInfo, _ int) string {
	name, house, _ := strings.Cut(g.Rules, " ")
	if house != "" {
		name += "+"
	}
	return name
}

func kind(g *lobby.GameInfo) string {
	if g.Rated {
		return "rated"
	}
	return "casual"
}

// howEnded is a game's ending in a short word.
func howEnded(g *lobby.GameInfo) string {
	switch {
	case unfinished(g):
		return "in progress"
	case g.Ending == table.EndAbandoned:
		return "abandoned"
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
	lines = append(lines, "   "+t.Paint(theme.Muted, strings.Join(p.row(cols, heads), "  ")))
	for i := p.cursor.Top; i < min(p.cursor.Top+p.rows, len(p.list)); i++ {
		cells := make([]string, len(cols))
		for j, c := range cols {
			cells[j] = c.cell(&p.list[i], c.width)
		}
		if i == p.cursor.At {
			lines = append(lines, " "+t.Paint(theme.Selected, t.Glyphs().Cursor+" "+strings.Join(p.row(cols, cells), "  ")))
			continue
		}
		row := p.row(cols, cells)
		for j, c := range cols {
			row[j] = t.Paint(c.role, row[j])
		}
		lines = append(lines, "   "+strings.Join(row, "  "))
	}
	return append(page.Fill(lines, h-len(foot)), foot...)
}

// row sets cells to the widths of their columns.
func (p *Page) row(cols []column, cells []string) []string {
	row := make([]string, len(cols))
	for i, c := range cols {
		if c.width < 0 {
			row[i] = fmt.Sprintf("%*s", -c.width, page.Clip(p.env.Theme, cells[i], -c.width))
			continue
		}
		row[i] = page.Cut(p.env.Theme, cells[i], c.width)
	}
	return row
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
		left += t.Paint(theme.Muted, " with ") + t.Paint(theme.Accent, page.Clip(t, s, max(w-26, 4)))
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
		return "No match. You can search names, tags, games and dates such as 2026-11."
	case p.mine:
		return "You haven't played yet: press p in the lobby for a game."
	}
	return "No game has finished yet: press p in the lobby for one."
}

// detail is the chosen game in more words, for what narrower lists have no room: at most two lines.
func (p *Page) detail(w int) []string {
	g, t := p.chosen(), p.env.Theme
	if g == nil || w >= 98 {
		return nil
	}
	dot := " " + t.Glyphs().Dot + " "
	line := func(parts ...string) string {
		return " " + t.Paint(theme.Muted, page.Clip(t, strings.Join(parts, dot), w))
	}
	when := g.Started.UTC().Format("2006-01-02 15:04") + " UTC"
	if w >= 58 {
		return []string{"", line(when, g.Rules, p.players(g, 1<<10))}
	}
	return []string{line(when, g.Rules), line(fmt.Sprintf("%d rounds", g.Rounds), kind(g), howEnded(g))}
}

// players are the sides with their scores in at most w columns, the winner marked: "✓ana 105 : 80 ben". Long names give way.
func (p *Page) players(g *lobby.GameInfo, w int) string {
	full := p.sides(g, w)
	if text.Width(full) <= w {
		return full
	}
	room := max((w-text.Width(p.sides(g, 0)))/sideCount(g), 1)
	for room < w && text.Width(p.sides(g, room+1)) <= w { // short names leave some of theirs
		room++
	}
	return p.sides(g, room)
}

// winner marks the name of the side that won.
func winner(t *theme.Theme, name string) string {
	if t.Faces() == theme.ASCII {
		return "*" + name
	}
	return t.Glyphs().Check + name
}

// sides are the sides with their scores; each name has room columns.
func (p *Page) sides(g *lobby.GameInfo, room int) string {
	t := p.env.Theme
	n := sideCount(g)
	parts := make([]string, n)
	for i := range parts {
		name := page.Clip(t, sideName(g, i+1), room)
		if g.Winner == i+1 {
			name = winner(t, name)
		}
		score := t.Glyphs().Dash
		if i < len(g.Scores) {
			score = strconv.Itoa(g.Scores[i])
		}
		if n == 2 && i == 1 { // the scores of two sides meet
			parts[i] = score + " " + name
		} else {
			parts[i] = name + " " + score
		}
	}
	if n == 2 {
		return strings.Join(parts, " : ")
	}
	return strings.Join(parts, ", ")
}

// partners reports whether a game was played by 1+3 against 2+4.
func partners(g *lobby.GameInfo) bool {
	r, err := rules.Parse(g.Rules)
	return err == nil && r.Teams && len(g.Seats) == 4
}

// sideCount is the number of sides of a game.
func sideCount(g *lobby.GameInfo) int { return rules.SideCount(len(g.Seats), partners(g)) }

// sideName is a side's name: a player's, or the partners' with the tag of their team.
func sideName(g *lobby.GameInfo, side int) string {
	switch {
	case side < 1 || side > sideCount(g):
		return ""
	case !partners(g):
		return g.Seats[side-1]
	}
	name := g.Seats[side-1] + "+" + g.Seats[side+1]
	if tag := g.Teams[side-1]; tag != "" {
		name = "[" + tag + "] " + name
	}
	return name
}
