package plain

import (
	"slices"
	"strings"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
)

// NewsFor words a piece of news for its reader: their own name becomes "you".
func NewsFor(n *lobby.NewsItem, to table.Player) string {
	switch n.Kind {
	case lobby.NewsResult, lobby.NewsBest, lobby.NewsStreak, lobby.NewsComeback:
	default:
		return n.Text
	}
	if to.Name == "" || to.ID.Guest() || !strings.Contains(n.Text, to.Name) || slices.Contains(newsWords, to.Name) {
		return n.Text
	}
	words := strings.Split(n.Text, " ")
	for i, w := range words {
		switch name, comma := strings.CutSuffix(w, ","); {
		case name != to.Name:
			continue
		case i == 0:
			words[i] = "You"
			if len(words) > 1 && words[1] == "has" {
				words[1] = "have"
			}
		case comma:
			words[i] = "you,"
		default:
			words[i] = "you"
		}
	}
	return strings.Join(words, " ")
}

// newsWords are words of the news that may also be somebody's name; these are not replaced.
var newsWords = func() []string {
	words := strings.Fields("in one play at the best of day beat and given up casual came back from points behind has won row shared game ended without winner")
	return append(words, rules.PresetNames()...)
}()
