package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/rating"
	"boneyard/store"
	"boneyard/table"
)

func mustStandings(tb testing.TB, s *store.Store, q lobby.StandingsQuery) []lobby.Standing {
	tb.Helper()
	all, err := s.Standings(ctx, q)
	require.NoError(tb, err)
	return all
}

// rated returns the ratings after one game of newcomers, by side, the first of which has won.
func rated(sizes ...int) (numbers []int) {
	var sides [][]rating.Rating
	var ranks []int
	for i, n := range sizes {
		var side []rating.Rating
		for range n {
			side = append(side, rating.Initial())
		}
		sides, ranks = append(sides, side), append(ranks, min(i, 1))
	}
	for _, side := range rating.Update(sides, ranks) {
		numbers = append(numbers, side[0].Number())
	}
	return numbers
}

func TestStandingsOfTwoPlayers(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben")
	given := match{rules: "classic", seats: who, at: noon, stop: 10, ending: table.EndForfeit, winner: 2}
	_, res := mustPlay(t, s, given)
	after := rated(1, 1)
	require.Equal(t, []table.Delta{
		{Kind: "player", Name: "ana", Before: 1500, After: after[1]},
		{Kind: "player", Name: "ben", Before: 1500, After: after[0]},
	}, res.Changes)

	want := []lobby.Standing{
		{Rank: 1, ID: int64(who[1].ID), Name: "ben", Rating: after[0], Provisional: true, Games: 1, Won: 1, For: res.Scores[1],
			Against: res.Scores[0],
			Streak:  1, LastFive: "W", History: []int{after[0]}},
		{Rank: 2, ID: int64(who[0].ID), Name: "ana", Rating: after[1], Provisional: true, Games: 1, Lost: 1, For: res.Scores[0],
			Against: res.Scores[1],
			Streak:  -1, LastFive: "L", History: []int{after[1]}},
	}
	for _, q := range []lobby.StandingsQuery{
		{}, {Game: "classic"}, {Month: "2026-11"}, {Game: "classic", Month: "2026-11"}, {Limit: 2}, {Limit: 100},
	} {
		q.Kind = lobby.KindPlayer
		require.Equal(t, want, mustStandings(t, s, q), "%+v", q)
	}
	require.Equal(t, want[:1], mustStandings(t, s, lobby.StandingsQuery{Kind: lobby.KindPlayer, Limit: 1}))
	for _, q := range []lobby.StandingsQuery{{Game: "azneef"}, {Month: "2026-10"}, {Kind: lobby.KindPair}, {Kind: lobby.KindTeam}} {
		if q.Kind == "" {
			q.Kind = lobby.KindPlayer
		}
		require.Empty(t, mustStandings(t, s, q), "%+v", q)
	}
	require.Error(t, errOf(s.Standings(ctx, lobby.StandingsQuery{Kind: "house"})))

	ratings, err := s.Ratings(ctx, 2)
	require.NoError(t, err)
	require.Equal(t, map[table.PlayerID]int{who[1].ID: after[0], who[0].ID: after[1]}, ratings)
	ratings, err = s.Ratings(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, map[table.PlayerID]int{who[1].ID: after[0]}, ratings, "the best")
}

func TestStreaksMonthsAndHistory(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben")
	november := time.Date(2026, 11, 30, 22, 0, 0, 0, time.UTC)
	winners := []int{1, 1, 2, 1, 1, 1, 1}
	var numbers []int
	for i, w := range winners {
		m := match{rules: "azneef", seats: who, stop: 1, ending: table.EndForfeit, winner: w, at: november}
		if i >= 5 {
			m.at, m.rules = november.Add(2*time.Hour), "spruce" // in December, by UTC
		}
		_, res := mustPlay(t, s, m)
		require.Equal(t, "ana", res.Changes[0].Name)
		if i > 0 {
			require.Equal(t, numbers[i-1], res.Changes[0].Before)
		}
		numbers = append(numbers, res.Changes[0].After)
	}
	row := func(q lobby.StandingsQuery) lobby.Standing {
		q.Kind = lobby.KindPlayer
		for _, v := range mustStandings(t, s, q) {
			if v.Name == "ana" {
				return v
			}
		}
		t.Fatalf("no ana in %+v", q)
		return lobby.Standing{}
	}
	all := row(lobby.StandingsQuery{})
	require.Equal(t, []any{7, 6, 1, 4, "LWWWW", numbers}, []any{all.Games, all.Won, all.Lost, all.Streak, all.LastFive, all.History})

	nov := row(lobby.StandingsQuery{Month: "2026-11"})
	require.Equal(t, []any{5, 4, 1, 2, "WWLWW", numbers[4], numbers[:5]},
		[]any{nov.Games, nov.Won, nov.Lost, nov.Streak, nov.LastFive, nov.Rating, nov.History})
	dec := row(lobby.StandingsQuery{Month: "2026-12"})
	require.Equal(t, []any{2, 2, "WW", numbers[6], numbers[5:]}, []any{dec.Games, dec.Streak, dec.LastFive, dec.Rating, dec.History})
	spruce := row(lobby.StandingsQuery{Game: "spruce"})
	require.Equal(t, 2, spruce.Games)
	require.Equal(t, rated(1, 1)[0], spruce.History[0], "a preset's rating begins with its first game")

	months, err := s.Months(ctx)
	require.NoError(t, err)
	require.Equal(t, []string{"2026-12", "2026-11"}, months)

	for range 30 {
		mustPlay(t, s, match{rules: "azneef", seats: who, stop: 1, ending: table.EndForfeit, winner: 2, at: november.Add(time.Hour * 100)})
	}
	all = row(lobby.StandingsQuery{})
	require.Len(t, all.History, 24)
	require.Equal(t, all.Rating, all.History[23])
	require.Equal(t, -30, all.Streak)
	require.Equal(t, "LLLLL", all.LastFive)
	require.False(t, all.Provisional)
}

