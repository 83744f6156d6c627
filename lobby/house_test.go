package lobby_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/field"
	"boneyard/table"
)

func exhibition(c *lobby.Config) { c.Exhibition = true }

// The house plays on, slowly, while somebody looks at the table, a game for those who look at the club, and stands still
// otherwise.
func TestExhibition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, exhibition)
		plays := func() bool {
			before := c.store.Commits()
			wait(time.Minute)
			return c.store.Commits() > before+5
		}
		require.False(t, plays(), "an empty house is still")
		v := c.come("ana")
		s := seen(v)
		require.Len(t, s.Tables, 1)
		require.True(t, s.Tables[0].Config.House)
		require.True(t, plays())
		before := c.store.Commits()
		time.Sleep(time.Minute)
		require.Less(t, c.store.Commits()-before, 60, "slowly")

		v.Show(lobby.Place{})
		synctest.Wait()
		require.False(t, plays())
		sub, err := v.Show(lobby.Place{Table: s.Tables[0].Table}).Watch(ctx)
		require.NoError(t, err)
		require.True(t, plays())
		for was := sub.View().Game; sub.View().Game == was; { // a game that has just begun lasts for more than a minute
			time.Sleep(time.Second)
		}
		sub.Close()
		v.Show(lobby.Place{Club: true})
		require.True(t, plays())
		time.Sleep(time.Hour)
		require.False(t, plays(), "those who look at the club see one game")
		s = v.Snapshot()
		require.Len(t, s.Tables, 1)
		require.Greater(t, s.Tables[0].Game, table.GameID(1), "it begins again when a game is over")
		require.Empty(t, s.News, "bots are no news")
		require.ErrorIs(t, v.Do(ctx, s.Tables[0].Table, table.Sit{}), table.ErrHouse)

		op := c.come("olga", operator)
		say(t, op, "/close 1")
		s = seen(v)
		require.Len(t, s.Tables, 1)
		require.EqualValues(t, 2, s.Tables[0].Table, "it is replaced")
		require.True(t, plays())

		c.restart()
		v = c.come("ben")
		s = seen(v)
		require.Len(t, s.Tables, 1)
		require.EqualValues(t, 2, s.Tables[0].Table, "and kept over a restart")
		require.True(t, plays())
		c.cfg.Exhibition = false
		c.restart()
		v = c.come("cem")
		require.Empty(t, seen(v).Tables, "an operator has switched it off")
		require.False(t, plays())
	})
}

// When the server shuts down, nothing begins any more, everybody reads why, and games are restored later.
func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, exhibition)
		a := c.member("ana")
		ana, ben := c.enter(a), c.come("ben")
		tab := sits(t, ana)
		begin(t, tab, ana, ben)
		ben.Show(lobby.Place{})
		seen(ben)
		drain(ben)
		sub, err := ana.Show(lobby.Place{Table: tab.ID()}).Watch(ctx)
		require.NoError(t, err)

		planned := c.made(ana.NewArena(ctx, hour, time.Now().Add(time.Hour), time.Hour))

		require.NoError(t, c.Drain(ctx))
		require.ErrorIs(t, ben.EnterEvent(ctx, arena.Kind, planned, ""), lobby.ErrDraining)
		_, err = ben.NewField(ctx, field.Config{Rules: "classic", Pace: table.PaceNormal}, time.Now().Add(time.Hour))
		require.ErrorIs(t, err, lobby.ErrDraining)
		require.Contains(t, seen(ana).Notice, "going down")
		require.True(t, drain(ben), "players are told, too")
		require.NotEmpty(t, sub.View().Notice)
		require.ErrorIs(t, errOf(ana.NewTable(ctx, table.DefaultConfig())), lobby.ErrDraining)
		require.ErrorIs(t, errOf(ana.QuickPlay(ctx, lobby.QuickPrefs{})), lobby.ErrDraining)
		require.ErrorIs(t, errOf(c.Enter(ctx, a, lobby.Origin{Key: a.Key})), lobby.ErrDraining)
		require.Error(t, ana.Do(ctx, tab.ID(), table.Resign{}))
		require.NoError(t, c.Drain(ctx), "twice is as good as once")

		c.stop()
		require.NotEmpty(t, <-ana.Kicked())
		ana.Close(table.Left) // as sessions do when they end
		sub.Close()
		c.start()
		ana = c.enter(a)
		at, seated := ana.Seat()
		require.True(t, seated)
		require.Equal(t, tab.ID(), at)
	})
}

// A disk that does not answer does not keep the server from shutting down in time.
func TestCloseInTime(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		tab := sits(t, c.come("ana"))
		release := c.store.Stall()
		go func() {
			_ = tab.Do(ctx, table.Request{ID: "1", By: table.Player{ID: 1, Name: "ana"}, Command: table.Stand{}})
		}()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		began := time.Now()
		require.ErrorIs(t, c.Close(ctx), context.DeadlineExceeded)
		require.Equal(t, 5*time.Second, time.Since(began))
		release()
	})
}

// TestCloseTriesAgain: what Close could not write at first but in the end is no error, and what it could not write at all
// is told once.
func TestCloseTriesAgain(t *testing.T) {
	for _, full := range []time.Duration{1500 * time.Millisecond, time.Hour} {
		bubble(t, func(t *testing.T, c *club) {
			ana, ben := c.come("ana"), c.come("ben")
			tab := sits(t, ana)
			begin(t, tab, ana, ben)
			c.store.Slow(time.Second) // so that the first try ends after a second
			c.store.Fail(table.ErrUnavailable)
			time.AfterFunc(full, func() { c.store.Fail(nil) })
			err := c.Close(ctx)
			if full < time.Minute {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, table.ErrUnavailable)
			require.Equal(t, 1, strings.Count(err.Error(), fmt.Sprintf("save table %d:", tab.ID())), err)
			time.Sleep(full)
			c.start()
		})
	}
}

// TestExhibitionAfterAFault: a disk that fails for a second when the table is to be made costs nobody the exhibition.
func TestExhibitionAfterAFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, exhibition)
		v, op := c.come("ana"), c.come("olga", operator)
		require.Len(t, seen(v).Tables, 1)
		c.failOnce(func() bool { return c.Stats().Tables == 0 })
		say(t, op, "/close 1")
		time.Sleep(5 * time.Second)
		require.Empty(t, seen(v).Tables)
		time.Sleep(10 * time.Second)
		require.Len(t, seen(v).Tables, 1)
	})
}
