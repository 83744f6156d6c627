package store_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"boneyard/lobby"
	_ "boneyard/rules/sameseed"
	"boneyard/store"
	"boneyard/table"
)

func mustGames(tb testing.TB, s *store.Store, q lobby.GamesQuery) []lobby.GameInfo {
	tb.Helper()
	if q.Limit == 0 {
		q.Limit = 100
	}
	all, err := s.Games(ctx, q)
	require.NoError(tb, err)
	return all
}

func ids(games []lobby.GameInfo) (all []table.GameID) {
	for _, g := range games {
		all = append(all, g.ID)
	}
	return all
}

func TestGamesAreFoundAsOneTypes(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "big_ben", "cleo", "dan")
	abc, cat := mustTeam(t, s, "ABC", who[0], who[2]), mustTeam(t, s, "CAT", who[1], who[3])
	forfeit := match{stop: 2, ending: table.EndForfeit, winner: 1}
	games := []match{
		{rules: "classic", seats: who[:2], at: noon},
		{rules: "classic count=flank", seats: []table.Player{who[0], {Name: "novice"}}, casual: true, at: noon.AddDate(0, 1, 0)},
		{rules: "block", seats: who, teams: [2]table.TeamID{abc, cat}, at: noon.AddDate(0, 1, 10)},
		{rules: "sniff", seats: who[2:], at: noon.AddDate(1, 0, 0)},
	}
	for _, m := range games {
		m.stop, m.ending, m.winner = forfeit.stop, forfeit.ending, forfeit.winner
		mustPlay(t, s, m)
	}
	for typed, want := range map[string][]table.GameID{
		"": {4, 3, 2, 1}, "  ": {4, 3, 2, 1}, "ana": {3, 2, 1}, "AN": {3, 2, 1}, "an classic": {2, 1}, "cl": {4, 3, 2, 1}, "cle": {4, 3},
		"ben": {3, 1}, "big_b": {3, 1}, "novice": {2}, "abc": {3}, "cat abc": {3}, "count=fl": {2}, "sniff dan": {4}, "sniff ana": nil,
		"2026": {3, 2, 1}, "2026-12": {3, 2}, "2026-12-21": {2}, "dec": {3, 2}, "2027 cleo": {4}, "nobody": nil,
		`"ana" OR*(`: nil, `ana' --`: {3, 2, 1}, "NEAR(": nil, "-": {4, 3, 2, 1}, "ana\x00": {3, 2, 1},
	} {
		require.Equal(t, want, ids(mustGames(t, s, lobby.GamesQuery{Text: typed})), "%q", typed)
	}
	require.Equal(t, []table.GameID{3, 2, 1}, ids(mustGames(t, s, lobby.GamesQuery{Player: who[0].ID})))
	require.Equal(t, []table.GameID{3}, ids(mustGames(t, s, lobby.GamesQuery{Player: who[0].ID, Text: "cleo"})))
	require.Empty(t, mustGames(t, s, lobby.GamesQuery{Player: 99}))
	require.Equal(t, []table.GameID{3, 1}, ids(mustGames(t, s, lobby.GamesQuery{Player: who[0].ID, With: who[1].ID})))
	require.Equal(t, []table.GameID{3}, ids(mustGames(t, s, lobby.GamesQuery{Player: who[0].ID, With: who[2].ID})),
		"each has games without the other")
	require.Equal(t, []table.GameID{3}, ids(mustGames(t, s, lobby.GamesQuery{Player: who[2].ID, With: who[0].ID})))
	require.Empty(t, mustGames(t, s, lobby.GamesQuery{Player: who[0].ID, With: 99}))

	g := mustGames(t, s, lobby.GamesQuery{Text: "block"})[0]
	require.Equal(t, lobby.GameInfo{
		ID: 3, Table: 3, Rules: "block", Seats: []string{"ana", "big_ben", "cleo", "dan"}, Scores: []int{0, 0}, Winner: 1,
		Ending: table.EndForfeit,
		Rated:  true, Teams: [2]string{"ABC", "CAT"}, Started: games[2].at, Ended: g.Ended, Rounds: 1, Finished: true,
	}, g)
	require.True(t, g.Ended.After(g.Started))
}

