package viewer

import (
	"fmt"
	"strings"

	"boneyard/rules"
	"boneyard/ui/theme"
)

// curve draws how likely a side was to win over the whole game, above the timeline and equally wide: the side
// of the viewed seat, or else the first. It ends with the chance at the current moment and how much the
// moment changed it.
func (c *canvas) curve(w int) string {
	side := rules.Side(1)
	if c.seat != 0 {
		side = c.game.SideOf(c.seat)
	}
	say := c.chance(side)
	name := c.fit(c.rec.Side(side), 14)
	n := w - 1 - curveWords
	last := len(c.chances) - 1
	var b strings.Builder
	for i := range n {
		p := c.chances[i*last/max(n-1, 1)][side-1]
		b.WriteString(c.g.Spark[min(int(p*float64(len(c.g.Spark))), len(c.g.Spark)-1)])
	}
	return " " + c.t.Paint(theme.Side(int(side)-1), b.String()) + " " + c.t.Paint(theme.Muted, name+" wins "+say)
}

// curveWords are the columns beside the curve, and beside the timeline below it.
const curveWords = len(" 0123456789abcd wins 100 % (+100)")

// chance returns a side's chance at the moment, and how much the moment changed it.
func (c *canvas) chance(side rules.Side) string {
	now := c.chances.Percent(c.at)[side-1]
	say := fmt.Sprintf("%d %%", now)
	if c.at > 0 {
		if change := now - c.chances.Percent(c.at - 1)[side-1]; change != 0 {
			say += fmt.Sprintf(" (%+d)", change)
		}
	}
	return say
}
