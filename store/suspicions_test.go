package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

// Opponents who met often and quick losses are listed; old games, casual ones, and what happens to everybody
// are not.
func TestSuspicions(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben", "cleo", "dan")
	noon := noon.AddDate(0, 0, 7) // nobody is new
	ana, ben, cleo, dan := who[0], who[1], who[2], who[3]
	play := func(times int, m match) {
		m.rules, m.fair = "classic", table.Fair
		for range times {
			mustPlay(t, s, m)
		}
	}
	since := noon
	inTime := noon.Add(time.Hour)
	resigned := match{seats: []table.Player{ben, ana}, stop: 1, ending: table.EndForfeit, winner: 2, leavers: []int{1}}

	resigned.at = noon.Add(-time.Hour)
	play(3, resigned) // before
	resigned.at, resigned.casual = inTime, true
	play(3, resigned)
	resigned.casual = false
	play(4, resigned)
	list, err := s.Suspicions(ctx, since, 10)
	require.NoError(t, err)
	require.Equal(t, []lobby.Suspicion{{Player: ben.ID, Name: "ben", Games: 4, Count: 4}}, list, "four games are not often")

	play(1, match{seats: []table.Player{ana, ben}, at: inTime, stop: 60, ending: table.EndForfeit, winner: 2, leavers: []int{1}})
	// Sitting without choosing is a quick loss; resigning in the end, after choosing, is no quicker than
	// staying.
	play(6, match{seats: []table.Player{cleo, dan}, at: inTime, stop: 60, ending: table.EndForfeit, winner: 2, idle: []int{1}})
	play(3, match{seats: []table.Player{dan, ana}, at: inTime, stop: 60, ending: table.EndForfeit, winner: 2})
	list, err = s.Suspicions(ctx, since, 10)
	require.NoError(t, err)
	require.Equal(t, []lobby.Suspicion{
		{Player: dan.ID, Name: "dan", Other: cleo.ID, Against: "cleo", Games: 6, Count: 6},
		{Player: ana.ID, Name: "ana", Other: ben.ID, Against: "ben", Games: 5, Count: 4},
		{Player: cleo.ID, Name: "cleo", Games: 6, Count: 6},
		{Player: ben.ID, Name: "ben", Games: 5, Count: 4},
	}, list)
	list, err = s.Suspicions(ctx, since, 1)
	require.NoError(t, err)
	require.Equal(t, []string{"dan", "cleo"}, []string{list[0].Name, list[1].Name})
	require.Len(t, list, 2)

	// Two partners meet both opponents, and not each other.
	for range 5 {
		mustPlay(t, s, match{rules: "block", fair: table.Fair, seats: who, at: noon.AddDate(0, 0, 1), stop: 60, ending: table.EndForfeit,
			winner: 1})
	}
	list, err = s.Suspicions(ctx, noon.AddDate(0, 0, 1), 10)
	require.NoError(t, err)
	require.Equal(t, []lobby.Suspicion{
		{Player: ana.ID, Name: "ana", Other: ben.ID, Against: "ben", Games: 5, Count: 5},
		{Player: ana.ID, Name: "ana", Other: dan.ID, Against: "dan", Games: 5, Count: 5},
		{Player: cleo.ID, Name: "cleo", Other: ben.ID, Against: "ben", Games: 5, Count: 5},
		{Player: cleo.ID, Name: "cleo", Other: dan.ID, Against: "dan", Games: 5, Count: 5},
	}, list)
}

// Of three players, one who leaves has lost to both others, and they not to each other.
func TestALeaverAloneHasLost(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben", "cleo")
	for i := range 5 {
		mustPlay(t, s, match{rules: "classic", fair: table.Fair, seats: who, at: noon.AddDate(0, 0, 2+i), stop: 60,
			ending: table.EndForfeit, winner: 1, leavers: []int{2}})
	}
	list, err := s.Suspicions(ctx, noon, 10)
	require.NoError(t, err)
	require.Equal(t, []lobby.Suspicion{
		{Player: who[0].ID, Name: "ana", Other: who[1].ID, Against: "ben", Games: 5, Count: 5},
		{Player: who[2].ID, Name: "cleo", Other: who[1].ID, Against: "ben", Games: 5, Count: 5},
		{Player: who[0].ID, Name: "ana", Other: who[2].ID, Against: "cleo", Games: 5},
		{Player: who[1].ID, Name: "ben", Games: 5, Count: 5},
	}, list)
}

// A player who beats several accounts made that day is listed, with their networks, however few games each
// has played.
func TestNewcomersBeatenAreSuspicious(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben", "cleo", "dan", "eve")
	for i, p := range who[1:] {
		if i == 3 {
			noon := noon.AddDate(0, 0, 2)
			mustPlay(t, s, match{rules: "classic", fair: table.Fair, seats: []table.Player{who[0], p}, at: noon, stop: 60, ending: table.EndForfeit,
				winner: 1, nets: []string{"a", "d"}})
			continue
		}
		mustPlay(t, s, match{rules: "classic", fair: table.Fair, seats: []table.Player{who[0], p}, at: noon, stop: 60, ending: table.EndForfeit,
			winner: 1,
			nets:   []string{"a", []string{"b", "c", "b"}[i]}})
	}
	list, err := s.Suspicions(ctx, noon, 10)
	require.NoError(t, err)
	require.Equal(t, []lobby.Suspicion{{Player: who[0].ID, Name: "ana", Games: 4, Count: 3, New: 3, Networks: 2}}, list)
	require.Equal(t, "beat newcomers in 3 of 4 games; accounts: 3, networks: 2", list[0].Did())
}
