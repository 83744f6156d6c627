package duplicate_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/eventtest"
	"boneyard/rules"
	"boneyard/table"
)

func kinds() event.Kinds { return event.KindsOf(duplicate.Type) }

// begin makes a match in a hall.
func begin(t *testing.T, restart bool) (*eventtest.Hall, event.ID) {
	t.Helper()
	h := eventtest.New(t, kinds())
	h.Restart = restart
	h.Start()
	c := duplicate.Config{Rules: "classic rounds=2", Pace: table.PaceNormal, By: "ana"}
	require.NoError(t, c.Complete())
	e := duplicate.Make(c, rules.Seed{7}, time.Now())
	room, err := h.Events.Create(context.Background(), e)
	require.NoError(t, err)
	return h, room.Event().ID
}

// do makes a request, and restarts the server if the test wants that.
func do(t *testing.T, h *eventtest.Hall, id event.ID, f func(m *duplicate.Match) ([]event.Entry, error)) {
	t.Helper()
	require.NoError(t, h.Events.Room(id).Do(context.Background(), func(r event.Rules, _ time.Time) ([]event.Entry, error) {
		return f(r.(*duplicate.Match))
	}))
	h.Settle()
}

func enter(t *testing.T, h *eventtest.Hall, id event.ID, team duplicate.Team, p table.PlayerID) {
	t.Helper()
	do(t, h, id, func(m *duplicate.Match) ([]event.Entry, error) {
		return m.Enter(table.Player{ID: p, Name: string(rune('a' + p))}, "", team)
	})
}

// final is the state of a match according to its journal.
func final(t *testing.T, h *eventtest.Hall, id event.ID) (*duplicate.View, event.Rules, []event.Played) {
	t.Helper()
	all, err := h.Store.Events(context.Background(), duplicate.Kind, 0)
	require.NoError(t, err)
	r, _, err := event.Replay(context.Background(), h.Store, kinds(), all[0])
	require.NoError(t, err)
	games, err := h.Store.EventGames(context.Background(), id)
	require.NoError(t, err)
	return r.View(nil).(*duplicate.View), r, games
}

// A server that is restarted after every step loses nothing, and each game is played once.
func TestAMatchOverRestarts(t *testing.T) {
	for _, restart := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h, id := begin(t, restart)
			h.Settle()
			for p := range table.PlayerID(8) {
				require.Empty(t, h.Tables())
				enter(t, h, id, duplicate.Team(p%2+1), p+1)
			}
			tables := h.Tables()
			require.Len(t, tables, 2)
			seats := func(no int64) (ids []table.PlayerID) {
				at := tables[table.Event{ID: id, Pairing: no}]
				require.Equal(t, rules.Seed{7}, at.Occasion.Seed)
				require.True(t, at.Config.Event.Sealed && at.Config.Event.Private && !at.Config.Watchers)
				for _, p := range at.Occasion.Seats {
					ids = append(ids, p.ID)
				}
				return ids
			}
			// Team A is 1, 3, 5, 7 and team B 2, 4, 6, 8.
			require.Equal(t, []table.PlayerID{1, 6, 3, 8}, seats(1))
			require.Equal(t, []table.PlayerID{2, 5, 4, 7}, seats(2))
			one := h.Play(table.Event{ID: id, Pairing: 1}, table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{40, 25}, Rounds: 2})
			if !restart { // else the end comes before the event is told
				h.Events.Ended(one)
				h.Events.Ended(one)
			}
			h.Settle()
			v := h.Events.Room(id).View().(*duplicate.View)
			require.Equal(t, [2]bool{true, false}, v.Ended)
			require.Zero(t, v.Games)
			require.Empty(t, v.Seed)
			require.Len(t, h.Tables(), 1)
			two := h.Play(table.Event{ID: id, Pairing: 2}, table.Result{Ending: table.EndPlayed, Winner: 2, Scores: []int{10, 30}, Rounds: 2})
			if !restart {
				h.Events.Ended(two)
			}
			h.Settle()
			require.Nil(t, h.Events.Room(id))
			v, r, games := final(t, h, id)
			require.True(t, v.Over && v.Played)
			require.Equal(t, 40-25+30-10, v.Margin)
			require.Equal(t, duplicate.A, v.Winner)
			require.Equal(t, rules.Seed{7}.String(), v.Seed)
			check := r.(event.Checker)
			require.Empty(t, check.Check(games))
			games[1].Result.Scores = []int{11, 30}
			require.Len(t, check.Check(games), 1)
			require.Len(t, check.Check(games[:1]), 1)
			closings, err := h.Store.Closings(context.Background(), duplicate.Kind, 0)
			require.NoError(t, err)
			f, err := event.Read[duplicate.Final](closings[0].Last)
			require.NoError(t, err)
			require.Equal(t, duplicate.Final{Begun: true, Played: true, Margin: 35, Winner: duplicate.A}, f)
		})
	}
}

