package league_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
)

// A team that waits for an absent one wins, even if the server is down when the wait ends.
func TestARestartAtTheEndOfWaiting(t *testing.T) {
	for _, restart := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := hall(t, 2)
			h.Start()
			s := begin(t, h, league.Config{Window: match.Week, Size: 8}, "1")
			time.Sleep(25 * time.Hour)
			m := s.open()[0]
			s.agree(&m, time.Now().Add(time.Hour).Round(0))
			s.away(true, &m.Sides[1])
			time.Sleep(time.Hour + match.Kept - 2*time.Second)
			if restart {
				h.Stop()
				s.away(true, &m.Sides[0])
				time.Sleep(4 * time.Second)
				h.Start()
				time.Sleep(2 * time.Second)
				s.away(false, &m.Sides[0])
			}
			time.Sleep(8 * 24 * time.Hour)
			require.Equal(t, 1, s.view().Matches[0].Winner, "restart %v", restart)
		})
	}
}
