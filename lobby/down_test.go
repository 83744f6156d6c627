package lobby_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/table"
)

// TestAClubThatWasDownForMonths: games that stand still are not abandoned for the time in which the club was down, or for a clock that
// is ahead when it starts.
func TestAClubThatWasDownForMonths(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t)
		ana := c.come("ana")
		cfg := table.DefaultConfig()
		cfg.Pace, cfg.Fill = table.PaceSlow, table.FillNever
		tb, err := ana.NewTable(t.Context(), cfg)
		require.NoError(t, err)
		ana.Close(table.Left)
		time.Sleep(time.Hour)
		c.stop()
		time.Sleep(60 * 24 * time.Hour)
		c.start()
		time.Sleep(time.Hour)
		ana = c.back("ana")
		require.Len(t, ana.MyTables(), 1)
		require.Equal(t, tb.ID(), ana.MyTables()[0].Table)
	})
}
