package table

import (
	"context"
	"sync/atomic"

	"boneyard/rules"
)

// Subscription shows a table to one reader. Its point of view is the player's seat, and changes when the
// player sits down or stands up; without a seat it is the gallery. Any goroutine may call its methods.
type Subscription struct {
	table   *Table
	player  sender
	gallery bool                   // the gallery's view, even if the player sits
	glance  bool                   // does not count as a watcher
	wake    chan struct{}          // nil: new views are not signalled, unless by notify
	notify  atomic.Pointer[func()] // called instead of a signal on wake; nil if Tell was not called
	feed    atomic.Pointer[feed]

	at int // index in subscribers.list, -1 once removed; belongs to the table's goroutine
}

// feed is what all readers of one point of view see.
type feed struct {
	pov     rules.Seat
	view    atomic.Pointer[View]
	readers int // like all that follows, belongs to the table's goroutine
	log     []*Entry
	logged  int    // how many entries of the game's log it has copied
	game    GameID // whose log it is
}

// Subscribe shows the table to somebody from a network, see [Request]. Close the subscription. The error is
// [ErrWatchers] if only players may look, or [ErrClosed].
func (t *Table) Subscribe(p Player, net string) (*Subscription, error) {
	return t.look(&Subscription{table: t, player: sender{p, net}, wake: make(chan struct{}, 1), at: -1})
}

// SubscribeGallery shows the table as the gallery sees it, even to a player who sits there. f is called as by
// [Subscription.Tell]. Otherwise it is like Subscribe, but if nobody may watch, players too get ErrWatchers.
func (t *Table) SubscribeGallery(p Player, net string, f func()) (*Subscription, error) {
	s := &Subscription{table: t, player: sender{p, net}, gallery: true, at: -1}
	s.notify.Store(&f)
	return t.look(s)
}

// Glance shows the gallery's view to somebody who is not counted as a watcher and keeps no table awake; new
// views are not signalled. The error is that of Subscribe.
func (t *Table) Glance() (*Subscription, error) {
	return t.look(&Subscription{table: t, gallery: true, glance: true, at: -1})
}

// GalleryView returns the gallery's view as of now for somebody from a network, who is not counted as a
// watcher and keeps no table awake. The error is that of SubscribeGallery.
func (t *Table) GalleryView(p Player, net string) (*View, error) {
	s, err := t.look(&Subscription{table: t, player: sender{p, net}, gallery: true, glance: true, at: -1})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.View(), nil
}

// look subscribes on the table's goroutine.
func (t *Table) look(s *Subscription) (*Subscription, error) {
	var refused error
	if err := t.call(context.Background(), t.looks, func() { refused = t.subscribe(s) }); err != nil {
		return nil, err
	}
	if refused != nil {
		return nil, refused
	}
	return s, nil
}

// seat returns the seat whose view is shown, 0 for the gallery's. Called on the table's goroutine.
func (s *Subscription) seat() rules.Seat {
	if s.gallery {
		return 0
	}
	return s.table.state.seatOf(s.player.ID)
}

// C returns the channel that is signalled when there is a newer view, including the first. It has room for
// one signal: a slow reader skips views.
func (s *Subscription) C() <-chan struct{} { return s.wake }

// Tell calls f now, and on each newer view instead of a signal on C. Then f runs on the table's goroutine,
// and must neither block nor call the table.
func (s *Subscription) Tell(f func()) {
	s.notify.Store(&f)
	f()
}

// View returns the latest view, never nil. All readers of the same point of view get the same pointer.
func (s *Subscription) View() *View { return s.feed.Load().view.Load() }

// Close ends the subscription. It does not leave the table, and may be called more than once.
func (s *Subscription) Close() {
	_ = s.table.call(context.Background(), s.table.looks, func() { s.table.unsubscribe(s) })
}
