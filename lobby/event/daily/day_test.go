package daily_test

import (
	"bytes"
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"boneyard/lobby/event"
	"boneyard/lobby/event/daily"
	"boneyard/rules"
	_ "boneyard/rules/sameseed"
	"boneyard/table"
)

// Points are the percentage of the others that a player beats, counted one by one; rows without a place have none.
func TestPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var d daily.Day
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 5), 0, 12).Draw(t, "results") {
			d.Rows = append(d.Rows, daily.Row{For: n, Played: true})
		}
		slices.SortStableFunc(d.Rows, func(a, b daily.Row) int { return cmp.Compare(b.For, a.For) })
		for i := range d.Rows {
			if d.Rows[i].Place = i + 1; i > 0 && d.Rows[i-1].For == d.Rows[i].For {
				d.Rows[i].Place = d.Rows[i-1].Place
			}
		}
		placed := len(d.Rows)
		d.Rows = append(d.Rows, daily.Row{Apart: true, Played: true}, daily.Row{})
		points := d.Points()
		require.Len(t, points, placed)
		for i := range points {
			beaten := 0.0
			for k := range points {
				switch {
				case k == i:
				case d.Rows[k].Place > d.Rows[i].Place:
					beaten++
				case d.Rows[k].Place == d.Rows[i].Place:
					beaten += 0.5
				}
			}
			want := 100.0
			if placed > 1 {
				want = 100 * beaten / float64(placed-1)
			}
			require.InDelta(t, want, points[i], 1e-9)
		}
	})
}

// The game of every day for twenty years can be made as soon as there is an attempt at it.
func TestEveryDayHasAGame(t *testing.T) {
	day := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for number := 1; number < 20*366; number++ {
		state, err := daily.New(daily.Make(day, number, rules.Seed{byte(number)}))
		require.NoError(t, err)
		entries, err := daily.Attempt(table.Player{ID: 1, Name: "ana"}, false, "")(state, day)
		require.NoError(t, err)
		require.NoError(t, state.Apply(entries[0]))
		wanted := state.Wanted()
		require.Len(t, wanted, 1)
		require.NoError(t, wanted[0].Config.Validate(), "day %d", number)
	}
}

// An attempt is refused before it is on disk if no game can follow.
func TestNoAttemptWithoutAGame(t *testing.T) {
	e := daily.Make(time.Now(), 1, rules.Seed{1})
	e.Config = bytes.Replace(e.Config, []byte("rounds"), []byte("chukkas"), 1)
	state, err := daily.New(e)
	require.NoError(t, err)
	_, err = daily.Attempt(table.Player{ID: 1, Name: "ana"}, false, "")(state, e.Begins)
	require.ErrorIs(t, err, daily.ErrNoGame)
	require.NoError(t, state.Apply(event.Entry{Kind: "attempt", Data: []byte(`{"no":1,"player":1,"name":"ana"}`)}))
	require.Empty(t, state.Wanted(), "an old attempt is not tried again and again")
}

// The number of compared games is limited: the first ones are compared, those of new accounts last.
func TestComparedGamesAreBounded(t *testing.T) {
	var d daily.Day
	for i := range 2000 {
		d.Rows = append(d.Rows, daily.Row{No: int64(2000 - i), Game: table.GameID(2000 - i), Played: i%3 != 0, Apart: i%2 == 0})
	}
	games := d.Compared(700)
	require.Len(t, games, 700)
	require.True(t, slices.IsSorted(games[:667]))
	for _, r := range d.Rows {
		if at := slices.Index(games, r.Game); at >= 0 {
			require.True(t, r.Played)
			require.Equal(t, r.Apart, at >= 667)
		}
	}
	require.Len(t, d.Compared(5000), 1333)
}
