package contest

import (
	"fmt"
	"strconv"
	"strings"

	"boneyard/lobby"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// narrow is the width below which rows leave columns out.
const narrow = 70

func (p *Page) title() string {
	if p.one == nil {
		return "Leagues and cups"
	}
	return text.Printable(p.one.View().Config.Name)
}

// list makes the rows of the list.
func (p *Page) list() {
	var rows []row
	for i := range p.now {
		c := &p.now[i]
		v := c.View()
		state := "running"
		if !v.Begun {
			state = "begins " + v.Begins.UTC().Format("2 Jan 15:04")
		}
		rows = append(rows, row{c.ID, c.Kind, v.Config.Name, state, plain.Number(len(v.Teams), "team")})
	}
	for _, c := range p.past {
		rows = append(rows, row{c.ID, c.Kind, c.Name, "over " + c.Ended.UTC().Format("2 Jan 2006"), ""})
	}
	p.all.Update(rows, func(a, b *row) bool { return a.id == b.id })
}

// Resize implements [page.Page].
func (p *Page) Resize(w, h int) {
	p.Size.Resize(w, h)
	p.all.Resize(h)
	p.scroll()
}

func (p *Page) fit(r theme.Role, s string, w int) string { return page.Fit(p.env.Theme, r, s, w) }

// Lines draws the page.
func (p *Page) Lines() []string {
	switch {
	case p.id == 0:
		return page.Fill(p.listed(), p.Height)
	case p.one == nil:
		return page.Nothing(p.env.Theme, p.fault, p.Size)
	}
	foot := p.line.Foot(p.env.Theme, p.Width)
	head := p.head()
	body, _ := p.body()
	room := max(p.Height-len(head)-len(foot), 1)
	top := max(min(p.view.Top, len(body)-room), 0)
	lines := append(head, body[top:min(top+room, len(body))]...)
	return append(page.Fill(lines, p.Height-len(foot)), foot...)
}

// scroll brings the cursor's line into sight.
func (p *Page) scroll() {
	if p.one == nil || p.Width == 0 {
		return
	}
	if p.one.Cup == nil {
		p.cursor.Clamp(p.places()+len(p.one.View().Matches), max(p.Height, 1))
	}
	lines, rows := p.body()
	at, chosen := 0, p.cursor.At
	if p.one.Cup != nil {
		chosen = p.place
	}
	if chosen < len(rows) {
		at = rows[chosen]
	}
	room := p.Height - len(p.head())
	if p.line.Active() {
		room--
	}
	p.view.At = at
	p.view.Clamp(len(lines), max(room, 1))
	if at < room { // with the heads above
		p.view.Top = 0
	}
}

// listed draws the list.
func (p *Page) listed() []string {
	if p.all.Len() == 0 {
		say := "No league or cup is planned. Operators make one with ssh " + p.env.Address + " league new in=7d block name=Winter league"
		return page.Paragraph(p.env.Theme, theme.Muted, say, 1, p.Width-2)
	}
	var lines []string
	for i, c := range p.all.Seen() {
		name := min(max(p.Width-44, 12), 40)
		r := page.NewLine(p.env.Theme)
		r.Add(theme.Title, c.name, name)
		r.Gap(2)
		r.Add(theme.Muted, string(c.kind), 6)
		r.Gap(2)
		r.Add(theme.Text, c.state, min(19, p.Width-name-14))
		if left := p.Width - name - 35; left > 0 {
			r.Gap(2)
			r.Add(theme.Muted, c.teams, left)
		}
		lines = append(lines, r.Draw(i == p.all.At()))
	}
	return lines
}

// head is the part above what scrolls: what is played, and what the reader has to do.
func (p *Page) head() []string {
	v := p.one.View()
	what := string(p.one.Kind) + ", " + v.Config.Rules + ", " + string(v.Config.Pace)
	state := plain.EventState(v.Begun, v.Over, "begins "+v.Begins.UTC().Format("Mon 2 Jan 15:04")+" UTC", "running")
	lines := []string{page.Right(" "+p.fit(theme.Muted, what, p.Width-4-page.Width(state)), p.fit(theme.Accent, state, 28)+" ", p.Width)}
	if own := p.own(); own != nil {
		lines = append(lines, " "+p.fit(theme.Accent, lobby.Reminder(p.one, own, p.club.Player().Team, false), p.Width-2))
	}
	if p.one.Cup != nil && p.tie() != nil {
		lines = append(lines, " "+p.fit(theme.Text, p.tieLine(), p.Width-2))
	}
	return append(lines, "")
}

// body is what scrolls, and in which lines of it are the rows that can be chosen: in a bracket the ties of the round in which the cursor is.
func (p *Page) body() (lines []string, rows []int) {
	v := p.one.View()
	switch {
	case !v.Begun:
		return p.signedUp(), nil
	case p.one.Cup != nil:
		return p.bracket()
	}
	add := func(line string, own bool) {
		look := page.Usual
		if own {
			look = page.Own
		}
		chosen := len(rows) == p.cursor.At
		rows = append(rows, len(lines))
		lines = append(lines, page.Mark(p.env.Theme, page.Pad(line, p.Width-4), chosen, look))
	}
	me := p.club.Player().Team
	for d, places := range p.one.League.Divisions {
		title := "Table"
		if len(p.one.League.Divisions) > 1 {
			title = "Division " + strconv.Itoa(d+1)
		}
		if d > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, p.env.Theme.Paint(theme.Muted, "   "+p.placeLine("", title, "Pl", "W", "L", "Games", "Points", "Score", "")))
		for _, r := range places {
			add(p.tableLine(&r), me != 0 && r.Team.ID == me)
		}
	}
	for i := range v.Matches {
		m := &v.Matches[i]
		if i == 0 || m.Division != v.Matches[i-1].Division || m.Round != v.Matches[i-1].Round {
			title := fmt.Sprintf("Window %d, until %s", m.Round, m.Closes.UTC().Format("Mon 2 Jan 15:04"))
			if len(p.one.League.Divisions) > 1 {
				title = fmt.Sprintf("Division %d, window %d, until %s", m.Division, m.Round, m.Closes.UTC().Format("Mon 2 Jan 15:04"))
			}
			lines = append(lines, "", " "+p.fit(theme.Muted, title, p.Width-2))
		}
		add(p.matchLine(m), me != 0 && m.Of(me) >= 0)
	}
	return lines, rows
}

