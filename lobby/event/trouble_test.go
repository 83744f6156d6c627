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
