package play

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/table"
)

// After a game each seat is said to want another or not, behind a word for what that is.
func TestWhoWantsAnotherGame(t *testing.T) {
	s := sit(t, "block", 3, "ana", "ben", "cleopatra", "dora")
	s.toGameEnd()
	s.view.Result = &table.Result{Ending: table.EndPlayed, Winner: 1}
	s.view.Seats[1].Ready = true
	for _, size := range sizes {
		screen := strings.Join(strings.Fields(screenAs(s.of(1), size[0], size[1])), " ")
		require.Contains(t, screen, "Again ana not yet ben yes cleopatra not yet dora not yet", "%v", size)
	}
}

// A game that is won in mid-round shows the play that won it; it was on no other screen.
func TestLastPlay(t *testing.T) {
	s := sit(t, "classic target=60", 3, "ana", "ben")
	s.toGameEnd()
	s.view.Result = &table.Result{Ending: table.EndPlayed, Winner: 1}
	last := s.log[len(s.log)-1]
	require.Equal(t, 0, int(last.Event.End), "the round is not over")
	for _, size := range sizes[1:] {
		screen := screenAs(s.of(2), size[0], size[1])
		require.Regexp(t, "(?m)^ Last +"+s.view.Names[last.Event.Seat-1]+" (drew( [0-6]-[0-6])+, played )?"+last.Event.Tile.Name()+" .*, scores [0-9]+ *$", screen)
	}
	s.view.Result.Ending = table.EndForfeit
	require.NotContains(t, screenAs(s.of(2), 80, 24), " Last ")
}
