package lobby

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"boneyard/table"
)

// part is a set of parts of a snapshot.
type part uint8

const (
	partTables part = 1 << iota
	partPeople
	partChat
	partNews
	partEvents
	partNotice // wakes everybody, not only those who look at the club

	partAll = partTables | partPeople | partChat | partNews | partEvents
)

// publisher makes snapshots in batches. Lobby.mu guards everything but last.
type publisher struct {
	last    atomic.Pointer[Snapshot]
	at      time.Time // the time of last
	dirty   part
	timer   *time.Timer // nil while not armed
	due     time.Time   // when timer fires
	stopped bool
	showing map[*Visit]struct{} // the sessions that look at the club

	waiting []*Visit      // sessions still to be woken for last, a few at a time
	pause   time.Duration // between wakes
	waker   *time.Timer   // wakes the next few; nil if nobody waits
}

// changed records that parts of the club have changed, and schedules a snapshot if anybody looks. With mu
// held.
func (l *Lobby) changed(p part) {
	b := &l.publisher
	b.dirty |= p
	if b.stopped || b.dirty == 0 || len(b.showing) == 0 && b.dirty&partNotice == 0 {
		return
	}
	due := b.at.Add(l.gap(b.dirty))
	switch {
	case b.timer == nil:
		b.due, b.timer = due, time.AfterFunc(time.Until(due), l.publish)
	case due.Before(b.due) && b.timer.Stop(): // else it has fired
		b.due = due
		b.timer.Reset(time.Until(due))
	}
}

// These bound how often the club is drawn for everybody together, since each session draws every snapshot.
const (
	peopleBatches = 5                      // batches between snapshots in which only people have come or gone
	drawGap       = 100 * time.Microsecond // for each session, so that at most 10,000 screens are drawn a second
	peopleGap     = time.Millisecond       // the same if only people have come or gone
)

// gap returns the least time between two snapshots if these parts have changed. With mu held.
func (l *Lobby) gap(p part) time.Duration {
	looking := time.Duration(len(l.publisher.showing))
	if p == partPeople {
		return max(l.cfg.Batch*peopleBatches, looking*peopleGap)
	}
	return max(l.cfg.Batch, looking*drawGap)
}

// publish makes a snapshot and wakes the sessions that show it. It runs on the timer's goroutine.
func (l *Lobby) publish() {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := &l.publisher
	b.timer = nil
	if b.dirty == 0 || b.stopped {
		return
	}
	everybody := b.dirty&partNotice != 0
	l.build()
	if everybody {
		for _, p := range l.people {
			b.waiting = append(b.waiting, p.visits...)
		}
	} else {
		b.waiting = slices.AppendSeq(b.waiting, maps.Keys(b.showing))
	}
	b.pause = min(wakePause, l.gap(partAll)/2*wakeAtOnce/time.Duration(max(len(b.waiting), 1)))
	if b.waker == nil {
		l.wakeSome()
	}
}

// Woken sessions draw the club. If all of them did so at once, players would wait until the last has drawn:
// with two processors and fifty windows of the largest size, a move would take a tenth of a second longer.
const (
	wakeAtOnce = 8
	wakePause  = 2 * time.Millisecond // between wakes; less if it would take more than half the gap to wake everybody
)

// wakeSome wakes a few of the waiting sessions, and schedules the others. With mu held.
func (l *Lobby) wakeSome() {
	b := &l.publisher
	n := min(wakeAtOnce, len(b.waiting))
	for _, v := range b.waiting[:n] {
		v.wake()
	}
	b.waiting = b.waiting[n:]
	if len(b.waiting) == 0 {
		b.waiting, b.waker = nil, nil
		return
	}
	b.waker = time.AfterFunc(b.pause, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if !b.stopped {
			l.wakeSome()
		}
	})
}

// snapshot returns the newest snapshot, which is at most one batch old even if nobody has looked for long.
func (l *Lobby) snapshot() *Snapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b := &l.publisher; b.dirty != 0 && b.timer == nil && time.Since(b.at) >= l.cfg.Batch {
		l.build()
	}
	return l.publisher.last.Load()
}

// build makes a snapshot that shares unchanged parts with the one before. With mu held.
func (l *Lobby) build() {
	b := &l.publisher
	s := *b.last.Load()
	s.Version++
	if b.dirty&partTables != 0 {
		s.Tables = l.summaries()
	}
	if b.dirty&partPeople != 0 {
		s.People = l.whoIsHere()
	}
	if b.dirty&partEvents != 0 {
		s.Events++
		s.next, s.nextBegins = l.events.Soon()
	}
	s.Chat, s.News, s.Notice = l.chat, l.news, l.notice
	if l.suspended != "" && !l.draining {
		s.Notice = l.suspended
	}
	b.last.Store(&s)
	b.dirty, b.at = 0, time.Now()
}

// stop ends publishing. With mu held.
func (b *publisher) stop() {
	b.stopped = true
	if b.timer != nil {
		b.timer.Stop()
		b.timer = nil
	}
	if b.waker != nil {
		b.waker.Stop()
	}
	b.waiting = nil
}

// summaries lists the tables in a snapshot's order. With mu held.
func (l *Lobby) summaries() []table.Summary {
	list := make([]*table.Summary, 0, len(l.directory))
	for _, e := range l.directory {
		if e.table != nil && !e.sum.Config.Event.Private {
			list = append(list, &e.sum)
		}
	}
	return sorted(list)
}

// whoIsHere lists the people in a snapshot's order. With mu held.
func (l *Lobby) whoIsHere() []Person {
	list := make([]Person, 0, len(l.people))
	for _, p := range l.people {
		list = append(list, l.describe(p))
	}
	slices.SortFunc(list, func(a, b Person) int { return strings.Compare(a.folded, b.folded) })
	return list
}
