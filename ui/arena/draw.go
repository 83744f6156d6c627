package arena

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/event/arena"
	"boneyard/lobby/text"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

func (p *Page) title() string {
	if p.ID == 0 {
		return "Arenas"
	}
	title := "Arena " + strconv.FormatInt(int64(p.ID), 10)
	if p.One != nil && p.One.Config.Name != "" {
		title += " " + text.Printable(p.One.Config.Name)
	}
	return title
}

func (p *Page) list() (rows []page.EventRow) {
	for _, a := range p.club.Arenas() {
		name := cmp.Or(a.Config.Name, "Arena "+strconv.FormatInt(int64(a.ID), 10))
		says := p.played(&a) + ", " + plain.Number(len(a.Entrants), "player")
		rows = append(rows, page.EventRow{Page: page.Arena, ID: a.ID, Name: name, State: p.time(&a), Says: says})
	}
	return rows
}

// played says what is played, and who plays whom.
func (p *Page) played(a *arena.View) string {
	return a.Config.Rules + ", " + string(a.Config.Pace) + ", " + p.kind(a)
}

func (p *Page) kind(a *arena.View) string {
	kind := "singles"
	if a.Config.Pairs {
		kind = "pairs"
	}
	if a.Config.Battle {
		kind += ", teams"
	}
	if a.Config.Weekly {
		kind += ", weekly"
	}
	return kind
}

// time says when the arena begins, or how much time is left.
func (p *Page) time(a *arena.View) string {
	now := p.Env.Now()
	switch {
	case a.Over:
		return plain.Arenas.Column("STATE").Cell(a)
	case !a.Begun && a.Begins.Sub(now) > 90*time.Minute:
		return "begins " + a.Begins.UTC().Format("2 Jan 15:04") + " UTC"
	case !a.Begun:
		return "begins in " + plain.Time(a.Begins.Sub(now))
	case now.Before(a.Ends):
		return plain.Time(a.Ends.Sub(now)) + " left"
	}
	return "final games"
}

// standing is one arena. The reader's own row is always on the screen.
func (p *Page) standing() page.Sheet {
	a, t, w := p.One, p.Env.Theme, p.Width
	above := []string{p.State(p.played(a)+"; "+plain.Number(a.Played, "game")+" so far", p.time(a))}
	if len(a.Teams) > 0 {
		parts := make([]string, 0, len(a.Teams))
		for i, team := range a.Teams {
			parts = append(parts, strconv.Itoa(team.Rank)+" "+t.Paint(theme.Side(i), text.Printable(team.Tag))+" "+strconv.Itoa(team.Score))
		}
		above = append(above, " "+page.Pad(strings.Join(parts, "   "), w-2))
	}
	above = append(above, "", p.row(theme.Muted, page.Usual, false, "", "Name", "Score", "Mean", "Won", "Row", "Plays"))
	if len(a.Entrants) == 0 {
		say := "Nobody has joined yet."
		switch {
		case a.Over:
			say = "Nobody joined."
		case p.mayEnter():
			say = page.Keyed("Nobody has joined yet: press %s.", keyEnter)
		}
		return page.Sheet{Above: append(above, " "+p.Text(theme.Muted, say, w-2))}
	}
	me, own := p.club.Player().ID, ""
	if i := slices.IndexFunc(a.Entrants, func(e arena.Entrant) bool { return e.Has(me) }); i >= 0 && !p.rows.Sees(i) {
		own = p.entrant(&a.Entrants[i], false, true)
	}
	return page.Sheet{Above: above, Below: []string{own}, Rows: p.rows.Drawn(func(_ int, e *arena.Entrant, chosen bool) string {
		return p.entrant(e, chosen, e.Has(me))
	})}
}

func (p *Page) entrant(e *arena.Entrant, chosen, own bool) string {
	role, look := theme.Text, page.Usual
	switch {
	case own:
		look = page.Own
	case e.Away:
		role = theme.Faint
	}
	name := e.Name()
	if tag := e.Members[0].Tag; tag != "" {
		name = tag + " " + name
	}
	plays := ""
	switch state := plain.ArenaState(p.One, e); state {
	case "playing":
		plays = p.opponent(e)
	case "waiting", "over":
	default:
		plays = state
	}
	row := ""
	if e.Row > 1 {
		row = strconv.Itoa(e.Row)
	}
	n, won := strconv.Itoa, fmt.Sprintf("%d/%d", e.Won, e.Games)
	return p.row(role, look, chosen, n(e.Rank), name, n(e.Score), fmt.Sprintf("%.1f", e.Tie), won, row, plays)
}

func (p *Page) opponent(e *arena.Entrant) string {
	for _, g := range p.One.Games {
		if g.No != e.Game {
			continue
		}
		other := g.A
		if other == e.ID {
			other = g.B
		}
		if o := p.One.Of(other); o != nil {
			return o.Name() + ", table " + strconv.FormatInt(int64(p.One.At[g.No]), 10)
		}
	}
	return ""
}

// row sets a row into columns; on narrow screens only the name, the score and who plays whom.
func (p *Page) row(role theme.Role, look page.Look, chosen bool, rank, name, score, mean, won, row, plays string) string {
	right := func(s string, w int) string { return strings.Repeat(" ", max(w-page.Width(s), 0)) + s }
	cell := func(s string, w int) string { return page.Cut(p.Env.Theme, s, w) }
	plays = text.Printable(plays)
	width := 20
	if p.One.Config.Pairs {
		width = 36
	}
	line := right(rank, 3) + "  " + cell(name, width) + right(score, 6) + right(mean, 7) + right(won, 8) + right(row, 5) + "  " + plays
	if p.Width < 70 {
		line = right(rank, 3) + " " + cell(name, min(p.Width-26, width)) + right(score, 5) + "  " + plays
	}
	line = page.Pad(line, p.Width-4)
	if look == page.Usual && !chosen {
		line = p.Env.Theme.Paint(role, line)
	}
	return page.Mark(p.Env.Theme, line, chosen, look)
}
