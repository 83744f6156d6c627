package plain

import (
	"fmt"
	"time"

	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// MatchStands says how the match of a league or cup stands after a game at one of its tables, and whether
// another game follows; brief says it in a few words. Both are empty at other tables.
func MatchStands(v *table.View, now time.Time) (say, brief string) {
	m := &v.Config.Event.Match
	if m.Wins == 0 || v.Result == nil {
		return "", ""
	}
	won, best := m.After(v.Result), 0
	if won[1] > won[0] {
		best = 1
	}
	tag := func(side int) string { return text.Printable(m.Tags[side]) }
	over, void := !now.Add(match.Pause).Before(m.Ends), v.Result.Winner == 0 && !v.Result.Shared()
	switch {
	case void && !over:
		return "This game counts for nobody; the match can go on at another time.", "This game counts for nobody."
	case won[best] >= m.Wins, over && won[0] != won[1]:
		say = fmt.Sprintf("%s wins the match by %s to %d.", tag(best), text.Number(won[best], "game"), won[1-best])
		return say, say
	case void:
		return "This game counts for nobody, and the time for the match is over.", "This game counts for nobody."
	case over:
		return "Nobody wins the match: its time is over.", "Nobody wins the match."
	}
	stands := fmt.Sprintf("%s %d, %s %d", tag(0), won[0], tag(1), won[1])
	return "The match stands at " + stands + "; its next game begins in a minute.", stands + "; the next game follows."
}

// MatchWaits says for whom a game of a match waits, and until when; empty if it waits for nobody.
func MatchWaits(v *table.View) string {
	var away []string
	for i, name := range Names(v) {
		if s := &v.Seats[i]; rules.Seat(i+1) != v.POV && s.Presence != table.Here {
			away = append(away, name)
		}
	}
	if v.State != table.Gathering || v.Config.Event.Match.Kept.IsZero() || len(away) == 0 {
		return ""
	}
	return "Waiting for " + text.List(away) + " until " + v.Config.Event.Match.Kept.UTC().Format("15:04 UTC") + "."
}
