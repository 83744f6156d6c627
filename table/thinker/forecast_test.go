package thinker_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/bot"
	"boneyard/table/thinker"
)

// gallery is what the gallery sees at the start of a round.
func gallery(t *testing.T) bot.Seen {
	s := seen(t, 1)
	r, err := rules.New(s.Rules, 2)
	require.NoError(t, err)
	g, err := r.Deal(rules.Seed{1}.Deal(&s.Rules, 2, 1))
	require.NoError(t, err)
	return bot.See(g.View(0), nil)
}

// Forecasts wait for all bots' choices, sum up to 1, and follow from what was seen and the seed. A forecast for which nobody waits any
// more is not computed.
func TestForecasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var order []string
		made := map[bool]int{}
		th := thinker.New(thinker.Told{Forecast: func(m bool) { made[m]++ }})
		defer th.Close()
		block := make(chan struct{})
		th.Think(bot.Regular, seen(t, 1), 0, func(rules.Move) { <-block })
		var chances [2][]float64
		for i := range chances {
			th.Forecast(gallery(t), 7, func(c []float64) { chances[i], order = c, append(order, "chances") })
		}
		th.Forecast(gallery(t), 7, func([]float64) { t.Error("it was stopped") })()
		th.Think(bot.Master, seen(t, 2), 0, func(rules.Move) { order = append(order, "move") })
		close(block)
		synctest.Wait()
		require.Equal(t, []string{"move", "move", "chances", "chances"}, order)
		require.Len(t, chances[0], 2)
		require.InDelta(t, 1, chances[0][0]+chances[0][1], 1e-9)
		require.InDelta(t, 0.5, chances[0][0], 0.15) // nothing has happened yet
		require.Equal(t, chances[0], chances[1])
		require.Equal(t, map[bool]int{true: 2}, made)
	})
}

// While bots are short of time there are no forecasts, and requests for them do not pile up.
func TestForecastsAreSkippedUnderLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := map[bool]int{}
		th := thinker.New(thinker.Told{Forecast: func(m bool) { made[m]++ }})
		defer th.Close()
		block := make(chan struct{})
		th.Think(bot.Regular, seen(t, 1), 0, func(rules.Move) { <-block })
		s := gallery(t)
		for range 3 { // a table at which moves follow fast waits for one moment only
			for range 100 {
				th.Forecast(s, 0, func([]float64) { t.Error("it was stopped") })()
			}
		}
		require.Empty(t, made)
		for range 130 {
			th.Think(bot.Novice, seen(t, 1), 0, func(rules.Move) {})
		}
		th.Forecast(s, 0, func([]float64) { t.Error("it was skipped") })
		require.Equal(t, map[bool]int{false: 1}, made)
		close(block)
		synctest.Wait()
		th.Forecast(s, 0, func([]float64) {})
		synctest.Wait()
		require.Equal(t, map[bool]int{false: 1, true: 1}, made)
	})
}
