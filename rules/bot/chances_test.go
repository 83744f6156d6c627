package bot_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// standing is a game with these scores, in the middle of a round.
func standing(t *testing.T, rule string, seats, round int, scores ...rules.Points) *rules.View {
	r, err := rules.Parse(rule)
	require.NoError(t, err)
	v := &rules.View{Rules: r, Seats: seats, Round: round, Phase: rules.Playing}
	copy(v.Scores[:], scores)
	return v
}

// Chances are even at the start, grow with the lead, and with the same lead towards the end; at the end they
// are the result.
func TestChances(t *testing.T) {
	for _, rule := range append(rules.PresetNames(), "azneef teams=on", "classic pegs=on target=61", "sniff rounds=5") {
		for _, seats := range []int{2, 3, 4} {
			if r, err := rules.Parse(rule); err != nil || r.CheckSeats(seats) != nil {
				continue
			}
			first := func(round int, scores ...rules.Points) float64 {
				chances := bot.Chances(standing(t, rule, seats, round, scores...))
				sum := 0.0
				for _, c := range chances {
					require.Positive(t, c)
					sum += c
				}
				require.InDelta(t, 1, sum, 1e-9)
				return chances[0]
			}
			even, ahead, late := first(1), first(2, 10), first(4, 50, 40, 40, 40)
			v := standing(t, rule, seats, 1)
			require.InDelta(t, 1/float64(v.Sides()), even, 1e-9)
			require.Greater(t, ahead, even, "%s, %d seats", rule, seats)
			require.Greater(t, late, ahead, "%s, %d seats", rule, seats)
		}
	}
	v := standing(t, "azneef", 2, 5, 100, 150)
	v.Phase, v.Winner = rules.Over, 2
	require.Equal(t, []float64{0, 1}, bot.Chances(v))
	v = standing(t, "azneef rounds=5", 3, 5, 100, 90, 100)
	v.Phase = rules.Over
	require.Equal(t, []float64{0.5, 0, 0.5}, bot.Chances(v), "those with the highest score share it")
}

// A peg is five points, and counts as much.
func TestChancesInPegs(t *testing.T) {
	paper := bot.Chances(standing(t, "classic target=300", 2, 3, 100, 50))
	pegs := bot.Chances(standing(t, "classic pegs=on target=60", 2, 3, 20, 10))
	require.InDelta(t, paper[0], pegs[0], 1e-9)
	paper, pegs = bot.Chances(standing(t, "block", 4, 3, 90, 10)), bot.Chances(standing(t, "block pegs=on", 4, 3, 90, 10))
	require.Equal(t, paper, pegs, "without points in play there is nothing to divide")
}

// Percentages go in steps and sum up to 100.
func TestPercent(t *testing.T) {
	for _, c := range []struct {
		chances []float64
		want    []int
	}{
		{[]float64{0.5, 0.5}, []int{50, 50}},
		{[]float64{0.626, 0.374}, []int{65, 35}},
		{[]float64{0.34, 0.33, 0.33}, []int{35, 35, 30}},
		{[]float64{0.999, 0.001}, []int{100, 0}},
		{[]float64{0.26, 0.26, 0.24, 0.24}, []int{25, 25, 25, 25}},
	} {
		if have := bot.Percent(c.chances); !slices.Equal(have, c.want) {
			t.Errorf("%v: %v, want %v", c.chances, have, c.want)
		}
	}
}
