package board

import (
	"strconv"
	"strings"

	"boneyard/rules"
	"boneyard/ui/theme"
)

// Receipt is what stands behind the name of a tile to say what a choice would count and score: " R: 10+4+3 = 17, no score", or
// " R: 10+4+1 = 15, scores 15"; a lead has no arm before the colon. It is empty where the game has no points in play. For whole
// sentences see [rules.View.Receipt].
func Receipt(v *rules.View, o rules.Option, th *theme.Theme) string {
	return ReceiptAt(v, o, o.Arm.String(), th)
}

// ReceiptAt is Receipt with another name for the arm, such as [Plan.Name].
func ReceiptAt(v *rules.View, o rules.Option, arm string, th *theme.Theme) string {
	if v.Rules.Multiple == 0 {
		return ""
	}
	l := v.After(o.Choice)
	return receipt(&l, v.Rules.Count, arm, o.Points, th)
}

// Short is ReceiptAt without the terms of the count, for where columns are scarce.
func Short(v *rules.View, o rules.Option, arm string, th *theme.Theme) string {
	if v.Rules.Multiple == 0 {
		return ""
	}
	l := v.After(o.Choice)
	return short(l.Count(), arm, o.Points, th)
}

// CountedShort is Counted without the terms.
func CountedShort(v *rules.View, points rules.Points, th *theme.Theme) string {
	if v.Rules.Multiple == 0 || v.Layout.Len() == 0 {
		return ""
	}
	return short(v.Layout.Count(), v.Layout.Piece(v.Layout.Len()-1).Arm.String(), points, th)
}

// Counted is the receipt of the layout as it lies, of which the last play scored points.
func Counted(v *rules.View, points rules.Points, th *theme.Theme) string {
	if v.Rules.Multiple == 0 || v.Layout.Len() == 0 {
		return ""
	}
	last := v.Layout.Piece(v.Layout.Len() - 1)
	return receipt(&v.Layout, v.Rules.Count, last.Arm.String(), points, th)
}

func receipt(l *rules.Layout, rule rules.CountRule, arm string, points rules.Points, th *theme.Theme) string {
	return behind(arm, Sum(l.Terms(rule), l.Count(), points, th), th)
}

func short(count rules.Points, arm string, points rules.Points, th *theme.Theme) string {
	return behind(arm, strconv.Itoa(int(count))+", "+Scored(points, th), th)
}

func behind(arm, sum string, th *theme.Theme) string {
	sum = ": " + sum
	if arm == "" {
		return sum
	}
	return " " + th.Paint(theme.Key, arm) + sum
}

// Sum is the part of a receipt behind its colon, for a play that lies further back: what it counted, term by term, and what it
// scored.
func Sum(terms []rules.Term, count, points rules.Points, th *theme.Theme) string {
	return Count(terms, count) + ", " + Scored(points, th)
}

// Scored says what a play scored: "scores 15", or "no score".
func Scored(points rules.Points, th *theme.Theme) string {
	if points > 0 {
		return th.Paint(theme.Good, "scores "+strconv.Itoa(int(points)))
	}
	return th.Paint(theme.Faint, "no score")
}

// Ends is the count of a layout, end by end: "L 4 + R 3×2 + U 5 = 15", where a double counts twice. The names of arms are those that name
// gives them, and plus stands between two ends.
func Ends(l *rules.Layout, rule rules.CountRule, name func(rules.Arm) string, plus string, th *theme.Theme) string {
	var parts []string
	for _, t := range l.Terms(rule) {
		worth := []string{strconv.Itoa(int(t.Points))}
		switch {
		case t.Pip != t.Other:
			worth = []string{strconv.Itoa(int(t.Pip)), strconv.Itoa(int(t.Other))}
		case t.Halves == 2:
			worth[0] = strconv.Itoa(int(t.Pip)) + th.Glyphs().Times + "2"
		}
		for i := range l.EndCount() {
			if e := l.End(i); int(e.At) == t.Piece && len(worth) > 0 {
				parts = append(parts, name(e.Arm)+" "+worth[0])
				worth = worth[1:]
			}
		}
	}
	return strings.Join(parts, plus) + " = " + strconv.Itoa(int(l.Count()))
}

// Count is a count term by term, in as few columns as may be: "10+4+3 = 17".
func Count(terms []rules.Term, count rules.Points) string { return rules.Sum(terms, count, "+") }
