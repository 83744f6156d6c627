package ui_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
	"boneyard/ui/page/clubtest"
)

// A reminder rings, names the window, and sends a desktop notification; r in the calendar turns it off.
func TestAReminderIsHeardElsewhere(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		a, err := club.Register(t.Context(), lobby.Origin{Key: cleo}, "cleo")
		require.NoError(t, err)
		v, err := club.Enter(t.Context(), a, lobby.Origin{Key: cleo, Net: "10.1.1.1"})
		require.NoError(t, err)
		id, err := v.NewArena(t.Context(), arena.Config{Name: "Friday", Rules: "classic", Pace: table.PaceFast}, time.Now().Add(time.Hour),
			time.Hour)
		require.NoError(t, err)
		require.NoError(t, v.EnterEvent(t.Context(), arena.Kind, id, ""))

		c := sit(t, &clubtest.Club{Lobby: club.Lobby, Store: club.Store}, &cleo, 80, 24)
		c.sees("Nobody has said anything yet")
		sent := func() string {
			synctest.Wait()
			c.mu.Lock()
			defer c.mu.Unlock()
			return c.raw.String()
		}
		time.Sleep(20 * time.Minute)
		require.NotContains(t, sent(), "In 30 minutes")
		time.Sleep(12 * time.Minute)
		require.Contains(t, sent(), "\x1b]9;Boneyard: In 30 minutes: Arena 1, Friday.\a")
		require.Contains(t, sent(), "\x1b]2;● In 30 minutes: Arena 1, Friday.\a")
		require.Equal(t, 1, strings.Count(sent(), "\a")-strings.Count(sent(), "\x1b]"), "a bell, beside those that end sequences")
		c.press("C")
		c.sees("Calendar", "Arena 1")
		c.press("r")
		c.sees("Reminders off.")
		time.Sleep(30 * time.Minute)
		require.NotContains(t, sent(), "In 5 minutes")
		c.hang()
		<-c.ended
		v.Close(table.Left)
	})
}
