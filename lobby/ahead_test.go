package lobby_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/lobbytest"
)

// TestDailyAfterAClockThatWasAhead: a clock that was a day ahead and is set right again leaves a day whose deal is over. It
// can be read, and so can the days before.
func TestDailyAfterAClockThatWasAhead(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx := context.Background()
		var ahead atomic.Int64
		c := openClock(t, &ahead)
		ana := c.come("ana")
		time.Sleep(12 * time.Hour)
		_, err := ana.Daily(ctx, "")
		require.NoError(t, err)
		ahead.Store(int64(24 * time.Hour))
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		_, err = ana.Daily(ctx, "")
		require.NoError(t, err, "a day ahead")
		ahead.Store(0)
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		_, err = ana.DailyPast(ctx)
		require.NoError(t, err, "the days before")
		_, err = ana.DailyMonth(ctx, time.Now().UTC().Format("2006-01"))
		require.NoError(t, err, "the month")
		d, err := ana.Daily(ctx, "")
		require.NoError(t, err, "set right again")
		require.True(t, d.Over)
		_, err = ana.PlayDaily(ctx, "")
		require.ErrorIs(t, err, daily.ErrClosed)
	})
}

// TestNotesAreNumbered: a note that comes after the clock was set back is older than the one before it.
func TestNotesAreNumbered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var ahead atomic.Int64
		c := openClock(t, &ahead)
		ana, ben := c.come("ana"), c.come("ben")
		ahead.Store(int64(24 * time.Hour))
		time.Sleep(2 * time.Hour)
		say(t, ana, "/tell ben one")
		ahead.Store(0)
		time.Sleep(2 * time.Hour)
		say(t, ana, "/tell ben two")
		notes := ben.Notes()
		require.Len(t, notes, 2)
		require.False(t, notes[1].At.After(notes[0].At))
		require.Greater(t, notes[1].Seq, notes[0].Seq)
	})
}

// openClock opens a club whose clock is ahead by as much as a test says.
func openClock(t testing.TB, ahead *atomic.Int64) *club {
	cfg := lobby.DefaultConfig()
	cfg.Exhibition, cfg.Daily = false, true
	c := &club{t: t, store: lobbytest.New(t), cfg: cfg}
	c.deps = func(d *lobby.Deps) {
		d.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())).UTC().Round(0) }
	}
	c.start()
	t.Cleanup(c.stop)
	return c
}