func TestAnythingMayBeTyped(t *testing.T) {
	s := newStore(t)
	newClub(t, s, 2).play(5)
	rapid.Check(t, func(r *rapid.T) {
		typed := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z"*():^+{}'_ -]{0,20}`)).Draw(r, "typed")
		_, err := s.Games(ctx, lobby.GamesQuery{Text: typed, Player: 1, Limit: 3})
		if err != nil && !errors.Is(err, lobby.ErrManyWords) {
			r.Fatal(err)
		}
	})
}

func TestUnfinishedGamesAreSeenByTheirPlayersOnly(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben", "cleo")
	mustPlay(t, s, match{rules: "classic", seats: who[:2], at: noon, stop: 2, ending: table.EndAbandoned})
	mustPlay(t, s, match{rules: "classic", seats: who[:2], at: noon, stop: 2, open: true})
	for _, q := range []lobby.GamesQuery{{}, {Text: "ana"}, {Player: who[0].ID}, {Mine: who[2].ID}, {Player: who[0].ID, Mine: who[2].ID}} {
		require.Equal(t, []table.GameID{1}, ids(mustGames(t, s, q)), "%+v", q)
	}
	for _, q := range []lobby.GamesQuery{{Mine: who[0].ID}, {Mine: who[1].ID, Text: "ana"}, {Player: who[0].ID, Mine: who[1].ID}} {
		got := mustGames(t, s, q)
		require.Equal(t, []table.GameID{2, 1}, ids(got), "%+v", q)
		require.False(t, got[0].Finished)
		require.Zero(t, got[0].Ended)
	}
	_, _, err := s.Record(ctx, 2)
	require.ErrorIs(t, err, lobby.ErrNotFound)
}

func TestPagesOfGames(t *testing.T) {
	s := newStore(t)
	c := newClub(t, s, 8)
	c.play(60)
	for _, q := range []lobby.GamesQuery{{}, {Text: "ana"}, {Player: c.members[1].ID}, {Text: "a", Player: c.members[2].ID}} {
		whole := ids(mustGames(t, s, q))
		require.NotEmpty(t, whole)
		require.True(t, slices.IsSortedFunc(whole, func(a, b table.GameID) int { return int(b - a) }))
		var paged []table.GameID
		q.Limit = 7
		for {
			page := ids(mustGames(t, s, q))
			paged = append(paged, page...)
			if len(page) < q.Limit {
				break
			}
			q.Before = page[len(page)-1]
		}
		require.Equal(t, whole, paged, "%+v", q)
	}
}

func TestASearchHasFewWords(t *testing.T) {
	s := newStore(t)
	newClub(t, s, 2).play(3)
	search := func(text string) error {
		return errOf(s.Games(ctx, lobby.GamesQuery{Text: text, Limit: 3}))
	}
	require.NoError(t, search("a b c d e f g h"))
	require.ErrorIs(t, search("a b c d e f g h i"), lobby.ErrManyWords)
	require.NoError(t, search(strings.Repeat("classic clas ", 100)), "the same words say nothing new")
	require.ErrorIs(t, search(strings.Repeat("x", 9)+" 1 2 3 4 5 6 7 8"), lobby.ErrManyWords)
}

func TestSearchesTakeNothingFromThoseWhoComeIn(t *testing.T) {
	o := options(t)
	o.QueryTime = time.Minute
	s := mustOpen(t, newPath(t), o)
	ana := mustCreate(t, s, "ana")
	require.NoError(t, errOf(s.AddSanction(ctx, lobby.Sanction{Kind: lobby.SanctionBan, Name: "ben", At: noon})))
	free := s.HoldReaders(t)
	a, err := s.ByKey(ctx, keyOf("ana"))
	require.NoError(t, err)
	require.Equal(t, ana.ID, a.ID)
	require.NoError(t, errOf(s.ByName(ctx, "ana")))
	all, err := s.Sanctions(ctx, noon)
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.NoError(t, errOf(s.Invitations(ctx, ana.ID)))
	require.NoError(t, errOf(s.History(ctx, 0, 10)))
	free()
	mustGames(t, s, lobby.GamesQuery{Text: "ana"})
}

