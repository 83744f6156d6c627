package match_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/table"
)

// The time in which the server is down is not that in which the seats of a match are kept.
func TestSeatsAreKeptOverAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := begin(t, nil)
		require.NoError(t, d.propose(1, in(25*time.Hour)))
		time.Sleep(25 * time.Hour)
		d.end(1, table.EndPlayed)
		time.Sleep(time.Minute)
		d.seats() // of the second game
		time.Sleep(time.Minute)
		d.Stop()
		time.Sleep(30 * time.Minute)
		d.away(10, 11, 12, 20, 21, 22) // they were disconnected
		d.Start()
		time.Sleep(30 * time.Second)
		d.Change(func() { delete(d.Away, 10); delete(d.Away, 11); delete(d.Away, 12) })
		d.Events.Look()
		time.Sleep(90 * time.Second)
		d.Change(func() { clear(d.Away) })
		d.Events.Look()
		m := d.match()
		require.False(t, m.Done, "%+v", m.Games)
		d.seats()
	})
}
