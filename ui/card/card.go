// Package card draws a finished game at a glance: its result, the score by round, the chances to win, the
// best and the worst play, and the changes of ratings. It must not know where games are kept, nor who the
// viewer is.
package card

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/board"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// The size of a card: a wider one would be harder to read, and in a smaller space there is none.
const (
	Least     = 16 // rows
	widest    = 100
	narrowest = 60
	mostCurve = 8 // rows
)

type drawing struct {
	*lobby.Card
	t *theme.Theme
	w int // inside the frame
}

// Lines draws a card in at most w columns and h rows; nil if there is no room for it.
func Lines(t *theme.Theme, c *lobby.Card, w, h int) []string {
	if w < narrowest || h < Least || len(c.Record.Moments) == 0 {
		return nil
	}
	w = min(w, widest)
	d := &drawing{c, t, w - 4}
	parts := [][]string{d.scores(), d.rounds(), nil, d.plays(), d.ratings()}
	const frame = 2
	rows := frame
	for _, p := range parts {
		rows += len(p)
	}
	if over := rows - h; over > 0 { // what matters least gives way
		last := &parts[len(parts)-1]
		*last = (*last)[:max(len(*last)-over, 0)]
	}
	if room := min(h-rows-1, mostCurve); room > 0 && d.Record.Turns > 0 {
		parts[2] = d.curve(room)
		rows += len(parts[2])
	}
	g := t.Glyphs()
	title := fmt.Sprintf("Game %d · %s · %s", d.Game.ID, rules.Words(d.Game.Rules), d.Game.Started.UTC().Format(time.DateOnly))
	lines := []string{d.edge(g.TopLeft, title, g.TopRight)}
	side := t.Paint(theme.Border, g.Vertical)
	gap := h-rows >= len(parts)+1
	for i, p := range parts {
		if gap && (i == 0 || len(p) > 0) {
			lines = append(lines, side+strings.Repeat(" ", d.w+2)+side)
		}
		for _, s := range p {
			lines = append(lines, side+" "+page.Pad(s, d.w)+" "+side)
		}
	}
	return append(lines, d.edge(g.BottomLeft, d.remarks(), g.BottomRight))
}

// edge returns the upper or lower edge of the frame, with words in it.
func (d *drawing) edge(left, say, right string) string {
	line := d.t.Glyphs().Horizontal
	say = " " + page.Clip(d.t, page.Plain(d.t, say), d.w-4) + " "
	rule := strings.Repeat(line, max(d.w-text.Width(say), 0)+1)
	return d.t.Paint(theme.Border, left+line) + d.t.Paint(theme.Title, say) + d.t.Paint(theme.Border, rule+right)
}

func (d *drawing) remarks() string {
	rounds := len(d.Record.Rounds)
	say := text.Number(d.Record.Turns, "move")
	if d.Game.Ending != table.EndPlayed { // lists count only the rounds before that
		return say + " · " + string(d.Game.Ending) + " in round " + strconv.Itoa(rounds)
	}
	say = text.Number(rounds, "round") + " · " + say
	if d.Game.Winner == 0 {
		say += " · shared"
	}
	return say
}

func (d *drawing) scores() []string {
	n := len(d.Game.Scores)
	blocks := make([]page.Block, n)
	for i, score := range d.Game.Scores {
		role, mark := theme.Side(i), ""
		if d.Game.Winner == i+1 {
			mark = d.t.Paint(theme.Good, Won(d.t)) + " "
		}
		w := d.w / n
		digits := board.Digits(score, false, d.t)
		for _, s := range digits {
			blocks[i].Lines = append(blocks[i].Lines, d.t.Paint(role, s))
		}
		blocks[i].Width = w
		blocks[i].Lines = append(blocks[i].Lines, mark+page.Fit(d.t, role, d.side(i), w-page.Width(mark)-1))
	}
	return page.Beside(0, blocks...)
}

// Won marks the side that won.
func Won(t *theme.Theme) string {
	if t.Faces() == theme.ASCII {
		return "*"
	}
	return t.Glyphs().Check
}

// side names a side, from 0.
func (d *drawing) side(i int) string { return d.Record.Side(rules.Side(i + 1)) }

