package play

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// On every screen the header has the game and its target.
func TestHeaderTellsTheTarget(t *testing.T) {
	for rule, want := range map[string]string{
		"classic": "Table 12: classic to 200", "classic target=100": "Table 12: classic to 100", "sniff hand=4": "Table 12: sniff over 200, hand=4",
		"spruce rounds=3": "Table 12: spruce for 3 rounds", "classic teams=on spinner=all": "Table 12: classic to 200, partners spinner=all",
	} {
		s := sit(t, rule, 1, "ana", "ben", "cem", "dan")
		require.Contains(t, screenAs(s.of(1), 80, 24), want+"  ")
		s.deal()
		require.Contains(t, screenAs(s.of(0), 80, 24), want+"  ")
		s.toRoundEnd()
		require.Contains(t, screenAs(s.of(1), 80, 24), want+"  ")
	}
}
