package rules

import (
	"strconv"
	"strings"
)

// Partners is what a game of two against two is called.
const Partners = "partners"

// Words returns a rule string in words: "classic to 100, partners, hand=5". A goal left open is left out.
func Words(rule string) string { return words(rule, "") }

// DealtWords is [Words] where deals are compared: that each round is led as the first one goes without saying.
func DealtWords(rule string) string { return withoutLead(Words(rule)) }

func withoutLead(words string) string { return strings.Replace(words, ", next=lead", "", 1) }

// Words returns the game and its goal in words: "classic to 200, partners, hand=5".
func (r *Ruleset) Words(seats int) string { return words(r.String(), r.Goal(seats)) }

// DealtWords is [Ruleset.Words] where deals are compared, see [DealtWords].
func (r *Ruleset) DealtWords(seats int) string { return withoutLead(r.Words(seats)) }

func words(rule, goal string) string {
	var more []string
	game, rest, _ := strings.Cut(rule, " ")
	for _, word := range strings.Fields(rest) {
		switch key, value, _ := strings.Cut(word, "="); {
		case key == "target":
			goal = "to " + value
		case key == "above":
			goal = "over " + value
		case word == "rounds=1":
			goal = "for 1 round"
		case key == "rounds":
			goal = "for " + value + " rounds"
		case word == "teams=on":
			more = append(more, Partners)
		default:
			more = append(more, word)
		}
	}
	if goal != "" {
		game += " " + goal
	}
	return strings.Join(append([]string{game}, more...), ", ")
}

// Goal returns the goal in two words: "to 200", "over 200", or, with a number of rounds, "of 5".
func (r *Ruleset) Goal(seats int) string {
	if r.Rounds > 0 {
		return "of " + strconv.Itoa(r.Rounds)
	}
	n := strconv.Itoa(int(r.TargetFor(seats)))
	if r.Above {
		return "over " + n
	}
	return "to " + n
}
