package contest

import (
	"fmt"
	"strconv"

	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

const narrow = 80 // columns from which the longest names of teams have room in tables and matches

func (p *Page) list() (rows []page.EventRow) {
	for _, v := range p.club.Contests() {
		state := "running"
		if !v.Begun {
			state = p.In(v.Begins)
		}
		says := string(v.Kind) + ", " + text.Number(len(v.Teams), "team") + ", " + played(&v)
		rows = append(rows, page.EventRow{Page: page.Contest, ID: v.ID, Name: v.Config.Name, State: state, Says: says})
	}
	return rows
}

func played(v *match.View) string {
	return rules.Words(v.Config.Rules) + ", " + plain.Pace(v.Config.Pace) + ", " + plain.Contests.Column("TIME").Cell(v) + " a match"
}

// sheet draws one league or cup: what is played and what the reader has to do, above the tables and matches
// or the bracket.
func (p *Page) sheet() page.Sheet {
	v := p.One
	state := plain.EventState(v.Begun, v.Over, p.Begins(v.Begins), "running")
	if tag := plain.WonBy(v); tag != "" {
		state = "won by " + tag
	}
	above := p.State(string(v.Kind)+", "+played(v), state)
	if own := p.own(); own != nil {
		above = append(above, p.Says(theme.Accent, v.Remind(own, p.club.Player().Team, false))...)
	}
	if p.tie() != nil {
		above = append(above, " "+p.Text(theme.Text, p.tieLine(), p.Width-2))
	}
	above = append(above, "")
	switch {
	case !v.Begun:
		return page.Sheet{Above: above, Rows: p.teams.Of(p.signedUp())}
	case p.isCup():
		lines, _ := p.bracket()
		return page.Sheet{Above: above, Rows: p.rows.Drawn(func(i int, _ *entry, _ bool) string { return lines[i] })}
	}
	return page.Sheet{Above: above, Rows: p.rows.Drawn(func(_ int, r *entry, chosen bool) string { return p.row(r, chosen) })}
}

func (p *Page) row(r *entry, chosen bool) string {
	me, own, line := p.club.Player().Team, false, ""
	switch {
	case r.table:
		return p.Env.Theme.Paint(theme.Muted, "   "+p.placeLine("", r.head, "Pl", "W", "L", "Games", "Points", "Score", ""))
	case r.place != nil:
		line, own = p.tableLine(r.place), r.place.Team.ID == me
	case r.match != nil:
		line, own = p.matchLine(r.match), r.match.Of(me) >= 0
	case r.head == "":
		return ""
	default:
		return " " + p.Text(theme.Muted, r.head, p.Width-2)
	}
	emphasis := page.Usual
	if own && me != 0 {
		emphasis = page.Own
	}
	return page.Mark(p.Env.Theme, page.Pad(line, p.Width-4), chosen, emphasis)
}

// signedUp lists the teams that take part, before the event begins.
func (p *Page) signedUp() (lines []string) {
	v := p.One
	me := p.club.Player()
	if me.Team == 0 && !me.ID.Guest() && !v.Over {
		lines = append(p.Says(theme.Text, "You are in no team: make one on page 2, or wait to be invited."), "")
	}
	if len(v.Teams) == 0 {
		says := "No team has signed up yet."
		if me.Team != 0 {
			says = page.Keyed("No team has signed up yet; captains sign theirs up with %s.", keyJoin)
		}
		return append(lines, p.Says(theme.Muted, says)...)
	}
	if !v.Over {
		says := "Each team plays all others in its division. "
		if p.isCup() {
			says = "A team that loses a match is out. "
		}
		says += "Captains agree on a time for each match, the best of three games; its table opens by itself."
		lines = append(append(lines, p.Says(theme.Muted, says)...), "")
	}
	lines = append(lines, " "+p.Text(theme.Muted, text.Number(len(v.Teams), "team")+" signed up:", p.Width-2))
	for _, t := range v.Teams {
		role := theme.Text
		if t.ID == me.Team {
			role = theme.Accent
		}
		lines = append(lines, " "+p.Text(role, "["+t.Tag+"] "+t.Name, p.Width-2))
	}
	if says := plain.MissingTeams(v); says != "" {
		lines = append(append(lines, ""), p.Says(theme.Muted, says)...)
	}
	return lines
}

func (p *Page) tableLine(r *match.Row) string {
	g := p.Env.Theme.Glyphs()
	moves := ""
	switch {
	case r.Up:
		moves = g.Up
	case r.Down:
		moves = g.Down
	}
	n := strconv.Itoa
	games, points := fmt.Sprintf("%d:%d", r.GamesFor, r.GamesTo), fmt.Sprintf("%d:%d", r.For, r.Against)
	team := p.named(r.Team.Tag, r.Team.Name, p.tableNames())
	return p.placeLine(n(r.Place), team, n(r.Played), n(r.Won), n(r.Lost), games, points, n(r.Score), moves)
}

// placeLine formats a row of a table in columns; narrow screens omit the games' points.
func (p *Page) placeLine(place, team, played, won, lost, games, points, score, moves string) string {
	if p.Width < narrow {
		return fmt.Sprintf("%2s %s%3s%6s%6s %s", place, page.Cut(p.Env.Theme, team, p.tableNames()), won, games, score, moves)
	}
	return page.Columns(p.Env.Theme, []int{-2, p.tableNames(), -2, -2, -2, -5, -9, -5, 1},
		[]string{place, team, played, won, lost, games, points, score, moves})
}

// tableNames is the width of the teams' column of a table.
func (p *Page) tableNames() int {
	if p.Width < narrow {
		return p.Width - 25
	}
	return min(p.Width-48, 34)
}

// named returns a team's name, after its tag if w columns have room for both. On narrow screens, whose matches
// show tags only, the tag is always there.
func (p *Page) named(tag, name string, w int) string {
	whole := page.Plain(p.Env.Theme, "["+tag+"] "+name)
	if p.Width < narrow {
		return whole
	}
	return page.Longest(w, whole, page.Plain(p.Env.Theme, name))
}

func (p *Page) matchLine(m *match.Match) string {
	dash := " " + p.Env.Theme.Glyphs().Dash + " "
	w, gap := min((p.Width-32)/2, 32), "  "
	if p.Width < narrow {
		w, gap = 5, " "
	}
	name := func(i int) string {
		s := &m.Sides[i]
		if p.Width < narrow {
			return page.Cut(p.Env.Theme, s.Tag, w)
		}
		return page.Cut(p.Env.Theme, p.named(s.Tag, s.Name, w), w)
	}
	result := page.Clip(p.Env.Theme, plain.FixtureResult(p.One, m, p.Env.Now()), p.Width-7-len(gap)-2*w)
	return name(0) + dash + name(1) + gap + result
}
