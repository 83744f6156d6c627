package lobby_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

// against is a game of ana against a bot.
func against(bot string, won bool) lobby.GameInfo {
	g := lobby.GameInfo{Rules: "classic", Seats: []string{"ana", bot}, Finished: true, Ending: table.EndPlayed, Winner: 2}
	if won {
		g.Winner = 1
	}
	return g
}

func TestQuickPlayLearnsTheStrengthOfBots(t *testing.T) {
	of := func(wish lobby.QuickWish, games ...lobby.GameInfo) table.Strength {
		slices.Reverse(games) // as the store has them, the newest first
		return lobby.StrengthAgainst(games, "ana", wish)
	}
	won, lost := against("nora.regular", true), against("nora.regular", false)
	require.Equal(t, table.Regular, of(""), "a new player")
	require.Equal(t, table.Casual, of(lobby.QuickEasy))
	require.Equal(t, table.Expert, of(lobby.QuickHard))
	require.Equal(t, table.Regular, of("", won, lost, won, lost))
	require.Equal(t, table.Expert, of("", won, won, won, won))
	require.Equal(t, table.Casual, of("", lost, lost, lost))
	require.Equal(t, table.Novice, of(lobby.QuickEasy, lost, lost, lost, lost, lost, lost, lost, lost, lost))

	other := against("ben", true)
	shared, given := won, won
	shared.Winner, given.Ending = 0, table.EndAbandoned
	four := won
	four.Rules, four.Seats = "block", []string{"ana", "nora.regular", "otto.regular", "vera.regular"}
	require.Equal(t, table.Regular, of("", other, other, other, other, shared, shared, shared, given, given, given, four, four, four), "they say nothing")
}

// Somebody who is as good as a level comes to it, and wins about half of the games from then on.
func TestQuickPlayComesToAnEqual(t *testing.T) {
	const expert = 230
	rng := rand.New(rand.NewPCG(1, 1))
	var games []lobby.GameInfo
	met := map[table.Strength]int{}
	for n := range 200 {
		s := lobby.StrengthAgainst(games[:min(len(games), 40)], "ana", "")
		games = slices.Insert(games, 0, against("x."+string(s), false))
		games[0].Seats[1] = map[table.Strength]string{table.Novice: "kit", table.Casual: "sam", table.Regular: "nora", table.Expert: "ada", table.Master: "max"}[s] + "." + string(s)
		if rng.Float64() < lobby.WinChance(expert, s) {
			games[0].Winner = 1
		}
		if n >= 20 {
			met[s]++
		}
	}
	require.Greater(t, met[table.Expert]+met[table.Master]+met[table.Regular], 175)
	require.Greater(t, met[table.Expert], 60)
}