func TestWhoPlaysForWhom(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben", "cleo", "dan")
	abc, cat := mustTeam(t, s, "ABC", who[0], who[2]), mustTeam(t, s, "CAT", who[1], who[3])
	kinds := func(res *table.Result) map[string][]string {
		m := make(map[string][]string)
		for _, d := range res.Changes {
			m[d.Kind] = append(m[d.Kind], d.Name)
		}
		return m
	}
	four := match{rules: "block", seats: who, at: noon, stop: 3, ending: table.EndForfeit, winner: 1}

	partners := four
	_, res := mustPlay(t, s, partners)
	require.Equal(t, map[string][]string{"player": {"ana", "cleo", "ben", "dan"}, "pair": {"ana + cleo", "ben + dan"}}, kinds(res))
	require.Equal(t, rated(1, 1), []int{res.Changes[4].After, res.Changes[5].After}, "a pair is rated as one")
	require.Equal(t, rated(2, 2)[0], res.Changes[0].After, "a player as half a side")

	teams := four
	teams.teams = [2]table.TeamID{cat, abc}
	_, res = mustPlay(t, s, teams)
	require.Equal(t, map[string][]string{"player": {"ana", "cleo", "ben", "dan"}, "team": {"Team CAT", "Team ABC"}}, kinds(res))
	stand := mustStandings(t, s, lobby.StandingsQuery{Kind: lobby.KindTeam})
	require.Equal(t, []string{"CAT", "ABC"}, []string{stand[0].Tag, stand[1].Tag})

	alone := four
	alone.rules, alone.seats = "classic", who[:3]
	alone.winner = 3
	_, res = mustPlay(t, s, alone)
	require.Equal(t, map[string][]string{"player": {"ana", "ben", "cleo"}}, kinds(res))
	require.Len(t, mustStandings(t, s, lobby.StandingsQuery{Kind: lobby.KindPair}), 2)

	// The same two are the same pair wherever they sit.
	partners.seats = []table.Player{who[3], who[0], who[1], who[2]}
	mustPlay(t, s, partners)
	pairs := mustStandings(t, s, lobby.StandingsQuery{Kind: lobby.KindPair})
	require.Len(t, pairs, 2)
	require.Equal(t, []any{"ben + dan", 2, 1}, []any{pairs[0].Name, pairs[0].Games, pairs[0].Won})
}

func TestPlacesOfManySides(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben", "cleo")
	m := match{rules: "classic target=60", seats: who, at: noon, seed: 4}
	_, res := mustPlay(t, s, m)
	require.Equal(t, table.EndPlayed, res.Ending)
	places := make([]int, 3)
	for i, points := range res.Scores {
		for _, other := range res.Scores {
			if other > points {
				places[i]++
			}
		}
	}
	newcomers := [][]rating.Rating{{rating.Initial()}, {rating.Initial()}, {rating.Initial()}}
	for i, side := range rating.Update(newcomers, places) {
		require.Equal(t, side[0].Number(), res.Changes[i].After, "side %d of %v", i+1, res.Scores)
	}

	m.stop, m.ending, m.winner = 30, table.EndForfeit, 2
	s = newStore(t)
	mustCreateAll(t, s, "ana", "ben", "cleo")
	_, res = mustPlay(t, s, m)
	require.Equal(t, res.Changes[0].After, res.Changes[2].After, "who is not the winner of a forfeit has lost, whatever the points %v",
		res.Scores)
	require.Less(t, res.Changes[0].After, res.Changes[1].After)
}

func TestWhatDoesNotCount(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	who := mustCreateAll(t, s, "ana", "ben")
	for name, m := range map[string]match{
		"casual":           {rules: "classic target=10", casual: true},
		"abandoned":        {rules: "classic", stop: 5, ending: table.EndAbandoned},
		"a casual forfeit": {rules: "classic", stop: 5, ending: table.EndForfeit, winner: 1, casual: true},
		"going on":         {rules: "classic", stop: 5, open: true},
	} {
		m.seats, m.at = who, noon
		_, res := mustPlay(t, s, m)
		if res != nil {
			require.Empty(t, res.Changes, name)
		}
	}
	id, at := mustNumbers(t, s)
	turned := condense(match{rules: "classic target=10", seats: who, at: noon}.batches(t, id, at))
	turned[1].End.Rated = false // it became casual while it was played
	for _, b := range turned {
		require.NoError(t, commit(s, b))
	}
	require.Empty(t, projection(t, path))
	months, err := s.Months(ctx)
	require.NoError(t, err)
	require.Empty(t, months)
}

