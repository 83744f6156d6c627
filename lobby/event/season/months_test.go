package season_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/season"
)

// Days and months are those of UTC, wherever the server is: on 29 February, at the end of a year, and where
// clocks change.
func TestDaysAndMonthsOfUTC(t *testing.T) {
	const hour = time.Hour
	zone := func(hours int) *time.Location { return time.FixedZone("", hours*3600) }
	for _, c := range []struct {
		at           time.Time
		day, month   string
		since        string
		left, dayEnd time.Duration
	}{
		{time.Date(2028, 2, 29, 23, 0, 0, 0, time.UTC), "2028-02-29", "2028-02", "2027-02", hour, hour},
		{time.Date(2028, 3, 1, 1, 0, 0, 0, zone(2)), "2028-02-29", "2028-02", "2027-02", hour, hour},
		{time.Date(2028, 2, 28, 23, 0, 0, 0, time.UTC), "2028-02-28", "2028-02", "2027-02", 25 * hour, hour},
		{time.Date(2027, 2, 28, 23, 0, 0, 0, time.UTC), "2027-02-28", "2027-02", "2026-02", hour, hour},
		{time.Date(2026, 12, 31, 23, 0, 0, 0, time.UTC), "2026-12-31", "2026-12", "2025-12", hour, hour},
		{time.Date(2027, 1, 1, 13, 0, 0, 0, zone(14)), "2026-12-31", "2026-12", "2025-12", hour, hour},
		{time.Date(2026, 12, 31, 18, 0, 0, 0, zone(-6)), "2027-01-01", "2027-01", "2026-01", 31 * 24 * hour, 24 * hour},
		{time.Date(2026, 3, 29, 1, 0, 0, 0, zone(1)), "2026-03-29", "2026-03", "2025-03", 3 * 24 * hour, 24 * hour}, // spring forward
		{time.Date(2026, 10, 25, 2, 0, 0, 0, zone(2)), "2026-10-25", "2026-10", "2025-10", 7 * 24 * hour, 24 * hour},
	} {
		require.Equal(t, c.day, daily.KeyOf(c.at), c.at)
		begins, ends := daily.Bounds(c.at)
		require.Equal(t, 24*hour, ends.Sub(begins))
		require.Equal(t, c.dayEnd, ends.Sub(c.at), c.at)
		require.Equal(t, c.month, season.Month(c.at), c.at)
		require.Equal(t, c.since, season.Month(season.Since(c.at)), c.at)
		require.Equal(t, c.left, season.Left(c.at), c.at)
	}
}

// From one leap day to the next, each day is in one month.
func TestEachDayOfFourYearsIsInOneMonth(t *testing.T) {
	seen := map[string]int{}
	at := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	for days := 0; days < 4*365+1; days++ {
		begins, ends := daily.Bounds(at)
		require.Equal(t, season.Month(begins), season.Month(ends.Add(-1)))
		seen[season.Month(at)]++
		at = ends
	}
	require.Equal(t, "2028-02-29", daily.KeyOf(at))
	require.Equal(t, 29-28, seen["2024-02"])
	require.Equal(t, 28, seen["2028-02"])
	require.Len(t, seen, 49)
}
