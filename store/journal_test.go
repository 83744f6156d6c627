package store_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/rules/record"
	"boneyard/table"
)

func TestGameComesBackAsItWasWritten(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	who := mustCreateAll(t, s, "ana", "ben")
	m := match{rules: "classic target=100", seats: who, at: noon, seed: 7, open: true, stop: 12}
	all := m.batches(t, 1, 1)
	var chat []table.ChatLine
	for i, b := range all {
		line := table.ChatLine{Seq: int64(i + 1), At: noon.Add(time.Duration(i)), From: who[i%2], Text: "héllo", Room: table.RoomPlayers,
			House: i%3 == 0}
		b.Chat, chat = []table.ChatLine{line}, append(chat, line)
		require.NoError(t, commit(s, b))
	}
	before := mustLoad(t, s)
	mustClose(t, s)

	s = mustOpen(t, path, options(t))
	after := mustLoad(t, s)
	require.Equal(t, before, after)
	var rows []table.Row
	for _, b := range all {
		rows = append(rows, b.Rows...)
	}
	want := table.Saved{Table: 1, State: all[len(all)-1].State, Game: 1, Start: all[0].Start, Rows: rows, Chat: chat}
	require.Equal(t, []table.Saved{want}, after)
	require.NoError(t, record.Check(strings.NewReader(recordOf(all))))
}

func TestOnlyTheLastLinesOfTheChatComeBack(t *testing.T) {
	s := newStore(t)
	for i := range 1000 {
		b := &table.Batch{Table: 3, State: []byte("{}"),
			Chat: []table.ChatLine{{Seq: int64(i + 1), At: noon, Text: "x", Room: table.RoomWatchers}}}
		require.NoError(t, commit(s, b))
	}
	saved := mustLoad(t, s)
	require.Len(t, saved[0].Chat, 200)
	require.EqualValues(t, 801, saved[0].Chat[0].Seq)
	require.EqualValues(t, 1000, saved[0].Chat[199].Seq)
}

func TestClosedTablesDoNotComeBack(t *testing.T) {
	s := newStore(t)
	for id := table.ID(1); id <= 3; id++ {
		require.NoError(t, commit(s, &table.Batch{Table: id, State: []byte("{}")}))
	}
	require.NoError(t, commit(s, &table.Batch{Table: 2, State: []byte(`{"closed":true}`), Final: true}))
	saved := mustLoad(t, s)
	require.Len(t, saved, 2)
	require.EqualValues(t, 1, saved[0].Table)
	require.EqualValues(t, 3, saved[1].Table)
}

func TestAFinishedGameIsNotPlayedOn(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben")
	id, end := mustPlay(t, s, match{rules: "classic target=10", seats: who, at: noon})
	require.Equal(t, table.EndPlayed, end.Ending)

	saved := mustLoad(t, s)
	require.Zero(t, saved[0].Game)
	require.Nil(t, saved[0].Rows)

	_, lines, err := s.Record(ctx, id)
	require.NoError(t, err)
	late := &table.Batch{Table: 1, Game: id, Seq: len(lines), Rows: []table.Row{{Line: "# late", At: noon}}}
	require.ErrorIs(t, commit(s, late), table.ErrConflict)
	late.Rows, late.State = nil, []byte(`{"after":"the game"}`)
	require.NoError(t, commit(s, late), "the table goes on without lines")
}

func TestNumbersAreNeverGivenTwice(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	var mu sync.Mutex
	tables, games := map[table.ID]bool{}, map[table.GameID]bool{}
	take := func() {
		id, err := s.NextTable(ctx)
		require.NoError(t, err)
		game, err := s.NextGame(ctx)
		require.NoError(t, err)
		mu.Lock()
		defer mu.Unlock()
		require.False(t, tables[id] || games[game], "table %d, game %d", id, game)
		tables[id], games[game] = true, true
	}
	for range 3 {
		var all sync.WaitGroup
		for range 50 {
			all.Go(take)
		}
		all.Wait()
		mustClose(t, s)
		s = mustOpen(t, path, options(t))
	}
	require.Len(t, tables, 150)
}

func TestRecordOfAFinishedGameOnly(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben")
	m := match{rules: "azneef target=50", seats: who, at: noon, seed: 3}
	all := m.batches(t, 1, 1)
	for i, b := range all {
		_, _, err := s.Record(ctx, 1)
		require.ErrorIs(t, err, lobby.ErrNotFound, "after %d of %d batches", i, len(all))
		require.NoError(t, commit(s, b))
	}
	info, lines, err := s.Record(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, recordOf(all), strings.Join(lines, "\n")+"\n")
	require.Equal(t, []string{"ana", "ben"}, info.Seats)
	require.Equal(t, all[len(all)-1].End.Scores, info.Scores)
	require.Equal(t, noon, info.Started)
	require.Equal(t, noon.Add(time.Duration(len(lines)-1)*time.Second), info.Ended)
	require.True(t, info.Finished && info.Rated)
}

// The journal says "never" only to a batch that is itself wrong, alone or among others that are written, and
// "try again" in all other cases.
func TestThreeAnswers(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben", "cleo", "dan")
	abc := mustTeam(t, s, "ABC", who[0], who[2])
	stranger := table.Player{ID: 99, Name: "eve"}
	batches := func(game table.GameID, m match) []*table.Batch {
		m.at = noon
		return m.batches(t, game, table.ID(game))
	}
	noTeam := batches(1, match{rules: "block target=10", seats: who, teams: [2]table.TeamID{abc, 77}})
	noMember := batches(2, match{rules: "classic target=10", seats: []table.Player{who[0], stranger}})
	sound := batches(3, match{rules: "classic target=10", seats: who[:2]})
	last := len(noMember) - 1
	for _, b := range noMember[:last] {
		require.NoError(t, commit(s, b))
	}
	for _, bad := range []*table.Batch{noTeam[0], noMember[last]} {
		err := commit(s, bad)
		require.ErrorIs(t, err, lobby.ErrNotFound)
		require.NotErrorIs(t, err, table.ErrUnavailable)

		release := make(chan struct{})
		held := s.Hold(release)
		answers := make(chan error, 2)
		for _, b := range []*table.Batch{bad, sound[0]} {
			s.Commit(b, func(_ []table.Delta, err error) { answers <- err })
		}
		sound = sound[1:]
		close(release)
		require.NoError(t, <-held)
		err = <-answers
		require.ErrorIs(t, err, lobby.ErrNotFound)
		require.NotErrorIs(t, err, table.ErrUnavailable)
		require.NoError(t, <-answers)
	}
	noMember[last].End.Rated = false // as a table does that gives up
	require.NoError(t, commit(s, noMember[last]))

	s.Tamper(t, `ALTER TABLE journal RENAME TO elsewhere`) // whatever that is, it is not the batch's fault
	require.ErrorIs(t, commit(s, sound[0]), table.ErrUnavailable)
	s.Tamper(t, `ALTER TABLE elsewhere RENAME TO journal`)
	require.NoError(t, commit(s, sound[0]))
}
