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

// Showing is a place that a session shows for as long as it is not closed. The place that was opened last counts.
type Showing struct {
	visit *Visit
	place Place

	// Guarded by Lobby.mu.
	closed bool
	sub    *table.Subscription // of the table; nil until it is there
}

// Show says what the session shows from now on, until that is closed: then it shows what it did before. At
// first it shows the club. While a session does not show the club, Updates tells it of notes and notices
// only, and what happens in the lobby costs it nothing. To follow somebody ends with each change.
func (v *Visit) Show(p Place) *Showing {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	s := &Showing{visit: v, place: p}
	v.showing = append(v.showing, s)
	v.turned()
	return s
}

// Close gives the place back, and ends looking at its table. It may be called again, and of nil.
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
		go s.sub.Close() // the table may be waiting for its disk; nobody needs to wait for the table
	}
}

// Watch looks at the table: as its player where the person sits, else from the gallery, if the table has one.
// It is called once; the subscription ends with the place. If another session of the person looks at the same
// seat, this one takes it over: the other has ended, and its screen says so. Where the place was given back
// before the table has answered, Watch does nothing.
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
	if err := s.reach(ctx, sub); err != nil {
		sub.Close()
		return nil, v.sentence("watch a table", err)
	}
	return sub, nil
}

// Glance looks at a table from the gallery, as no watcher, instead of at the one before; at none with 0. latest is the newest view then: it
// is for lists, which are told by Updates when a table has changed. It refuses with ErrTooFast, ErrNoTable, ErrOver or table.ErrWatchers.
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

// reach says that the session looks at the table now.
func (s *Showing) reach(ctx context.Context, sub *table.Subscription) error {
	v := s.visit
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	switch {
	case v.over: // taken over meanwhile
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

// shown is the place that counts, nil for the club as at first. With mu held.
func (v *Visit) shown() *Showing {
	if len(v.showing) == 0 {
		return nil
	}
	return v.showing[len(v.showing)-1]
}

// turned notes what the session shows now. With mu held.
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

// goTo notes at which table the session looks. With mu held.
func (v *Visit) goTo(at table.ID) {
	if v.at != at {
		v.at = at
		v.lobby.changed(partPeople)
		v.lobby.moved(v.person.player.ID)
		v.wake() // see Awaited
	}
}

// takeOver ends the person's other sessions that look at a table where they sit. With mu held.
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
