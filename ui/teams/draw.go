package teams

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/standings"
	"boneyard/ui/theme"
)

// listTop is the row of the page's body in which the list begins: below one's own team, and the heads of the columns.
const listTop = 3

// widest is the widest list; beyond, lines would be too long to follow.
const widest = 110

// Lines draws one's own team or the form of a new one, the invitations and the teams.
func (p *Page) Lines(w, h int) []string {
	t := p.env.Theme
	lines := make([]string, 0, h)
	if p.form.open() {
		lines = append(lines, p.form.lines(t, w)...)
	} else {
		lines = append(lines, " "+page.Clip(t, p.headline(), w-2), "")
	}
	p.rows = max(h-listTop, 1)
	n := len(p.asks) + len(p.teams)
	if n == 0 {
		lines = append(lines, "   "+t.Paint(theme.Muted, p.empty()))
		return page.Fill(lines, h)
	}
	p.cursor.Clamp(n, p.rows)
	cols := columns(w)
	widths, heads := make([]int, len(cols)), make([]string, len(cols))
	for i, c := range cols {
		widths[i], heads[i] = c.width, c.head
	}
	lines = append(lines, "   "+t.Paint(theme.Muted, page.Columns(t, widths, heads)))
	own := p.own()
	for i := p.cursor.Top; i < min(p.cursor.Top+p.rows, n); i++ {
		lines = append(lines, p.row(i, own, cols, widths))
	}
	return page.Fill(lines, h)
}

// column is one column of the list.
type column struct {
	head  string
	width int // negative: set to the right
	cell  func(t *theme.Theme, team *lobby.Team) string
}

// stand returns a cell of a team's standing, a dash before its first game.
func stand(cell func(s *lobby.Standing) string) func(*theme.Theme, *lobby.Team) string {
	return func(t *theme.Theme, team *lobby.Team) string {
		if team.Stand == nil {
			return t.Glyphs().Dash
		}
		return cell(team.Stand)
	}
}

// The columns there are, but for the name.
var (
	colTag     = column{"Tag", text.MaxTag, func(_ *theme.Theme, team *lobby.Team) string { return team.Tag }}
	colCaptain = column{"Captain", text.MaxName, func(_ *theme.Theme, team *lobby.Team) string { return captain(team) }}
	colMembers = column{"Members", -7, func(_ *theme.Theme, team *lobby.Team) string { return strconv.Itoa(len(team.Members)) }}
	colRating  = column{"Rating", -6, stand(standings.Rating)}
	colGames   = column{"Games", -5, stand(func(s *lobby.Standing) string { return strconv.Itoa(s.Games) })}
	colWon     = column{"Won", -4, stand(func(s *lobby.Standing) string { return strconv.Itoa(s.Won) })}
	colLost    = column{"Lost", -4, stand(func(s *lobby.Standing) string { return strconv.Itoa(s.Lost) })}
	colLast    = column{"Last", 5, stand(func(s *lobby.Standing) string { return s.LastFive })}
)

// columns are the columns that w columns have room for.
func columns(w int) []column {
	rest := []column{colCaptain, colMembers, colRating, colGames, colWon, colLost, colLast}
	switch {
	case w < 60:
		rest = []column{colRating}
	case w < 100:
		rest = []column{colCaptain, colMembers, colRating, colGames}
	}
	room := min(w-1, widest) - 2 - colTag.width - 2
	for _, c := range rest {
		room -= max(c.width, -c.width) + 2
	}
	name := column{"Team", min(room, text.MaxTitle), func(_ *theme.Theme, team *lobby.Team) string { return team.Name }}
	return append([]column{colTag, name}, rest...)
}

// row draws an invitation or a team.
func (p *Page) row(i int, own table.TeamID, cols []column, widths []int) string {
	t := p.env.Theme
	g := t.Glyphs()
	if i < len(p.asks) {
		a := p.asks[i]
		total := 2*len(widths) - 2
		for _, w := range widths {
			total += max(w, -w)
		}
		tag, what := cols[0].width, fmt.Sprintf("%s invites you to %s", a.From, a.Name)
		line := page.Columns(t, []int{tag, total - tag - 2}, []string{a.Tag, what})
		if i == p.cursor.At {
			return " " + t.Paint(theme.Selected, g.Cursor+" "+line)
		}
		return " " + t.Paint(theme.Accent, g.Bullet+" "+line)
	}
	team := &p.teams[i-len(p.asks)]
	cells := make([]string, len(cols))
	for j, c := range cols {
		cells[j] = c.cell(t, team)
	}
	line := page.Columns(t, widths, cells)
	switch {
	case i == p.cursor.At:
		return " " + t.Paint(theme.Selected, g.Cursor+" "+line)
	case team.ID == own:
		return " " + t.Paint(theme.Accent, g.Bullet+" "+line)
	}
	return "   " + line
}

// captain is the name of a team's captain.
func captain(team *lobby.Team) string {
	i := slices.IndexFunc(team.Members, func(m lobby.Member) bool { return m.ID == team.Captain })
	if i < 0 {
		return ""
	}
	return team.Members[i].Name
}

// headline is one's own team, or how to have one.
func (p *Page) headline() string {
	own := p.own()
	i := slices.IndexFunc(p.teams, func(t lobby.Team) bool { return t.ID == own })
	switch {
	case own != 0 && i >= 0:
		return "You play for " + teamName(&p.teams[i]) + "; o opens it."
	case own != 0:
		return "o opens your team."
	case p.env.Visit.Account() == nil:
		return "Teams are for members. Connect with an SSH key; the key is your account."
	case len(p.asks) > 0:
		return "You are invited: a accepts, d declines."
	}
	return "You aren't in a team: press c to make one, or ask for an invitation."
}

func (p *Page) empty() string {
	if !p.loaded {
		return "Looking" + p.env.Theme.Glyphs().Ellipsis
	}
	return "There are no teams yet."
}

// teamName is a team's name with its tag.
func teamName(t *lobby.Team) string { return tagged(t.Tag, t.Name) }

func tagged(tag, name string) string {
	return strings.TrimSpace("[" + tag + "] " + name)
}
