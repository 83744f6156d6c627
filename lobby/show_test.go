package lobby_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

// The page opened last counts, and closing it restores the one before; whatever comes too late has no effect.
func TestShow(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, wim := c.come("ana"), c.come("wim")
		one, two := sits(t, ana), sits(t, ana)
		doing := func() string {
			for _, p := range seen(ana).People {
				if p.Player.Name == "wim" {
					return p.Doing
				}
			}
			return ""
		}
		first := wim.Show(lobby.Place{Table: one.ID()})
		require.Equal(t, "in the lobby", doing(), "the table has not answered")
		require.NoError(t, errOf(first.Watch(ctx)))
		require.Equal(t, "watches 1", doing())

		second := wim.Show(lobby.Place{Table: two.ID()})
		require.NoError(t, errOf(second.Watch(ctx)))
		require.Equal(t, "watches 2", doing())
		nowhere := wim.Show(lobby.Place{Table: 99})
		require.ErrorIs(t, errOf(nowhere.Watch(ctx)), lobby.ErrNoTable)
		nowhere.Close()
		require.Equal(t, "watches 2", doing(), "the table before is looked at again")

		first.Close()
		require.Equal(t, "watches 2", doing())
		require.Zero(t, one.Summary().Watchers)
		second.Close()
		second.Close()
		require.Equal(t, "in the lobby", doing())
		require.Zero(t, two.Summary().Watchers)

		late := wim.Show(lobby.Place{Table: one.ID()})
		late.Close()
		require.ErrorIs(t, errOf(late.Watch(ctx)), context.Canceled)
		require.Equal(t, "in the lobby", doing())
		require.Zero(t, one.Summary().Watchers)

		// While the club is not shown, its news wakes nobody.
		aside := wim.Show(lobby.Place{})
		woken := func() bool {
			drain(wim)
			require.NoError(t, errOf(ana.Say(ctx, "hello")))
			seen(wim)
			return drain(wim)
		}
		require.False(t, woken())
		aside.Close()
		require.True(t, woken())
	})
}

// TestWhoPlaysLooksAtNoOpenHands: players at a table with open hands, and people from a player's network, do
// not see any by a single look, either.
func TestWhoPlaysLooksAtNoOpenHands(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana", at("10.0.0.1")), c.come("ben")
		tab := sits(t, ana, func(cfg *table.Config) { cfg.OpenHands, cfg.Pace = true, table.PaceNone })
		begin(t, tab, ana, ben)
		sub, err := ana.Show(lobby.Place{Table: tab.ID()}).Watch(ctx)
		require.NoError(t, err)
		wait(3 * time.Minute)
		require.Nil(t, sub.View().OpenHands, "her screen does not show them")
		asking, err := c.Ask(account(t, c, ana), lobby.Origin{Net: "10.0.0.1"})
		require.NoError(t, err)
		view, err := asking.GalleryView(tab.ID())
		require.NoError(t, err)
		require.Nil(t, view.OpenHands, "a player who only asks")
		eve := account(t, c, c.come("eve"))
		for net, sees := range map[string]bool{"10.0.0.1": false, "203.0.113.9": true} {
			asking, err := c.Ask(eve, lobby.Origin{Net: net})
			require.NoError(t, err)
			view, err := asking.GalleryView(tab.ID())
			require.NoError(t, err)
			require.Equal(t, sees, view.OpenHands != nil, "from %s, where a player comes from 10.0.0.1", net)
		}
	})
}
