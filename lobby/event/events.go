package event

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"boneyard/rules"
	"boneyard/table"
)

// Deps is what events depend on.
type Deps struct {
	Journal Store
	Club    Club
	Kinds   Kinds
	Now     func() time.Time
	Log     *slog.Logger
	Context context.Context   // ends with the club
	Daily   bool              // whether there is a daily deal
	NewSeed func() rules.Seed // for deals that nobody can predict
}

// Events holds all events that are not over. Its methods may be called by any goroutine.
type Events struct {
	deps    Deps
	keepers map[Kind]*Keeper

	mu      sync.Mutex
	rooms   map[ID]*Room
	stopped bool
	open    map[ID]bool   // events that were not over at the start; never changed afterwards
	opening chan struct{} // held while creating or restoring an event
}

// NewEvents returns Events without any event; Start restores them.
func NewEvents(d Deps) *Events {
	s := &Events{deps: d, keepers: map[Kind]*Keeper{}, rooms: map[ID]*Room{}, opening: make(chan struct{}, 1)}
	for kind, t := range d.Kinds {
		if s.keepers[kind] = (&Keeper{}); t.Keep != nil {
			s.keepers[kind] = t.Keep(s)
		}
	}
	return s
}

// Start restores the stored events that are not over. All tables must already exist. An event that makes no
// sense to this program is logged and stays on disk unchanged; a failure to read one is returned, since its
// players would wait for it until the next start.
func (s *Events) Start(ctx context.Context) error {
	s.opening <- struct{}{} // a background job may restore the same event now, and an event has one room
	defer func() { <-s.opening }()
	s.mu.Lock()
	had := maps.Clone(s.rooms) // before the read: an event that ends after it needs no second room
	s.mu.Unlock()
	all, err := s.deps.Journal.Events(ctx, "", 0)
	if err != nil {
		return fmt.Errorf("load events: %w", err)
	}
	s.mu.Lock()
	if s.open == nil {
		s.open = map[ID]bool{}
		for _, e := range all {
			s.open[e.ID] = true
		}
	}
	s.mu.Unlock()
	unread := map[ID]bool{}
	for _, e := range all {
		if had[e.ID] != nil {
			continue
		}
		if _, err := s.hold(ctx, e, time.Now().Add(returning)); err != nil {
			if !errors.Is(err, errSenseless) {
				return err
			}
			s.deps.Log.Error("an event cannot be restored", "event", e.ID, "kind", e.Kind, "err", err)
			unread[e.ID] = true
		}
	}
	s.closeOrphans(ctx, unread)
	return nil
}

// closeOrphans closes tables whose events are over. A game in progress of an unreadable event goes on:
// another version of the program may count it.
func (s *Events) closeOrphans(ctx context.Context, unread map[ID]bool) {
	for id, of := range s.deps.Club.EventTables() {
		if s.Room(of.ID) != nil {
			continue
		}
		if begun, _ := s.deps.Club.Came(id); begun && unread[of.ID] {
			continue
		}
		if err := s.deps.Club.CloseTable(ctx, id); err != nil {
			s.deps.Log.Error("a table whose event is over cannot be closed", "table", id, "event", of.ID, "err", err)
		}
	}
}

// Create creates an event, or finds the one with its kind and key. It returns ErrOver if that one is over.
func (s *Events) Create(ctx context.Context, e Event) (*Room, error) {
	ctx, release, err := Change(ctx, s.opening)
	if err != nil {
		return nil, err
	}
	defer release()
	kept, err := s.deps.Journal.CreateEvent(ctx, e)
	if err != nil {
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) { // it may be stored nevertheless
			go s.startAgain()
		}
		return nil, err
	}
	if r := s.Room(kept.ID); r != nil {
		return r, nil
	}
	if kept.Over {
		return nil, ErrOver
	}
	r, err := s.hold(s.deps.Context, kept, time.Time{}) // it exists, whatever becomes of the asker
	if err != nil && !errors.Is(err, errSenseless) && !errors.Is(err, ErrOver) {
		go s.startAgain()
	}
	return r, err
}

