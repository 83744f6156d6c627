package games

import (
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/card"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

type column = page.Column[lobby.GameInfo]

// started returns a cell with the time at which a game began.
func started(layout string) func(*theme.Theme, *lobby.GameInfo, int) string {
	return page.Fact(func(g *lobby.GameInfo) string { return g.Started.UTC().Format(layout) })
}

// The numbers of columns of the screen from which the list has all columns, and from which it has them whole, with
// the rules and the time.
const (
	wide = 119
	full = 139
)

// columns returns the columns that fit into w columns of the screen beside the players, whose names come
// first; detail has what the list omits. last is the highest number of a game. If outcome is not nil, the
// list is about a player or a team, and outcome returns how a game ended for them.
func columns(w int, me string, last table.GameID, outcome func(*lobby.GameInfo) string) []column {
	number := max(len(strconv.FormatInt(int64(last), 10)), 5)
	first := column{Head: "No", Width: -number, Role: theme.Muted, Cell: page.From(plain.Games, "GAME", 0).Cell}
	date := column{Head: "Date", Width: 10, Role: theme.Muted, Cell: started(time.DateOnly)}
	game := column{Head: "Game", Width: 8, Role: theme.Text, Cell: page.Fact(func(g *lobby.GameInfo) string { return plain.Game(g.Rules) })}
	sides := column{Head: "Players", Cell: func(t *theme.Theme, g *lobby.GameInfo, w int) string { return players(t, g, me, w) }}
	ending := []column{{Head: "Ending", Width: 11, Role: theme.Muted, Cell: page.Fact(howEnded)}}
	dated, whole := 90, full // the least widths with the date, and with whole columns
	if outcome != nil {
		first, ending, dated, whole = column{Width: 9, Role: theme.Text, Cell: page.Fact(outcome)}, nil, 74, wide
	}
	switch {
	case w < 60:
		return []column{first, sides}
	case w < 74:
		return []column{first, game, sides}
	case w < dated:
		return append([]column{first, game, sides}, ending...)
	case w < wide:
		return append([]column{first, date, game, sides}, ending...)
	case w >= whole:
		date = column{Head: "Date (UTC)", Width: 16, Role: theme.Muted, Cell: started("2006-01-02 15:04")}
		game = column{Head: "Game", Width: 22 + (w-wide)/3, Role: theme.Text, Cell: page.From(plain.Games, "RULES", 0).Cell}
	}
	rounds := column{Head: "Rds", Width: -3, Role: theme.Muted, Cell: page.From(plain.Games, "ROUNDS", 0).Cell}
	kinds := page.From(plain.Games, "KIND", 6)
	kinds.Role = theme.Muted
	if outcome != nil {
		return []column{first, date, game, sides, kinds}
	}
	return append([]column{first, date, game, sides, rounds, kinds}, ending...)
}

// Of draws games of a player or a team in w columns of the screen; outcome returns how one ended for them.
func Of(t *theme.Theme, w int, outcome func(*lobby.GameInfo) string) *page.Grid[lobby.GameInfo] {
	return page.NewGrid(t, columns(w, "", 0, outcome), w, 0)
}

func howEnded(g *lobby.GameInfo) string {
	switch {
	case unfinished(g):
		return "in progress"
	case g.Ending == table.EndAbandoned:
		return "abandoned"
	}
	return string(g.Ending)
}

// widest is the width of the widest list; longer lines would be hard to follow.
const widest = 170

func (p *Page) sheet() page.Sheet {
	t, w := p.env.Theme, p.Width
	above := []string{p.top(w)}
	if p.list.Len() == 0 {
		return page.Sheet{Above: append(above, notice(t, theme.Faint, p.empty(), w)...)}
	}
	d := page.NewGrid(t, columns(w-1, me(p.env), p.list.Items()[0].ID, nil), w-1, 0)
	return page.Sheet{Above: append(above, d.Heads()), Below: p.detail(w - 2),
		Rows: p.list.Drawn(func(_ int, g *lobby.GameInfo, chosen bool) string {
			return d.Row(g, chosen, page.Usual)
		})}
}

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
		left += t.Paint(theme.Muted, " with ") + t.Paint(theme.Accent, page.Clip(t, s, max(w-32, 4)))
	}
	count := ""
	switch n := p.list.Len(); {
	case p.older:
		count = strconv.Itoa(n) + "+ games"
	case n > 0:
		count = text.Number(n, "game")
	}
	return page.Right(left, t.Paint(theme.Muted, count)+" ", w)
}

