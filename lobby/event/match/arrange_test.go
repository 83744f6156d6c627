package match

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTheLastDay: an event begins a moment after its time, and so do its rounds.
func TestTheLastDay(t *testing.T) {
	midnight := time.Date(2027, 4, 12, 0, 0, 0, 0, time.UTC)
	require.Equal(t, "Sun 11 Apr", lastDay(midnight))
	require.Equal(t, "Sun 11 Apr", lastDay(midnight.Add(12*time.Millisecond)))
	require.Equal(t, "Mon 12 Apr 20:00 UTC", lastDay(midnight.Add(20*time.Hour+time.Second)))
}
