package plain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event"
	"boneyard/ui/plain"
)

func TestNowAndNext(t *testing.T) {
	now := time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)
	at := func(d time.Duration, title string) event.Appointment {
		return event.Appointment{Begins: now.Add(d), Ends: now.Add(d + time.Hour), Title: title}
	}
	require.Empty(t, plain.NowAndNext(nil, now))
	require.Equal(t, "Now: Daily deal. Next, in 3 h: Arena 7.", plain.NowAndNext([]event.Appointment{
		at(-time.Minute, "Daily deal"), at(3*time.Hour, "Arena 7"), at(50*time.Hour, "Arena 8"),
	}, now))
	require.Equal(t, "Next, in 2 days: Arena 8.", plain.NowAndNext([]event.Appointment{at(50*time.Hour, "Arena 8")}, now))
}

// For a deadline at midnight the last day shown is the day before, even across the end of a year.
func TestUntilADeadline(t *testing.T) {
	now := time.Date(2026, 12, 21, 20, 0, 0, 0, time.UTC)
	for at, says := range map[string]string{
		"2026-12-31T20:00": "by 31 Dec", "2027-01-01T00:00": "by 31 Dec", "2027-01-01T20:00": "by 1 Jan", "2028-03-01T00:00": "by 29 Feb",
		"2026-12-22T00:00": "in 4 h",
	} {
		closes, err := plain.ParseMoment(at)
		require.NoError(t, err)
		closes = closes.Add(40 * time.Millisecond) // an event begins a moment after its time
		require.Equal(t, says, plain.Until(&event.Appointment{Begins: closes, Ends: closes}, now), at)
	}
}