// rounds shows the points of each round. The first ones share a column if not all fit.
func (d *drawing) rounds() []string {
	const narrow, broad, least = 4, 7, 14
	name := least
	for side := range d.Game.Scores {
		name = max(name, text.Width(d.side(side))+1)
	}
	name = min(name, max(least, d.w/3, d.w-broad*len(d.Gains)))
	gains := d.Gains
	most := max((d.w-name)/narrow-1, 2)
	first := 1
	if n := len(gains) - most; n > 0 {
		sum := make([]int, len(d.Game.Scores))
		for _, g := range gains[:n+1] {
			for side := range g {
				sum[side] += g[side]
			}
		}
		gains, first = append([][]int{sum}, gains[n+1:]...), n+1
	}
	each := max(min((d.w-name)/len(gains), broad), narrow)
	head := page.Pad("Round", name)
	for i := range gains {
		no := strconv.Itoa(first + i)
		if i == 0 && first > 1 {
			no = page.Plain(d.t, "–") + no
		}
		head += fmt.Sprintf("%*s", each, no)
	}
	lines := []string{d.t.Paint(theme.Muted, head)}
	for side := range d.Game.Scores {
		line := page.Pad(page.Fit(d.t, theme.Side(side), d.side(side), name-1), name)
		for _, g := range gains {
			role, say := theme.Text, strconv.Itoa(g[side])
			if g[side] == 0 {
				role, say = theme.Faint, d.t.Glyphs().Dot
			}
			line += strings.Repeat(" ", max(each-text.Width(say), 1)) + d.t.Paint(role, say)
		}
		lines = append(lines, line)
	}
	return lines
}

// hero returns the side whose chances are drawn, from 0: the winner.
func (d *drawing) hero() int { return max(d.Game.Winner, 1) - 1 }

// curve draws the chances of a side over the whole game, in that many rows below a head.
func (d *drawing) curve(rows int) []string {
	const scale = len("100 ")
	n := d.w - scale
	last := len(d.Chances) - 1
	parts := make([]float64, n)
	for x := range parts {
		parts[x] = d.Chances[x*last/max(n-1, 1)][d.hero()]
	}
	lines := []string{d.t.Paint(theme.Muted, page.Clip(d.t, "Chance of "+d.side(d.hero())+" to win, in percent", d.w))}
	for y, bars := range page.Bars(d.t, parts, rows) {
		mark := ""
		switch {
		case y == 0:
			mark = "100"
		case 2*y == rows:
			mark = "50"
		}
		lines = append(lines, d.t.Paint(theme.Faint, fmt.Sprintf("%*s ", scale-1, mark))+d.t.Paint(theme.Side(d.hero()), bars))
	}
	return lines
}

// label is the width of a word before a line.
const label = 7

func (d *drawing) plays() (lines []string) {
	add := func(role theme.Role, what, say string) {
		for i, part := range page.Wrap(page.Plain(d.t, say), d.w-label) {
			if i > 0 {
				what = ""
			}
			lines = append(lines, page.Pad(d.t.Paint(role, what), label)+d.t.Paint(theme.Text, part))
		}
	}
	if d.Best > 0 {
		add(theme.Good, "Best", plain.Numbered(d.Record, d.Best, &d.Record.Moments[d.Best].Event))
	}
	if d.Worst > 0 {
		add(theme.Bad, "Worst", plain.Missed(d.Record, d.Worst))
	}
	return lines
}

// ratings shows the changes of ratings, two in a row.
func (d *drawing) ratings() (lines []string) {
	for i, c := range d.Game.Changes {
		cell := page.Pad(Change(d.t, &c, d.w/2), d.w/2)
		if i%2 == 0 {
			lines = append(lines, cell)
		} else {
			lines[i/2] += cell
		}
	}
	return lines
}

// Change says what a game did to a rating, in w columns: "player ana 1512 → 1500 -12".
func Change(t *theme.Theme, c *table.Delta, w int) string {
	role := theme.Good
	if c.After < c.Before {
		role = theme.Bad
	}
	numbers := page.Plain(t, fmt.Sprintf(" %4d → %4d  ", c.Before, c.After))
	by := text.Signed(c.After - c.Before)
	name := min(34, w-label-text.Width(numbers)-len("+999"))
	return t.Paint(theme.Muted, page.Pad(c.Kind, label)) + page.Pad(page.Fit(t, theme.Text, c.Name, name), name) +
		t.Paint(theme.Text, numbers) + t.Paint(role, by)
}

// Share returns the game in a line to paste elsewhere: who won, how the chances went, and how to see more.
func Share(c *lobby.Card, address string) string {
	sides := make([]string, len(c.Game.Scores))
	for i, n := range c.Game.Scores {
		sides[i] = c.Record.Side(rules.Side(i+1)) + " " + strconv.Itoa(n)
	}
	const points = 12
	spark := ""
	levels := theme.Get(theme.Mono, 0, theme.Digits).Glyphs().Spark
	for i := range min(points, len(c.Chances)) {
		p := c.Chances[i*(len(c.Chances)-1)/(points-1)][max(c.Game.Winner, 1)-1]
		spark += levels[min(int(p*float64(len(levels))), len(levels)-1)]
	}
	return fmt.Sprintf("Boneyard game %d, %s: %s %s ssh %s card %d",
		c.Game.ID, c.Record.Rules.Preset, strings.Join(sides, " : "), spark, address,
		c.Game.ID)
}
