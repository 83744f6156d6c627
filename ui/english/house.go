package english

import (
	"fmt"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
)

// Means says in a few words what a house rule changes in a game: "every double" for spinner=all. It is empty
// for a rule that the game leaves open.
func Means(r *rules.Ruleset, key string) string {
	if r.Value(key) == "" {
		return ""
	}
	m := r.Multiple
	choose := func(value int, words ...string) string { return words[value] }
	switch key {
	case "hand":
		d := describer{r: r}
		if len(d.seatings()) == 0 {
			return "more tiles than there are"
		}
		return d.bySeats("tile", r.HandSize)
	case "teams":
		if r.Teams {
			return "seats 1 and 3 against 2 and 4"
		}
		return "each player alone"
	case "lead":
		return choose(int(r.Lead), "", "the highest double, or else the heaviest tile", "a player drawn by lot, with any tile",
			"the player who holds 6-6, with it")
	case "next":
		return choose(int(r.Next), "", "whoever won the round before", "whoever dominoed in the round before", "as in the first round")
	case "spinner":
		return choose(int(r.Spinner), "", "the first one of a round", "every one", "none of them")
	case "order":
		return choose(int(r.Order), "", "left and right first, then up and down", "all four sides at once")
	case "count":
		return choose(int(r.Count), "", "both halves until left and right are covered, then nothing",
			"both halves; one half with three sides covered, none with all four")
	case "multiple":
		if m == 0 {
			return "none, there are no points in play"
		}
		return fmt.Sprintf("%d, %d, %d and so on", m, 2*m, 3*m)
	case "draw":
		switch r.Draw {
		case rules.DrawNone:
			return "none, whoever can't play passes"
		case rules.DrawAll:
			return "as many as it takes until a tile fits"
		}
		return text.Number(r.Draw, "tile") + " at most"
	case "end":
		bonus := "the winner gets the pips left in other hands, rounded"
		if m > 0 {
			bonus += fmt.Sprintf(", divided by %d", m)
		}
		return choose(int(r.End), "", "the winner gets the pips left in other hands, rounded",
			"everybody loses the pips left in their own hand, rounded",
			bonus, "the winner gets the pips left in other hands, not rounded")
	case "pegs":
		switch {
		case m == 0:
			return "there are no points in play"
		case r.Pegs:
			return fmt.Sprintf("a count of %d scores 2", 2*m)
		}
		return fmt.Sprintf("a count of %d scores %d", 2*m, 2*m)
	case "target":
		return r.Value(key) + " or more"
	case "above":
		return "more than " + r.Value(key)
	case "rounds":
		return fmt.Sprintf("the highest score after round %d wins", r.Rounds)
	case "win":
		return choose(int(r.Win), "", "as soon as it is reached, even in the middle of a round", "when a round has been scored")
	}
	return ""
}

// House describes a game's house rules in one line: how it differs from its preset. The winning score and
// partnership are not house rules. It is empty if nothing differs.
func House(r *rules.Ruleset) string {
	std := r.Preset.Rules()
	var all []string
	for _, k := range rules.Keys() {
		switch k.Name {
		case "target", "above", "rounds", "teams":
			continue
		}
		if v := r.Value(k.Name); v != "" && v != std.Value(k.Name) {
			all = append(all, k.Name+": "+Means(r, k.Name))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "House rules – " + strings.Join(all, "; ") + "."
}
