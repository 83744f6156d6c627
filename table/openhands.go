package table

import (
	"slices"
	"time"

	"boneyard/rules"
)

// drawn is a tile that was drawn in the round.
type drawn struct {
	tile rules.Tile
	at   time.Time
}

// openHands returns the hands that watchers may see at a table with open hands: the tiles that each seat has
// held for delay; nil if there are none yet. next is when there will be more, zero if not before the next
// draw or deal. After a round everybody sees what is left in the hands.
func (s *state) openHands(now time.Time, delay time.Duration) (hands *[rules.MaxSeats]rules.Hand, next time.Time) {
	g := &s.game
	if !s.cfg.OpenHands || g.id == 0 || g.play.Phase() != rules.Playing {
		return nil, time.Time{}
	}
	if at := g.dealtAt.Add(delay); at.After(now) {
		return nil, at
	}
	hands = new([rules.MaxSeats]rules.Hand)
	for i := range g.play.Seats() {
		hands[i] = g.play.Hand(rules.Seat(i + 1))
	}
	for _, d := range g.drawn {
		at := d.at.Add(delay)
		if !at.After(now) {
			continue
		}
		for i := range hands {
			hands[i] = hands[i].Without(d.tile)
		}
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	return hands, next
}

// moreAt returns when watchers will see more of the hands, zero if nobody watches or there is no more to see.
func (t *Table) moreAt() time.Time {
	if t.subs.feeds[0].readers == 0 {
		return time.Time{}
	}
	return t.subs.moreAt
}

// showGallery shows watchers who do not play a change that is for them alone.
func (t *Table) showGallery() {
	f := t.subs.feeds[0]
	f.view.Store(t.makeView(f, t.summarize()))
	for _, s := range t.subs.list {
		if s.feed.Load() == f {
			s.signal()
		}
	}
}

// mayPlay reports whether a watcher may be a player of this table, as far as it can know: has a seat or had
// one in this game, shares a network with somebody who has, or is unknown. They do not see open hands.
func (t *Table) mayPlay(p *sender) bool {
	if p.ID == 0 {
		return true
	}
	same := func(q *sender) bool {
		return q.ID != 0 && (q.ID == p.ID || !t.deps.OneNetwork && p.Net != "" && q.Net == p.Net)
	}
	s := &t.state
	return s.any(func(q *seatState) bool { return same(&q.Player) }) ||
		slices.ContainsFunc(s.game.start.Seats, func(q Player) bool { return same(&sender{Player: q}) })
}

// feedOf returns the feed for a reader.
func (t *Table) feedOf(s *Subscription) *feed {
	n := s.seat()
	if n == 0 && t.mayPlay(&s.player) {
		return t.subs.feeds[t.cfg.Seats+1]
	}
	return t.subs.feeds[n]
}