// signedUp lists the teams that take part, before the event begins.
func (p *Page) signedUp() []string {
	v := p.one.View()
	if len(v.Teams) == 0 {
		return []string{" " + p.fit(theme.Muted, "No team has signed up yet; captains sign theirs up with e.", p.Width-2)}
	}
	lines := []string{" " + p.fit(theme.Muted, "Teams signed up:", p.Width-2)}
	for _, t := range v.Teams {
		lines = append(lines, " "+p.fit(theme.Text, "["+t.Tag+"] "+t.Name, p.Width-2))
	}
	return lines
}

// tableLine is a team in its table.
func (p *Page) tableLine(r *league.Row) string {
	g := p.env.Theme.Glyphs()
	moves := ""
	switch {
	case r.Up:
		moves = g.Up
	case r.Down:
		moves = g.Down
	}
	return p.placeLine(strconv.Itoa(r.Place), "["+r.Team.Tag+"] "+r.Team.Name, strconv.Itoa(r.Played), strconv.Itoa(r.Won), strconv.Itoa(r.Lost), fmt.Sprintf("%d:%d", r.GamesFor, r.GamesTo),
		fmt.Sprintf("%d:%d", r.For, r.Against), strconv.Itoa(r.Score), moves)
}

// placeLine sets a row of a table into columns; on narrow screens without the games' points.
func (p *Page) placeLine(place, team, played, won, lost, games, points, score, moves string) string {
	right := func(s string, w int) string { return strings.Repeat(" ", max(w-page.Width(s), 0)) + s }
	clip := func(s string, w int) string { return page.Cut(p.env.Theme, page.Plain(p.env.Theme, s), w) }
	if p.Width < narrow {
		return right(place, 2) + " " + clip(team, p.Width-25) + right(won, 3) + right(games, 6) + right(score, 6) + " " + moves
	}
	return right(place, 3) + "  " + clip(team, min(p.Width-49, 34)) + right(played, 4) + right(won, 4) + right(lost, 4) + right(games, 8) + right(points, 11) + right(score, 7) + " " + moves
}

// matchLine is a match in a row.
func (p *Page) matchLine(m *match.Match) string {
	dash := " " + p.env.Theme.Glyphs().Dash + " "
	name := func(i int) string {
		s := &m.Sides[i]
		if p.Width < narrow {
			return s.Tag
		}
		return "[" + s.Tag + "] " + s.Name
	}
	w := min((p.Width-36)/2, 30)
	if p.Width < narrow {
		w = 6
	}
	clip := func(s string) string { return page.Cut(p.env.Theme, page.Plain(p.env.Theme, s), w) }
	return clip(name(0)) + dash + clip(name(1)) + "  " + page.Clip(p.env.Theme, plain.FixtureResult(p.one, m, p.env.Now()), p.Width-9-2*w)
}
