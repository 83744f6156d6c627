// Package english puts into English sentences what package rules knows: a rule set, what a play counts, why a
// player must do something, and how a round was scored. It must know only rules.
package english

import (
	"fmt"
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
)

// Title returns the name of a preset's game.
func Title(p rules.Preset) string {
	return [...]string{
		rules.Azneef:  "Azneef",
		rules.Sniff:   "Sniff",
		rules.Spruce:  "All Fives by The Spruce rules",
		rules.Classic: "All Fives by Domino-Games rules",
		rules.Block:   "Block in two teams",
	}[p]
}

// Difference says in a sentence what distinguishes the game from the other four, for somebody who knows none
// of them.
func Difference(p rules.Preset) string {
	return [...]string{
		rules.Azneef:  "Fives in which the highest double leads and you draw at most three tiles a turn.",
		rules.Sniff:   "Fives in which the spinner counts for longer, and the pips you are left with cost you points.",
		rules.Spruce:  "Fives with big hands for two players, and the pips you are left with cost you points.",
		rules.Classic: "Fives, and the best game to start with: the first double is open on all four sides at once.",
		rules.Block:   "For two teams, without drawing or points in play: the team that goes out gets the other team's pips.",
	}[p]
}

// Brief says in one line how points are made.
func Brief(r *rules.Ruleset) string {
	if r.Multiple == 0 {
		if r.Teams {
			return "Play every tile you hold first, and your team takes the pips the others hold."
		}
		return "Play every tile you hold first, and you take the pips the others hold."
	}
	name := fmt.Sprintf("Multiples of %d", r.Multiple)
	switch r.Multiple {
	case 5:
		name = "Fives"
	case 3:
		name = "Threes"
	}
	m := r.Multiple
	if r.Pegs {
		return fmt.Sprintf("%s: after each play the open ends are added; %d, %d, %d … scores 1, 2, 3 …", name, m, 2*m, 3*m)
	}
	return fmt.Sprintf("%s: after each play the open ends are added; %d, %d, %d … scores that.", name, m, 2*m, 3*m)
}

// SpinnerBrief says in a sentence or two what the spinner is; it is empty for games without one.
func SpinnerBrief(r *rules.Ruleset) string {
	say := "The first double is the spinner: tiles go on all four sides of it"
	switch r.Spinner {
	case rules.SpinnerNone:
		return ""
	case rules.SpinnerAll:
		say = "Every double is a spinner: tiles go on all four sides of it"
	}
	if r.Order == rules.OrderSides {
		return say + ", left and right first."
	}
	return say + "."
}

// Describe explains the rules in full sentences, in the order in which they come up in a game, for a table
// with that many seats; 0 means every number of seats that the rules allow.
func Describe(r rules.Ruleset, seats int) []string {
	d := describer{r: &r, seats: seats}
	if len(d.seatings()) == 0 {
		err := r.CheckSome(seats)
		if seats != 0 {
			err = r.CheckSeats(seats)
		}
		return []string{"These rules cannot be played: " + err.Error() + "."}
	}
	d.players()
	d.dealing()
	d.leading()
	d.turn()
	d.spinner()
	d.counting()
	d.roundEnd()
	d.target()
	return d.out
}

type describer struct {
	r     *rules.Ruleset
	seats int
	out   []string
}

// boneyard reports whether anything is left to draw after the deal.
func (d *describer) boneyard() bool { return d.r.Draw != rules.DrawNone && d.undealt() > 0 }

func (d *describer) undealt() int {
	left := 0
	for _, n := range d.seatings() {
		left = max(left, rules.SetSize-n*d.r.HandSize(n))
	}
	return left
}

func (d *describer) say(format string, args ...any) {
	d.out = append(d.out, fmt.Sprintf(format, args...))
}

func (d *describer) seatings() []int {
	var all []int
	for n := 2; n <= rules.MaxSeats; n++ {
		if (d.seats == 0 || d.seats == n) && d.r.CheckSeats(n) == nil {
			all = append(all, n)
		}
	}
	return all
}

