package match_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event/match"
)

// A proposal whose time has passed, and that did not hold, is no more in what a team is reminded of.
func TestALapsedProposalIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := begin(t, nil)
		require.NoError(t, d.propose(1, in(time.Hour)))
		time.Sleep(2*time.Hour + time.Minute)
		synctest.Wait()
		what, _ := d.Events.Room(1).View().(*match.View).Reminder(2)
		require.NotContains(t, what, "they propose")
		what, _ = d.Events.Room(1).View().(*match.View).Reminder(1)
		require.NotContains(t, what, "you have proposed")
	})
}