// A team that gives a game up at either table loses the match; if both do, nobody wins.
func TestGivingUp(t *testing.T) {
	up := func(side int) table.Result {
		return table.Result{Ending: table.EndForfeit, Winner: side, Scores: []int{5, 50}}
	}
	played := table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{50, 5}}
	for _, c := range []struct {
		one, two table.Result
		want     duplicate.Team
	}{
		{up(1), played, duplicate.A}, {up(2), played, duplicate.B}, {played, up(1), duplicate.B}, {played, up(2), duplicate.A},
		{up(1), up(2), duplicate.A}, {up(1), up(1), 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			h, id := begin(t, false)
			enter(t, h, id, duplicate.A, 1)
			enter(t, h, id, duplicate.B, 2)
			do(t, h, id, func(m *duplicate.Match) ([]event.Entry, error) { return m.Start("ana", false) })
			h.Events.Ended(h.Play(table.Event{ID: id, Pairing: 2}, c.two))
			h.Events.Ended(h.Play(table.Event{ID: id, Pairing: 1}, c.one))
			h.Settle()
			v, _, _ := final(t, h, id)
			require.True(t, v.Over)
			require.False(t, v.Played)
			require.Equal(t, c.want, v.Winner)
		})
	}
}

// A match whose games are not finished ends by itself, and its tables close.
func TestAMatchThatNobodyEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, id := begin(t, false)
		enter(t, h, id, duplicate.A, 1)
		enter(t, h, id, duplicate.B, 2)
		do(t, h, id, func(m *duplicate.Match) ([]event.Entry, error) { return m.Start("olga", true) })
		require.Len(t, h.Tables(), 2)
		time.Sleep(4 * time.Hour)
		h.Settle()
		require.Empty(t, h.Tables())
		v, _, _ := final(t, h, id)
		require.True(t, v.Over)
		require.Zero(t, v.Winner)
	})
}

// A match ends with its first abandoned game, even across restarts: nothing can be compared. Its tables
// close.
func TestAnAbandonedGame(t *testing.T) {
	for _, restart := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h, id := begin(t, restart)
			enter(t, h, id, duplicate.A, 1)
			enter(t, h, id, duplicate.B, 2)
			do(t, h, id, func(m *duplicate.Match) ([]event.Entry, error) { return m.Start("ana", false) })
			p := h.Play(table.Event{ID: id, Pairing: 2}, table.Result{Ending: table.EndAbandoned, Scores: []int{10, 0}})
			if !restart {
				h.Events.Ended(p)
			}
			h.Settle()
			require.Empty(t, h.Tables())
			v, r, games := final(t, h, id)
			require.Equal(t, duplicate.Final{Begun: true, Empty: 2}, v.Final)
			require.Empty(t, r.(event.Checker).Check(games))
		})
	}
}

// Rules are changed so that two tables can be compared.
func TestConfig(t *testing.T) {
	c := duplicate.Config{Rules: "classic", Pace: table.PaceFast}
	require.NoError(t, c.Complete())
	r, err := rules.Parse(c.Rules)
	require.NoError(t, err)
	require.True(t, r.Teams)
	require.Equal(t, duplicate.Rounds, r.Rounds)
	require.Equal(t, rules.NextLead, r.Next)
	for _, c := range []duplicate.Config{{Rules: "chess", Pace: table.PaceFast}, {Rules: "classic", Pace: table.PaceNone}} {
		require.ErrorIs(t, c.Complete(), duplicate.ErrConfig)
	}
}
