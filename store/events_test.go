package store_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	events "boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/league"
	"boneyard/rules"
	"boneyard/store"
	"boneyard/table"
)

// A table of a sealed event may begin a game just after the event has ended: that game is not sealed for ever.
func TestAGameThatBeginsAfterItsEvent(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "club.db"), store.DefaultOptions())
	seats := mustCreateAll(t, s, "ana", "ben")
	e := mustEvent(t, s, daily.Make(noon, 1, rules.Seed{1}))
	require.NoError(t, s.AppendEvent(ctx, e.ID, 0, []events.Entry{{At: noon, Kind: events.KindOver, Data: json.RawMessage(`null`)}}, true))
	game, _ := mustPlay(t, s, match{rules: "classic", seats: seats, at: noon, event: table.Event{ID: e.ID, Pairing: 1, Sealed: true}})
	_, _, err := s.Record(ctx, game)
	require.NoError(t, err)
}

// askEvents calls all of the store's methods about events. It leaves a finished event with one game, whose result is off by so many points.
func askEvents(t testing.TB, s *store.Store, seats []table.Player, off int) {
	t.Helper()
	e := mustEvent(t, s, daily.Make(noon, 1, rules.Seed{1}))
	again := mustEvent(t, s, daily.Make(noon, 2, rules.Seed{2}))
	require.Equal(t, e, again, "there is one of each key")
	other := mustEvent(t, s, daily.Make(noon.Add(24*time.Hour), 2, rules.Seed{2}))
	game, end := mustPlay(t, s, match{rules: "classic", seats: seats, at: noon, event: table.Event{ID: e.ID, Pairing: 1, Sealed: true}})

	_, _, err := s.Record(ctx, game)
	require.ErrorIs(t, err, lobby.ErrNotFound, "it is sealed")
	for _, q := range []lobby.GamesQuery{{Limit: 5}, {Limit: 5, Player: seats[0].ID}, {Limit: 5, Mine: seats[0].ID},
		{Limit: 5, Text: seats[0].Name}} {
		for _, g := range mustGames(t, s, q) {
			require.NotEqual(t, game, g.ID, "%+v", q)
		}
	}
	lines, err := s.Moves(ctx, game)
	require.NoError(t, err)
	require.NotEmpty(t, lines)
	played, err := s.EventGames(ctx, e.ID)
	require.NoError(t, err)
	require.Len(t, played, 1)
	require.Equal(t, game, played[0].Game)
	require.Equal(t, int64(1), played[0].Start.Event.Pairing)
	require.Equal(t, seats[0].Name, played[0].Start.Seats[0].Name)
	require.NotEmpty(t, played[0].Result.Scores)

	entries := []events.Entry{
		{Seq: 1, At: noon, Kind: "attempt", Data: json.RawMessage(fmt.Sprintf(`{"no":1,"player":%d,"name":"ana"}`, seats[0].ID))},
		{Seq: 2, At: noon, Kind: "result",
			Data: json.RawMessage(fmt.Sprintf(`{"no":1,"game":%d,"for":%d,"against":%d,"played":true}`, game, end.Scores[0]+off, end.Scores[1]))},
	}
	require.NoError(t, s.AppendEvent(ctx, e.ID, 0, entries, false))
	require.ErrorIs(t, s.AppendEvent(ctx, e.ID, 0, entries, false), events.ErrConflict)
	require.ErrorIs(t, s.AppendEvent(ctx, 99, 0, nil, false), events.ErrNotFound)
	held, err := s.Events(ctx, "", 0)
	require.NoError(t, err)
	require.Equal(t, []events.Event{other, e}, held)
	require.NoError(t, s.AppendEvent(ctx, e.ID, 2, []events.Entry{{At: noon, Kind: events.KindOver, Data: json.RawMessage(`null`)}}, true))
	held, err = s.Events(ctx, "", 0)
	require.NoError(t, err)
	require.Equal(t, []events.Event{other}, held)
	all, err := s.Events(ctx, "daily", 1)
	require.NoError(t, err)
	require.Equal(t, []events.Event{other}, all)
	e.Over = true
	kept, err := s.Event(ctx, "daily", e.Key)
	require.NoError(t, err)
	require.Equal(t, e, kept)
	require.ErrorIs(t, errOf(s.Event(ctx, "daily", "never")), events.ErrNotFound)
	kept, err = s.EventByID(ctx, e.ID)
	require.NoError(t, err)
	require.Equal(t, e, kept)
	require.ErrorIs(t, errOf(s.EventByID(ctx, 99)), events.ErrNotFound)
	log, err := s.EventLog(ctx, e.ID)
	require.NoError(t, err)
	require.Equal(t, append(entries, events.Entry{Seq: 3, At: noon, Kind: events.KindOver, Data: json.RawMessage(`null`)}), log)
	closings, err := s.Closings(ctx, "daily", 0)
	require.NoError(t, err)
	require.Len(t, closings, 1)
	require.Equal(t, e.ID, closings[0].Event.ID)
	require.Equal(t, log[2], closings[0].Last)
	closings, err = s.Closings(ctx, "arena", 0)
	require.NoError(t, err)
	require.Empty(t, closings)
	_, opened, err := s.Record(ctx, game)
	require.NoError(t, err, "the event is over")
	require.Equal(t, lines, opened)
}

