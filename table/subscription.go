package table

import (
	"cmp"
	"context"
	"sync/atomic"

	"boneyard/rules"
)

// Subscription shows a table to one reader. Its point of view is the seat the reader's player holds, and follows when that
// one sits down or stands up; whoever holds none sees what the gallery may know. Its methods may be called by any goroutine.
type Subscription struct {
	table   *Table
	player  sender
	gallery bool // sees what the gallery may know, also where the player sits
	glance  bool // is no watcher
	wake    chan struct{}
	told    atomic.Pointer[func()] // is called instead; nil: nobody has asked for that
	feed    atomic.Pointer[feed]

	at int // the place in subscribers.list; belongs to the table's goroutine, -1 when it has been taken out
}

// feed is what all readers of one point of view look at.
type feed struct {
	pov     rules.Seat
	view    atomic.Pointer[View]
	readers int // belongs to the table's goroutine, as all that follows
	log     []*Entry
	logged  int    // how many entries of the game's log have been taken over
	game    GameID // whose log it is
}

// Subscribe shows the table to somebody who comes from a network, see [Request]; the zero Player looks from the gallery
// unseen. The subscription must be closed. The error is [ErrWatchers] where nobody but the players may look, or
// [ErrClosed].
func (t *Table) Subscribe(p Player, net string) (*Subscription, error) {
	return t.look(&Subscription{table: t, player: sender{p, net}, wake: make(chan struct{}, 1), at: -1})
}

// SubscribeGallery shows the table as the gallery sees it, also to a player who sits there. What is new is told to f, as by
// [Subscription.Tell]. Otherwise it is like Subscribe, but the error is ErrWatchers for players, too, where nobody may watch.
func (t *Table) SubscribeGallery(p Player, net string, f func()) (*Subscription, error) {
	s := &Subscription{table: t, player: sender{p, net}, gallery: true, at: -1}
	s.told.Store(&f)
	return t.look(s)
}

// Glance shows the table as the gallery sees it to somebody who is no watcher: nobody is told, it keeps no table awake, and what is new is
// not signalled. The error is that of Subscribe.
func (t *Table) Glance() (*Subscription, error) {
	s := &Subscription{table: t, gallery: true, glance: true, at: -1}
	s.told.Store(new(func() {}))
	return t.look(s)
}

// Look is the table as the gallery shows it now to somebody who comes from a network. Whoever looks at it just once
// is no watcher, and keeps no table awake. The error is that of SubscribeGallery.
func (t *Table) Look(p Player, net string) (v *View, err error) {
	called := t.call(context.Background(), t.looks, func() {
		if !t.cfg.Watchers {
			err = ErrWatchers
		} else if t.ended {
			err = ErrClosed
		} else {
			f := t.fresh(t.feedOf(&Subscription{table: t, player: sender{p, net}, gallery: true}))
			if v = f.view.Load(); f.readers == 0 {
				f.log, f.logged, f.game = nil, 0, 0
			}
		}
	})
	return v, cmp.Or(called, err)
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

// seat is the seat whose view the subscription shows, 0 for the gallery's. Called on the table's goroutine.
func (s *Subscription) seat() rules.Seat {
	if s.gallery {
		return 0
	}
	return s.table.state.seatOf(s.player.ID)
}

// C is sent to when there is a newer view, also for the first one. It has room for one signal: a slow reader skips views.
func (s *Subscription) C() <-chan struct{} { return s.wake }

// Tell has f called when there is a newer view, and once now, instead of sending to C: on the table's goroutine, so that f must
// neither wait nor call the table.
func (s *Subscription) Tell(f func()) {
	s.told.Store(&f)
	f()
}

// View is the latest view, never nil. All readers of the same point of view get the same pointer.
func (s *Subscription) View() *View { return s.feed.Load().view.Load() }

// Close ends the subscription. The table stays as it is; to leave it is told by [Table.Presence] or a command. It may be
// called more than once.
func (s *Subscription) Close() {
	_ = s.table.call(context.Background(), s.table.looks, func() { s.table.unsubscribe(s) })
}
