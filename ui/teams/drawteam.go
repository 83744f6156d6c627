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

// Lines draws the team's record, its roster and its games, or what two teams did against each other and their games.
func (p *TeamPage) Lines(w, h int) []string {
	t := p.env.Theme
	switch {
	case p.gone:
		return []string{"", "   " + t.Paint(theme.Muted, "There is no such team any more: q goes back.")}
	case p.team == nil || p.other != 0 && p.versus == nil:
		return []string{"", "   " + t.Paint(theme.Muted, "Looking"+t.Glyphs().Ellipsis)}
	}
	width := min(w-1, widest)
	head := p.record(width, h)
	if p.versus != nil {
		head = p.comparison(width)
	}
	var foot []string
	if p.line.Active() {
		line, _ := p.line.Line(t, w-2)
		foot = []string{" " + line}
	}
	body, at := p.list(width)
	room := max(h-len(head)-len(foot), 1)
	p.rows = max(room-2, 1) // a headline may come between
	p.view.At = at
	p.view.Clamp(len(body), room)
	if at <= 1 { // with the headline above
		p.view.Top = 0
	}
	lines := append(head, body[p.view.Top:min(p.view.Top+room, len(body))]...)
	return append(page.Fill(lines, h-len(foot)), foot...)
}

// record is how a team stands, in two lines and a blank one.
func (p *TeamPage) record(w, h int) []string {
	t := p.env.Theme
	dot := " " + t.Glyphs().Dot + " "
	team := p.team
	first := "captain " + captain(team) + dot + "since " + team.Created.UTC().Format("2 January 2006")
	second := "no game of its own yet: n in the lobby makes a team table"
	if s := team.Stand; s != nil {
		parts := []string{
			"rating " + strings.TrimSpace(standings.Rating(s)), fmt.Sprintf("rank %d", s.Rank), fmt.Sprintf("%d won", s.Won), fmt.Sprintf("%d lost", s.Lost),
			s.LastFive, fmt.Sprintf("%d points : %d", s.For, s.Against),
		}
		second = strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), dot)
		if history := standings.History(t, s.History, 24); history != "" && text.Width(second)+3+text.Width(history) < w-2 {
			second += dot + history
		}
	}
	lines := []string{" " + t.Paint(theme.Muted, page.Clip(t, first, w-1)), " " + page.Clip(t, second, w-1)}
	if h >= page.Roomy-4 {
		lines = append(lines, "")
	}
	return lines
}

// comparison is two teams side by side.
func (p *TeamPage) comparison(w int) []string {
	t, v := p.env.Theme, p.versus
	half := min((w-14)/2, text.MaxTitle+8)
	widths := []int{8, -half, -half}
	line := func(what, a, b string) string { return page.Columns(t, widths, []string{what, a, b}) }
	// of is what a team has done against all, a dash before its first game.
	of := func(s *lobby.Standing, cell func(*lobby.Standing) string) string {
		if s.Games == 0 {
			return t.Glyphs().Dash
		}
		return cell(s)
	}
	overall := func(s *lobby.Standing) string { return fmt.Sprintf("%d : %d", s.Won, s.Lost) }
	rating := func(s *lobby.Standing) string { return strings.TrimSpace(standings.Rating(s)) }
	return []string{
		" " + t.Paint(theme.Title, line("", tagged(v.A.Tag, v.A.Name), tagged(v.B.Tag, v.B.Name))),
		" " + t.Paint(theme.Accent, line("won", strconv.Itoa(v.WonA), strconv.Itoa(v.WonB))),
		" " + line("points", strconv.Itoa(v.PointsA), strconv.Itoa(v.PointsB)),
		" " + t.Paint(theme.Muted, line("in all", of(&v.A, overall), of(&v.B, overall))),
		" " + t.Paint(theme.Muted, line("rating", of(&v.A, rating), of(&v.B, rating))),
	}
}

// list is the roster, those who are invited, and the games, with the line at which the cursor stands.
func (p *TeamPage) list(w int) (lines []string, at int) {
	t := p.env.Theme
	add := func(i int, line string) {
		if i != p.cursor.At {
			lines = append(lines, "   "+line)
			return
		}
		at = len(lines)
		lines = append(lines, " "+t.Paint(theme.Selected, t.Glyphs().Cursor+" "+line))
	}
	members := p.members()
	if len(members) > 0 {
		lines = append(lines, " "+page.Rule(t, "Roster", w-1))
	}
	for i := range members {
		add(i, p.memberRow(&members[i], w-2))
	}
	if invited := p.team.Invited; p.other == 0 && len(invited) > 0 {
		lines = append(lines, "   "+t.Paint(theme.Muted, page.Clip(t, "invited: "+strings.Join(invited, ", "), w-3)))
	}
	title := "Games"
	if p.other != 0 {
		title = "Games against each other"
	}
	lines = append(lines, " "+page.Rule(t, title, w-1))
	games := p.games()
	for i := range games {
		add(len(members)+i, p.gameRow(&games[i], w-2))
	}
	if len(games) == 0 {
		lines = append(lines, "   "+t.Paint(theme.Muted, "None yet."))
	}
	return lines, at
}

// memberRow is a member in w columns: name, whether captain, rating, won and lost as a player, since when.
func (p *TeamPage) memberRow(m *lobby.Member, w int) string {
	t := p.env.Theme
	role, rating, games := "", t.Glyphs().Dash, ""
	if m.ID == p.team.Captain {
		role = "captain"
	}
	if s := m.Stand; s != nil {
		rating, games = standings.Rating(s), fmt.Sprintf("%d won, %d lost", s.Won, s.Lost)
	}
	since := "since " + m.Joined.UTC().Format("2006-01-02")
	if w < 60 {
		return page.Columns(t, []int{w - 17, 7, -6}, []string{m.Name, role, rating})
	}
	return page.Columns(t, []int{text.MaxName, 7, -6, 20, w - 57}, []string{m.Name, role, rating, games, since})
}

// gameRow is a game in w columns as the team sees it: when, how it ended, against whom, by which rules.
func (p *TeamPage) gameRow(g *lobby.GameInfo, w int) string {
	t := p.env.Theme
	us := slices.Index(g.Teams[:], p.team.Tag)
	if us < 0 { // the team had another tag then; the first side stands for it
		us = 0
	}
	them := 1 - us
	how := "shared"
	switch g.Winner {
	case us + 1:
		how = "won"
	case them + 1:
		how = "lost"
	}
	if g.Ending == table.EndAbandoned {
		how = "abandoned"
	}
	score := ""
	if len(g.Scores) == 2 {
		score = fmt.Sprintf("%3d : %-3d", g.Scores[us], g.Scores[them])
	}
	date := g.Started.UTC().Format("2006-01-02")
	against := "[" + g.Teams[them] + "]"
	if w < 60 {
		return page.Columns(t, []int{5, 5, 9, w - 25}, []string{g.Started.UTC().Format("01-02"), how, score, against})
	}
	players := ""
	if len(g.Seats) == 4 {
		players = g.Seats[us] + "+" + g.Seats[us+2] + " against " + g.Seats[them] + "+" + g.Seats[them+2]
	}
	return page.Columns(t, []int{10, 9, 9, 7, 7, w - 52}, []string{date, how, score, against, g.Rules, players})
}
