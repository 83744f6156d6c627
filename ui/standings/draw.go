package standings

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

type column = page.Column[lobby.Standing]

var (
	colRank = column{Head: "#", Width: -3, Cell: page.From(plain.Standings, "RANK", 0).Cell}
	colName = column{Head: "Name", Cell: func(t *theme.Theme, s *lobby.Standing, _ int) string {
		return page.Shielded(t, name(s), s.Shield)
	}}
	colRating  = page.From(plain.Standings, "RATING", len("1500 (provisional)"))
	colShort   = column{Head: "Rating", Width: -6, Cell: page.Fact(Short)} // words for the chosen row are below
	colGames   = page.From(plain.Standings, "GAMES", -5)
	colWon     = page.From(plain.Standings, "WON", -4)
	colLost    = page.From(plain.Standings, "LOST", -4)
	colFor     = page.From(plain.Standings, "FOR", -7)
	colAgainst = page.From(plain.Standings, "AGAINST", -7)
	colStreak  = column{Head: "Streak", Width: -6, Cell: func(t *theme.Theme, s *lobby.Standing, _ int) string { return Streak(t, s) }}
	colLast    = page.From(plain.Standings, "LAST", 5)
	colHistory = column{Head: "History", Width: historyWidth, Cell: func(t *theme.Theme, s *lobby.Standing, w int) string {
		return page.History(t, s.History, w)
	}}
)

const historyWidth = 14

// columns returns the columns that fit on a screen of width w. The others are shown below the list, for the
// chosen row.
func columns(w int) []column {
	switch {
	case w < wordsFrom:
		return []column{colRank, colName, colShort, colWon, colLost}
	case w < allFrom:
		return []column{colRank, colName, colRating, colGames, colWon, colLost, colLast}
	}
	return []column{colRank, colName, colRating, colGames, colWon, colLost, colFor, colAgainst, colStreak, colLast, colHistory}
}

func name(s *lobby.Standing) string {
	if s.Tag != "" {
		return fmt.Sprintf("[%s] %s", s.Tag, s.Name)
	}
	return s.Name
}

// The widths from which words say that a rating is provisional, and from which the list shows every column. A
// pair or a team then has 20 columns for its name.
const (
	wordsFrom = 76
	allFrom   = 116
)

// Legend explains the mark of [Short], for a screen that shows it.
const Legend = "? provisional"

// Short returns the rating for where there is no room for words: "1612?" while it is provisional, else "1612
// ", so that right-aligned numbers line up.
func Short(s *lobby.Standing) string {
	if s.Provisional {
		return strconv.Itoa(s.Rating) + "?"
	}
	return strconv.Itoa(s.Rating) + " "
}

// Streak returns the current streak: "3 W" after three games won in a row.
func Streak(t *theme.Theme, s *lobby.Standing) string {
	switch {
	case s.Streak > 0:
		return strconv.Itoa(s.Streak) + " W"
	case s.Streak < 0:
		return strconv.Itoa(-s.Streak) + " L"
	}
	return t.Glyphs().Dash
}

func (p *Page) sheet() page.Sheet {
	t, w := p.env.Theme, p.Width
	above := []string{p.tabs(w), p.filters(w)}
	if p.list.Len() == 0 {
		return page.Sheet{Above: append(append(above, ""), page.Paragraph(t, theme.Muted, p.empty(), 3, min(w-4, 72))...)}
	}
	d, mine := page.NewGrid(t, columns(w), w-1, 0), p.ownRows()
	return page.Sheet{Above: append(above, d.Heads()), After: p.chart(w - 2), Below: p.detail(w - 2),
		Rows: p.list.Drawn(func(_ int, s *lobby.Standing, chosen bool) string {
			emphasis := page.Usual
			switch {
			case mine(s):
				emphasis = page.Own
			case s.Provisional:
				emphasis = page.Pale
			}
			return d.Row(s, chosen, emphasis)
		})}
}

// tabs draws the three kinds; the chosen one stands out.
func (p *Page) tabs(w int) string {
	now := kindNames[slices.Index(kinds, p.query.Kind)]
	left := " " + page.Choices(p.env.Theme, kindNames, now, true)
	if w >= wordsFrom {
		return left
	}
	for _, s := range p.list.Seen() {
		if s.Provisional {
			return page.Right(left, p.env.Theme.Paint(theme.Muted, Legend)+" ", w)
		}
	}
	return left
}