func mustEvent(t testing.TB, s *store.Store, e events.Event) events.Event {
	t.Helper()
	kept, err := s.CreateEvent(ctx, e)
	require.NoError(t, err)
	return kept
}

func TestEvents(t *testing.T) {
	for _, off := range []int{0, 5} {
		path := newPath(t)
		s := mustOpen(t, path, options(t))
		askEvents(t, s, mustCreateAll(t, s, "ana", "ben"), off)
		mustClose(t, s)
		f, err := store.Check(ctx, path, nil)
		require.NoError(t, err)
		if off == 0 {
			require.Empty(t, f.Problems)
			continue
		}
		require.Len(t, f.Problems, 1, "the journal of the event and the game do not agree")
		require.Regexp(t, `^event 1: ana has \d+ to \d+, and game 1 ended`, f.Problems[0])
	}
}

// The check finds a league match and an arena game that do not agree with the games.
func TestCheckOfLeaguesAndArenas(t *testing.T) {
	type fields map[string]any
	for _, off := range []int{0, 5} {
		path := newPath(t)
		s := mustOpen(t, path, options(t))
		seats := mustCreateAll(t, s, "ana", "ben", "cem", "dora")
		held := mustEvent(t, s, events.Event{
			Kind: league.Kind, Key: "1", Begins: noon,
			Config: json.RawMessage(`{"name":"Winter","rules":"block","pace":"fast","window":604800000000000,"size":8}`),
		})
		game, end := mustPlay(t, s, match{rules: "block", seats: seats, at: noon, event: table.Event{ID: held.ID, Pairing: 1}})
		log := []events.Entry{
			events.New("begin", fields{"teams": []fields{{"id": 1, "tag": "OWL", "seed": 1}, {"id": 2, "tag": "CAT", "seed": 2}}}),
			events.New("open", fields{"no": 1}), events.New("table", fields{"no": 1, "pairing": 1}),
			events.New("took", fields{"no": 1, "pairing": 1, "game": game, "winner": end.Winner,
				"points": []int{end.Scores[0] + off, end.Scores[1]}}),
		}
		stamp := func() {
			for i := range log {
				log[i].At = noon
			}
		}
		stamp()
		require.NoError(t, s.AppendEvent(ctx, held.ID, 0, log, false))

		hour := mustEvent(t, s, events.Event{Kind: arena.Kind, Key: "1", Begins: noon, Ends: noon.Add(time.Hour),
			Config: json.RawMessage(`{"rules":"classic","pace":"fast"}`)})
		game, end = mustPlay(t, s, match{rules: "classic", seats: seats[:2], at: noon, event: table.Event{ID: hour.ID, Pairing: 1}})
		winner := seats[end.Winner-1].ID
		if off > 0 {
			winner = seats[2-end.Winner].ID
		}
		log = []events.Entry{
			events.New("enter", fields{"members": seats[:1]}), events.New("enter", fields{"members": seats[1:2]}), events.New("begin", nil),
			events.New("pair", fields{"No": 1, "A": seats[0].ID, "B": seats[1].ID}),
			events.New("took", fields{"game": game, "no": 1, "winner": winner}),
		}
		stamp()
		require.NoError(t, s.AppendEvent(ctx, hour.ID, 0, log, false))
		mustClose(t, s)
		f, err := store.Check(ctx, path, nil)
		require.NoError(t, err)
		if off == 0 {
			require.Empty(t, f.Problems)
			continue
		}
		all := strings.Join(f.Problems, "\n")
		require.Contains(t, all, "event 1: match 1: game 1 ended")
		require.Regexp(t, `event 2: game 2 was won by side`, all)
		require.Regexp(t, `event 2: (ana|ben) has 2 points, and by the games 0`, all)
	}
}
