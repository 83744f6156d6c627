package standings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/rating"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// listTop is the row of the page's body in which the list begins: below what is shown, and the heads of the columns.
const listTop = 3

// widest is the widest list; beyond, lines would be too long to follow.
const widest = 120

// column is one column of the list.
type column struct {
	head  string
	width int // negative: set to the right; 0: what is left
	cell  func(t *theme.Theme, s *lobby.Standing) string
}

func number(n func(s *lobby.Standing) int) func(*theme.Theme, *lobby.Standing) string {
	return func(_ *theme.Theme, s *lobby.Standing) string { return strconv.Itoa(n(s)) }
}

// The columns there are.
var (
	colRank    = column{"#", -3, number(func(s *lobby.Standing) int { return s.Rank })}
	colName    = column{"Name", 0, func(_ *theme.Theme, s *lobby.Standing) string { return name(s) }}
	colRating  = column{"Rating", -6, func(_ *theme.Theme, s *lobby.Standing) string { return Rating(s) }}
	colGames   = column{"Games", -5, number(func(s *lobby.Standing) int { return s.Games })}
	colWon     = column{"Won", -4, number(func(s *lobby.Standing) int { return s.Won })}
	colLost    = column{"Lost", -4, number(func(s *lobby.Standing) int { return s.Lost })}
	colFor     = column{"For", -6, number(func(s *lobby.Standing) int { return s.For })}
	colAgainst = column{"Against", -7, number(func(s *lobby.Standing) int { return s.Against })}
	colStreak  = column{"Streak", -6, Streak}
	colLast    = column{"Last", 5, func(_ *theme.Theme, s *lobby.Standing) string { return s.LastFive }}
	colHistory = column{"History", historyWidth, func(t *theme.Theme, s *lobby.Standing) string { return History(t, s.History, historyWidth) }}
)

const historyWidth = 14

// columns are the columns for which w columns have room. What has none stands below the list, for the chosen row.
func columns(w int) []column {
	switch {
	case w < 60:
		return []column{colRank, colName, colRating, colWon, colLost}
	case w < 100:
		return []column{colRank, colName, colRating, colGames, colWon, colLost, colStreak, colLast}
	}
	return []column{colRank, colName, colRating, colGames, colWon, colLost, colFor, colAgainst, colStreak, colLast, colHistory}
}

// name is a row's name; a team's has its tag.
func name(s *lobby.Standing) string {
	if s.Tag != "" {
		return fmt.Sprintf("[%s] %s", s.Tag, s.Name)
	}
	return s.Name
}

// Rating is the rating as it is shown: "1612?" while few games stand behind it, else "1612 ", so that numbers set to the
// right stand below each other.
func Rating(s *lobby.Standing) string {
	if s.Provisional {
		return strconv.Itoa(s.Rating) + "?"
	}
	return strconv.Itoa(s.Rating) + " "
}

// Streak is "3 W" after three games won in a row.
func Streak(t *theme.Theme, s *lobby.Standing) string {
	switch {
	case s.Streak > 0:
		return strconv.Itoa(s.Streak) + " W"
	case s.Streak < 0:
		return strconv.Itoa(-s.Streak) + " L"
	}
	return t.Glyphs().Dash
}

// History draws the history of a rating in at most w columns.
func History(t *theme.Theme, history []int, w int) string {
	var b strings.Builder
	for _, level := range rating.Sparkline(history, w) {
		b.WriteString(t.Glyphs().Spark[level])
	}
	return b.String()
}

