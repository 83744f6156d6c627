package table_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/table"
)

// A restart during the countdown begins no game for players who are not back, nor for one of them.
func TestRestartDuringTheCountdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, 1, config(nil))
		f.must(ana, table.Sit{})
		f.must(ben, table.Sit{})
		f.must(ana, table.Ready{On: true})
		f.must(ben, table.Ready{On: true})
		require.Equal(t, table.Countdown, f.see(ana).State)
		f.restart(time.Minute)
		time.Sleep(10 * time.Second)
		require.Equal(t, table.Gathering, f.see(cal).State)
		f.Presence(ana.ID, table.Here)
		time.Sleep(10 * time.Second)
		require.Equal(t, table.Gathering, f.see(cal).State)
		f.Presence(ben.ID, table.Here)
		time.Sleep(10 * time.Second)
		require.Equal(t, table.Playing, f.see(cal).State)
	})
}
