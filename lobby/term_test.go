package lobby

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTermsAreWrittenAsTheyAreTyped(t *testing.T) {
	for typed, written := range map[string]string{
		"30m": "30m", "90m": "90m", "2h": "2h", "24h": "1d", "7d": "7d", "4w": "28d", "100m": "100m", "forever": "for good",
	} {
		d, ok := parseTerm(typed)
		require.True(t, ok, typed)
		require.Equal(t, written, termText(d, ""))
		require.Equal(t, written+": why", termText(d, "why"))
	}
}
