package lobby_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

// TestWhoPlaysLooksAtNoOpenHands: whoever plays at a table with open hands, or comes from a player's network, sees none by
// looking at it just once either.
func TestWhoPlaysLooksAtNoOpenHands(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx := context.Background()
		c := open(t)
		ana, ben := c.come("ana", at("10.0.0.1")), c.come("ben")
		tab := sits(t, ana, func(cfg *table.Config) { cfg.OpenHands, cfg.Pace = true, table.PaceNone })
		begin(t, tab, ana, ben)
		sub, err := ana.Show(lobby.Place{Table: tab.ID()}).Watch(ctx)
		require.NoError(t, err)
		time.Sleep(3 * time.Minute)
		synctest.Wait()
		require.Nil(t, sub.View().OpenHands, "her screen does not show them")
		asking, err := c.Ask(account(t, c, ana), lobby.Origin{Net: "10.0.0.1"})
		require.NoError(t, err)
		view, err := asking.Look(tab.ID())
		require.NoError(t, err)
		require.Nil(t, view.OpenHands, "a player who only asks")
		eve := account(t, c, c.come("eve"))
		for net, sees := range map[string]bool{"10.0.0.1": false, "203.0.113.9": true} {
			asking, err := c.Ask(eve, lobby.Origin{Net: net})
			require.NoError(t, err)
			view, err := asking.Look(tab.ID())
			require.NoError(t, err)
			require.Equal(t, sees, view.OpenHands != nil, "from %s, where a player comes from 10.0.0.1", net)
		}
	})
}