func TestRatedGamesOfNobodyAreRefused(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben")
	for name, m := range map[string]match{
		"a guest":      {rules: "classic", seats: []table.Player{who[0], {ID: -4, Name: "guest"}}},
		"a bot":        {rules: "classic", seats: []table.Player{who[0], {Name: "novice"}}},
		"one twice":    {rules: "classic", seats: []table.Player{who[0], who[0]}},
		"one team":     {rules: "classic", seats: who, teams: [2]table.TeamID{1, 0}},
		"no such team": {rules: "classic", seats: who, teams: [2]table.TeamID{1, 2}},
	} {
		m.at = noon
		id, at := mustNumbers(t, s)
		all := m.batches(t, id, at)
		require.Error(t, commit(s, all[0]), name)
	}
	require.Empty(t, mustLoad(t, s))
}

func TestHeadToHead(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben", "cleo", "dan", "eve", "fritz")
	abc, cat, efg := mustTeam(t, s, "ABC", who[0], who[1]), mustTeam(t, s, "CAT", who[2], who[3]), mustTeam(t, s, "EFG", who[4], who[5])
	play := func(a, b table.TeamID, m match) *table.Result {
		seats := map[table.TeamID][2]table.Player{abc: {who[0], who[1]}, cat: {who[2], who[3]}, efg: {who[4], who[5]}}
		m.rules, m.at, m.teams = "block target=30", noon, [2]table.TeamID{a, b}
		m.seats = []table.Player{seats[a][0], seats[b][0], seats[a][1], seats[b][1]}
		_, res := mustPlay(t, s, m)
		return res
	}
	first := play(abc, cat, match{seed: 1})
	second := play(cat, abc, match{seed: 2})
	third := play(cat, abc, match{stop: 2, ending: table.EndForfeit, winner: 2})
	play(abc, cat, match{casual: true})
	play(abc, cat, match{stop: 2, ending: table.EndAbandoned})
	play(efg, abc, match{seed: 3})

	won := 1 // the third
	for _, w := range []bool{first.Winner == 1, second.Winner == 2} {
		if w {
			won++
		}
	}
	h, err := s.HeadToHead(ctx, abc, cat)
	require.NoError(t, err)
	require.Equal(t, []int{won, 3 - won}, []int{h.WonA, h.WonB})
	require.Equal(t, first.Scores[0]+second.Scores[1]+third.Scores[1], h.PointsA)
	require.Equal(t, first.Scores[1]+second.Scores[0]+third.Scores[0], h.PointsB)
	require.Equal(t, []string{"ABC", "CAT"}, []string{h.A.Tag, h.B.Tag})
	require.Equal(t, []int{4, 3}, []int{h.A.Games, h.B.Games})
	require.Len(t, h.Games, 3)
	require.Equal(t, [2]string{"CAT", "ABC"}, h.Games[0].Teams)
	require.Equal(t, table.EndForfeit, h.Games[0].Ending)

	turned, err := s.HeadToHead(ctx, cat, abc)
	require.NoError(t, err)
	require.Equal(t, []int{h.WonB, h.WonA, h.PointsB, h.PointsA}, []int{turned.WonA, turned.WonB, turned.PointsA, turned.PointsB})
	require.ErrorIs(t, errOf(s.HeadToHead(ctx, abc, 99)), lobby.ErrNotFound)
}

// A game of a number of rounds that ends with equal highest scores is neither won nor lost: it is rated as half each.
func TestStandingsOfASharedGame(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben", "cleo")
	var res *table.Result
	for seed := uint64(1); res == nil; seed++ { // at random few games are shared
		require.Less(t, seed, uint64(2000), "no game was shared")
		m := match{rules: "classic rounds=1", seats: who[:2], at: noon, seed: seed}
		all := m.batches(t, 1, 1)
		if all[len(all)-1].End.Shared() {
			_, res = mustPlay(t, s, m)
		}
	}
	require.Equal(t, res.Scores[0], res.Scores[1])
	after := rating.Update([][]rating.Rating{{rating.Initial()}, {rating.Initial()}}, []int{0, 0})[0][0]
	for _, v := range mustStandings(t, s, lobby.StandingsQuery{Kind: lobby.KindPlayer}) {
		require.Equal(t, lobby.Standing{
			Rank: v.Rank, ID: v.ID, Name: v.Name, Rating: after.Number(), Provisional: true, Games: 1, Shared: 1, For: res.Scores[0],
			Against:  res.Scores[0],
			LastFive: "S", History: []int{after.Number()},
		}, v)
	}
	done := mustRebuild(t, s)
	require.Equal(t, store.Rebuilt{Games: 1, Rows: done.Rows}, done)
}