// Lines draws what is shown, the list, and the chosen row in more words.
func (p *Page) Lines(w, h int) []string {
	t := p.env.Theme
	lines := append(make([]string, 0, h), p.tabs(), p.filters(w))
	foot := p.detail(w - 2)
	p.rows = max(h-listTop-len(foot), 1)
	if len(p.list) == 0 {
		lines = append(lines, "")
		for _, s := range page.Wrap(p.empty(), min(w-4, 72)) {
			lines = append(lines, "   "+t.Paint(theme.Muted, s))
		}
		return page.Fill(lines, h)
	}
	p.cursor.Clamp(len(p.list), p.rows)
	cols := columns(w)
	flex := min(w-1, widest) - 2
	for _, c := range cols {
		flex -= max(c.width, -c.width) + 2
	}
	widths, cells := make([]int, len(cols)), make([]string, len(cols))
	for i, c := range cols {
		widths[i], cells[i] = c.width, c.head
		if c.width == 0 {
			widths[i] = flex + 2
		}
	}
	lines = append(lines, "   "+t.Paint(theme.Muted, page.Columns(t, widths, cells)))
	mine := p.ownRows()
	for i := p.cursor.Top; i < min(p.cursor.Top+p.rows, len(p.list)); i++ {
		s := &p.list[i]
		for j, c := range cols {
			cells[j] = c.cell(t, s)
		}
		line := page.Columns(t, widths, cells)
		switch {
		case i == p.cursor.At:
			line = " " + t.Paint(theme.Selected, t.Glyphs().Cursor+" "+line)
		case mine(s):
			line = " " + t.Paint(theme.Accent, t.Glyphs().Bullet+" "+line)
		case s.Provisional:
			line = "   " + t.Paint(theme.Muted, line)
		default:
			line = "   " + line
		}
		lines = append(lines, line)
	}
	return append(page.Fill(lines, h-len(foot)), foot...)
}

// tabs are the three kinds; the one that is asked for stands out.
func (p *Page) tabs() string {
	now := kindNames[slices.Index(kinds, p.query.Kind)]
	return " " + page.Choices(p.env.Theme, kindNames, now, true)
}

// filters are the month and the game that are asked for, and how many rows there are.
func (p *Page) filters(w int) string {
	t := p.env.Theme
	left := "  " + t.Paint(theme.Key, "m") + " " + t.Paint(theme.Text, page.Pad(monthName(p.query.Month), len("September 2026"))) +
		"  " + t.Paint(theme.Key, "g") + " " + t.Paint(theme.Text, gameName(p.query.Game))
	right := ""
	switch n := len(p.list); {
	case p.asking:
		right = t.Glyphs().Ellipsis
	case n == most:
		right = strconv.Itoa(n) + "+"
	case n > 0:
		right = strconv.Itoa(n)
	}
	return page.Right(left, t.Paint(theme.Muted, right)+" ", w)
}

func monthName(month string) string {
	if month == "" {
		return "All time"
	}
	m, err := time.Parse("2006-01", month)
	if err != nil {
		return month
	}
	return m.Format("January 2006")
}

func gameName(game string) string {
	if game == "" {
		return "all games"
	}
	return game
}

// empty says why the list is empty, and what to do.
func (p *Page) empty() string {
	switch {
	case p.shown.Kind == "":
		return "Looking" + p.env.Theme.Glyphs().Ellipsis
	case p.shown.Month != "" || p.shown.Game != "":
		return "Nobody has played for this table: m and g choose another month or game."
	case p.shown.Kind == lobby.KindTeam:
		return "No team has played yet. Page 2 makes a team; n in the lobby makes a table for two of them."
	case p.shown.Kind == lobby.KindPair:
		return "No pair has played yet: sit opposite another member at a table of four with partners (n in the lobby)."
	}
	return "No game between members has ended yet: p in the lobby finds you one. Games with bots or guests are casual and do not count."
}

// detail is the chosen row in more words, where the list has no room for them: two lines.
func (p *Page) detail(w int) []string {
	s, t := p.chosen(), p.env.Theme
	if s == nil || w >= 98 {
		return nil
	}
	g := t.Glyphs()
	line := func(parts ...string) string {
		return " " + t.Paint(theme.Muted, page.Clip(t, strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " "+g.Dot+" "), w))
	}
	points := fmt.Sprintf("%d points : %d", s.For, s.Against)
	if w < 58 {
		return []string{
			line(name(s), points),
			line(plural(s.Games, "game"), strings.TrimSpace(Streak(t, s)), s.LastFive, History(t, s.History, 10)),
		}
	}
	return []string{"", line(name(s), points, History(t, s.History, 24))}
}

// plural is "1 game", "2 games".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// ownRows returns a function that reports whether a row is the player's own, of their team, or of a pair they are in.
func (p *Page) ownRows() func(*lobby.Standing) bool {
	me := p.env.Visit.Player()
	switch p.shown.Kind {
	case lobby.KindTeam:
		return func(s *lobby.Standing) bool { return me.Team != 0 && s.ID == int64(me.Team) }
	case lobby.KindPair:
		return func(s *lobby.Standing) bool { return slices.Contains(strings.Split(s.Name, " + "), me.Name) }
	}
	return func(s *lobby.Standing) bool { return s.ID == int64(me.ID) }
}
