package english

import (
	"fmt"
	"strconv"

	"boneyard/lobby/text"
	"boneyard/rules"
)

// Reason says in one sentence what the reader must do now and why; it is empty when it is not the reader's
// turn.
func Reason(v *rules.View) string {
	open := openPips(&v.Layout)
	switch v.Duty {
	case rules.Play:
		return playReason(v, open)
	case rules.Draw:
		if v.Rules.Draw == rules.DrawAll {
			return fmt.Sprintf("Nothing fits %s: drawing for you…", open)
		}
		return fmt.Sprintf("Nothing fits %s: drawing for you… (%s left this turn)", open, text.Number(v.Rules.Draw-v.Draws, "draw"))
	case rules.Pass:
		switch {
		case v.Rules.Draw == rules.DrawNone:
			return fmt.Sprintf("Nothing fits %s: passing for you. Nobody draws in this game.", open)
		case v.Stock == 0:
			return fmt.Sprintf("Nothing fits %s and the boneyard is empty: passing for you.", open)
		}
		return fmt.Sprintf("Nothing fits %s and you have drawn %s, the most for one turn: passing for you.", open, text.Number(v.Draws, "tile"))
	}
	return ""
}

// BriefReason is Reason in a few words, for a narrow screen.
func BriefReason(v *rules.View) string {
	open := openPips(&v.Layout)
	switch led := v.Layout.Len() > 0; {
	case v.Duty == rules.Draw:
		return fmt.Sprintf("Nothing fits %s: drawing for you…", open)
	case v.Duty == rules.Pass:
		return fmt.Sprintf("Nothing fits %s: passing for you.", open)
	case v.Duty != rules.Play:
		return ""
	case led && v.Forced != rules.NoTile:
		return fmt.Sprintf("You must play %s.", v.Forced.Name())
	case led:
		return fmt.Sprintf("It must fit %s.", open)
	case v.Forced != rules.NoTile:
		return fmt.Sprintf("You must lead %s.", v.Forced.Name())
	}
	return playReason(v, open)
}

func playReason(v *rules.View, open string) string {
	switch led := v.Layout.Len() > 0; {
	case led && v.Forced != rules.NoTile:
		return fmt.Sprintf("You drew %s and it fits, so you must play it.", v.Forced.Name())
	case led:
		return fmt.Sprintf("You hold a tile that fits %s, so you must play.", open)
	case v.Forced == rules.NoTile:
		return "You lead: play any tile."
	case v.Rules.Lead == rules.LeadSix:
		return "You hold 6-6, so you must lead it."
	case v.Forced.Double():
		return fmt.Sprintf("You hold the highest double, so you must lead %s.", v.Forced.Name())
	}
	return fmt.Sprintf("Nobody holds a double and yours is the heaviest tile, so you must lead %s.", v.Forced.Name())
}

// Unplayable says in one sentence why the reader, who is to move, may not play a tile.
func Unplayable(v *rules.View, t rules.Tile) string {
	switch {
	case !v.Hand.Has(t):
		return fmt.Sprintf("You don't hold %s.", t.Name())
	case v.Forced != rules.NoTile:
		return playReason(v, "")
	}
	return fmt.Sprintf("%s doesn't fit %s.", t.Name(), openPips(&v.Layout))
}

// openPips lists the open values, highest first: "5", "5 or 3", "5, 3 or 0".
func openPips(l *rules.Layout) string {
	var open [rules.MaxPip + 1]bool
	for i := range l.EndCount() {
		open[l.End(i).Pip] = true
	}
	var pips []string
	for p := int(rules.MaxPip); p >= 0; p-- {
		if open[p] {
			pips = append(pips, strconv.Itoa(p))
		}
	}
	return text.Join(pips, " or ")
}
