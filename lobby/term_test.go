package lobby

import (
	"strings"
	"testing"
	"time"

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

// A word that may have been meant as a duration is never the reason of a ban for good.
func TestNoLengthOfTimeIsAReason(t *testing.T) {
	for _, typed := range []string{"-5m", "−5m", "+0m", "0m", "5 m", "5min", "7D", "1y", ".5h", "½h", "~2h", "(2h)", "５m", "#7d", "for 2h",
		"spam 7d", "spam 7d, again",
		"spam. 2h!", "net spam 4W"} {
		_, _, err := term(strings.Fields(typed), 0)
		require.Equal(t, errTerm, err, typed)
	}
	for typed, want := range map[string]string{"": "", "spam": "spam", "3-0 and 6-4 shown": "", "shows hands 6-4": "shows hands 6-4",
		"plays forever":       "plays forever",
		"called ben_2h names": "called ben_2h names", "2h said 7d ago": "said 7d ago"} {
		d, why, err := term(strings.Fields(typed), 0)
		switch {
		case want == "" && typed != "":
			require.Equal(t, errTerm, err, typed)
		default:
			require.NoError(t, err, typed)
			require.Equal(t, strings.Fields(want), why, typed)
			require.Equal(t, strings.HasPrefix(typed, "2h"), d == 2*time.Hour, typed)
		}
	}
	for _, typed := range []string{"Forever", "FOREVER spam"} {
		d, why, err := term(strings.Fields(typed), 30*time.Minute)
		require.NoError(t, err, typed)
		require.Zero(t, d, typed)
		require.NotContains(t, strings.ToLower(strings.Join(why, " ")), "forever")
	}
}