func TestAQueryMayNotTakeForever(t *testing.T) {
	o := options(t)
	o.QueryTime = time.Nanosecond
	s := mustOpen(t, newPath(t), o)
	require.ErrorIs(t, errOf(s.Games(ctx, lobby.GamesQuery{Text: "ana", Limit: 1})), lobby.ErrSlow)
	require.ErrorIs(t, errOf(s.ByName(ctx, "ana")), lobby.ErrSlow)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, errOf(s.Months(gone)), context.Canceled, "whoever asked does not wait any more")
}

// A file of the time when the index had whole words only is brought up to date.
func TestGamesOfOlderFilesAreFound(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	c := newClub(t, s, 4)
	c.play(30)
	queries := []lobby.GamesQuery{{Text: "a"}, {Text: "cla"}, {Text: "2026-1"}, {Text: "classic " + c.members[1].Name[:2]},
		{Text: "c", Player: c.members[0].ID}}
	var want [][]table.GameID
	for _, q := range queries {
		want = append(want, ids(mustGames(t, s, q)))
	}
	mustClose(t, s)
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	for _, change := range []string{`DROP TABLE game_words`, `CREATE VIRTUAL TABLE game_words USING fts5 (words, content='', columnsize=0,
		tokenize="unicode61 remove_diacritics 2 tokenchars '-_'", prefix='1 2 3')`} {
		require.NoError(t, errOf(db.Exec(change)))
	}
	require.NoError(t, store.IndexBeginnings(ctx, db))
	require.NoError(t, db.Close())
	s = mustOpen(t, path, options(t))
	for i, q := range queries {
		require.NotEmpty(t, want[i], "%+v", q)
		require.Equal(t, want[i], ids(mustGames(t, s, q)), "%+v", q)
	}
}

// takeOver plays a casual game in which a player takes over a bot's seat, and returns its number.
func takeOver(t testing.TB, s *store.Store, ana, ben table.Player) table.GameID {
	t.Helper()
	id, at := mustNumbers(t, s)
	bot := table.Player{Name: "nora.bot"}
	all := match{rules: "classic target=100", seats: []table.Player{ana, bot}, casual: true, at: noon}.batches(t, id, at)
	for i, b := range all {
		if i == 2 {
			taken := ben
			taken.Was = bot.Name
			b.Taken = []table.Player{ana, taken}
		}
		require.NoError(t, commit(s, b))
	}
	return id
}

// A game in which somebody took over a bot's seat is found by their name, and not by the bot's; its record
// still names the bot, and agrees with the game.
func TestASeatIsTakenOver(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	ana, ben := mustCreate(t, s, "ana"), mustCreate(t, s, "ben")
	id := takeOver(t, s, ana, ben)
	for _, q := range []lobby.GamesQuery{{Player: ben.ID, Limit: 5}, {Text: "ben", Limit: 5}, {Text: "ana ben", Player: ben.ID, Limit: 5}} {
		games := mustGames(t, s, q)
		require.Len(t, games, 1, "%+v", q)
		require.Equal(t, id, games[0].ID)
		require.Equal(t, []string{"ana", "ben"}, games[0].Seats)
	}
	require.Empty(t, mustGames(t, s, lobby.GamesQuery{Text: "nora.bot", Limit: 5}))
	_, lines, err := s.Record(ctx, id)
	require.NoError(t, err)
	require.Contains(t, lines, "seat 2 nora.bot")

	rated := match{rules: "classic", seats: []table.Player{ana, ben}, at: noon, open: true, stop: 2}
	game, at := mustNumbers(t, s)
	b := rated.batches(t, game, at)[0]
	b.Taken = b.Start.Seats
	require.Error(t, commit(s, b), "nobody takes over a seat in a rated game")
	mustClose(t, s)
	mustBeSound(t, path)
}
