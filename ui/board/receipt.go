package board

import (
	"strconv"
	"strings"

	"boneyard/rules"
	"boneyard/ui/theme"
)

// Receipt says in one short line what a choice would count and score: "R → 5·5+4+3 = 17 –" where it scores nothing,
// "R → 5·5+4+1 = 15 +15" where it does; a lead has no arm before the arrow. It is empty where the game has no points in
// play. For whole sentences see [rules.View.Receipt].
func Receipt(v *rules.View, o rules.Option, th *theme.Theme) string {
	if v.Rules.Multiple == 0 {
		return ""
	}
	l := v.After(o.Choice)
	return receipt(&l, v.Rules.Count, o.Arm.String(), o.Points, th)
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
	sum := th.Glyphs().Right + " " + Sum(l.Terms(rule), l.Count(), points, th)
	if arm == "" {
		return sum
	}
	return th.Paint(theme.Key, arm) + " " + sum
}

// Sum is the part of a receipt behind its arrow, for a play that lies further back: what it counted, term by term, and what
// it scored.
func Sum(terms []rules.Term, count, points rules.Points, th *theme.Theme) string {
	var b strings.Builder
	for i, t := range terms {
		if i > 0 {
			b.WriteByte('+')
		}
		b.WriteString(term(t, th))
	}
	if len(terms) == 0 {
		b.WriteByte('0')
	}
	b.WriteString(" = " + strconv.Itoa(int(count)) + " ")
	if points > 0 {
		b.WriteString(th.Paint(theme.Good, "+"+strconv.Itoa(int(points))))
	} else {
		b.WriteString(th.Paint(theme.Faint, th.Glyphs().Dash))
	}
	return b.String()
}

// term is [rules.Term.String] in the theme's characters and without blanks.
func term(t rules.Term, th *theme.Theme) string {
	dot := th.Glyphs().Dot
	if th.Faces() == theme.ASCII {
		dot = "+" // 5.5 would be a number
	}
	pip, other := strconv.Itoa(int(t.Pip)), strconv.Itoa(int(t.Other))
	switch {
	case t.Halves == 1:
		return pip
	case t.Pip != t.Other:
		return pip + "+" + other
	}
	return pip + dot + other
}
