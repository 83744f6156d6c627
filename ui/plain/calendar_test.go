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
