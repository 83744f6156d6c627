package season_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event"
	"boneyard/lobby/event/eventtest"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/season"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
)

// shakyGames cannot read the games of an event.
type shakyGames struct {
	*lobbytest.Store
	of atomic.Int64 // 0: it reads all
}

func (s *shakyGames) EventGames(ctx context.Context, id event.ID) ([]event.Played, error) {
	if int64(id) == s.of.Load() {
		return nil, fmt.Errorf("%w: not now", table.ErrUnavailable)
	}
	return s.Store.EventGames(ctx, id)
}

// stuckClub cannot close tables, so that rooms of events that are over remain.
type stuckClub struct {
	*eventtest.Hall
	stuck atomic.Bool
}

func (c *stuckClub) CloseTable(ctx context.Context, id table.ID) error {
	if c.stuck.Load() {
		return table.ErrUnavailable
	}
	return c.Hall.CloseTable(ctx, id)
}

func (c *stuckClub) Trouble(_ string, err error) error { return err }

// Two events are over, their tables cannot be closed, and one's games cannot be read: in the end both count.
func TestTheSeasonCountsWhatWasReadLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, people := eight(t)
		c.Stop()
		games, club := &shakyGames{Store: c.Store}, &stuckClub{Hall: c.Hall}
		club.stuck.Store(true)
		c.Events = event.NewEvents(event.Deps{Journal: games, Club: club, Now: time.Now, Log: c.Log, Kinds: kinds, Context: context.Background()})
		require.NoError(t, c.Events.Start(t.Context()))
		var ids []event.ID
		for _, key := range []string{"a", "b"} {
			room, err := c.Events.Create(t.Context(), c.make(field.Kind, key))
			require.NoError(t, err)
			ids = append(ids, room.Event().ID)
			for _, p := range people[:6] {
				require.NoError(t, room.Do(t.Context(), func(r event.Rules, now time.Time) ([]event.Entry, error) {
					return enter(r, p, c.net(p.ID), now)
				}))
			}
		}
		b := season.NewBook(c.Events)
		_, err := b.Outcomes(t.Context())
		require.NoError(t, err)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		for of := range c.Tables() {
			if of.Pairing == 3 {
				continue // it stays a table
			}
			c.Events.Ended(c.Play(of, table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{50 + 10*int(of.Pairing), 40}, Own: []int{8, 8},
				Plays: []int{8, 8}}))
		}
		synctest.Wait()
		time.Sleep(3*time.Hour + time.Minute)
		synctest.Wait()
		month := season.FirstDay(time.Now())
		games.of.Store(int64(ids[1]))
		_, _ = b.Outcomes(t.Context()) // an error is as good as taking neither
		games.of.Store(0)
		club.stuck.Store(false)
		time.Sleep(time.Hour)
		synctest.Wait()
		for _, id := range ids {
			require.Nil(t, c.Events.Room(id))
			e, err := c.Store.EventByID(t.Context(), id)
			require.NoError(t, err)
			b.Over(e)
		}
		want := points(t, season.NewBook(c.Events), month)
		require.NotEmpty(t, want)
		require.Equal(t, want, points(t, b, month), "what is on disk")
	})
}