// empty returns why the list is empty, and what to do.
func (p *Page) empty() string {
	switch {
	case p.load.Waiting():
		return page.Looking(p.env.Theme)
	case p.search.Value() != "":
		return "No match. You can search names, tags, games and dates such as 2026-11."
	case p.mine:
		return page.Keyed("You haven't played yet: press %s in the lobby for a game.", page.KeyQuick)
	}
	return page.Keyed("No game has finished yet: press %s in the lobby for one.", page.KeyQuick)
}

// detail draws the chosen game in more words, if the list omits any.
func (p *Page) detail(w int) []string {
	g, t := p.list.Chosen(), p.env.Theme
	if g == nil || p.Width > full {
		return nil
	}
	dot := " " + t.Glyphs().Dot + " "
	line := func(s string) string { return " " + t.Paint(theme.Muted, page.Clip(t, s, w)) }
	what := g.Started.UTC().Format("2006-01-02 15:04") + " UTC" + dot + rules.Words(g.Rules)
	how := strings.Join([]string{text.Number(g.Rounds, "round"), plain.Games.Column("KIND").Cell(g), howEnded(g)}, dot)
	lines := []string{line(what), line(how)}
	if p.Width < 60 {
		return lines
	}
	if whole := what + dot + how; text.Width(whole) <= w {
		lines = []string{"", line(whole)}
	}
	return append(lines, line(players(t, g, me(p.env), 1<<10)))
}

// players returns the sides with their scores in at most w columns, and marks the winner: "✓ana 105 : 80
// ben". If room is short, bots lose their strength first, then it cuts long names.
func players(t *theme.Theme, g *lobby.GameInfo, me string, w int) string {
	n := sideCount(g)
	if full := sides(t, g, me, n*w); text.Width(full) <= w {
		return full
	}
	brief := *g
	brief.Seats, g = text.Each(g.Seats, plain.FirstName), &brief
	room := max(w-text.Width(sides(t, g, me, 0)), n)
	for room < n*w && text.Width(sides(t, g, me, room+1)) <= w { // short names leave some of their columns
		room++
	}
	return sides(t, g, me, room)
}

// sides returns the sides with their scores; the names share room columns evenly.
func sides(t *theme.Theme, g *lobby.GameInfo, me string, room int) string {
	n := sideCount(g)
	parts := make([]string, n)
	for i := range parts {
		name := page.Clip(t, sideName(g, me, i+1), (room+n-1-i)/n)
		if g.Winner == i+1 {
			name = card.Won(t) + name
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

func partners(g *lobby.GameInfo) bool {
	r, err := rules.Parse(g.Rules)
	return err == nil && r.Teams && len(g.Seats) == 4
}

func sideCount(g *lobby.GameInfo) int { return rules.SideCount(len(g.Seats), partners(g)) }

// me returns the reader's name; empty for guests, since another guest may have had the name before.
func me(e *page.Env) string {
	if who := e.Visit.Player(); !who.ID.Guest() {
		return who.Name
	}
	return ""
}

// sideName returns the name of a player, or of partners with their team's tag. The reader is "you".
func sideName(g *lobby.GameInfo, me string, side int) string {
	seat := func(i int) string {
		if me != "" && g.Seats[i] == me {
			return "you"
		}
		return g.Seats[i]
	}
	switch {
	case side < 1 || side > sideCount(g):
		return ""
	case !partners(g):
		return seat(side - 1)
	}
	name := seat(side-1) + "+" + seat(side+1)
	if tag := g.Teams[side-1]; tag != "" {
		name = "[" + tag + "] " + name
	}
	return name
}
