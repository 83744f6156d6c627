package play

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/ui/page"
)

// Every screen has the game and its target in the header.
func TestHeaderTellsTheTarget(t *testing.T) {
	for rule, want := range map[string]string{
		"classic": "Table 12: classic to 200", "classic target=100": "Table 12: classic to 100",
		"sniff hand=4":    "Table 12: sniff over 200, hand=4",
		"spruce rounds=3": "Table 12: spruce for 3 rounds", "classic teams=on spinner=all": "Table 12: classic to 200, partners, spinner=all",
	} {
		s := sit(t, rule, 1, "ana", "ben", "cem", "dan")
		require.Contains(t, screenAs(s.of(1), 80, 24), want+"  ")
		s.deal()
		require.Contains(t, screenAs(s.of(0), 80, 24), want+"  ")
		s.toRoundEnd()
		require.Contains(t, screenAs(s.of(1), 80, 24), want+"  ")
	}
}

// What is beside the count of the ends does not move with it.
func TestTheStatusStaysInPlace(t *testing.T) {
	for _, w := range []int{112, 120, 200} {
		s := sit(t, "classic", 1, "ana", "ben")
		s.deal()
		s.view.Rated = true
		columns := map[int]bool{}
		for range 6 {
			row := strings.Split(shown(at(t, s.of(1)), w, 40), "Round 1")[1]
			columns[page.Width(strings.Split(row, "rated")[0])] = true
			s.move()
		}
		require.Len(t, columns, 1, "in %d columns", w)
	}
}
