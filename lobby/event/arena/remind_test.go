package arena_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/eventtest"
	"boneyard/table"
)

// However the clock is set before an arena, entrants are reminded half an hour and five minutes before it by
// that clock, once each time the clock gets there. What they read is true, and nobody else reads anything.
func TestRemindersFollowTheClock(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		type step struct{ sleep, set time.Duration }
		minutes := func(from, to int, label string) time.Duration {
			return time.Duration(rapid.IntRange(from, to).Draw(rt, label)) * time.Minute
		}
		var steps []step
		for range rapid.IntRange(0, 4).Draw(rt, "settings of the clock") {
			steps = append(steps, step{minutes(0, 3, "sleep"), minutes(-90, 90, "set")})
		}
		synctest.Test(t, func(t *testing.T) {
			h := eventtest.New(t, event.KindsOf(arena.Type))
			h.People = []table.Player{{ID: 1, Name: "ana"}, {ID: 2, Name: "ben"}}
			h.Start()
			begins := time.Now().Add(90 * time.Minute).Round(0)
			e := event.Make(arena.Kind, arena.Config{Name: "Friday", Rules: "classic", Pace: table.PaceFast}, begins)
			e.Key, e.Ends = "1", begins.Add(time.Hour)
			room, err := h.Events.Create(t.Context(), e)
			require.NoError(t, err)
			require.NoError(t, room.Do(t.Context(), func(r event.Rules, now time.Time) ([]event.Entry, error) {
				return r.(*arena.Arena).Enter(h.People[0], "", nil, "", now)
			}))
			time.Sleep(2 * time.Minute)
			for _, s := range steps {
				time.Sleep(s.sleep)
				synctest.Wait() // nobody reminds while the clock is set
				h.Change(func() { h.Ahead = min(h.Ahead+s.set, time.Until(begins)-10*time.Minute) })
				time.Sleep(2 * time.Minute) // it is seen before it is set again
			}
			from := 0
			h.Change(func() { from = len(h.Reminded) })
			left := begins.Sub(time.Now().Add(h.Ahead))
			time.Sleep(left + time.Minute)
			synctest.Wait()
			want := 0
			for _, lead := range []time.Duration{30 * time.Minute, 5 * time.Minute} {
				if left > lead {
					want++
				}
			}
			require.Len(t, h.Reminded[from:], want, "%v before it: %v", left, h.Reminded[from:])
			for _, r := range h.Reminded {
				require.Equal(t, table.PlayerID(1), r.To)
				in := 0
				_, err := fmt.Sscanf(r.Says, "In %d minutes: ", &in)
				require.NoError(t, err, r.Says)
				require.InDelta(t, begins.Sub(r.At).Minutes(), in, 0.5, r.Says)
				require.True(t, strings.HasSuffix(r.Says, ": Arena 1, Friday."), r.Says)
			}
		})
	})
}
