package table

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// The last commands of each of the last players are remembered, and those of players who sit for as long as they sit.
func TestRecentIsBounded(t *testing.T) {
	const seated = 1
	var r recent
	command := func(by PlayerID, n int) commandID { return commandID{By: by, ID: fmt.Sprint(n)} }
	sits := func(id PlayerID) bool { return id == seated }
	for by := PlayerID(seated); by <= 2*recentPlayers; by++ {
		for n := range recentMost + 2 {
			r.add(command(by, n), sits)
		}
		first := max(by-recentPlayers+2, seated+1) // the oldest of those who are remembered and do not sit
		for id, want := range map[PlayerID]bool{seated: true, first - 1: first-1 == seated, first: first <= by, by: true} {
			require.Equal(t, want, r.has(command(id, recentMost+1)), "player %d after %d", id, by)
			require.Equal(t, want, r.has(command(id, 2)), "player %d after %d", id, by)
			require.False(t, r.has(command(id, 1)), "player %d after %d", id, by)
		}
	}
}
