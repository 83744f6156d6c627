package table

import (
	"context"
	"sync/atomic"

	"boneyard/rules"
)

// Subscription shows a table to one reader. Its point of view is the seat the reader's player holds, and follows when that
// one sits down or stands up; whoever holds none sees what the gallery may know. Its methods may be called by any goroutine.
type Subscription struct {
	table  *Table
	player Player
	wake   chan struct{}
	feed   atomic.Pointer[feed]

	at int // the place in subscribers.list; belongs to the table's goroutine, -1 when it has been taken out
}

// feed is what all readers of one point of view look at.
type feed struct {
	pov     rules.Seat
	view    atomic.Pointer[View]
	readers int // belongs to the table's goroutine, as all that follows
	log     []Entry
	logged  int    // how many entries of the game's log have been taken over
	game    GameID // whose log it is
}

// Subscribe shows the table to somebody; the zero Player is a look from the gallery that nobody is told of. The subscription must be closed. The error is [ErrWatchers] where nobody but the
// players may look, or [ErrClosed].
func (t *Table) Subscribe(p Player) (*Subscription, error) {
	s := &Subscription{table: t, player: p, wake: make(chan struct{}, 1), at: -1}
	var refused error
	if err := t.call(context.Background(), t.looks, func() { refused = t.subscribe(s) }); err != nil {
		return nil, err
	}
	if refused != nil {
		return nil, refused
	}
	return s, nil
}

// C is sent to when there is a newer view, also for the first one. It has room for one signal: who is slow skips views.
func (s *Subscription) C() <-chan struct{} { return s.wake }

// View is the latest view, never nil. All readers of the same point of view get the same pointer.
func (s *Subscription) View() *View { return s.feed.Load().view.Load() }

// Close ends the subscription. The table stays as it is; to leave it is told by [Table.Presence] or a command. It may be
// called more than once.
func (s *Subscription) Close() {
	_ = s.table.call(context.Background(), s.table.looks, func() { s.table.unsubscribe(s) })
}
