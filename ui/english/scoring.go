package english

import (
	"fmt"
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
)

// ScoreKind is the subject of one line of a round's scoring.
type ScoreKind uint8

// The lines of a round's scoring, in order.
const (
	ScoreEnd    ScoreKind = iota + 1 // how the round ended: who dominoed, or laid the last tile of a blocked round
	ScoreHand                        // the weight of a hand, and under end=subtract what that costs its Side
	ScoreWinner                      // what the winner's Side scores
	ScoreNobody                      // why nobody scores
)

// ScoreLine is one line of a round's scoring.
type ScoreLine struct {
	Kind   ScoreKind
	Side   rules.Side
	Change rules.Points // what is added to the side's total
	Text   string       // a sentence to display, with points after an arrow: "ana takes 8 pips, rounded to 10 → +10"
	Said   string       // the same to read aloud, in ASCII: "ana takes 8 pips, rounded to 10: 10 points."
}

// Scoring explains a round's scoring line by line: how it ended, what each hand weighs, who scores what and
// why. names are those of the seats, in turn order; the player at the seat you, if any, is addressed as "you".
func Scoring(r *rules.Ruleset, res *rules.RoundResult, names []string, you rules.Seat) []ScoreLine {
	x := explainer{r: r, res: res, names: names, you: you}
	x.ending()
	x.hands()
	if r.End != rules.EndSubtract {
		x.reward()
	}
	return x.out
}

type explainer struct {
	r     *rules.Ruleset
	res   *rules.RoundResult
	names []string
	you   rules.Seat // the reader's seat; 0 if the reader does not play
	out   []ScoreLine
}

func (x *explainer) name(s rules.Seat) string {
	if s == x.you {
		return "you"
	}
	return x.names[s-1]
}

// of returns a seat's possessive: "ana's", or "your".
func (x *explainer) of(s rules.Seat) string {
	if s == x.you {
		return "your"
	}
	return x.names[s-1] + "'s"
}

// side returns a side's name: a player, or the partners, with the reader first.
func (x *explainer) side(s rules.Side) string {
	first := rules.Seat(s)
	if !x.r.Teams {
		return x.name(first)
	}
	if first+2 == x.you {
		return "you and " + x.name(first)
	}
	return x.name(first) + " and " + x.name(first+2)
}

func (x *explainer) ending() {
	line := ScoreLine{Kind: ScoreEnd, Side: rules.SideOf(x.res.Last, x.r.Teams)}
	if x.res.How == rules.Domino {
		line.Text = x.name(x.res.Last) + " dominoed: no tiles left."
	} else {
		line.Text = "The round is blocked; " + x.name(x.res.Last) + " laid the last tile."
	}
	x.add(line, false)
}

// add adds a line with its text; if points is set, it appends their total.
func (x *explainer) add(line ScoreLine, points bool) {
	if x.you != 0 && (strings.HasPrefix(line.Text, "you ") || strings.HasPrefix(line.Text, "your ") || strings.HasPrefix(line.Text, "you,")) {
		line.Text = text.Capital(line.Text)
	}
	line.Said = strings.ReplaceAll(strings.TrimSuffix(line.Text, "."), "−", "minus")
	if points {
		line.Text += " → " + text.Signed(line.Change)
		line.Said += ": " + strings.ReplaceAll(text.Number(line.Change, "point"), "-", "minus ")
	}
	line.Said += "."
	x.out = append(x.out, line)
}

func (x *explainer) hands() {
	for i := range x.names {
		seat := rules.Seat(i + 1)
		if x.res.How == rules.Domino && seat == x.res.Last {
			continue
		}
		w := x.res.Left[i]
		line := ScoreLine{Kind: ScoreHand, Side: rules.SideOf(seat, x.r.Teams)}
		line.Text = fmt.Sprintf("%s hand: %s", x.of(seat), text.Number(w, "pip"))
		if x.r.End == rules.EndSubtract {
			line.Change = -x.r.Round(w)
			line.Text += x.roundedText(w)
		} else if x.res.How == rules.Domino && line.Side == rules.SideOf(x.res.Last, x.r.Teams) {
			line.Text += ", not counted: " + x.of(x.res.Last) + " partner"
		}
		x.add(line, x.r.End == rules.EndSubtract)
	}
}

func (x *explainer) reward() {
	r, res := x.r, x.res
	if res.Winner == 0 {
		x.add(ScoreLine{Kind: ScoreNobody, Text: x.tie() + ": nobody scores."}, false)
		return
	}
	side := rules.SideOf(res.Winner, r.Teams)
	var own, others rules.Points
	for i, w := range res.Left[:len(x.names)] {
		if rules.SideOf(rules.Seat(i+1), r.Teams) == side {
			own += w
		} else {
			others += w
		}
	}
	pips := others
	lessOwn := res.How == rules.Blocked && r.End != rules.EndTake
	if lessOwn {
		pips -= own
	}
	sum := x.sum(side, lessOwn) + text.Number(pips, "pip")
	if r.End != rules.EndTake {
		sum += x.roundedText(pips)
	}
	if r.End == rules.EndBonus {
		sum += fmt.Sprintf(", divided by %d", r.Multiple)
	}
	why := x.side(side)
	if res.How == rules.Blocked {
		if tied := x.lightest(); len(tied) > 1 {
			why = x.tie() + ", and " + x.name(res.Last) + " laid the last tile: " + why
		} else if r.Teams && r.End == rules.EndTake {
			why += ", the lighter team with " + text.Number(own, "pip") + ","
		} else if r.Teams {
			why += ", the lighter team,"
		} else {
			why += ", with the lightest hand,"
		}
	}
	verb := "takes"
	if r.Teams || res.Winner == x.you {
		verb = "take"
	}
	x.add(ScoreLine{Kind: ScoreWinner, Side: side, Change: res.Change[side-1], Text: why + " " + verb + " " + sum}, true)
}

// sum returns the hands that make up a side's points, "8 + 11 − 3 = ": those of its opponents, less its own
// if those are subtracted. It is empty if there is only one hand.
func (x *explainer) sum(side rules.Side, lessOwn bool) string {
	var plus, minus []string
	for i, w := range x.res.Left[:len(x.names)] {
		switch mine := rules.SideOf(rules.Seat(i+1), x.r.Teams) == side; {
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

func (x *explainer) lightest() []rules.Side {
	var own [rules.MaxSeats]rules.Points
	for i, w := range x.res.Left[:len(x.names)] {
		own[rules.SideOf(rules.Seat(i+1), x.r.Teams)-1] += w
	}
	var sides []rules.Side
	for i, w := range own[:rules.SideCount(len(x.names), x.r.Teams)] {
		switch {
		case len(sides) == 0 || w < own[sides[0]-1]:
			sides = append(sides[:0], rules.Side(i+1))
		case w == own[sides[0]-1]:
			sides = append(sides, rules.Side(i+1))
		}
	}
	return sides
}

func (x *explainer) tie() string {
	if x.r.Teams {
		return "Both teams are equally light"
	}
	return text.List(text.Each(x.lightest(), x.side)) + " are equally light"
}

func (x *explainer) roundedText(p rules.Points) string {
	if to := x.r.Round(p); to != p {
		return fmt.Sprintf(", rounded to %d", to)
	}
	return ""
}
