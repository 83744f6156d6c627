package lobby_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

// A glance shows what the gallery may see, makes nobody a watcher, and ends with the next one, or with the visit.
func TestGlance(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, zoe := c.come("ana"), c.come("ben"), c.come("zoe")
		tab := sits(t, ana)
		begin(t, tab, ana, ben)
		latest, err := zoe.Glance(tab.ID())
		require.NoError(t, err)
		before := latest()
		require.Zero(t, before.POV)
		require.Zero(t, before.Watchers)
		require.Equal(t, table.Playing, before.State)

		require.NoError(t, ana.Do(t.Context(), tab.ID(), table.Resign{}))
		synctest.Wait()
		require.NotNil(t, latest().Result, "it goes on")
		time.Sleep(time.Second)
		require.Zero(t, seen(ana).Tables[0].Watchers)

		own, err := ana.Glance(tab.ID())
		require.NoError(t, err)
		require.Zero(t, own().POV, "nor is it a player's own view")

		closed := sits(t, ben, func(cfg *table.Config) { cfg.Watchers = false })
		require.ErrorIs(t, errOf(zoe.Glance(closed.ID())), table.ErrWatchers)
		require.ErrorIs(t, errOf(zoe.Glance(1<<40)), lobby.ErrNoTable)

		zoe.Close(table.Left)
		require.ErrorIs(t, errOf(zoe.Glance(tab.ID())), lobby.ErrOver)
	})
}

// However often a person glances at tables, they look at one at a time, and at none in the end.
func TestGlancesDoNotPileUp(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, zoe := c.come("ana"), c.come("zoe")
		one := sits(t, ana)
		first, err := zoe.Glance(one.ID())
		require.NoError(t, err)
		two := sits(t, c.come("ben"))
		for n := range 100 {
			require.NoError(t, errOf(zoe.Glance([]table.ID{one.ID(), two.ID()}[n%2])))
		}
		was := first()
		do(t, ana, one.ID(), table.Ready{On: true})
		synctest.Wait()
		require.Same(t, was, first(), "the table has no reader any more")
	})
}
