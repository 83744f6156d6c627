package challenge_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event"
	"boneyard/lobby/event/challenge"
	"boneyard/lobby/event/eventtest"
	"boneyard/table"
)

// TestAnOutageWhileSomebodyIsWaitedFor: the club is closed when the wait for the players ends, or its process
// stands still. After that, both have time to reconnect; whoever does not, did not come.
func TestAnOutageWhileSomebodyIsWaitedFor(t *testing.T) {
	for _, c := range []struct{ restart, come bool }{{true, true}, {true, false}, {false, true}, {false, false}} {
		synctest.Test(t, func(t *testing.T) {
			h := eventtest.New(t, event.KindsOf(challenge.Type))
			h.Start()
			cfg := challenge.Config{Table: table.DefaultConfig(), Sides: [2]table.Player{{ID: 1, Name: "ana"}, {ID: 2, Name: "ben"}}}
			e := event.Make(challenge.Kind, cfg, time.Now().Add(time.Hour).Round(0))
			room, err := h.Events.Create(t.Context(), e)
			require.NoError(t, err)
			id := room.Event().ID
			view := func() *challenge.View {
				synctest.Wait()
				_, v, err := h.Events.PastView(t.Context(), id, challenge.Kind)
				require.NoError(t, err)
				return v.(*challenge.View)
			}
			h.Change(func() { h.Away[2] = true })
			time.Sleep(time.Hour + event.Kept - time.Minute)
			require.Equal(t, "ben", view().Short)
			disconnected := func() { h.Away[1] = true }
			if c.restart {
				h.Stop()
				h.Change(disconnected)
				time.Sleep(5 * time.Minute)
				h.Start()
			} else {
				h.Change(func() { disconnected(); h.Ahead = 5 * time.Minute })
			}
			time.Sleep(time.Minute)
			require.Empty(t, view().Why)
			h.Change(func() { delete(h.Away, 1); h.Away[2] = !c.come })
			h.Events.Recheck()
			if c.come {
				require.Len(t, view().Called, 2)
				return
			}
			time.Sleep(event.Kept)
			require.Equal(t, "ben did not come", view().Why)
		})
	}
}