// startAgain restores events that are on disk and have no room, once they can be read.
func (s *Events) startAgain() {
	for {
		select {
		case <-time.After(retryMost):
		case <-s.deps.Context.Done():
			return
		}
		if s.Start(s.deps.Context) == nil {
			return
		}
	}
}

// returning is how long people have to reconnect after a start: as long as seats are kept, since nobody knows
// how much of that time was left when the server stopped.
const returning = Kept

// hold makes and starts an event's room, for which nobody counts as absent before here. s.opening is held.
func (s *Events) hold(ctx context.Context, e Event, here time.Time) (*Room, error) {
	r, err := restore(ctx, &s.deps, e)
	if err != nil {
		return nil, err
	}
	r.here.Store(&here)
	s.mu.Lock()
	stopped := s.stopped
	if !stopped {
		s.rooms[e.ID] = r
	}
	s.mu.Unlock()
	if stopped {
		return nil, ErrOver
	}
	if err := r.findGames(ctx); err != nil {
		s.drop(r)
		close(r.done)
		return nil, err
	}
	r.findTables() // from now on, the room hears of tables that close
	s.deps.Club.Changed(r)
	go func() {
		defer close(r.done) // what follows from the end is under way by then
		r.run()
		if r.over() {
			s.drop(r)
			s.deps.Club.Changed(r)
		}
	}()
	return r, nil
}

func (s *Events) drop(r *Room) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.rooms, r.event.ID)
}

// Room returns an event's room, or nil if the event is over or does not exist.
func (s *Events) Room(id ID) *Room {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rooms[id]
}

// Count returns how many events of each kind are not over, including kinds with none.
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

// Rooms lists the events of a kind that are not over, by number. An empty kind means all kinds.
func (s *Events) Rooms(kind Kind) []*Room {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*Room
	for _, r := range s.rooms {
		if kind == "" || r.event.Kind == kind {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b *Room) int { return cmp.Compare(a.event.ID, b.event.ID) })
	return list
}

// Ended reports a game that is over and on disk, without waiting. Games of no event are ignored.
func (s *Events) Ended(p Played) {
	if r := s.Room(p.Start.Event.ID); r != nil {
		r.ended(p)
	}
}

// Recheck makes all events check what their journals do not say, such as who is free, without waiting.
func (s *Events) Recheck() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.rooms {
		table.Signal(r.wake)
	}
}

// Closed reports a table that has closed, without waiting.
func (s *Events) Closed(of table.Event, id table.ID) {
	if r := s.Room(of.ID); r != nil {
		r.closed(of.Pairing, id)
	}
}

// Stop ends all goroutines, and returns when they have ended or ctx ends. The next Start restores what is on
// disk.
func (s *Events) Stop(ctx context.Context) error {
	s.mu.Lock()
	s.stopped = true
	rooms := slices.Collect(maps.Values(s.rooms))
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

// Change is Turn for a change that somebody asks for. The change is made with the context that it returns, which also
// ends at release; see [Lasting].
func Change(ctx context.Context, lock chan struct{}) (lasting context.Context, release func(), err error) {
	if ctx.Err() != nil {
		return ctx, nil, ctx.Err()
	}
	unlock, err := Turn(ctx, lock)
	if err != nil {
		return ctx, nil, err
	}
	lasting, cancel := Lasting(ctx)
	return lasting, func() { cancel(); unlock() }, nil
}

// Lasting returns a context for a write that somebody asks for. It ends at ctx's deadline, or after a while, but not
// when the asker hangs up: what has been written must also take effect.
func Lasting(ctx context.Context) (context.Context, context.CancelFunc) {
	const patience = 15 * time.Second
	ends, ok := ctx.Deadline()
	if !ok {
		ends = time.Now().Add(patience)
	}
	return context.WithDeadline(context.WithoutCancel(ctx), ends)
}

// Turn takes a lock that is made of a channel, or returns the error of ctx; release gives the lock back.
func Turn(ctx context.Context, lock chan struct{}) (release func(), err error) {
	select {
	case lock <- struct{}{}:
		return func() { <-lock }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
