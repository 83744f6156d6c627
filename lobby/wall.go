package lobby

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/table"
)

const (
	// MostOnWall is the most tables on a wall.
	MostOnWall = 9
	// wallLingers is how long a wall shows the result of a stopped table before another replaces it.
	wallLingers = 20 * time.Second
)

const ErrManyWalls text.Refusal = "You already have two walls open; please close one."

// Wall shows one session several tables at the same time, from the gallery: the best of the moment. A table
// keeps its place until its result has been shown, or until a better game begins while this one is between
// rounds. Tables that are private or closed to watchers are never shown. Its methods may be called by any
// goroutine.
type Wall struct {
	visit *Visit
	place *limit.Place
	of    event.ID      // the event whose tables are shown; 0 for all
	tell  func()        // called when a table has a newer view
	turn  chan struct{} // held while arranging

	mu     sync.Mutex
	places []wallPlace
	room   int // number of places
	closed bool
}

// wallPlace is one table on a wall.
type wallPlace struct {
	id       table.ID
	sub      *table.Subscription
	stopped  time.Time // when it stopped; zero while live
	compared int       // the last round after which it was compared
	class    int       // as in showable
}

// Wall opens a wall without tables; Arrange fills it, from an event's tables, or with 0, from the club's. It
// must be closed. f hears of news at a table, as by [table.Subscription.Tell]. Wall returns ErrOver,
// ErrManyWalls or ErrTooFast.
func (v *Visit) Wall(of event.ID, f func()) (*Wall, error) {
	l := v.lobby
	if err := v.may(&l.limits.looks, ErrTooFast); err != nil {
		return nil, err
	}
	if _, err := v.alive(); err != nil {
		return nil, err
	}
	place, err := v.reserve(&l.bounds.walls)
	if err != nil {
		return nil, err
	}
	return &Wall{visit: v, place: place, of: of, tell: f, turn: make(chan struct{}, 1)}, nil
}

// Views returns the latest views of the tables, by place. They are shared; nobody may change them.
func (w *Wall) Views() []*table.View {
	w.mu.Lock()
	defer w.mu.Unlock()
	return text.Each(w.places, func(p wallPlace) *table.View { return p.sub.View() })
}

// Open reports whether a new table would be shown at once, so that the wall must follow the club's changes.
func (w *Wall) Open() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.places) < w.room || slices.ContainsFunc(w.places, func(p wallPlace) bool { return p.class > 0 })
}

// Stale reports whether the club has a table that Arrange would show at once.
func (w *Wall) Stale() bool {
	tables := w.visit.Snapshot().Tables
	w.mu.Lock()
	defer w.mu.Unlock()
	free, lowest := len(w.places) < w.room, 0
	for i := range w.places {
		lowest = max(lowest, w.places[i].class)
	}
	return slices.ContainsFunc(tables, func(t table.Summary) bool {
		class, ok := wallClass(&t, w.of)
		return ok && (free || class < lowest) && !w.has(t.Table)
	})
}

// Due returns when to call Arrange next, if no table begins until then: past for now, zero for never.
func (w *Wall) Due() time.Time {
	now := w.visit.lobby.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	var due time.Time
	sooner := func(t time.Time) {
		if due.IsZero() || t.Before(due) {
			due = t
		}
	}
	for i := range w.places {
		p := &w.places[i]
		v := p.sub.View()
		p.look(v, now)
		switch {
		case !p.stopped.IsZero():
			sooner(p.stopped.Add(wallLingers))
		case v.State == table.Scoring && p.compared != v.Play.Round:
			sooner(now)
		}
	}
	return due
}

// look records whether a table's game goes on.
func (p *wallPlace) look(v *table.View, now time.Time) {
	switch {
	case inProgress(&v.Summary), v.Config.House && v.State != table.Closed:
		p.stopped = time.Time{}
	case p.stopped.IsZero():
		p.stopped = now
	}
}

// inProgress reports whether a game is in progress at a table.
func inProgress(t *table.Summary) bool {
	return t.State == table.Playing || t.State == table.Scoring || t.State == table.Paused
}

// Arrange gives up to n places to the best tables. It calls tables and stores, and is not for drawing. It
// counts as a list of tables, and each table that it opens as a look; ErrTooFast leaves the wall as it is.
func (w *Wall) Arrange(ctx context.Context, n int) error {
	limits := &w.visit.lobby.limits
	if err := w.visit.may(&limits.lists, ErrTooFast); err != nil {
		return err
	}
	release, err := event.Turn(ctx, w.turn)
	if err != nil {
		return w.visit.lobby.trouble("arrange a wall", err)
	}
	defer release()
	found := w.visit.lobby.showable(ctx, w.of)
	for _, sub := range w.clear(min(n, MostOnWall), found) {
		sub.Close()
	}
	me, net := w.visit.sender()
	for _, c := range found {
		if !w.wants(c.id) {
			continue
		}
		t, err := w.visit.lobby.find(c.id)
		if err != nil {
			continue // it has closed in the meantime
		}
		if err := w.visit.may(&limits.looks, ErrTooFast); err != nil {
			return err
		}
		sub, err := t.SubscribeGallery(me, net, w.tell)
		if err != nil {
			continue // as above
		}
		if !w.put(wallPlace{id: c.id, sub: sub, class: c.class}) {
			sub.Close()
		}
	}
	return nil
}

