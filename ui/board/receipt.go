package board

import (
	"strconv"
	"strings"

	"boneyard/rules"
	"boneyard/ui/theme"
)

// Receipt returns what follows the name of a tile to show the count and score of a choice, with and without
// the terms of the count: " R: 10+4+1 = 15, scores 15" and " R: 15, scores 15". arm is the name of the
// choice's arm, such as from [Plan.Name]; empty for a lead. Both are empty if nothing scores in play.
func Receipt(v *rules.View, o rules.Option, arm string, th *theme.Theme) (whole, short string) {
	l := v.After(o.Choice)
	return receipt(&v.Rules, &l, arm, o.Points, th)
}

// Counted returns the receipt of the present layout, whose last play scored points.
func Counted(v *rules.View, points rules.Points, th *theme.Theme) (whole, short string) {
	if v.Layout.Len() == 0 {
		return "", ""
	}
	return receipt(&v.Rules, &v.Layout, v.Layout.Piece(v.Layout.Len()-1).Arm.String(), points, th)
}

func receipt(r *rules.Ruleset, l *rules.Layout, arm string, points rules.Points, th *theme.Theme) (whole, short string) {
	if r.Multiple == 0 {
		return "", ""
	}
	behind := ": "
	if arm != "" {
		behind = " " + th.Paint(theme.Key, arm) + behind
	}
	return behind + Sum(l.Terms(r.Count), l.Count(), points, th), behind + strconv.Itoa(int(l.Count())) + ", " + Scored(points, th)
}

// Sum returns the part of a receipt after its colon, for an earlier play: its count, term by term, and its
// score.
func Sum(terms []rules.Term, count, points rules.Points, th *theme.Theme) string {
	return rules.Sum(terms, count, "+") + ", " + Scored(points, th)
}

// Scored returns what a play scored: "scores 15", or "no score".
func Scored(points rules.Points, th *theme.Theme) string {
	if points > 0 {
		return th.Paint(theme.Good, "scores "+strconv.Itoa(int(points)))
	}
	return th.Paint(theme.Faint, "no score")
}

// Ends returns the count of a layout, end by end: "L 4 + R 3×2 + U 5 = 15", where a double counts twice. name
// names the arms, and plus separates the ends.
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
