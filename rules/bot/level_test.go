package bot_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/bot"
	"boneyard/rules/bot/duel"
)

// How often each level beats the regular one, on fixed deals and in wide bounds; docs/bots.md has the figures of many games.
func TestLevelsAgainstRegular(t *testing.T) {
	for _, c := range []struct {
		level     bot.Level
		player    duel.Player
		deals     int
		low, high float64
	}{
		{bot.Novice, duel.Level(bot.Novice), 40, 0, 0.35},
		{bot.Casual, duel.Level(bot.Casual), 40, 0.08, 0.48},
		{bot.Regular, duel.Level(bot.Regular), 40, 0.4, 0.6},
		{bot.Expert, duel.Level(bot.Expert), 40, 0.52, 1},
		{bot.Master, duel.Searcher(80), 15, 0.55, 1},
	} {
		for _, p := range rules.Presets() {
			t.Run(fmt.Sprintf("%v/%v", c.level, p), func(t *testing.T) {
				seats := 2
				if p == rules.Block {
					seats = 4
				}
				res, err := duel.Run(t.Context(), duel.Config{
					Rules: p.Rules(), Seats: seats, Deals: c.deals, Seed: 7, A: c.player, B: duel.Level(bot.Regular),
				}, nil)
				require.NoError(t, err)
				t.Logf("%.0f %% of %d games, %+.1f points a round", 100*res.WinRate, res.Games, res.Points)
				if res.WinRate < c.low || res.WinRate > c.high {
					t.Errorf("wins %.0f %% of %d games, want %.0f to %.0f %%", 100*res.WinRate, res.Games, 100*c.low, 100*c.high)
				}
			})
		}
	}
}

// In block, too, each level beats the one below it.
func TestLevelsOfBlock(t *testing.T) {
	for _, level := range []bot.Level{bot.Casual, bot.Regular, bot.Expert} {
		res, err := duel.Run(t.Context(), duel.Config{
			Rules: rules.Block.Rules(), Seats: rules.MaxSeats, Deals: 60, Seed: 7, A: duel.Level(level), B: duel.Level(level - 1),
		}, nil)
		require.NoError(t, err)
		if res.WinRate < 0.55 {
			t.Errorf("%v wins only %.0f %% of %d games against %v", level, 100*res.WinRate, res.Games, level-1)
		}
	}
}
