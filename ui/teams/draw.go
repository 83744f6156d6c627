package teams

import (
	"fmt"
	"slices"
	"strings"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/standings"
	"boneyard/ui/theme"
)

func (p *Page) sheet() page.Sheet {
	t, w := p.env.Theme, p.Width
	above := append(page.Paragraph(t, theme.Text, p.headline(), 1, w-2), p.legend())
	if p.form.open() {
		above = p.form.lines(t, w)
	}
	if p.list.Len() == 0 {
		say := "There are no teams yet."
		if !p.loaded {
			say = page.Looking(t)
		}
		return page.Sheet{Above: append(above, "   "+t.Paint(theme.Muted, say))}
	}
	d, own := page.NewGrid(t, columns(w), w-1, text.MaxTitle), p.own()
	return page.Sheet{Above: append(above, d.Heads()), Rows: p.list.Drawn(func(_ int, r *row, chosen bool) string {
		switch {
		case r.invitation != nil:
			says := fmt.Sprintf("%s invites you to %s", r.invitation.From, r.invitation.Name)
			return d.Mark(page.Columns(t, []int{colTag.Width, d.Width() - colTag.Width - 2}, []string{r.invitation.Tag, says}), chosen, page.Own)
		case r.team.ID == own:
			return d.Row(r.team, chosen, page.Own)
		}
		return d.Row(r.team, chosen, page.Usual)
	})}
}

type column = page.Column[lobby.TeamRow]

// standing returns a column of a team's standing, with a dash before the team's first game.
func standing(c column) column {
	cell := c.Cell
	c.Cell = func(t *theme.Theme, team *lobby.TeamRow, w int) string {
		if team.Stand == nil {
			return t.Glyphs().Dash
		}
		return cell(t, team, w)
	}
	return c
}

var (
	colTag  = page.From(plain.Teams, "TAG", text.MaxTag)
	colName = column{Head: "Team", Cell: func(t *theme.Theme, team *lobby.TeamRow, _ int) string {
		return page.Shielded(t, team.Name, team.Shield)
	}}
	colCaptain = page.From(plain.Teams, "CAPTAIN", text.MaxName)
	colMembers = page.From(plain.Teams, "MEMBERS", -7)
	colRating  = standing(page.From(plain.Teams, "RATING", len("1500 (provisional)")))
	colShort   = standing(column{Head: "Rating", Width: -6, Cell: func(_ *theme.Theme, team *lobby.TeamRow, _ int) string {
		return standings.Short(team.Stand)
	}})
	colGames = standing(page.From(plain.Teams, "GAMES", -5))
	colWon   = standing(page.From(plain.Teams, "WON", -4))
	colLost  = standing(page.From(plain.Teams, "LOST", -4))
	colLast  = standing(page.From(plain.Teams, "LAST", 5))
)

func columns(w int) []column {
	switch {
	case w < narrow:
		return []column{colTag, colName, colShort}
	case w < wordsFrom:
		return []column{colTag, colName, colCaptain, colMembers, colShort, colGames}
	}
	return []column{colTag, colName, colCaptain, colMembers, colRating, colGames, colWon, colLost, colLast}
}

// Below narrow columns lists have only what matters most; from wordsFrom on, words say that a rating is
// provisional.
const (
	narrow    = 72
	wordsFrom = 108
)

// legend explains the mark of a provisional rating, if one is on the screen.
func (p *Page) legend() string {
	if p.Width >= wordsFrom {
		return ""
	}
	for _, r := range p.list.Seen() {
		if r.team != nil && r.team.Stand != nil && r.team.Stand.Provisional {
			return page.Right("", p.env.Theme.Paint(theme.Muted, standings.Legend)+" ", p.Width)
		}
	}
	return ""
}

func (p *Page) headline() string {
	own := p.own()
	rows := p.list.Items()
	i := slices.IndexFunc(rows, func(r row) bool { return r.team != nil && r.team.ID == own })
	switch {
	case own != 0 && i >= 0:
		return "You play for " + tagged(rows[i].team.Tag, rows[i].team.Name) + page.Keyed("; %s opens it.", keyOwn)
	case own != 0:
		return "You play for [" + p.env.Visit.Player().Tag + page.Keyed("]; %s opens your team.", keyOwn)
	case p.env.Visit.Account() == nil:
		return "Teams are for members. Connect with an SSH key; the key is your account."
	case p.invitations > 0:
		return page.Keyed("You are invited: press %s to accept, %s to decline.", keyAccept, keyDecline)
	}
	return page.Keyed("You aren't in a team: press %s to make one, or ask for an invitation.", keyMake)
}

func tagged(tag, name string) string { return strings.TrimSpace("[" + tag + "] " + name) }
