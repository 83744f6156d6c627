package plain

import (
	"strings"

	"boneyard/table"
)

// you stands for the reader's own name in what is told of their games.
const you = "You"

// namesWith are the names at the seats of a table, the reader's own aside.
func namesWith(v *table.View, own string) []string {
	all := Names(v)
	if v.POV != 0 {
		all[v.POV-1] = own
	}
	return all
}

// OwnSides are the names of the sides, with own for the reader's.
func OwnSides(v *table.View, own string) []string {
	return Tagged(Sides(namesWith(v, own), v.Play.Rules.Teams), v.Tags)
}

// agree has the verb agree with the reader in what is told of their moves and results.
var agree = strings.NewReplacer(", "+you+" ", ", you ", "+ "+you, "+ you", ": "+you+" + ", ": you + ",
	": "+you+" wins ", ": you win ", you+" plays ", you+" play ", you+" leads ", you+" lead ", you+" draws", you+" draw", you+" passes", you+" pass")

// OwnEntry tells a line of the log, in which the reader's own moves begin with "You".
func OwnEntry(v *table.View, e *table.Entry) string {
	if e.Number != 0 && e.Event.Seat == v.POV && v.POV != 0 {
		return agree.Replace(Entry(namesWith(v, you), e))
	}
	return Entry(Names(v), e)
}

// OwnResult tells how a game has ended.
func OwnResult(v *table.View, r *table.Result) []string {
	lines := Result(OwnSides(v, you), v.Play.Rules.Teams, r)
	if v.POV != 0 {
		lines[0] = agree.Replace(lines[0])
	}
	return lines
}
