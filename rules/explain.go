package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// Receipt explains a count term by term, and what it scores: "10 + 4 + 3 = 17, no score", or "10 + 0 = 10, scores 10". It is empty
// where the rules score nothing in play.
func (r *Ruleset) Receipt(l *Layout) string {
	if r.Multiple == 0 || l.n == 0 {
		return ""
	}
	var parts []string
	for _, t := range l.Terms(r.Count) {
		parts = append(parts, t.String())
	}
	sum, total := strings.Join(parts, " + "), strconv.Itoa(int(l.Count()))
	if len(parts) > 0 && sum != total {
		total = sum + " = " + total
	}
	if p := r.InPlay(l.Count()); p > 0 {
		return total + ", scores " + strconv.Itoa(int(p))
	}
	return total + ", no score"
}

// Receipt explains what a choice would count and score; see [Ruleset.Receipt].
func (v *View) Receipt(c Choice) string {
	l := v.After(c)
	return v.Rules.Receipt(&l)
}

// Reason says in one sentence what the reader has to do now and why; it is empty when it is not the reader's turn.
func (v *View) Reason() string {
	open := v.Layout.openPips()
	switch v.Duty {
	case Play:
		return v.playReason(open)
	case Draw:
		if v.Rules.Draw == DrawAll {
			return fmt.Sprintf("Nothing fits %s: drawing for you…", open)
		}
		return fmt.Sprintf("Nothing fits %s: drawing for you… (%s left this turn)", open, plural(v.Rules.Draw-v.Draws, "draw"))
	case Pass:
		switch {
		case v.Rules.Draw == DrawNone:
			return fmt.Sprintf("Nothing fits %s: passing for you. Nobody draws in this game.", open)
		case v.Stock == 0:
			return fmt.Sprintf("Nothing fits %s and the boneyard is empty: passing for you.", open)
		}
		return fmt.Sprintf("Nothing fits %s and you have drawn %s, the most for one turn: passing for you.", open, plural(v.Draws, "tile"))
	}
	return ""
}

func (v *View) playReason(open string) string {
	switch led := v.Layout.n > 0; {
	case led && v.Forced != NoTile:
		return fmt.Sprintf("You drew %s and it fits, so you must play it.", v.Forced.Name())
	case led:
		return fmt.Sprintf("You hold a tile that fits %s, so you must play.", open)
	case v.Forced == NoTile:
		return "You lead: play any tile."
	case v.Rules.Lead == LeadSix:
		return "You hold 6-6, so you must lead it."
	case v.Forced.Double():
		return fmt.Sprintf("You hold the highest double, so you must lead %s.", v.Forced.Name())
	}
	return fmt.Sprintf("Nobody holds a double and yours is the heaviest tile, so you must lead %s.", v.Forced.Name())
}

// openPips lists the open values, the highest first: "5", "5 or 3", "5, 3 or 0".
func (l *Layout) openPips() string {
	var open [MaxPip + 1]bool
	for _, e := range l.ends[:l.nEnds] {
		open[e.Pip] = true
	}
	var pips []string
	for p := int(MaxPip); p >= 0; p-- {
		if open[p] {
			pips = append(pips, strconv.Itoa(p))
		}
	}
	if len(pips) < 2 {
		return strings.Join(pips, "")
	}
	last := len(pips) - 1
	return strings.Join(pips[:last], ", ") + " or " + pips[last]
}

// ScoreKind is what one line of a round's scoring is about.
type ScoreKind uint8

// The lines of a round's scoring, in their order.
const (
	ScoreEnd    ScoreKind = iota + 1 // how the round ended: Seat dominoed, or laid the last tile of a blocked round
	ScoreHand                        // what the hand of Seat weighs, and under end=subtract what that costs its Side
	ScoreWinner                      // what the winner's Side gets
	ScoreNobody                      // why nobody gets anything
)

// ScoreLine is one line of a round's scoring, as numbers and as a sentence.
type ScoreLine struct {
	Kind    ScoreKind
	Seat    Seat
	Side    Side
	Pips    Points // before rounding
	Rounded Points // after rounding; as Pips where the rules do not round
	Change  Points // what is added to the side's total
	Text    string // a sentence to look at; what it adds stands behind an arrow: "ana takes 8 pips, rounded to 10 → +10"
	Said    string // the same to read aloud, in ASCII: "ana takes 8 pips, rounded to 10: 10 points."
}

// Explain tells the scoring of a round line by line: how it ended, what each hand weighs, who gets what and why. The names are
// those of the seats, in turn order.
func (r *Ruleset) Explain(res *RoundResult, names []string) []ScoreLine {
	x := explainer{r: r, res: res, names: names}
	x.ending()
	x.hands()
	if r.End != EndSubtract {
		x.reward()
	}
	return x.out
}

type explainer struct {
	r     *Ruleset
	res   *RoundResult
	names []string
	out   []ScoreLine
}

func (x *explainer) name(s Seat) string { return x.names[s-1] }

// side is the name of a side: a player's, or those of the partners.
func (x *explainer) side(s Side) string {
	if x.r.Teams {
		return x.names[s-1] + " and " + x.names[s+1]
	}
	return x.names[s-1]
}

func (x *explainer) ending() {
	line := ScoreLine{Kind: ScoreEnd, Seat: x.res.Last, Side: SideOf(x.res.Last, x.r.Teams)}
	if x.res.How == Domino {
		line.Text = x.name(x.res.Last) + " dominoed."
	} else {
		line.Text = "The round is blocked; " + x.name(x.res.Last) + " laid the last tile."
	}
	x.add(line, false)
}

