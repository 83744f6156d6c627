package table

import (
	"slices"
	"time"

	"boneyard/rules"
)

// subscribers are the readers of the table.
type subscribers struct {
	feeds    []*feed          // by seat; the gallery's first, and last that of watchers who may play here themselves
	list     []*Subscription  // in order of arrival
	watching map[PlayerID]int // screens in the gallery, by person
	seated   seated           // for which points of view were last assigned

	stale  bool      // watchers have come or gone since names was made
	tellAt time.Time // when that is announced, zero if nothing is
	names  []string  // of the watchers, as last announced
	count  int

	moreAt time.Time // when the gallery will see more of the hands, as of its last view; zero if never
	waits  bool      // the gallery is told of a newer view after the head start
}

// seated is the players by seat, and their game.
type seated struct {
	players [rules.MaxSeats]PlayerID
	game    GameID
}

func (u *subscribers) init(seats int) {
	for n := range seats + 1 {
		u.feeds = append(u.feeds, &feed{pov: rules.Seat(n)})
	}
	u.feeds = append(u.feeds, &feed{})
	u.watching = make(map[PlayerID]int)
}

// attach adds a reader without a feed to one, which the caller then stores.
func (u *subscribers) attach(s *Subscription, f *feed) {
	f.readers++
	if f.pov == 0 && !s.glance {
		u.watching[s.player.ID]++
		u.stale = u.stale || u.watching[s.player.ID] == 1
	}
}

// detach removes a reader from its feed, which it may still read but is not told of.
func (u *subscribers) detach(s *Subscription) {
	f := s.feed.Load()
	if f.readers--; f.readers == 0 {
		f.log, f.logged, f.game = nil, 0, 0
	}
	if f.pov == 0 && !s.glance {
		if u.watching[s.player.ID]--; u.watching[s.player.ID] == 0 {
			delete(u.watching, s.player.ID)
			u.stale = true
		}
	}
}

// remove takes a reader from the list.
func (u *subscribers) remove(s *Subscription) {
	u.list = slices.Delete(u.list, s.at, s.at+1)
	for i, later := range u.list[s.at:] {
		later.at = s.at + i
	}
	s.at = -1
}

func (u *subscribers) tell() {
	const shownWatchers = 50 // how many watchers a view names
	u.stale, u.tellAt, u.count = false, time.Time{}, len(u.watching)
	names := make([]string, 0, min(u.count, shownWatchers))
	seen := map[PlayerID]struct{}{}
	for _, s := range u.list {
		if len(names) == cap(names) {
			break
		}
		if _, twice := seen[s.player.ID]; !twice && !s.glance && s.seat() == 0 {
			seen[s.player.ID] = struct{}{}
			names = append(names, s.player.Name)
		}
	}
	u.names = names
}

func (s *Subscription) signal() {
	if f := s.notify.Load(); f != nil {
		(*f)()
		return
	}
	Signal(s.wake)
}

// signal tells seated readers that there is a newer view, and the gallery a moment later: else the players'
// screens would be drawn among a thousand others.
func (t *Table) signal() {
	seated := 0
	for _, s := range t.subs.list {
		if s.feed.Load().pov != 0 {
			s.signal()
			seated++
		}
	}
	switch {
	case seated == len(t.subs.list): // nobody else looks
	case seated == 0:
		t.subs.signalGallery()
	case !t.subs.waits:
		t.subs.waits = true
		t.headStart.Reset(t.deps.Times.HeadStart)
	}
}

// signalGallery tells readers without a seat that there is a newer view.
func (u *subscribers) signalGallery() {
	u.waits = false
	for _, s := range u.list {
		if s.feed.Load().pov == 0 {
			s.signal()
		}
	}
}

// subscribe adds a reader. Called on the table's goroutine.
func (t *Table) subscribe(s *Subscription) error {
	if t.ended {
		return ErrClosed
	}
	n := s.seat()
	if n == 0 && !t.cfg.Watchers {
		return ErrWatchers
	}
	s.at = len(t.subs.list)
	t.subs.list = append(t.subs.list, s)
	f := t.fresh(t.feedOf(s))
	t.subs.attach(s, f)
	s.feed.Store(f)
	t.watchersChange()
	s.signal()
	return nil
}

// unsubscribe removes a reader. Called on the table's goroutine.
func (t *Table) unsubscribe(s *Subscription) {
	if s.at < 0 {
		return
	}
	t.subs.remove(s)
	t.subs.detach(s)
	t.watchersChange()
}

// fresh returns a feed with a view of the present version. A feed without readers may lack one, or have
// outdated open hands, which change within a version.
func (t *Table) fresh(f *feed) *feed {
	if v := f.view.Load(); v == nil || v.Version != t.state.version || f.readers == 0 && t.cfg.OpenHands {
		f.view.Store(t.makeView(f, t.summarize()))
	}
	return f
}

// watchersChange schedules the announcement of arrivals and departures, many at once. At the exhibition table
// the first watcher starts the bots, and the last to go stops them, see [Table.Exhibit].
func (t *Table) watchersChange() {
	before := t.state.watchers
	t.state.watchers = len(t.subs.watching)
	if t.subs.stale && t.subs.tellAt.IsZero() {
		t.subs.tellAt = t.deps.Now().Add(t.deps.Times.Watchers)
	}
	t.stirred = t.stirred || (before == 0) != (t.state.watchers == 0)
}

// publish shows the state, whose version is new, to all readers and to the lobby.
func (t *Table) publish() {
	t.reseat()
	if at := t.subs.tellAt; !at.IsZero() && !at.After(t.deps.Now()) {
		t.subs.tell()
	}
	sum := t.summarize()
	for _, f := range t.subs.feeds {
		if f.readers > 0 {
			f.view.Store(t.makeView(f, sum))
		}
	}
	t.signal()
	if old := t.summary.Swap(sum); !old.same(sum) {
		t.deps.OnChange(sum)
	}
}

// reseat changes the points of view of readers who sat down or stood up. They get their views after the
// watchers have been counted: a version says the same to all readers.
func (t *Table) reseat() {
	now := seated{game: t.state.game.id}
	for n, q := range t.state.seats() {
		if q.human() {
			now.players[n-1] = q.Player.ID
		}
	}
	if now == t.subs.seated {
		return
	}
	t.subs.seated = now
	var moved []*Subscription
	for _, s := range slices.Clone(t.subs.list) {
		f := t.feedOf(s)
		if s.feed.Load() == f {
			continue
		}
		t.subs.detach(s)
		if f.pov == 0 && !t.cfg.Watchers {
			t.bar(s)
			continue
		}
		t.subs.attach(s, f)
		moved = append(moved, s)
	}
	t.state.watchers = len(t.subs.watching)
	t.subs.tell()
	for _, s := range moved {
		s.feed.Store(t.fresh(t.feedOf(s)))
	}
}

// bar removes a reader who may no longer watch: the last view says why.
func (t *Table) bar(s *Subscription) {
	t.subs.remove(s)
	f := &feed{}
	blank, _ := rules.New(t.cfg.Rules, t.cfg.Seats) // the configuration is valid
	f.view.Store(&View{
		Summary: Summary{Table: t.id, Version: t.state.version, Config: t.cfg, State: Closed, Seats: t.seatViews()},
		Play:    blank.View(0), Notice: string(ErrWatchers),
	})
	s.feed.Store(f)
	s.signal()
}
