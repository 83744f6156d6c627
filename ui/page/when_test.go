package page_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "boneyard/rules/sameseed"
	"boneyard/ui/page"
)

// Days stand for the last eleven months only: in a quiet club "3 Dec" could be years ago, or next week.
func TestWhenIsNeverToCome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(rapid.IntRange(0, 3*366*24).Draw(t, "hours")) * time.Hour)
		at := now.Add(-time.Duration(rapid.IntRange(0, 3*366*24).Draw(t, "hours ago")) * time.Hour)
		says := page.When(at, now)
		require.LessOrEqual(t, len(says), page.SaidStamp)
		if year, err := time.Parse("2006", says); err == nil {
			require.Equal(t, at.Year(), year.Year())
			return
		}
		if day, err := time.Parse("2 Jan 2006", says+now.Format(" 2006")); err == nil && day.After(now) {
			require.Greater(t, day.Sub(now), 27*24*time.Hour, "%s on %s", says, now)
		}
	})
}
