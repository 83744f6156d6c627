package lobby_test

import (
	"math/rand/v2"
	"slices"
	"strings"
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

// botNamed is a house bot of a strength.
func botNamed(s table.Strength) string {
	names := table.HouseNames()
	return names[slices.IndexFunc(names, func(n string) bool { return strings.HasSuffix(n, "."+string(s)) })]
}

func TestQuickPlayLearnsTheStrengthOfBots(t *testing.T) {
	of := func(wish lobby.QuickWish, games ...lobby.GameInfo) table.Strength {
		slices.Reverse(games) // as the store has them, the newest first
		return lobby.StrengthAgainst(games, "ana", wish)
	}
	won, lost := against("nora.regular", true), against("nora.regular", false)
	require.Equal(t, table.Casual, of(""), "a new player")
	require.Equal(t, table.Novice, of(lobby.QuickEasy))
	require.Equal(t, table.Regular, of(lobby.QuickHard))
	require.Equal(t, table.Regular, of("", won, won, lost, won, lost))
	require.Equal(t, table.Expert, of("", slices.Repeat([]lobby.GameInfo{won}, 8)...))
	require.Equal(t, table.Novice, of("", slices.Repeat([]lobby.GameInfo{lost}, 8)...))
	require.Equal(t, table.Novice, of(lobby.QuickEasy, lost, lost, lost, lost, lost, lost, lost, lost, lost))

	other := against("ben", true)
	shared, given := won, won
	shared.Winner, given.Ending = 0, table.EndAbandoned
	four := won
	four.Rules, four.Seats = "block", []string{"ana", "nora.regular", "otto.regular", "vera.regular"}
	require.Equal(t, table.Casual, of("", other, other, other, other, shared, shared, shared, given, given, given, four, four, four),
		"they say nothing")
}

// A person as good as some level gets to it, and then wins about half of the games: a beginner who wins 14 %
// against regular bots as well as an expert.
func TestQuickPlayComesToAnEqual(t *testing.T) {
	for _, skill := range []float64{-310, -150, 0, 230} {
		rng := rand.New(rand.NewPCG(1, 1))
		var games []lobby.GameInfo
		won, of := 0, 0
		for n := range 400 {
			s := lobby.StrengthAgainst(games[:min(len(games), 40)], "ana", "")
			g := against(botNamed(s), rng.Float64() < lobby.WinChance(skill, s))
			games = slices.Insert(games, 0, g)
			if n >= 20 {
				of++
				won += 2 - g.Winner
			}
		}
		require.InDelta(t, 0.5, float64(won)/float64(of), 0.1, skill)
	}
}

// A guest's bots follow the games of the visit, and nobody else's.
func TestQuickPlayFollowsGuests(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		loser, other := c.guest("192.0.2.1"), c.guest("192.0.2.2")
		for n := range 5 {
			start := table.Start{Rules: "classic", Seats: []table.Player{loser.Player(), {Name: botNamed(table.Casual)}}}
			lobby.OnEnd(c.Lobby)(table.GameID(n+1), start, table.Result{Winner: 2, Ending: table.EndPlayed, Scores: []int{0, 200}})
		}
		require.Equal(t, table.Novice, quick(t, loser, lobby.QuickPrefs{Game: "block"}).Seats[1].House)
		require.Equal(t, table.Casual, quick(t, other, lobby.QuickPrefs{Game: "spruce"}).Seats[1].House)
	})
}