var numerals = [...]string{2: "two", 3: "three", 4: "four"}

// bySeats says a number that may depend on the number of seats: "7 tiles", or "9 tiles with two players, 7
// with three and 5 with four".
func (d *describer) bySeats(noun string, value func(n int) int) string {
	type group struct {
		value int
		seats []string
	}
	var groups []group
	for _, n := range d.seatings() {
		if last := len(groups) - 1; last >= 0 && groups[last].value == value(n) {
			groups[last].seats = append(groups[last].seats, numerals[n])
		} else {
			groups = append(groups, group{value(n), []string{numerals[n]}})
		}
	}
	if len(groups) == 1 {
		return text.Number(groups[0].value, noun)
	}
	var parts []string
	for i, g := range groups {
		number := strconv.Itoa(g.value)
		players := strings.Join(g.seats, " or ")
		if i == 0 {
			number, players = text.Number(g.value, noun), players+" players"
		}
		parts = append(parts, number+" with "+players)
	}
	return text.List(parts)
}

func (d *describer) players() {
	all := d.seatings()
	switch {
	case d.r.Teams:
		d.say("Four players in two teams: seats 1 and 3 score together against seats 2 and 4.")
	case len(all) == 1:
		d.say("%s players, each alone.", text.Capital(numerals[all[0]]))
	default:
		d.say("%s to %s players, each alone.", text.Capital(numerals[all[0]]), numerals[all[len(all)-1]])
	}
}

func (d *describer) dealing() {
	rest := "The rest are the boneyard."
	switch {
	case d.undealt() == 0:
		rest = "None are left over."
	case d.r.Draw == rules.DrawNone:
		rest = "The rest stay out of the round."
	}
	d.say("Each player gets %s. %s", d.bySeats("tile", d.r.HandSize), rest)
}

func (d *describer) leading() {
	var first string
	switch d.r.Lead {
	case rules.LeadDouble:
		first = "the player with the highest double leads it; if nobody has a double, the one with the heaviest tile leads that"
	case rules.LeadSix:
		first = "the player with 6-6 leads it"
	default:
		first = "the leader is drawn by lot and leads any tile"
	}
	switch d.r.Next {
	case rules.NextWinner:
		d.say("In the first round %s.", first)
		d.say("Later, the winner of a round leads the next one, with any tile. " +
			"After a round without a winner, the lead is found as in the first.")
	case rules.NextDomino:
		d.say("In the first round %s.", first)
		d.say("Later, the player who dominoed leads the next round, with any tile. After a blocked round, the lead is found as in the first.")
	default:
		d.say("In every round %s.", first)
	}
}

func (d *describer) turn() {
	d.say("On your turn you must play a tile that fits an open end, if you hold one.")
	switch {
	case d.r.Draw == rules.DrawNone:
		d.say("If you hold none, you pass. Nobody draws.")
	case !d.boneyard():
		d.say("If you hold none, you pass: nothing is left to draw.")
	case d.r.Draw == rules.DrawAll:
		d.say("If you hold none, you draw until a tile fits or the boneyard is empty. A drawn tile that fits must be played at once. " +
			"You pass only when nothing is left to draw.")
	default:
		d.say("If you hold none, you draw until a tile fits, but at most %s in a turn. A drawn tile that fits must be played at once. "+
			"If none fits, you pass.", text.Number(d.r.Draw, "tile"))
	}
}

func (d *describer) spinner() {
	switch d.r.Spinner {
	case rules.SpinnerNone:
		d.say("There is no spinner: a double is joined on two edges only.")
		return
	case rules.SpinnerAll:
		d.say("Every double is a spinner: it can be joined on all four edges.")
	default:
		d.say("The first double of a round is the spinner: it can be joined on all four edges.")
	}
	if d.r.Order == rules.OrderSides {
		d.say("Both sides of a spinner must be covered before its ends are open.")
	} else {
		d.say("All free edges of a spinner are open at once.")
	}
}

