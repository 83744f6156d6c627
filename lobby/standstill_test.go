package lobby_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

// A table that was frozen for a moment still waits for its first game.
func TestWaitingTablesAreCountedAfterAStandstill(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come("ana")
		make := func() error {
			return errOf(ana.NewTable(ctx, table.DefaultConfig()))
		}
		for range c.cfg.TablesEach {
			require.NoError(t, make())
		}
		require.ErrorIs(t, make(), lobby.ErrManyTables)
		c.Suspend("The disk is being changed.")
		time.Sleep(time.Second)
		c.Suspend("")
		time.Sleep(time.Second)
		require.ErrorIs(t, make(), lobby.ErrManyTables)
	})
}

type talkOnce struct {
	lobby.Talk
	fails atomic.Int32
}

func (f *talkOnce) TakeTells(ctx context.Context, to table.PlayerID) ([]lobby.Line, error) {
	if f.fails.Add(-1) >= 0 {
		return nil, fmt.Errorf("disk: %w", table.ErrUnavailable)
	}
	return f.Talk.TakeTells(ctx, to)
}

// A message that could not be read at once is read later in the same session.
func TestMessagesAreDeliveredAfterAFault(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.stop()
		f := &talkOnce{}
		c.store.Replace = func(s *lobby.Stores) {
			f.Talk = s.Talk
			s.Talk = f
		}
		c.start()
		b := c.member("ben")
		ana := c.come("ana")
		require.Equal(t, "ben is away and will read it on their next visit.", say(t, ana, "/tell ben hello"))
		f.fails.Store(3) // a second without the disk
		ben := c.enter(b)
		synctest.Wait()
		time.Sleep(24 * time.Hour)
		require.NotEmpty(t, heard(ben))
	})
}

// TestAClubThatWasDownForMonths: games that stand still are not abandoned because of the time in which the
// club was down, or a clock that is ahead at the start.
func TestAClubThatWasDownForMonths(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t)
		ana := c.come("ana")
		cfg := table.DefaultConfig()
		cfg.Pace, cfg.Fill = table.PaceSlow, table.FillNever
		tb, err := ana.NewTable(t.Context(), cfg)
		require.NoError(t, err)
		ana.Close(table.Left)
		time.Sleep(time.Hour)
		c.stop()
		time.Sleep(60 * 24 * time.Hour)
		c.start()
		time.Sleep(time.Hour)
		ana = c.back("ana")
		require.Len(t, ana.MyTables(), 1)
		require.Equal(t, tb.ID(), ana.MyTables()[0].Table)
	})
}
