package table_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/table"
)

func TestTwoPlayersPlayAGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, 1, config(nil))
		f.seat(ana, ben)
		v := f.playOut(ana, ben)
		require.Equal(t, table.Finished, v.State)
		require.True(t, v.Rated, v.Casual)
		f.journal.checkRecord(t, v.Game)
		require.Len(t, f.ended, 1)
		require.Equal(t, table.EndPlayed, v.Result.Ending)
		require.NotEmpty(t, v.Result.Changes)
		require.NotEmpty(t, v.Seed)
	})
}

func TestOneAgainstBots(t *testing.T) {
	for _, rules := range []string{"azneef", "sniff", "spruce", "classic", "block"} {
		t.Run(rules, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := open(t, 3, config(func(c *table.Config) { setRules(c, rules, 4); c.Fill = table.FillNow }))
				f.must(ana, table.Sit{})
				f.must(ana, table.Ready{On: true})
				v := f.playOut(ana)
				require.Equal(t, table.Finished, v.State)
				require.False(t, v.Rated)
				require.Equal(t, "house bot at the table", v.Casual)
				f.journal.checkRecord(t, v.Game)
				time.Sleep(time.Second)
			})
		})
	}
}