func (d *describer) counting() {
	if d.r.Multiple == 0 {
		d.say("No points are scored in play.")
		return
	}
	d.say("After every play the open ends are counted. A double at an end counts both its halves.")
	if d.r.Spinner != rules.SpinnerNone {
		switch {
		case d.r.Count == rules.CountFlank:
			d.say("A spinner counts both its halves until both its sides are covered, then nothing.")
		default:
			d.say("A spinner counts both its halves until three of its edges are covered, then one half, and nothing once all four are.")
		}
	}
	if d.r.Pegs {
		d.say("A count that is a multiple of %d scores that count divided by %d.", d.r.Multiple, d.r.Multiple)
	} else {
		d.say("A count that is a multiple of %d scores that many points.", d.r.Multiple)
	}
}

func (d *describer) roundEnd() {
	blocked := "no player holds a tile that fits and the boneyard is empty"
	if !d.boneyard() {
		blocked = "no player holds a tile that fits"
	}
	d.say("A round ends when somebody dominoes, that is, plays the last tile of their hand, or when it is blocked: %s.", blocked)
	own, their, tie := "player with the lightest hand", "their", "If two are equally light, nobody scores and nobody has won."
	who, others := "player who dominoed", "all other players hold"
	if d.r.Teams {
		own, who, others = "team with the lighter hands", "team that dominoed", "the other team holds"
		their = "its"
		tie = "If both are equally light, nobody scores and nobody has won."
	}
	down, up := d.r.Multiple+(d.r.Multiple-1)/2, d.r.Multiple+(d.r.Multiple+1)/2
	likewise := "rounded likewise"
	rounded := fmt.Sprintf("rounded to the nearest multiple of %d (%d to %d, %d to %d)",
		d.r.Multiple, down, d.r.Round(down), up, d.r.Round(up))
	switch d.r.End {
	case rules.EndSubtract:
		d.say("Then every player's hand is %s and taken from the score. A blocked round has no winner.", rounded)
	case rules.EndAward, rules.EndBonus:
		if d.r.End == rules.EndBonus {
			rounded += fmt.Sprintf(" and divided by %d", d.r.Multiple)
			likewise = "rounded and divided likewise"
		}
		d.say("The %s gets the pips that %s, %s.", who, others, rounded)
		d.say("In a blocked round the %s gets the pips that %s, less %s own, %s. %s", own, others, their, likewise, tie)
	case rules.EndTake:
		d.say("The %s gets all pips that %s.", who, others)
		d.say("In a blocked round the %s gets them. %s", own, d.tieLoses())
	}
}

func (d *describer) tieLoses() string {
	switch {
	case d.r.Teams:
		return "If there is a tie, the team that laid the last tile loses it."
	case d.seats == 2:
		return "If there is a tie, the player who laid the last tile loses it."
	}
	return "If there is a tie, the player who laid the last tile drops out of it; if more than one is left then, nobody scores."
}

func (d *describer) target() {
	if n := d.r.Rounds; n > 0 {
		d.say("The game ends after %s, whatever the scores. The highest score wins; equal highest scores share the game.",
			text.Number(n, "round"))
		return
	}
	points := d.bySeats("point", func(n int) int { return int(d.r.TargetFor(n)) })
	side := "player"
	if d.r.Teams {
		side = "team"
	}
	reach := "reach"
	if d.r.Above {
		reach = "have more than"
	}
	if d.r.Win == rules.WinNow {
		d.say("The first %s to %s %s wins, even in the middle of a round.", side, reach, points)
		d.say("If two get there with the same total when a round is scored, another round is played.")
	} else {
		d.say("When a round has been scored, the highest %s to %s %s wins. If two are equally high, another round is played.",
			side, reach, points)
	}
}
