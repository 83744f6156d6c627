package play

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/ui/board"
)

// In the list of moves every name and receipt is whole on screens of at least 80 columns; the rest can be scrolled to.
func TestMovesAreWhole(t *testing.T) {
	s := sit(t, "classic", 1, "ana-maria-teresa", "ben", "cleopatra-7th-qu", "nora.bot")
	s.deal()
	for i := 0; i < 30 && s.game.Phase() == rules.Playing; i++ {
		s.move()
	}
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		for _, pov := range []rules.Seat{0, 2} {
			p := at(t, s.of(pov))
			p.Resize(size[0], size[1]-4)
			p.press("m")
			all := ""
			for range 40 {
				all += shown(p, size[0], size[1]) + "\n"
				p.press("up")
			}
			require.True(t, p.moves, "scrolling does not leave the page")
			first := shown(p, size[0], size[1])
			p.press("up")
			require.Equal(t, first, shown(p, size[0], size[1]), "there is no more")
			require.Contains(t, first, " leads.")
			all = strings.Join(strings.Fields(all), " ")
			if pov != 0 || size[1] > 30 { // else bytes are scarce
				for _, e := range p.view.Log {
					if e.Terms != nil {
						require.Contains(t, all, board.Count(e.Terms, e.Event.Count)+", ", "%v, seat %d, move %d", size, pov, e.Number)
					}
				}
			}
			require.NotContains(t, all, "…")
			require.Contains(t, all, " cleopatra-7th-qu ")
			p.press("x")
			require.False(t, p.moves)
		}
	}
}

// The log beside the board wraps names and receipts instead of cutting them.
func TestLogIsWhole(t *testing.T) {
	s := sit(t, "classic", 1, "ana-maria-teresa", "ben", "cleopatra-7th-qu", "nora.bot")
	s.deal()
	for i := 0; i < 8; i++ {
		s.move()
	}
	p := at(t, s.of(2))
	screen := shown(p, 120, 40)
	for _, e := range p.view.Log {
		if e.Terms != nil {
			require.Contains(t, screen, board.Count(e.Terms, e.Event.Count)+", ", "move %d", e.Number)
		}
	}
	require.Contains(t, screen, " cleopatra-7th-qu ")
	require.NotContains(t, screen, "cleopatra-7th-…")
}
