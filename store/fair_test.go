package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/store"
	"boneyard/table"
)

// gains are what a game did to the ratings of players, by name.
func gains(r *table.Result) map[string]int {
	all := map[string]int{}
	for _, d := range r.Changes {
		if d.Kind == string(lobby.KindPlayer) {
			all[d.Name] = d.After - d.Before
		}
	}
	return all
}

// rebuilt checks that the standings follow from the games.
func rebuilt(t *testing.T, s *store.Store) {
	t.Helper()
	require.Zero(t, mustRebuild(t, s).Changed)
}

// Leaving is a loss for the leaver, whoever plays on and wins.
func TestLeavingIsALoss(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben", "cleo", "dan")
	two, three := who[:2], who[:3]
	left := func(m match) map[string]int {
		m.at, m.fair, m.leavers = noon.AddDate(0, 0, 1), 1, []int{1}
		_, r := mustPlay(t, s, m)
		return gains(r)
	}

	// A resignation at once: the player who stays has not played, and gains nothing.
	g := left(match{rules: "classic", seats: two, stop: 1, ending: table.EndForfeit, winner: 2})
	require.Negative(t, g["ana"])
	require.Zero(t, g["ben"])
	// Late: the other has won.
	g = left(match{rules: "classic", seats: two, stop: 60, ending: table.EndForfeit, winner: 2})
	require.Negative(t, g["ana"])
	require.Positive(t, g["ben"])
	// A bot plays on for her and wins.
	var won match
	for seed := uint64(1); ; seed++ {
		won = match{rules: "classic", seats: two, seed: seed, idle: []int{1}}
		id, at := mustNumbers(t, s)
		all := won.batches(t, id, at)
		if all[len(all)-1].End.Winner == 1 {
			break
		}
	}
	g = left(won)
	require.Negative(t, g["ana"])
	require.Positive(t, g["ben"])
	// Among three only the leaver is rated, whoever wins, even if nobody does.
	for _, m := range []match{
		{rules: "classic", seats: three, stop: 60, ending: table.EndForfeit, winner: 2},
		{rules: "classic", seats: three, stop: 1, ending: table.EndAbandoned},
		{rules: "classic", seats: three},
	} {
		g = left(m)
		require.Len(t, g, 1)
		require.Negative(t, g["ana"])
	}
	// One of two partners: with the other's loss all are rated, with their win the leaver alone.
	g = left(match{rules: "block", seats: who, stop: 60, ending: table.EndForfeit, winner: 2})
	require.Len(t, g, 4)
	require.Negative(t, g["cleo"])
	g = left(match{rules: "block", seats: who, stop: 60, ending: table.EndForfeit, winner: 1})
	require.Len(t, g, 1)
	require.Negative(t, g["ana"])
	rebuilt(t, s)
}

// A player who does not play does not gain, but loses all the same.
func TestGainsAreEarned(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben")
	_, r := mustPlay(t, s, match{rules: "classic", seats: who, at: noon, fair: 1, idle: []int{1, 2}})
	for _, d := range gains(r) {
		require.LessOrEqual(t, d, 0)
	}
	rebuilt(t, s)
}

// What two opponents gain from each other on one day falls off and is bounded; the next day it counts in full again. A game of
// the time before that rule counts as it did.
func TestOpponentsOfADay(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben", "cleo", "dan")
	best := func(at time.Time, fair int, seats ...table.Player) int {
		_, r := mustPlay(t, s, match{rules: "classic", seats: seats, at: at, fair: fair, stop: 60, ending: table.EndForfeit, winner: 1})
		return gains(r)["ana"]
	}
	for range 20 { // so that her rating is settled
		best(noon.AddDate(0, 0, -1), 0, who[0], who[2])
	}
	var all []int
	for range 12 {
		all = append(all, best(noon, 1, who[0], who[1]))
	}
	require.Greater(t, all[0], all[3])
	require.Greater(t, all[2], all[5])
	require.Zero(t, all[11], "%v", all)
	require.Positive(t, best(noon, 1, who[0], who[3]), "another opponent")
	require.Positive(t, best(noon.AddDate(0, 0, 1), 1, who[0], who[1]), "another day")
	rebuilt(t, s)
}
