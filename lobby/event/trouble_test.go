package event_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event"
	"boneyard/lobby/event/eventtest"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
)

// forgetful fails once after it has created an event: when it answers, or when its journal is read.
type forgetful struct {
	*lobbytest.Store
	unsure, unread bool
}

func (f *forgetful) CreateEvent(ctx context.Context, e event.Event) (event.Event, error) {
	kept, err := f.Store.CreateEvent(ctx, e)
	if f.unsure {
		f.unsure = false
		return event.Event{}, context.DeadlineExceeded
	}
	return kept, err
}

func (f *forgetful) EventLog(ctx context.Context, id event.ID) ([]event.Entry, error) {
	if f.unread {
		f.unread = false
		return nil, errors.New("could not be read")
	}
	return f.Store.EventLog(ctx, id)
}

// hasty is a journal during whose answer a game ends.
type hasty struct {
	*lobbytest.Store
	end func()
}

func (h *hasty) EventGames(ctx context.Context, id event.ID) ([]event.Played, error) {
	games, err := h.Store.EventGames(ctx, id)
	h.end()
	return games, err
}

// TestAGameThatEndsDuringTheStartCounts: tables play while a starting server restores the events.
func TestAGameThatEndsDuringTheStartCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := eventtest.New(t, ladders())
		h.Start()
		room, err := h.Events.Create(t.Context(), event.Event{Kind: "ladder", Key: "one", Begins: time.Now().Add(-ladderOpens)})
		require.NoError(t, err)
		synctest.Wait()
		id := room.Event().ID
		h.Stop()
		journal := &hasty{h.Store, func() { h.Events.Ended(h.Play(table.Event{ID: id, Pairing: 1}, won)) }}
		h.Events = event.NewEvents(event.Deps{Journal: journal, Club: h, Now: time.Now, Log: h.Log, Kinds: h.Kinds, Context: t.Context()})
		require.NoError(t, h.Events.Start(t.Context()))
		synctest.Wait()
		require.NotContains(t, h.Tables(), table.Event{ID: id, Pairing: 1}, "it has been played")
	})
}

// An event that is on disk gets its room, even if its creator got an error.
func TestAnEventOnDiskGetsItsRoom(t *testing.T) {
	for _, trouble := range []forgetful{{unsure: true}, {unread: true}} {
		synctest.Test(t, func(t *testing.T) {
			ctx, end := context.WithCancel(context.Background())
			defer end()
			h := eventtest.New(t, ladders())
			h.Start()
			h.Stop()
			trouble.Store = h.Store
			h.Events = event.NewEvents(event.Deps{Journal: &trouble, Club: h, Now: time.Now, Log: h.Log, Kinds: h.Kinds, Context: ctx})
			require.NoError(t, h.Events.Start(ctx))
			e := event.Make("ladder", nil, time.Now())
			e.Key = "x"
			_, err := h.Events.Create(ctx, e)
			require.Error(t, err)
			time.Sleep(time.Minute)
			kept, err := h.Store.Event(ctx, "ladder", "x")
			require.NoError(t, err)
			require.NotNil(t, h.Events.Room(kept.ID))
		})
	}
}
