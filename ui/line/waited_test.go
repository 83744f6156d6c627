package line_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event/arena"
	"boneyard/table"
)

// TestRemindedOnEntering: on entering, people read which of their events begin within half an hour, as on
// pages.
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

// TestSlowGamesSayWhoseMoveItIs: a slow game does not open by itself on entering, but is announced.
func TestSlowGamesSayWhoseMoveItIs(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ctx := context.Background()
		keys := map[string]*lobby.KeyID{"ana": c.key("ana"), "ben": c.key("ben")}
		var at *table.Table
		for _, name := range []string{"ana", "ben"} {
			a, err := c.Account(ctx, *keys[name])
			require.NoError(t, err)
			v, err := c.Enter(ctx, a, lobby.Origin{Key: *keys[name], Net: "10.0.0." + name[:1]})
			require.NoError(t, err)
			if at == nil {
				cfg := table.DefaultConfig()
				cfg.Pace, cfg.Fill = table.PaceSlow, table.FillNever
				at, err = v.NewTable(ctx, cfg)
			} else {
				err = v.Do(ctx, at.ID(), table.Sit{})
			}
			require.NoError(t, err)
			require.NoError(t, v.Do(ctx, at.ID(), table.Ready{On: true}))
			defer v.Close(table.Left)
		}
		time.Sleep(10 * time.Second)
		s := at.Summary()
		for name, key := range keys {
			a, err := c.Account(ctx, *key)
			require.NoError(t, err)
			p := c.come(key)
			time.Sleep(time.Second)
			require.Equal(t, s.MoveOf(a.ID),
				strings.Contains(flat(p.text()), fmt.Sprintf("It's your move at table %d; watch %d goes there.", at.ID(), at.ID())), name)
			p.hangUp()
		}
	})
}

// TestAnotherTableAwaits: at one of their tables, people are told once that another waits for their move.
func TestAnotherTableAwaits(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		p := c.come(c.key("ana"))
		for range 2 {
			p.say("new classic bots=now pace=slow")
			p.say("ready")
			time.Sleep(time.Minute)
			p.say("lobby")
		}
		const awaits = "It's your move at table 1; watch 1 goes there."
		require.NotContains(t, flat(p.text()), awaits, "whoever has just been there knows it")
		p.say("watch 1")
		p.typing("1\n")
		p.typing("watch 2\n") // before the bot answers
		time.Sleep(time.Minute)
		require.Equal(t, 1, strings.Count(flat(p.fresh()), awaits))
		p.hangUp()
	})
}