// add adds a line with its text; where that tells of points, what they come to is put behind it.
func (x *explainer) add(line ScoreLine, points bool) {
	line.Said = strings.ReplaceAll(strings.TrimSuffix(line.Text, "."), "−", "minus")
	if points {
		line.Text += " → " + signed(line.Change)
		line.Said += ": " + strings.ReplaceAll(plural(line.Change, "point"), "-", "minus ")
	}
	line.Said += "."
	x.out = append(x.out, line)
}

func (x *explainer) hands() {
	for i := range x.names {
		seat := Seat(i + 1)
		if x.res.How == Domino && seat == x.res.Last {
			continue
		}
		w := x.res.Left[i]
		line := ScoreLine{Kind: ScoreHand, Seat: seat, Side: SideOf(seat, x.r.Teams), Pips: w, Rounded: w}
		line.Text = fmt.Sprintf("%s's hand: %s", x.name(seat), plural(w, "pip"))
		if x.r.End == EndSubtract {
			line.Rounded = x.r.Round(w)
			line.Change = -line.Rounded
			line.Text += x.roundedText(w)
		} else if x.res.How == Domino && line.Side == SideOf(x.res.Last, x.r.Teams) {
			line.Text += ", not counted: " + x.name(x.res.Last) + "'s partner"
		}
		x.add(line, x.r.End == EndSubtract)
	}
}

// reward tells what the winner gets under all rules but end=subtract.
func (x *explainer) reward() {
	r, res := x.r, x.res
	if res.Winner == 0 {
		x.add(ScoreLine{Kind: ScoreNobody, Text: x.tie() + ": nobody scores."}, false)
		return
	}
	side := SideOf(res.Winner, r.Teams)
	var own, others Points
	for i, w := range res.Left[:len(x.names)] {
		if SideOf(Seat(i+1), r.Teams) == side {
			own += w
		} else {
			others += w
		}
	}
	line := ScoreLine{Kind: ScoreWinner, Seat: res.Winner, Side: side, Pips: others, Change: res.Change[side-1]}
	lessOwn := res.How == Blocked && r.End != EndTake
	if lessOwn {
		line.Pips = others - own
	}
	sum := x.sum(side, lessOwn) + plural(line.Pips, "pip")
	line.Rounded = line.Pips
	if r.End != EndTake {
		line.Rounded = r.Round(line.Pips)
		sum += x.roundedText(line.Pips)
	}
	if r.End == EndBonus {
		sum += fmt.Sprintf(", divided by %d", r.Multiple)
	}
	why := x.side(side)
	if res.How == Blocked {
		if tied := x.lightest(); len(tied) > 1 {
			why = x.tie() + ", and " + x.name(res.Last) + " laid the last tile: " + why
		} else if r.Teams && r.End == EndTake {
			why += ", the lighter team with " + plural(own, "pip") + ","
		} else if r.Teams {
			why += ", the lighter team,"
		} else {
			why += ", the lightest hand,"
		}
	}
	verb := "takes"
	if r.Teams {
		verb = "take"
	}
	line.Text = why + " " + verb + " " + sum
	x.add(line, true)
}

// sum is the hands that make up what a side gets, "8 + 11 − 3 = ": those of its opponents, less its own if they are taken off.
// It is empty where one hand makes it up.
func (x *explainer) sum(side Side, lessOwn bool) string {
	var plus, minus []string
	for i, w := range x.res.Left[:len(x.names)] {
		switch mine := SideOf(Seat(i+1), x.r.Teams) == side; {
		case w == 0:
		case !mine:
			plus = append(plus, strconv.Itoa(int(w)))
		case lessOwn:
			minus = append(minus, " − "+strconv.Itoa(int(w)))
		}
	}
	if len(plus)+len(minus) < 2 {
		return ""
	}
	return strings.Join(plus, " + ") + strings.Join(minus, "") + " = "
}

// lightest lists the sides with the lowest weight.
func (x *explainer) lightest() []Side {
	var own [MaxSeats]Points
	for i, w := range x.res.Left[:len(x.names)] {
		own[SideOf(Seat(i+1), x.r.Teams)-1] += w
	}
	var sides []Side
	for i, w := range own[:SideCount(len(x.names), x.r.Teams)] {
		switch {
		case len(sides) == 0 || w < own[sides[0]-1]:
			sides = append(sides[:0], Side(i+1))
		case w == own[sides[0]-1]:
			sides = append(sides, Side(i+1))
		}
	}
	return sides
}

// tie names the sides that are equally light.
func (x *explainer) tie() string {
	if x.r.Teams {
		return "Both teams are equally light"
	}
	var names []string
	for _, s := range x.lightest() {
		names = append(names, x.side(s))
	}
	return list(names) + " are equally light"
}

func (x *explainer) roundedText(p Points) string {
	if to := x.r.Round(p); to != p {
		return fmt.Sprintf(", rounded to %d", to)
	}
	return ""
}

// signed writes points with their sign: "+10", "−10", and "0".
func signed(p Points) string {
	switch {
	case p > 0:
		return "+" + strconv.Itoa(int(p))
	case p < 0:
		return "−" + strconv.Itoa(int(-p))
	}
	return "0"
}
