package play

import (
	"strings"

	"boneyard/rules"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

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
	var parts []string
	for i, c := range d.v.Chances {
		parts = append(parts, d.fit(theme.Side(i), d.sideName(rules.Side(i+1)), 24)+" "+plain.Chance(c))
	}
	row := " " + d.th.Paint(theme.Muted, "To win") + "  "
	if len(parts) > 2 {
		return row + strings.Join(parts, "   ")
	}
	g := d.th.Glyphs()
	const bar = 20 // one column per step of a chance
	first := d.v.Chances[0] * bar / 100
	return row + parts[0] + "  " + d.th.Paint(theme.Side(0), strings.Repeat(g.Full, first)) +
		d.th.Paint(theme.Faint, strings.Repeat(g.Empty, bar-first)) + "  " + parts[1]
}
