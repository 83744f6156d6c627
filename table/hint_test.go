package table_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
)

// Somebody who plays against bots alone may take hints; from then on the game says so, even after a restart,
// and the next does not.
func TestHints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, 1, config(func(c *table.Config) { c.Fill = table.FillNow }))
		f.must(ana, table.Sit{})
		require.ErrorIs(t, f.do(ana, table.TakeHints{}), table.ErrNoGame)
		f.must(ana, table.Ready{On: true})
		_, v := f.turn(ana)
		require.True(t, v.MayHint())
		require.NotContains(t, v.Casual, "hints")
		c, why := v.Hint()
		require.Contains(t, choices(v), c)
		require.NotEmpty(t, why)

		f.must(ana, table.TakeHints{})
		f.must(ana, table.TakeHints{})
		v = f.see(ana)
		require.Equal(t, "house bot at the table, with hints", v.Casual)
		said := 0
		for _, e := range v.Log {
			if strings.Contains(e.Text, "ana asked for a hint") {
				said++
			}
		}
		require.Equal(t, 1, said)
		saved, err := f.journal.Load(t.Context())
		require.NoError(t, err)
		require.NoError(t, f.CheckRestore(saved[0]))
		require.Contains(t, f.playOut(ana).Casual, "hints")
		f.must(ana, table.Rematch{})
		require.NotContains(t, view(f.turn(ana)).Casual, "hints")
	})
}

func view(_ table.Player, v *table.View) *table.View { return v }

func choices(v *table.View) (all []rules.Choice) {
	for _, o := range v.Play.Options {
		all = append(all, o.Choice)
	}
	return all
}

// Where another person plays there are no hints.
func TestNoHintsAgainstPeople(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, 1, config(nil))
		f.seat(ana, guest)
		v := f.see(ana)
		require.False(t, v.Rated)
		require.False(t, v.MayHint())
		require.ErrorIs(t, f.do(ana, table.TakeHints{}), table.ErrNoHints)
	})
}

// Nor are there any in an event: in an arena, a win against a house bot counts.
func TestNoHintsInEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := config(func(c *table.Config) { c.Event, c.Fill = table.Event{ID: 3, Pairing: 5}, table.FillNow })
		f := openFor(t, cfg, table.Occasion{Seats: []table.Player{ana, {}}, Here: []table.PlayerID{ana.ID}})
		_, v := f.turn(ana)
		require.False(t, v.MayHint())
		require.ErrorIs(t, f.do(ana, table.TakeHints{}), table.ErrNoHints)
	})
}
