package lobby_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/daily"
	"boneyard/table"
)

// said is what somebody hears at an event.
func said(t *testing.T, v *lobby.Visit, kind event.Kind, id event.ID) (all []string) {
	t.Helper()
	lines, err := v.Said(ctx, kind, id)
	require.NoError(t, err)
	for _, l := range lines {
		all = append(all, l.From.Name+": "+l.Text)
	}
	return all
}

// The chat of an event is apart from the lobby's, obeys the same rules, and outlives a restart and the event.
func TestChatOfAnEvent(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		op, ana, ben, guest := c.come("olga", operator), c.come("ana"), c.come("ben"), c.guest("10.9.9.9")
		id := c.made(ana.NewArena(ctx, arena.Config{Rules: "classic", Pace: table.PaceFast}, time.Now().Add(time.Hour), time.Hour))
		speak := func(v *lobby.Visit, line string) error {
			return errOf(v.SayIn(ctx, arena.Kind, id, line))
		}
		woken := ben.Snapshot().Events
		require.NoError(t, speak(ana, " who\tcomes? "))
		require.Greater(t, seen(ben).Events, woken, "pages ask again")
		require.NoError(t, speak(guest, "me"))
		want := []string{"ana: who comes?", guest.Player().Name + ": me"}
		require.Equal(t, want, said(t, ben, arena.Kind, id))
		require.Empty(t, texts(seen(ben)), "the lobby's is another")

		require.Error(t, speak(ben, strings.Repeat("a", 1000)))
		require.Equal(t, 3, until(t, lobby.ErrTooMuch, func() error { return speak(ben, "flood") }))
		time.Sleep(time.Minute)
		say(t, op, "/mute ben 10m flood")
		var muted *lobby.SanctionError
		require.ErrorAs(t, speak(ben, "again"), &muted)
		say(t, ana, "/ignore ben")
		require.Equal(t, want, said(t, ana, arena.Kind, id))
		require.Len(t, said(t, op, arena.Kind, id), 5, "an operator sees who said what")
		reply, err := op.SayIn(ctx, arena.Kind, id, "/unmute ben")
		require.NoError(t, err)
		require.Equal(t, "1 lifted.", reply)
		require.NoError(t, errOf(ana.SayIn(ctx, arena.Kind, id, "/report ben he floods it")))
		require.Contains(t, fmt.Sprint(heard(op)), "ana reports ben (Arena 1): he floods it")

		require.ErrorIs(t, errOf(ben.SayIn(ctx, daily.Kind, id, "x")), daily.ErrNone)
		require.ErrorIs(t, errOf(ben.SayIn(ctx, arena.Kind, id+1, "x")), arena.ErrNone)

		leave(table.Left, op, ana, ben, guest)
		c.restart()
		ana = c.back("ana")
		require.Equal(t, want, said(t, ana, arena.Kind, id))
		require.NoError(t, ana.CallOff(ctx, arena.Kind, id))
		require.NoError(t, speak(ana, "sorry"), "it is over")
		require.Equal(t, append(want, "ana: sorry"), said(t, ana, arena.Kind, id))
		for i := range 2 * 200 {
			time.Sleep(2 * time.Second)
			require.NoError(t, speak(ana, strconv.Itoa(i)))
		}
		all := said(t, ana, arena.Kind, id)
		require.Len(t, all, 200, "old lines are not kept")
		require.Equal(t, "ana: 399", all[199])
	})
}

// Players of the daily deal hear and say nothing about it until the day is over; others may.
func TestChatOfTheDailyDeal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, withDaily)
		ana, ben := c.come("ana"), c.come("ben")
		time.Sleep(time.Minute)
		today := dayNow(t, ana, "")
		require.NoError(t, errOf(ana.SayIn(ctx, daily.Kind, today.ID, "which game is it?")))
		require.NoError(t, errOf(ana.PlayDaily(ctx, "")))
		require.ErrorIs(t, errOf(ana.SayIn(ctx, daily.Kind, today.ID, "lead the 6-4")), lobby.ErrHushed)
		require.ErrorIs(t, errOf(ana.Said(ctx, daily.Kind, today.ID)), lobby.ErrHushed)
		require.Len(t, said(t, ben, daily.Kind, today.ID), 1)
		time.Sleep(25 * time.Hour)
		require.Len(t, said(t, ana, daily.Kind, today.ID), 1, "the day is over")
	})
}
