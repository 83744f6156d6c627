package plain

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/table"
)

// After each game of a match its table says how the match stands, and whether another game follows.
func TestMatchStands(t *testing.T) {
	now := time.Date(2026, 11, 27, 20, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		won    [2]int
		winner int
		ending table.Ending
		left   time.Duration
		want   string
	}{
		{[2]int{0, 0}, 1, table.EndPlayed, time.Hour, "The match stands at OWL 1, CAT 0; its next game begins in a minute."},
		{[2]int{0, 1}, 1, table.EndForfeit, time.Hour, "The match stands at OWL 1, CAT 1; its next game begins in a minute."},
		{[2]int{0, 1}, 0, table.EndPlayed, time.Hour, "The match stands at OWL 0, CAT 1; its next game begins in a minute."},
		{[2]int{0, 1}, 0, table.EndAbandoned, time.Hour, "This game counts for nobody; the match can go on at another time."},
		{[2]int{0, 1}, 0, table.EndAbandoned, -time.Hour, "CAT wins the match by 1 game to 0."},
		{[2]int{1, 1}, 0, table.EndAbandoned, -time.Hour, "This game counts for nobody, and the time for the match is over."},
		{[2]int{1, 1}, 2, table.EndPlayed, time.Hour, "CAT wins the match by 2 games to 1."},
		{[2]int{0, 0}, 1, table.EndPlayed, time.Minute, "OWL wins the match by 1 game to 0."},
		{[2]int{1, 0}, 2, table.EndPlayed, -time.Minute, "Nobody wins the match: its time is over."},
	} {
		var v table.View
		v.Config.Event.Match = table.Match{Wins: 2, Tags: [2]string{"OWL", "CAT"}, Won: c.won, Ends: now.Add(c.left)}
		v.Result = &table.Result{Winner: c.winner, Ending: c.ending}
		say, brief := MatchStands(&v, now)
		require.Equal(t, c.want, say)
		require.LessOrEqual(t, len(say), 78)
		require.LessOrEqual(t, len(brief), 38)
		v.Config.Event.Match = table.Match{}
		say, _ = MatchStands(&v, now)
		require.Empty(t, say)
	}
}
