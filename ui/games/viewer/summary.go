package viewer

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/rules/record"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// summaryPage is how many lines a page key scrolls the summary.
const summaryPage = 8

// summaryLines returns the visible part of the summary, from line top on: at the scroll position, or around the chosen play, which stands
// in the line chosenAt.
func (c *canvas) summaryLines() (seen []string, top, chosenAt int) {
	lines, chosenAt := c.wholeSummary()
	h, most := c.h, max(len(lines)-c.h, 0)
	top = min(c.scroll, most)
	if top == 0 && chosenAt >= h {
		top = min(max(chosenAt-h/2, 0), most)
	}
	return page.Shift(lines[top:min(top+h, len(lines))], 1), top, chosenAt
}

// pointSummary chooses the play in a line of the summary, and shows it if it was chosen already.
func (v *Viewer) pointSummary(_, y int) (tea.Cmd, bool) {
	_, top, chosenAt := v.canvas().summaryLines()
	to := v.chosen + top + y - chosenAt
	if to < 0 || to >= len(v.costly) {
		return nil, false
	}
	again := to == v.chosen
	if v.chosen, v.scroll = to, top; again {
		v.showChosen()
	}
	return nil, true
}

// wholeSummary says what each player left on the table, the result, and how to check the deals. chosenAt is
// the line of the chosen play, or -1 if there is none.
func (c *canvas) wholeSummary() (lines []string, chosenAt int) {
	width := min(c.w-2, 68)
	chosenAt = -1
	lines = append(lines, page.Rule(c.t, "Points left on the table", width))
	if c.rec.Rules.Multiple == 0 {
		lines = append(lines, c.wrap(theme.Muted, "Plays score nothing in this game, so nothing could be left on the table.", width)...)
	} else {
		lines = append(lines, c.totals(width)...)
		costly, at := c.costliest(width)
		if at >= 0 {
			chosenAt = len(lines) + at
		}
		lines = append(lines, costly...)
	}
	lines = append(lines, "")
	lines = append(lines, c.outcome(width)...)
	lines = append(lines, "")
	return append(lines, c.proof(width)...), chosenAt
}

func (c *canvas) wrap(role theme.Role, s string, w int) []string {
	return page.Paragraph(c.t, role, s, 0, w)
}

// The columns from which the summary says how many plays there were, and what the best one would have been.
const (
	playsFrom = 50
	bestFrom  = 60
)

// totals draws a row for each player. Narrow screens show only the name and the last column.
func (c *canvas) totals(w int) []string {
	namew := w - 31
	head := fmt.Sprintf("%6s%8s%8s%8s ", "plays", "scored", "best", "left")
	if w < playsFrom {
		namew, head = max(w-25, 8), fmt.Sprintf("%8s%8s%8s ", "scored", "best", "left")
	}
	lines := []string{c.t.Paint(theme.Muted, page.Pad("", namew)+head)}
	for _, l := range c.left {
		row := page.Pad(c.t.Paint(c.side(l.Seat), c.name(l.Seat, namew)), namew)
		if w >= playsFrom {
			row += fmt.Sprintf("%6d", l.Plays)
		}
		row += fmt.Sprintf("%8d%8d", l.Scored, l.Best) + c.t.Paint(theme.Title, fmt.Sprintf("%8d", l.Points()))
		lines = append(lines, row)
	}
	return lines
}

// costliest lists the most expensive plays, and returns the line of the chosen one, or -1 if there are none.
func (c *canvas) costliest(w int) ([]string, int) {
	if len(c.costly) == 0 {
		return c.wrap(theme.Good, "No play could have scored more.", w), -1
	}
	lines := []string{"", page.Rule(c.t, "The most expensive plays", w)}
	at := -1
	for i, moment := range c.costly {
		m := &c.rec.Moments[moment]
		width := c.nameWidth(max(w-30, 4))
		name := page.Pad(c.name(m.Event.Seat, width), width)
		row := fmt.Sprintf(" %s %4d  %-7s", name, m.Turn, m.Event.Choice())
		if w >= bestFrom {
			row += fmt.Sprintf(" %+3d   best %-7s %+3d", m.Event.Points, m.Best.Choice, m.Best.Points)
		}
		tail := fmt.Sprintf("%3d left ", m.Left())
		if i == c.chosen {
			at = len(lines)
			lines = append(lines, c.t.Paint(theme.Selected, page.Right(c.g.Cursor+row, tail, w)))
			continue
		}
		lines = append(lines, page.Right(" "+row, tail, w))
	}
	return lines, at
}

func (c *canvas) outcome(w int) []string {
	lines := []string{page.Rule(c.t, "Result", w)}
	if res := c.result(); res != "" {
		lines = append(lines, c.wrap(theme.Accent, res+", in "+text.Number(len(c.rec.Rounds), "round"), w)...)
	} else {
		last := c.rec.Game(len(c.rec.Moments) - 1)
		scores := make([]string, last.Sides())
		for i := range scores {
			scores[i] = fmt.Sprintf("%s %d", c.rec.Side(rules.Side(i+1)), last.Score(rules.Side(i+1)))
		}
		s := "The record ends in round " + strconv.Itoa(last.Round()) + ", before the game was won: " + strings.Join(scores, ", ")
		lines = append(lines, c.wrap(theme.Muted, s+".", w)...)
	}
	if night, ok := c.rec.Tag(record.TagNight); ok {
		lines = append(lines, c.wrap(theme.Muted, "Rated, club night "+text.Printable(night)+".", w)...)
	}
	if c.ending != "" {
		lines = append(lines, c.wrap(theme.Text, text.Printable(c.ending), w)...)
	}
	return lines
}

func (c *canvas) proof(w int) []string {
	lines := []string{page.Rule(c.t, "The deals", w)}
	if c.rec.Seed == nil {
		return append(lines, c.wrap(theme.Muted, "The record shows no seed, so its deals cannot be checked.", w)...)
	}
	say := func(role theme.Role, s string) { lines = append(lines, c.wrap(role, s, w)...) }
	commitment := c.rec.Seed.Commitment()
	shown, ok := c.rec.Tag(record.TagCommitment)
	if ok && shown == commitment { // the hash itself would add nothing
		say(theme.Good, "All deals follow from this seed, which agrees with the commitment shown before the game:")
		say(theme.Muted, c.rec.Seed.String())
		return lines
	}
	say(theme.Good, "All deals follow from the seed:")
	say(theme.Muted, c.rec.Seed.String())
	if ok {
		say(theme.Bad, "The seed does not match the commitment in the record. It matches this one:")
	} else {
		say(theme.Text, "This is the commitment that must have been shown before the game:")
	}
	say(theme.Muted, commitment)
	return lines
}
