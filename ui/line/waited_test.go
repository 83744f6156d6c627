package line_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event/arena"
	"boneyard/table"
)

// TestRemindedOnEntering: whoever enters reads what of theirs begins within half an hour, as on pages.
func TestRemindedOnEntering(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ctx := context.Background()
		key := c.key("ana")
		a, err := c.Account(ctx, *key)
		require.NoError(t, err)
		v, err := c.Enter(ctx, a, lobby.Origin{Key: *key, Net: "10.0.0.1"})
		require.NoError(t, err)
		friday := arena.Config{Name: "Friday", Rules: "classic", Pace: table.PaceFast}
		id, err := v.NewArena(ctx, friday, time.Now().Add(20*time.Minute), 20*time.Minute)
		require.NoError(t, err)
		require.NoError(t, v.EnterEvent(ctx, arena.Kind, id, ""))
		v.Close(table.Left)
		time.Sleep(time.Minute)
		p := c.come(key)
		time.Sleep(time.Second)
		require.Contains(t, flat(p.text()), "minutes: Arena 1")
		p.hangUp()
	})
}

// TestMessagesThatWaited: all of them are told, also those with the same time.
func TestMessagesThatWaited(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ctx := context.Background()
		key := c.key("ana")
		b := c.key("ben")
		a, err := c.Account(ctx, *b)
		require.NoError(t, err)
		v, err := c.Enter(ctx, a, lobby.Origin{Key: *b, Net: "10.0.0.2"})
		require.NoError(t, err)
		for i := range 3 {
			_, err = v.Say(ctx, fmt.Sprint("/tell ana line ", i))
			require.NoError(t, err)
			time.Sleep(2 * time.Second)
		}
		p := c.come(key)
		time.Sleep(time.Second)
		for i := range 3 {
			require.Contains(t, flat(p.text()), fmt.Sprint("line ", i))
		}
		p.hangUp()
	})
}
