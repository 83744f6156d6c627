package lobby_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
)

// A day that a clock ahead has leapt over is there once it has come.
func TestDaysThatAClockLeaptOver(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const day = 24 * time.Hour
		var by atomic.Int64
		c := openAhead(t, &by, func(c *lobby.Config) { c.Daily = true })
		olga, ana := c.come("olga", operator), c.come("ana")
		accept := func() {
			t.Helper()
			_, err := olga.Say(context.Background(), "/clock accept")
			require.NoError(t, err)
		}
		start := time.Now().UTC().Truncate(day)
		_, err := ana.Daily(context.Background(), "")
		require.NoError(t, err)
		by.Store(int64(5 * day))
		accept()
		_, err = ana.DailyPast(context.Background())
		require.NoError(t, err)
		by.Store(0)
		accept()
		time.Sleep(3*day + time.Hour)
		_, err = ana.Daily(context.Background(), "")
		require.NoError(t, err)
		time.Sleep(day)
		past, err := ana.DailyPast(context.Background())
		require.NoError(t, err)
		keys := []string{}
		for _, d := range past {
			keys = append(keys, d.Key)
		}
		require.Contains(t, keys, start.Add(3*day).Format(time.DateOnly))
	})
}
