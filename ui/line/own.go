package line

import (
	"strings"

	"boneyard/table"
	"boneyard/ui/plain"
)

// you stands for the person's own name in what is told of their games.
const you = "You"

// names are the names at the seats of a table, the person's own aside.
func names(v *table.View) []string { return namesWith(v, you) }

func namesWith(v *table.View, own string) []string {
	all := plain.Names(v)
	if v.POV != 0 {
		all[v.POV-1] = own
	}
	return all
}

// sidesWith are the names of the sides, the person's own aside.
func sidesWith(v *table.View, own string) []string {
	return plain.Tagged(plain.Sides(namesWith(v, own), v.Play.Rules.Teams), v.Tags)
}

// agree has the verb agree with the person in what is told of their moves and results.
var agree = strings.NewReplacer(", "+you+" ", ", you ", "+ "+you, "+ you", ": "+you+" + ", ": you + ",
	": "+you+" wins ", ": you win ", you+" plays ", you+" play ", you+" leads ", you+" lead ", you+" draws", you+" draw", you+" passes", you+" pass")

// entry tells a line of the log, in which the person's own moves begin with "You".
func entry(v *table.View, e *table.Entry) string {
	if e.Number != 0 && e.Event.Seat == v.POV && v.POV != 0 {
		return agree.Replace(plain.Entry(names(v), e))
	}
	return plain.Entry(plain.Names(v), e)
}

// result tells how a game has ended.
func result(v *table.View, r *table.Result) []string {
	lines := plain.Result(sidesWith(v, you), v.Play.Rules.Teams, r)
	if v.POV != 0 {
		lines[0] = agree.Replace(lines[0])
	}
	return lines
}
