package plain

import (
	"cmp"
	"fmt"
	"slices"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/english"
)

// GuideMove explains to a newcomer what a move did: "Ends 6 + 4 = 10, a multiple of 5: 10 points for you." It is empty for what
// explains itself.
func GuideMove(v *table.View, e *table.Entry) string {
	if e.Number == 0 || e.Event.Kind == rules.Draw {
		return ""
	}
	who := namesWith(v, "you")[e.Event.Seat-1]
	if e.Event.Kind == rules.Pass {
		return "Nothing fitted and the boneyard is empty: a pass for " + who + "."
	}
	say := "Ends " + Count(e.Terms, e.Event.Count)
	if slices.ContainsFunc(e.Terms, func(t rules.Term) bool { return t.Halves == 2 && t.Pip == t.Other && t.Pip != 0 }) {
		say += " (doubles count twice)"
	}
	if e.Event.Points == 0 {
		return say + ": no points for " + who + "."
	}
	return say + fmt.Sprintf(", a multiple of %d: %s for %s.", v.Play.Rules.Multiple, Number(int(e.Event.Points), "point"), who)
}

// GuideNow tells a newcomer what to do: what would score, or else what to get rid of.
func GuideNow(v *table.View) string {
	p := &v.Play
	if !v.MyMove() {
		return ""
	}
	best := slices.MaxFunc(p.Options, func(a, b rules.Option) int {
		return cmp.Or(cmp.Compare(a.Points, b.Points), cmp.Compare(a.Tile.Weight(), b.Tile.Weight()))
	})
	switch at := At(best.Arm); {
	case p.Forced != rules.NoTile:
		return english.Reason(p)
	case best.Points > 0:
		if at != "" {
			at = " " + at
		}
		return fmt.Sprintf("Now %s%s would score %d.", best.Tile.Name(), at, best.Points)
	case p.Layout.Len() == 0:
		return "You begin: lay any tile. Whoever brings the open ends to a multiple of 5 scores that."
	}
	return "Nothing scores now: lay a heavy tile, such as " + best.Tile.Name() + "; what you keep may count against you."
}

// GuideEnd tells a newcomer how to go on after the first round.
func GuideEnd(how string) string {
	return "A whole game goes to 200. " + how + ", for one against an equal bot."
}
