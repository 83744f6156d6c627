package bot

import (
	"math"
	"slices"

	"boneyard/rules"
)

// prospects relate a game's scores to the chance to win it; docs/bots.md says how they were fitted.
var prospects = [...]struct {
	weight float64 // of a point
	margin float64 // points added to those left to play for: luck in the last round
	round  float64 // points that a round brings, in games of a number of rounds
}{
	rules.Azneef:  {0.29, 10.7, 14.5},
	rules.Sniff:   {0.22, 20.0, 9.3},
	rules.Spruce:  {0.23, 8.3, 12.9},
	rules.Classic: {0.36, 17.7, 24.0},
	rules.Block:   {0.26, 27.8, 2.0},
}

// Chances returns each side's chance to win a game, summing to 1. They follow from the scores and from what
// is left to play for: a logistic, whose slope grows towards the end. All players count as equally good.
func Chances(v *rules.View) []float64 {
	chances := make([]float64, v.Sides())
	most := slices.Max(v.Scores[:len(chances)])
	over, all := v.Phase == rules.Over, 0.0
	slope := slope(v, most)
	for i := range chances {
		switch behind := float64(most - v.Scores[i]); {
		case !over:
			chances[i] = math.Exp(-slope * behind)
		case v.Winner == rules.Side(i+1), v.Winner == 0 && behind == 0: // without a winner the best share the win
			chances[i] = 1
		}
		all += chances[i]
	}
	for i := range chances {
		chances[i] /= all
	}
	return chances
}

// slope returns what a point of difference does to the odds, on a logarithmic scale; most is the best score.
func slope(v *rules.View, most rules.Points) float64 {
	is, unit := prospects[v.Rules.Preset], 1.0
	if v.Rules.Pegs {
		unit = float64(max(v.Rules.Multiple, 1)) // without points in play nothing is divided
	}
	left := unit * float64(max(v.Rules.TargetFor(v.Seats)-most, 0))
	if rounds := v.Rules.Rounds - v.Round; v.Rules.Rounds > 0 {
		if v.Phase == rules.Playing {
			rounds++
		}
		left = is.round * float64(rounds)
	}
	return unit * is.weight / math.Sqrt(left+is.margin)
}

// Percent returns chances as percentages to show during a game, in steps of 5 that sum to 100.
func Percent(chances []float64) []int {
	const chanceStep = 5 // the percentage to which displayed chances are rounded
	shown := make([]int, len(chances))
	left := 100
	for i, c := range chances {
		shown[i] = int(100*c) / chanceStep * chanceStep
		left -= shown[i]
	}
	for ; left > 0; left -= chanceStep {
		most := 0
		for i, c := range chances {
			if 100*c-float64(shown[i]) > 100*chances[most]-float64(shown[most]) {
				most = i
			}
		}
		shown[most] += chanceStep
	}
	return shown
}