func (p *Page) filters(w int) string {
	t := p.env.Theme
	left := "  " + t.Paint(theme.Key, "m") + " " + t.Paint(theme.Text, page.Pad(monthName(p.query.Month), len("September 2026"))) +
		"  " + t.Paint(theme.Key, "g") + " " + t.Paint(theme.Text, cmp.Or(p.query.Game, "all games"))
	right, noun := "", nouns[slices.Index(kinds, p.query.Kind)]
	switch n := p.list.Len(); {
	case p.load.Waiting():
		right = t.Glyphs().Ellipsis
	case p.cut:
		right = strconv.Itoa(n) + "+ " + noun + "s"
	case n > 0:
		right = text.Number(n, noun)
	}
	if page.Width(left)+1+page.Width(right)+1 > w {
		return page.Pad(left, w)
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

// empty says why the list is empty, and what to do.
func (p *Page) empty() string {
	switch {
	case p.shown.Kind == "":
		return page.Looking(p.env.Theme)
	case p.shown.Month != "" || p.shown.Game != "":
		return page.Keyed("No results here yet: %s and %s choose another month or game.", keyMonth, keyGame)
	case p.shown.Kind == lobby.KindTeam:
		say := "No team has played a rated game yet."
		if p.env.Visit.Player().Team == 0 {
			say += " Make a team on page 2."
		}
		return say + page.Keyed(" Press %s in the lobby for a table of two teams.", page.KeyNewTable)
	case p.shown.Kind == lobby.KindPair:
		return page.Keyed("No pair has played a rated game yet: sit opposite another member at a table of four with partners (%s in the "+
			"lobby).", page.KeyNewTable)
	}
	return page.Keyed("No rated game between members has ended yet: %s in the lobby finds you one. "+
		"Games with bots or guests are casual and do not count.", page.KeyQuick)
}

func (p *Page) detail(w int) []string {
	s, t := p.list.Chosen(), p.env.Theme
	if s == nil || p.Width >= allFrom {
		return nil
	}
	g := t.Glyphs()
	line := func(parts ...string) string {
		said := slices.DeleteFunc(parts, func(s string) bool { return s == "" })
		return " " + t.Paint(theme.Muted, page.Clip(t, strings.Join(said, " "+g.Dot+" "), w))
	}
	points := fmt.Sprintf("%d points : %d", s.For, s.Against)
	if p.Width < wordsFrom {
		return []string{
			line(name(s), s.Number(), points),
			line(text.Number(s.Games, "game"), strings.TrimSpace(Streak(t, s)), s.LastFive, page.History(t, s.History, 10)),
		}
	}
	return []string{"", line(name(s), points, streak(s), page.History(t, s.History, 24))}
}

// The rows above the list, those around the chosen row's chart, and those of the chart itself if a short list
// leaves room for it.
const (
	headRows   = 3
	chartRows  = 4
	leastChart = 8
	mostChart  = 14
)

func (p *Page) chart(w int) []string {
	const (
		scale  = len("  1500 ")
		most   = 9   // columns of a game
		lowest = 0.1 // of the rows, for the lowest rating
	)
	s, t := p.list.Chosen(), p.env.Theme
	rows := min(p.Height-headRows-p.list.Len()-chartRows, mostChart)
	if s == nil || p.Width < allFrom || rows < leastChart {
		return nil
	}
	lines := []string{"", " " + page.Rule(t, page.Clip(t, name(s)+": rating after each of the last games", w-4), w), ""}
	n := len(s.History)
	if n < 2 {
		return append(lines, " "+t.Paint(theme.Faint, "One is not enough for a chart."))
	}
	low, high, each := slices.Min(s.History), slices.Max(s.History), min((w-scale)/n, most)
	var parts []float64
	for _, r := range s.History {
		part := lowest + (1-lowest)*float64(r-low)/float64(max(high-low, 1))
		parts = append(append(parts, slices.Repeat([]float64{part}, each-1)...), -1)
	}
	for y, bars := range page.Bars(t, parts, rows) {
		mark := map[int]string{0: strconv.Itoa(high), rows - 1: strconv.Itoa(low)}[y]
		lines = append(lines, t.Paint(theme.Faint, fmt.Sprintf("%*s ", scale-1, mark))+t.Paint(theme.Accent, bars))
	}
	last := s.LastFive[max(len(s.LastFive)-n, 0):]
	results := strings.Repeat(" ", scale+each*(n-len(last)))
	for _, r := range last {
		results += page.Pad(page.Center(string(r), each-1), each)
	}
	return append(lines, t.Paint(theme.Muted, results))
}

// streak says how many games were won or lost in a row; empty if there are none.
func streak(s *lobby.Standing) string {
	switch {
	case s.Streak > 0:
		return text.Number(s.Streak, "win") + " in a row"
	case s.Streak < -1:
		return strconv.Itoa(-s.Streak) + " losses in a row"
	}
	return ""
}

// ownRows returns a function that reports whether a row is the player's own, their team's, or that of a pair
// they are in.
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
