package lobby

import (
	"context"
	"slices"

	"boneyard/table"
)

// Place is what a session has on its screen: the club's snapshot, a table, or neither.
type Place struct {
	Club  bool
	Table table.ID
}

// Showing is a place that a session shows until it is closed. The place opened last counts.
type Showing struct {
	visit *Visit
	place Place

	// Guarded by Lobby.mu.
	closed bool
	sub    *table.Subscription // of the table; nil before it answers
}

// Show sets what the session shows until that is closed; then it shows what it did before. At first it shows
// the club. While a session does not show the club, Updates signals only notes and notices, and what happens
// in the lobby costs it nothing. Each change ends following.
func (v *Visit) Show(p Place) *Showing {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	s := &Showing{visit: v, place: p}
	v.showing = append(v.showing, s)
	v.turned()
	return s
}

// Close gives the place back, and stops watching its table. It may be called again, and on nil.
func (s *Showing) Close() {
	if s == nil {
		return
	}
	v := s.visit
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	last := v.shown() == s
	v.showing = slices.DeleteFunc(v.showing, func(other *Showing) bool { return other == s })
	if last {
		v.turned()
	}
	if s.sub != nil {
		go s.sub.Close() // the table may be waiting for its disk, and nobody needs to wait for the table
	}
}

// Watch watches the table: as its player where the person sits, else from the gallery, if the table has one.
// Call it once; the subscription ends with the place. It takes the seat over from another session of the
// person that watches from there: that session ends, and its screen says so. If the place is closed before
// the table answers, Watch does nothing.
func (s *Showing) Watch(ctx context.Context) (*table.Subscription, error) {
	v := s.visit
	if err := v.may(&v.lobby.limits.looks, ErrTooFast); err != nil {
		return nil, err
	}
	t, err := v.lobby.find(s.place.Table)
	if err != nil {
		return nil, err
	}
	if _, err = v.alive(); err != nil {
		return nil, err
	}
	me, net := v.sender()
	sub, err := t.Subscribe(me, net)
	if err != nil {
		return nil, v.sentence("watch a table", err)
	}
	if err := s.watches(ctx, sub); err != nil {
		sub.Close()
		return nil, v.sentence("watch a table", err)
	}
	return sub, nil
}

// Glance looks at a table from the gallery, uncounted, instead of at the one before; with 0, at none. latest
// returns the newest view. It is for lists, which learn of changes by Updates. Glance returns ErrTooFast,
// ErrNoTable, ErrOver or table.ErrWatchers.
func (v *Visit) Glance(id table.ID) (latest func() *table.View, err error) {
	l := v.lobby
	l.mu.Lock()
	before := v.glance
	v.glance = nil
	v.glances++
	now := v.glances
	l.mu.Unlock()
	if id == 0 {
		if before != nil {
			go before.Close() // as in Showing.Close
		}
		return nil, nil
	}
	if before != nil {
		before.Close()
	}
	if err := v.may(&l.limits.looks, ErrTooFast); err != nil {
		return nil, err
	}
	t, err := l.find(id)
	if err != nil {
		return nil, err
	}
	sub, err := t.Glance()
	if err != nil {
		return nil, v.sentence("glance at a table", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if v.over || v.glances != now {
		go sub.Close()
		return nil, ErrOver
	}
	v.glance = sub
	return sub.View, nil
}

// watches records that the session watches the table now.
func (s *Showing) watches(ctx context.Context, sub *table.Subscription) error {
	v := s.visit
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	switch {
	case v.over: // taken over in the meantime
		return ErrOver
	case s.closed:
		return context.Canceled
	case ctx.Err() != nil:
		return ctx.Err()
	}
	s.sub = sub
	if v.shown() == s {
		v.goTo(s.place.Table)
		v.takeOver(s.place.Table)
	}
	return nil
}

// shown returns the place that counts, or nil for the club. With mu held.
func (v *Visit) shown() *Showing {
	if len(v.showing) == 0 {
		return nil
	}
	return v.showing[len(v.showing)-1]
}

// turned updates what the session shows. With mu held.
func (v *Visit) turned() {
	l := v.lobby
	if v.over {
		return
	}
	club, at := true, table.ID(0)
	if s := v.shown(); s != nil {
		if club = s.place.Club; s.sub != nil {
			at = s.place.Table
		}
	}
	v.goTo(at)
	v.follow(0)
	if v.shows == club {
		return
	}
	v.shows = club
	if club {
		l.publisher.showing[v] = struct{}{}
		l.changed(0)
	} else {
		delete(l.publisher.showing, v)
	}
	l.showingChanged()
}

// goTo records the table that the session looks at. With mu held.
func (v *Visit) goTo(at table.ID) {
	if v.at != at {
		v.at = at
		v.lobby.changed(partPeople)
		v.lobby.moved(v.person.player.ID)
		v.wake() // see Awaited
	}
}

// takeOver ends the person's other sessions that look at a table where the person sits. With mu held.
func (v *Visit) takeOver(id table.ID) {
	if !v.lobby.sits(v.person.player.ID, id) {
		return
	}
	for _, other := range slices.Clone(v.person.visits) {
		if other != v && other.at == id {
			other.kick("Your seat at table " + numbered(id) + " was taken over by another session of yours.")
		}
	}
}
