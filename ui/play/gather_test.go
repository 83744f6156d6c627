package play

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"boneyard/table"
	"boneyard/ui/theme"
)

// screenAs is the page of a view as one text.
func screenAs(v *table.View, w, h int) string {
	th := theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)
	sc := scene{view: v}
	return strings.Join(screenOf(sc.open(th), w, h), "\n")
}

// What there is to say about a seat is never cut, with partners neither.
func TestSeatsBeforeAGameAreWhole(t *testing.T) {
	s := sit(t, "block", 1, "ana", "ben", "cleopatra", "dora")
	s.view.Seats[1].Presence = table.Disconnected
	s.view.Seats[2].Player.Bot = true
	s.view.Seats[3].House, s.view.Seats[3].Player.ID = table.Regular, 0
	for _, size := range sizes {
		screen := screenAs(s.of(1), size[0], size[1])
		for _, say := range []string{"disconnected", "program, not ready", "bot, regular"} {
			require.Contains(t, screen, say, "%v", size)
		}
		with := "with 3"
		if size[0] < 76 {
			with = "1+3"
		}
		require.Contains(t, screen, with, "%v", size)
	}
}

// Somebody who is ready is told for what the game waits, and what space does now.
func TestReadyTellsWhatIsMissing(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "", "", "")
	require.Contains(t, screenAs(s.of(1), 80, 24), "space ready")
	s.view.Seats[0].Ready = true
	alone := screenAs(s.of(1), 80, 24)
	require.Contains(t, alone, "You are ready; 3 seats are free: b puts a bot on one.")
	require.Contains(t, alone, "space not ready")
	for i, name := range []string{"ben", "cleo", "dora"} {
		s.view.Seats[i+1] = table.SeatView{Player: table.Player{ID: table.PlayerID(i + 2), Name: name}, Presence: table.Here}
	}
	require.Contains(t, screenAs(s.of(1), 80, 24), "You are ready; ben, cleo and dora are not yet.")
	s.view.Seats[1].Ready, s.view.Seats[3].Ready = true, true
	require.Contains(t, screenAs(s.of(1), 80, 24), "You are ready; cleo is not yet.")
}

// The invitation and the prompt are on every screen that has room for the table: it may have as many rows as it likes.
func TestGatheringAtEveryHeight(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "", "", "")
	for _, w := range []int{60, 76, 80, 120} {
		for h := 12; h <= 40; h++ {
			screen := screenAs(s.of(1), w, h)
			require.Contains(t, strings.Join(strings.Fields(screen), " "), "join 1", "%d×%d", w, h)
			require.Contains(t, screen, "Ready? Press Space.", "%d×%d", w, h)
		}
	}
}