// clear frees places for other tables, and returns the subscriptions of those removed.
func (w *Wall) clear(room int, found []showable) (gone []*table.Subscription) {
	now := w.visit.lobby.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.room = room
	shown := func(id table.ID) *showable {
		i := slices.IndexFunc(found, func(s showable) bool { return s.id == id })
		if i < 0 {
			return nil
		}
		return &found[i]
	}
	better := slices.DeleteFunc(slices.Clone(found), func(s showable) bool { return w.has(s.id) })
	kept := w.places[:0]
	for _, p := range w.places {
		v := p.sub.View()
		p.look(v, now)
		leaves := len(kept) == room || !p.stopped.IsZero() && !now.Before(p.stopped.Add(wallLingers))
		if !leaves && len(better) > 0 && better[0].class < p.class {
			leaves, better = true, better[1:]
		}
		if !leaves && v.State == table.Scoring && p.compared != v.Play.Round {
			p.compared = v.Play.Round
			if s := shown(p.id); s != nil && len(better) > 0 && better[0].above(s) < 0 {
				leaves, better = true, better[1:]
			}
		}
		if leaves {
			gone = append(gone, p.sub)
		} else {
			kept = append(kept, p)
		}
	}
	w.places = slices.Clip(kept)
	return gone
}

// has reports whether a table is shown. With w.mu held.
func (w *Wall) has(id table.ID) bool {
	return slices.ContainsFunc(w.places, func(p wallPlace) bool { return p.id == id })
}

// wants reports whether there is room for a table, and it is not shown.
func (w *Wall) wants(id table.ID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.closed && len(w.places) < w.room && !w.has(id)
}

// put shows a table, unless the wall was closed.
func (w *Wall) put(p wallPlace) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	w.places = append(w.places, p)
	return true
}

// Close closes the wall. It does not wait for tables, and may be called again.
func (w *Wall) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if shown := w.places; len(shown) > 0 {
		go func() { // a table may be waiting for its disk
			for _, p := range shown {
				p.sub.Close()
			}
		}()
	}
	w.places, w.closed = nil, true
	w.place.Free()
}

// showable is a table that may be on a wall, and what it is ranked by.
type showable struct {
	id     table.ID
	class  int // lower comes first
	rating int // mean of the people there; in an event, minus the best player's place
	lead   int // see leadOf
}

// above compares two tables by what stays constant during a game; it is negative if s is to be shown first.
func (s *showable) above(o *showable) int {
	return cmp.Or(cmp.Compare(s.class, o.class), cmp.Compare(o.rating, s.rating))
}

// wallClass returns the class of a table, and whether it may be on a wall now.
func wallClass(t *table.Summary, of event.ID) (class int, ok bool) {
	c := &t.Config
	switch {
	case c.Access == table.AccessCode || !c.Watchers || c.Event.Private || c.Event.Sealed || of != 0 && c.Event.ID != of:
		return 0, false
	case c.House: // it starts playing as soon as somebody looks
		return 2, true
	case c.Pace == table.PaceSlow:
		return 1, inProgress(t)
	}
	return 0, inProgress(t)
}

// ranked is an event whose players have places.
type ranked interface{ RankOf(p table.PlayerID) int }

// leader returns the best place in an event of a table's players.
func leader(v ranked, t *table.Summary) int {
	best := 1 << 20
	for i := range t.Seats {
		if rank := v.RankOf(t.Seats[i].Player.ID); rank != 0 {
			best = min(best, rank)
		}
	}
	return best
}

// showable lists the tables that may be on a wall, best first: people's games before slow games before the
// exhibition; then by the event's leaders, or else by the players' ratings; then the closest.
func (l *Lobby) showable(ctx context.Context, of event.ID) []showable {
	var ratings map[table.PlayerID]int
	var leaders ranked
	if r := l.events.Room(of); r == nil {
		ratings, _ = l.ratings(ctx) // without them the order is another
	} else if v, ok := r.View().(ranked); ok {
		leaders = v
	}
	s := l.snapshot()
	var all []showable
	for i := range s.Tables {
		t := &s.Tables[i]
		class, ok := wallClass(t, of)
		if !ok {
			continue
		}
		one := showable{id: t.Table, class: class, rating: meanRating(t, ratings), lead: leadOf(t)}
		if leaders != nil {
			one.rating = -leader(leaders, t)
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b showable) int {
		return cmp.Or(a.above(&b), cmp.Compare(a.lead, b.lead), cmp.Compare(a.id, b.id))
	})
	return all
}
