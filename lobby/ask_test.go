package lobby_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

func TestWhoAsksIsNotThere(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		tab := sits(t, ana)
		begin(t, tab, ana, ben)
		ana.Close(table.Disconnected)
		seen(ben)

		asking, err := c.Ask(account(t, c, ana), lobby.Origin{Net: "10.0.0.1"})
		require.NoError(t, err)
		require.Equal(t, "ana", asking.Player().Name)
		require.Equal(t, []string{"ben"}, names(asking.Snapshot()))
		require.Len(t, asking.MyTables(), 1)
		require.Equal(t, table.Disconnected, seen(ben).Tables[0].Seats[0].Presence, "no table hears of it")

		require.ErrorIs(t, errOf(asking.Say(ctx, "hello")), lobby.ErrOver)
		require.ErrorIs(t, asking.Do(ctx, tab.ID(), table.Resign{}), lobby.ErrOver)
		require.ErrorIs(t, errOf(asking.Show(lobby.Place{Table: tab.ID()}).Watch(ctx)), lobby.ErrOver)
		require.ErrorIs(t, errOf(asking.NewTable(ctx, table.DefaultConfig())), lobby.ErrOver)
		require.ErrorIs(t, asking.SaveSettings(ctx, lobby.Settings{}), lobby.ErrOver)
		asking.Close(table.Left)
		require.Equal(t, []string{"ben"}, names(seen(ben)))
	})
}

func TestWhoMayNotEnterMayNotAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, func(cfg *lobby.Config) { cfg.Guests = lobby.GuestsOff })
		require.ErrorIs(t, errOf(c.Ask(nil, lobby.Origin{})), lobby.ErrNoGuests)

		op := c.come("olga", operator)
		bad := c.come("bad")
		say(t, op, "/ban bad")
		_, err := c.Ask(account(t, c, bad), lobby.Origin{Key: account(t, c, bad).Key})
		var banned *lobby.SanctionError
		require.ErrorAs(t, err, &banned)
	})
}

func TestLookIsTheGallerys(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		tab := sits(t, ana)
		begin(t, tab, ana, ben)
		v, err := ana.GalleryView(tab.ID())
		require.NoError(t, err)
		require.Zero(t, v.POV)
		require.Zero(t, v.Play.Hand)
		require.NotZero(t, v.Play.Held[0])
		require.Zero(t, seen(ben).Tables[0].Watchers)

		closed := sits(t, ben, func(cfg *table.Config) { cfg.Watchers = false })
		require.ErrorIs(t, errOf(ana.GalleryView(closed.ID())), table.ErrWatchers)
		require.ErrorIs(t, errOf(ana.GalleryView(999)), lobby.ErrNoTable)
	})
}

// account is the account of a person who has been here.
func account(t *testing.T, c *club, v *lobby.Visit) *lobby.Account {
	t.Helper()
	a, err := c.store.ByName(ctx, v.Player().Name)
	require.NoError(t, err)
	return a
}

// However many people look at the standings at once, the store is asked once, even if the first one leaves.
func TestManyLookersAreOneQuestion(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		asked, answer := 0, make(chan struct{})
		c.store.Table = func(lobby.StandingsQuery) []lobby.Standing {
			asked++
			<-answer
			return []lobby.Standing{{Rank: 1, Name: "ana"}}
		}
		ana := c.come("ana")
		first, leave := context.WithCancel(ctx)
		gone := make(chan error)
		go func() {
			_, err := ana.Standings(first, lobby.StandingsQuery{})
			gone <- err
		}()
		synctest.Wait()
		var wg sync.WaitGroup
		for range 200 {
			wg.Go(func() {
				list, err := ana.Standings(ctx, lobby.StandingsQuery{})
				assert.NoError(t, err)
				assert.Len(t, list, 1)
			})
		}
		synctest.Wait()
		leave()
		require.ErrorIs(t, <-gone, context.Canceled)
		close(answer)
		wg.Wait()
		require.Equal(t, 1, asked)
		require.NoError(t, errOf(ana.Standings(ctx, lobby.StandingsQuery{Game: "block"})))
		require.Equal(t, 2, asked, "another question")
	})
}

// faulty is a store with a bug.
type faulty struct{ standings }

type standings = lobby.Standings

func (faulty) Months(context.Context) ([]string, error) { panic("a bug") }

// A bug in a shared question costs those who ask it their answer, and does not harm the club.
func TestAPanicBehindAQuestion(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.stop()
		c.deps = func(d *lobby.Deps) { d.Stores.Standings = faulty{d.Stores.Standings} }
		c.start()
		require.EqualError(t, errOf(c.come("ana").Months(ctx)), lobby.ErrTrouble.Error())
	})
}
