package lobby_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event/arena"
	"boneyard/table"
)

// Whoever has the first move when the server restarts has the time that the table gives for coming back.
func TestNobodyIsOutOfAnArenaByARestart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t)
		boss, ana, ben := c.come("olga", operator), c.come("ana"), c.come("ben")
		id := newArena(t, boss, hour, 0)
		for _, v := range []*lobby.Visit{ana, ben} {
			require.NoError(t, v.EnterEvent(context.Background(), arena.Kind, id, ""))
		}
		require.Len(t, arenaNow(t, boss, id).Games, 1)
		time.Sleep(5 * time.Second)
		c.restart()
		boss = c.back("olga", operator)
		time.Sleep(40 * time.Second) // both call again
		ana, ben = c.back("ana"), c.back("ben")
		a := arenaNow(t, boss, id)
		require.False(t, a.Of(ana.Player().ID).Away || a.Of(ben.Player().ID).Away)
		require.Len(t, a.Games, 1)
	})
}

// The time for the first move stands while the table does.
func TestNobodyIsOutOfAnArenaByAStandstill(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t)
		boss, ana, ben := c.come("olga", operator), c.come("ana"), c.come("ben")
		id := newArena(t, boss, hour, 0)
		for _, v := range []*lobby.Visit{ana, ben} {
			require.NoError(t, v.EnterEvent(context.Background(), arena.Kind, id, ""))
		}
		time.Sleep(5 * time.Second)
		c.store.Fail(table.ErrUnavailable)
		tab := arenaNow(t, boss, id).At[1]
		_ = ana.Do(context.Background(), tab, table.Say{Text: "hello"})
		v, err := boss.Look(tab)
		require.NoError(t, err)
		require.Equal(t, table.Frozen, v.State)
		time.Sleep(12 * time.Second)
		c.store.Fail(nil)
		time.Sleep(14 * time.Second)
		a := arenaNow(t, boss, id)
		require.False(t, a.Of(ana.Player().ID).Away || a.Of(ben.Player().ID).Away)
		require.Len(t, a.Games, 1)
	})
}
