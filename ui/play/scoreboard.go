package play

import (
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/ui/board"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// scoreboard draws a block for each side: its players and who is to move, its score in large digits and on
// the way to the goal, what the last round brought, and the tiles in hand.
func (d *picture) scoreboard(p places) []string {
	v := &d.v.Play
	blocks := make([]page.Block, v.Sides())
	for i := range blocks {
		blocks[i] = page.Block{Width: p.cell, Lines: d.sideBlock(rules.Side(i+1), p.cell-2)}
	}
	return page.Beside(0, blocks...)
}

// sideBlock draws one side in sideRows rows of w columns.
func (d *picture) sideBlock(s rules.Side, w int) []string {
	v := &d.v.Play
	role := theme.Side(int(s) - 1)
	seats := []rules.Seat{rules.Seat(s)}
	if v.Rules.Teams {
		seats = append(seats, rules.Seat(s)+2)
	}
	names, tiles := "", " "
	team := ""
	if v.Rules.Teams && d.v.Tags[s-1] != "" {
		team = " " + d.paint(role, d.v.Tags[s-1]) + " " // above the digits
	}
	each := (w - page.Width(team)) / len(seats)
	digits := board.Digits(int(v.Scores[s-1]), false, d.th)
	const least = 12 // columns: four digits would be a rare score
	number := max(page.Width(digits[0]), least)
	for _, n := range seats {
		mark := " "
		if v.Turn == n {
			mark = d.paint(theme.Accent, d.th.Glyphs().Cursor)
		}
		names += page.Pad(mark+d.name(n, min(each-2, 22)), each)
		tiles += page.Pad(board.Backs(int(v.Held[n-1]), (w-number-3)/len(seats), d.th), (w-number-2)/len(seats))
	}
	bar := d.bar(int(v.Scores[s-1]), role, w-number-2)
	under := ""
	if d.scored() && stageOf(d.v) != playing {
		if c := v.Result.Change[s-1]; c > 0 {
			under = d.paint(theme.Good, text.Signed(c))
		} else if c < 0 {
			under = d.paint(theme.Bad, text.Signed(c))
		}
	} else if v.Turn != 0 && v.SideOf(v.Turn) == s {
		under = page.Pad(d.clock(), clockWidth)
	}
	lines := []string{team + names}
	for i, beside := range []string{" " + bar, tiles, " " + under} {
		lines = append(lines, " "+page.Pad(d.paint(role, digits[i]), number)+beside)
	}
	return lines
}

// bar draws how far a score is on its way to the goal, followed by the goal; empty if the game has none.
func (d *picture) bar(score int, role theme.Role, w int) string {
	r := &d.v.Play.Rules
	goal := 0
	if r.Rounds == 0 {
		goal = int(r.TargetFor(d.v.Play.Seats))
	}
	say := ""
	if w > 12 {
		say = " " + strconv.Itoa(goal)
	}
	if w -= len(say); goal <= 0 || w < 4 {
		return ""
	}
	g := d.th.Glyphs()
	done := min(max(score*w/goal, 0), w)
	return d.paint(role, strings.Repeat(g.Bar, done)) + d.th.Paint(theme.Faint, strings.Repeat(g.Horizontal, w-done)+say)
}

// seatBar returns the side's bar, at its first seat only.
func (d *picture) seatBar(n rules.Seat) string {
	const w = 8
	bar := ""
	if int(n) <= d.v.Play.Sides() {
		bar = d.bar(int(d.v.Play.Scores[n-1]), d.side(n), w)
	}
	return page.Pad(bar, w+2)
}

// chance says for watchers how likely a seat's side is to win, on the first of the side's seats. It precedes the parts that
// change with every move, since anything after those would have to be sent again.
func (d *picture) chance(n rules.Seat) string {
	if d.v.Chances == nil {
		return ""
	}
	const width = len(">95 % to win  ")
	if int(n) > len(d.v.Chances) || d.stepping() { // the chances of that moment are unknown
		return strings.Repeat(" ", width)
	}
	role := theme.Muted
	if d.thrifty() {
		role = theme.Text
	}
	return page.Right("", d.th.Paint(role, plain.Chance(d.v.Chances[n-1])+" to win")+"  ", width)
}

// chances draws how likely each side is to win, in a row; for two sides also as a bar.
func (d *picture) chances() string {
	if d.v.Chances == nil || d.stepping() {
		return ""
	}
	bar := 20 // one column per step of a chance
	if len(d.v.Chances) > 2 {
		bar = 0
	}
	each := (d.w-len(" To win  ")-bar)/len(d.v.Chances) - len("  >95 %  ")
	var parts []string
	for i, c := range d.v.Chances {
		parts = append(parts, d.fit(theme.Side(i), d.sideName(rules.Side(i+1)), each)+" "+plain.Chance(c))
	}
	row := " " + d.th.Paint(theme.Muted, "To win") + "  "
	if bar == 0 {
		return row + strings.Join(parts, "   ")
	}
	g := d.th.Glyphs()
	first := d.v.Chances[0] * bar / 100
	return row + parts[0] + "  " + d.th.Paint(theme.Side(0), strings.Repeat(g.Full, first)) +
		d.th.Paint(theme.Faint, strings.Repeat(g.Empty, bar-first)) + "  " + parts[1]
}
