package teams

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/ui/games"
	"boneyard/ui/page"
	"boneyard/ui/standings"
	"boneyard/ui/theme"
)

// sheet draws the team's record, its roster and its games, or two teams head to head with their games.
func (p *TeamPage) sheet() page.Sheet {
	t, w := p.env.Theme, p.width()
	switch {
	case p.missing:
		gone := page.Keyed("This team no longer exists; press %s to go back.", page.KeyBack)
		return page.Sheet{Above: []string{"", "   " + t.Paint(theme.Muted, page.Clip(t, gone, p.Width-4))}}
	case !p.loaded():
		return page.Sheet{Above: []string{"", "   " + t.Paint(theme.Muted, page.Looking(t))}}
	}
	above := p.record(w, p.Height)
	if p.versus != nil {
		above = p.comparison(w)
	}
	d := games.Of(t, w, p.outcome)
	return page.Sheet{Above: above, Below: p.line.Foot(t, p.Width), Rows: p.list.Drawn(func(_ int, r *entry, chosen bool) string {
		switch {
		case r.member != nil:
			return page.Mark(t, p.memberRow(r.member, w-3), chosen, page.Usual)
		case r.game != nil:
			return d.Row(r.game, chosen, page.Usual)
		}
		return r.line
	})}
}

func (p *TeamPage) loaded() bool { return p.team != nil && (p.other == 0 || p.versus != nil) }

func (p *TeamPage) width() int { return p.Width - 1 }

func (p *TeamPage) record(w, h int) []string {
	t := p.env.Theme
	dot := " " + t.Glyphs().Dot + " "
	team := p.team
	first := "captain " + captain(team) + dot + "since " + team.Created.UTC().Format("2 January 2006")
	second := "no rated team game yet"
	if p.own() {
		second = page.Longest(w-2, page.Keyed(second+": press %s in the lobby for a team table", page.KeyNewTable), second)
	}
	if s := team.Stand; s != nil {
		parts := []string{
			"rating " + s.Number(), fmt.Sprintf("rank %d", s.Rank), fmt.Sprintf("%d won", s.Won), fmt.Sprintf("%d lost", s.Lost),
			s.LastFive, fmt.Sprintf("%d points : %d", s.For, s.Against),
		}
		second = strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), dot)
		if history := page.History(t, s.History, 24); history != "" && text.Width(second)+3+text.Width(history) < w-2 {
			second += dot + history
		}
	}
	lines := []string{" " + t.Paint(theme.Muted, page.Clip(t, first, w-1)), " " + page.Clip(t, second, w-1)}
	if h >= page.Roomy-4 {
		lines = append(lines, "")
	}
	return lines
}

func (p *TeamPage) comparison(w int) []string {
	t, v := p.env.Theme, p.versus
	half := min((w-14)/2, text.MaxTitle+8)
	widths := []int{8, -half, -half}
	line := func(what, a, b string) string { return page.Columns(t, widths, []string{what, a, b}) }
	// of returns a figure of the team against all, or a dash before its first game.
	of := func(s *lobby.Standing, cell func(*lobby.Standing) string) string {
		if s.Games == 0 {
			return t.Glyphs().Dash
		}
		return cell(s)
	}
	overall := func(s *lobby.Standing) string { return fmt.Sprintf("%d : %d", s.Won, s.Lost) }
	rating := (*lobby.Standing).Number
	return []string{
		" " + t.Paint(theme.Title, line("", tagged(v.A.Tag, v.A.Name), tagged(v.B.Tag, v.B.Name))),
		" " + t.Paint(theme.Accent, line("won", strconv.Itoa(v.WonA), strconv.Itoa(v.WonB))),
		" " + line("points", strconv.Itoa(v.PointsA), strconv.Itoa(v.PointsB)),
		" " + t.Paint(theme.Muted, line("in all", of(&v.A, overall), of(&v.B, overall))),
		" " + t.Paint(theme.Muted, line("rating", of(&v.A, rating), of(&v.B, rating))),
	}
}

