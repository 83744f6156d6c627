package lobby_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

// A follower is woken when the followed person plays elsewhere, and by nothing else in the lobby.
func TestFollow(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem, wim := c.come("ana"), c.come("ben"), c.come("cem"), c.come("wim")
		woken := func() bool {
			synctest.Wait()
			return drain(wim)
		}
		first := sits(t, ana)
		begin(t, first, ana, ben)
		wim.Show(lobby.Place{})
		wim.Follow(ana.Player().ID)
		seen(wim)
		drain(wim)
		require.Equal(t, first.ID(), wim.PlaysAt(ana.Player().ID))

		other := sits(t, cem)
		seen(wim)
		require.False(t, woken(), "cem sat down")

		// At another table, which ana looks at.
		do(t, ana, other.ID(), table.Sit{})
		require.True(t, woken(), "ana sat down")
		require.Equal(t, first.ID(), wim.PlaysAt(ana.Player().ID), "the game goes on there")
		sub, err := ana.Show(lobby.Place{Table: other.ID()}).Watch(ctx)
		require.NoError(t, err)
		defer sub.Close()
		require.True(t, woken(), "ana looks at the other table")
		require.Equal(t, other.ID(), wim.PlaysAt(ana.Player().ID))

		closed := sits(t, ana, func(cfg *table.Config) { cfg.Watchers = false })
		private, err := ana.Show(lobby.Place{Table: closed.ID()}).Watch(ctx)
		require.NoError(t, err)
		defer private.Close()
		require.Equal(t, first.ID(), wim.PlaysAt(ana.Player().ID), "nobody is led to a table that takes no watchers")
		require.Zero(t, wim.PlaysAt(wim.Player().ID))

		wim.Show(lobby.Place{})
		woken()
		ana.Show(lobby.Place{Club: true})
		require.False(t, woken(), "the page has changed, and nobody is followed")
		wim.Follow(ana.Player().ID)
		wim.Close(table.Left)
		ana.Show(lobby.Place{})
		require.False(t, woken())
	})
}

// The best game is one that goes on, between people, then one with high ratings, then the closest.
func TestBestGame(t *testing.T) {
	ratings := map[table.PlayerID]int{'a': 1700, 'b': 1500, 'c': 1900}
	game := func(id table.ID, scores []int, seats ...string) *table.Summary {
		s := summary(id, table.Playing, seats...)
		s.Config.Seats, s.Scores = len(seats), scores
		return &s
	}
	order := []*table.Summary{
		game(1, []int{0, 150}, "ana", "cem"),
		game(2, []int{100, 90}, "ana", "ben"),
		game(3, []int{150, 10}, "ana", "ben"),
		game(4, []int{0, 0}, "xen", "yve"), // newcomers
		game(5, []int{0, 0}, "cem", "+"),
		game(6, []int{10, 10}, "+", "+"),
		game(7, []int{0, 0}, "cem", "ana"),
	}
	order[6].Asleep = true
	for i, a := range order {
		for j, b := range order {
			got := lobby.MoreWorthWatching(a, b, ratings)
			require.Equal(t, i < j, got < 0, "%d and %d", a.Table, b.Table)
		}
	}
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, wim := c.come("ana"), c.come("ben"), c.come("wim")
		require.ErrorIs(t, errOf(wim.BestGame(ctx)), lobby.ErrNoLiveGame)
		tab := sits(t, ana)
		require.ErrorIs(t, errOf(wim.BestGame(ctx)), lobby.ErrNoLiveGame, "it has not begun")
		begin(t, tab, ana, ben)
		at, err := wim.BestGame(ctx)
		require.NoError(t, err)
		require.Equal(t, tab.ID(), at)
	})
}
