package lobby_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
)

// The page that was opened last counts, and closing it restores the one before; anything that comes too late has no effect.
func TestShow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx := context.Background()
		c := open(t)
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
		_, err := first.Watch(ctx)
		require.NoError(t, err)
		require.Equal(t, "watches 1", doing())

		second := wim.Show(lobby.Place{Table: two.ID()})
		_, err = second.Watch(ctx)
		require.NoError(t, err)
		require.Equal(t, "watches 2", doing())
		nowhere := wim.Show(lobby.Place{Table: 99})
		_, err = nowhere.Watch(ctx)
		require.ErrorIs(t, err, lobby.ErrNoTable)
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
		_, err = late.Watch(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, "in the lobby", doing())
		require.Zero(t, one.Summary().Watchers)

		// While the club is not shown, its news wakes nobody.
		aside := wim.Show(lobby.Place{})
		woken := func() bool {
			drain(wim)
			_, err := ana.Say(ctx, "hello")
			require.NoError(t, err)
			seen(wim)
			return drain(wim)
		}
		require.False(t, woken())
		aside.Close()
		require.True(t, woken())
	})
}
