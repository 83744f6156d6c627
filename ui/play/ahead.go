package play

import (
	"strings"

	"boneyard/rules"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// chance is how likely the side of a seat is to win, for watchers: beside the first of its seats. It stands before what changes with
// every move, since what stands behind that would have to be written again.
func (d *picture) chance(n rules.Seat) string {
	if d.v.Chances == nil {
		return ""
	}
	const width = len(">95 % to win  ")
	if int(n) > len(d.v.Chances) || d.stepping() { // how likely it was then is not known
		return strings.Repeat(" ", width)
	}
	role := theme.Muted
	if d.thrifty() {
		role = theme.Text
	}
	return page.Right("", d.th.Paint(role, plain.Chance(d.v.Chances[n-1])+" to win")+"  ", width)
}

// chances is how likely all sides are to win, in a row; of two sides as a bar too.
func (d *picture) chances() string {
	if d.v.Chances == nil || d.stepping() {
		return ""
	}
	var parts []string
	for i, c := range d.v.Chances {
		parts = append(parts, d.fit(theme.Side(i), d.sideName(rules.Side(i+1)), 24)+" "+plain.Chance(c))
	}
	row := " " + d.th.Paint(theme.Muted, "To win") + "  "
	if len(parts) > 2 {
		return row + strings.Join(parts, "   ")
	}
	g := d.th.Glyphs()
	const bar = 20 // one for each step of a chance
	first := d.v.Chances[0] * bar / 100
	return row + parts[0] + "  " + d.th.Paint(theme.Side(0), strings.Repeat(g.Full, first)) +
		d.th.Paint(theme.Faint, strings.Repeat(g.Empty, bar-first)) + "  " + parts[1]
}
