package duplicate

import (
	"cmp"
	"fmt"
	"strconv"

	"boneyard/lobby/event"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// narrow is the width below which the two tables stand one above the other.
const narrow = 70

// list returns the rows of the matches and duplicate arenas that are not over.
func (p *Page) list() (rows []page.EventRow) {
	name := func(own, otherwise string, id event.ID) string {
		return cmp.Or(own, otherwise+" "+strconv.FormatInt(int64(id), 10))
	}
	for _, d := range p.club.Duplicates() {
		state := "in progress"
		if !d.Begun {
			state = text.Number(d.Missing(), "player") + " missing"
		}
		says := rules.DealtWords(d.Rules) + ", " + plain.Pace(d.Pace) + ", by " + d.By
		rows = append(rows, page.EventRow{Page: page.Duplicate, ID: d.ID, Name: name(d.Name, "Match", d.ID), State: state, Says: says})
	}
	for _, f := range p.club.Fields() {
		state := "in progress"
		if !f.Begun {
			state = p.In(f.Begins)
		}
		says := "duplicate arena, " + page.Entrants(len(f.Entrants), f.Config.Pairs) + ", " + rules.DealtWords(f.Config.Rules) + ", " +
			plain.Pace(f.Config.Pace)
		rows = append(rows, page.EventRow{Page: page.Field, ID: f.ID, Name: name(f.Config.Name, "Duplicate arena", f.ID), State: state,
			Says: says})
	}
	return rows
}

// sheet draws one match: what is played and how it stands, above the part that scrolls.
func (p *Page) sheet() page.Sheet {
	d := p.One
	above := p.State(rules.DealtWords(d.Rules)+", "+plain.Pace(d.Pace)+", by "+d.By,
		plain.EventState(d.Begun, d.Over, "waiting for players", "in progress"))
	if d.Over {
		team, _ := d.Place(p.club.Player().ID)
		above = append(above, p.Says(theme.Accent, d.Outcome(team))...)
	}
	return page.Sheet{Above: append(above, ""), Rows: p.body.Of(p.tables())}
}

func (p *Page) tables() []string {
	d, w := p.One, p.Width-2
	if p.Width >= narrow {
		w = (p.Width - 4) / 2
	}
	one, two := p.seats(0, w), p.seats(1, w)
	var lines []string
	if p.Width >= narrow {
		lines = page.Beside(2, page.Block{Lines: one, Width: w}, page.Block{Lines: two, Width: w})
	} else {
		lines = append(append(one, ""), two...)
	}
	lines = page.Shift(lines, 1)
	switch {
	case d.Over && len(d.Rounds) > 0:
		lines = append(append(lines, ""), p.comparison()...)
	case d.Over:
	case !d.Begun:
		lines = append(lines, "")
		early := d.By + " can start it earlier"
		if !d.MayStart() {
			early = "once each team has a player, " + d.By + " can start it"
		}
		lines = append(lines, p.Says(theme.Text, text.Number(d.Missing(), "player")+" missing. "+
			"It begins when all eight are there; "+early+", with house masters in the free seats.")...)
	default:
		lines = append(lines, "")
		lines = append(lines, p.Says(theme.Muted, "Both tables play the same deals. "+
			"The comparison appears here when both games have ended; until then nobody can watch.")...)
	}
	return lines
}

func (p *Page) seats(no, w int) []string {
	d := p.One
	head := "Table " + strconv.Itoa(no+1)
	switch {
	case d.Over:
		if g := d.Games[no]; g.Game != 0 {
			head += fmt.Sprintf(": game %d, %d to %d", g.Game, g.Scores[0], g.Scores[1])
		}
	case d.Ended[no]:
		head += ": the game has ended"
	case d.At[int64(no+1)] != 0:
		head += fmt.Sprintf(": table %d of the club", d.At[int64(no+1)])
	}
	lines := []string{p.Text(theme.Muted, head, w)}
	ownTeam, ownPair := d.Place(p.club.Player().ID)
	for pair, seats := range []string{"1+3", "2+4"} {
		t := duplicate.A
		if duplicate.TableOf(t, pair) != no {
			t = duplicate.B
		}
		role := theme.Text
		if t == ownTeam && pair == ownPair {
			role = theme.Accent
		}
		team := p.Env.Theme.Paint(theme.Side(int(t)-1), t.String())
		lines = append(lines, p.Text(theme.Faint, "Seats "+seats, 9)+"  "+team+"  "+p.Text(role, plain.PairOf(d, int(t)-1, pair), w-14))
	}
	return lines
}

func (p *Page) comparison() []string {
	c := plain.Compare(p.One, p.club.Player().ID)
	lines := append(p.Says(theme.Muted, c.Title), p.compared(theme.Muted, "Round", c.First, c.Second, "Margin"))
	for i, r := range c.Rounds {
		lines = append(lines, p.compared(p.sign(r), strconv.Itoa(i+1), text.Signed(r[0]), text.Signed(r[1]), text.Signed(r[0]-r[1])))
	}
	return append(lines, p.compared(p.sign(c.Sum), "all", text.Signed(c.Sum[0]), text.Signed(c.Sum[1]),
		text.Signed(c.Sum[0]-c.Sum[1])))
}

func (p *Page) sign(r [2]int) theme.Role {
	switch {
	case r[0] > r[1]:
		return theme.Good
	case r[0] < r[1]:
		return theme.Bad
	}
	return theme.Text
}

func (p *Page) compared(role theme.Role, round, first, second, margin string) string {
	return " " + p.Env.Theme.Paint(theme.Text, page.Columns(p.Env.Theme, []int{-5, -8, -8}, []string{round, first, second})) + "  " +
		p.Env.Theme.Paint(role, page.Columns(p.Env.Theme, []int{-8}, []string{margin}))
}
