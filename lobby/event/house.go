package event

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"boneyard/table"
)

// Kinds are the rules of events by kind; each begins the state of one.
type Kinds map[Kind]func(Event) (Rules, error)

// Deps is what events are held with.
type Deps struct {
	Journal Journal
	Club    Club
	Kinds   Kinds
	Now     func() time.Time
	Log     *slog.Logger
}

// Events holds all events that are not over. Its methods may be called by any goroutine.
type Events struct {
	deps Deps

	mu      sync.Mutex
	rooms   map[ID]*Room
	stopped bool
	opening sync.Mutex // one event is created at a time
}

// NewEvents holds no event yet; Start brings them back.
func NewEvents(d Deps) *Events { return &Events{deps: d, rooms: map[ID]*Room{}} }

// Start brings back the events that are on disk and not over, when all tables are there. One that cannot be brought back is
// logged, and stays on disk as it is.
func (s *Events) Start(ctx context.Context) error {
	all, err := s.deps.Journal.Events(ctx, "", 0)
	if err != nil {
		return fmt.Errorf("load events: %w", err)
	}
	for _, e := range all {
		if _, err := s.hold(ctx, e); err != nil {
			if ctx.Err() != nil {
				return err
			}
			s.deps.Log.Error("an event cannot be brought back", "event", e.ID, "kind", e.Kind, "err", err)
		}
	}
	return nil
}

// Create begins an event, or finds the one that has its kind and key. A key that belongs to an event that is over is ErrOver.
func (s *Events) Create(ctx context.Context, e Event) (*Room, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	kept, err := s.deps.Journal.CreateEvent(ctx, e)
	if err != nil {
		return nil, err
	}
	if r := s.Room(kept.ID); r != nil {
		return r, nil
	}
	if kept.Over {
		return nil, ErrOver
	}
	return s.hold(ctx, kept)
}

// hold makes the room of an event and starts it.
func (s *Events) hold(ctx context.Context, e Event) (*Room, error) {
	r, err := restore(ctx, &s.deps, e)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return nil, ErrOver
	}
	s.rooms[e.ID] = r
	go func() {
		r.run()
		if r.rules.Over() {
			s.mu.Lock()
			delete(s.rooms, e.ID)
			s.mu.Unlock()
			s.deps.Club.Changed(e.ID)
		}
	}()
	return r, nil
}

// Room is where an event is held, nil for one that is over or not there.
func (s *Events) Room(id ID) *Room {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rooms[id]
}

// Count is how many events of each kind are not over; kinds without one have 0.
func (s *Events) Count() map[Kind]int {
	n := map[Kind]int{}
	for kind := range s.deps.Kinds {
		n[kind] = 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.rooms {
		n[r.event.Kind]++
	}
	return n
}

// Rooms lists the events of a kind that are not over, by number.
func (s *Events) Rooms(kind Kind) []*Room {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*Room
	for _, r := range s.rooms {
		if r.event.Kind == kind {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b *Room) int { return cmp.Compare(a.event.ID, b.event.ID) })
	return list
}

// Ended is told of a game that is over and on disk; it does not wait. Games of no event are none of its business.
func (s *Events) Ended(p Played) {
	if r := s.Room(p.Start.Event.ID); r != nil {
		r.ended(p)
	}
}

// Closed is told of a table that has closed; it does not wait.
func (s *Events) Closed(of table.Event, id table.ID) {
	if r := s.Room(of.ID); r != nil {
		r.closed(of.Pairing, id)
	}
}

// Stop ends all goroutines; what is on disk is brought back by the next Start. It returns when they have ended, or ctx has.
func (s *Events) Stop(ctx context.Context) error {
	s.mu.Lock()
	s.stopped = true
	var rooms []*Room
	for _, r := range s.rooms {
		rooms = append(rooms, r)
	}
	s.mu.Unlock()
	var errs []error
	for _, r := range rooms {
		r.cancel()
		select {
		case <-r.done:
		case <-ctx.Done():
			errs = append(errs, ctx.Err())
		}
	}
	return errors.Join(errs...)
}