func (p *TeamPage) Resize(w, h int) {
	p.Size.Resize(w, h)
	p.fill()
}

// fill builds the list: the roster, the invited, the trophies and the games.
func (p *TeamPage) fill() {
	if !p.loaded() {
		return
	}
	t, w := p.env.Theme, p.width()
	var rows []entry
	add := func(line string) { rows = append(rows, entry{line: line}) }
	title := func(s string) {
		if len(rows) > 0 && p.Height >= page.Roomy-4 {
			add("")
		}
		add(" " + page.Rule(t, s, w-1))
	}
	games, versus := p.team.Recent, "Games"
	if p.versus != nil {
		games, versus = p.versus.Games, "Games against each other"
	} else {
		roster := "Roster"
		if w < memberWords+2 && slices.ContainsFunc(p.team.Members, func(m lobby.Member) bool { return m.Stand != nil && m.Stand.Provisional }) {
			roster += " (" + standings.Legend + ")"
		}
		title(roster)
		for i := range p.team.Members {
			rows = append(rows, entry{member: &p.team.Members[i]})
		}
		if invited := p.team.Invited; len(invited) > 0 {
			add("   " + t.Paint(theme.Muted, page.Clip(t, "invited: "+strings.Join(invited, ", "), w-3)))
		}
	}
	if len(p.won) > 0 {
		title("Trophies")
		for _, won := range p.won {
			add("   " + page.Columns(t, []int{10, w - 15}, []string{won.At.UTC().Format(time.DateOnly), text.Printable(won.Title)}))
		}
	}
	title(versus)
	for i := range games {
		rows = append(rows, entry{game: &games[i]})
	}
	if len(games) == 0 {
		add("   " + t.Paint(theme.Muted, "None yet."))
	}
	p.list.Update(rows, func(a, b *entry) bool {
		return a.member != nil && b.member != nil && a.member.ID == b.member.ID || a.game != nil && b.game != nil && a.game.ID == b.game.ID
	})
	p.Fit()
}

// The columns from which a member's row has words, has the day of joining, and says what that day is.
const (
	memberWords = 62
	memberDay   = memberWords + 4 + len(time.DateOnly)
	memberSince = 90
)

// memberRow draws a member in w columns: name, whether captain, rating, games won and lost as a player, since
// when.
func (p *TeamPage) memberRow(m *lobby.Member, w int) string {
	t := p.env.Theme
	role, rating, games := "", t.Glyphs().Dash, ""
	if m.ID == p.team.Captain {
		role = "captain"
	}
	if s := m.Stand; s != nil {
		rating, games = standings.Short(s), fmt.Sprintf("%d won, %d lost", s.Won, s.Lost)
	}
	if w < memberWords {
		return page.Columns(t, []int{w - 17, 7, -6}, []string{m.Name, role, rating})
	}
	if m.Stand != nil {
		rating = m.Stand.Number()
	}
	widths, cells := []int{text.MaxName, 7, len("1500 (provisional)")}, []string{m.Name, role, rating, games}
	switch day := m.Joined.UTC().Format(time.DateOnly); {
	case w < memberDay:
		return page.Columns(t, append(widths, w-47), cells)
	case w < memberSince:
		return page.Columns(t, append(widths, 17, w-66), append(cells, day))
	default:
		return page.Columns(t, append(widths, 20, w-69), append(cells, "since "+day))
	}
}

// outcome says how a game ended for the team.
func (p *TeamPage) outcome(g *lobby.GameInfo) string {
	return g.HowFor(rules.Side(max(slices.Index(g.Teams[:], p.team.Tag), 0) + 1)) // the first side if the team had another tag then
}

func captain(team *lobby.Team) string {
	i := slices.IndexFunc(team.Members, func(m lobby.Member) bool { return m.ID == team.Captain })
	if i < 0 {
		return ""
	}
	return team.Members[i].Name
}
