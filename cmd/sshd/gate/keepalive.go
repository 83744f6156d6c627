package gate

import (
	"sync/atomic"
	"time"
)

// keepalive finds out whether a client that says nothing is still there. A client that has sent
// nothing for an interval is asked for a reply; one that has sent nothing for missed intervals is
// gone, but only if it has left a question unanswered for the last of them: where the server itself
// stood still, what clients have sent may not have been read yet. There is no ticker: one timer a
// line, set to when the next thing could be due, so a line that is used costs nothing and an idle one
// a packet an interval, sent together with those of others.
type keepalive struct {
	line     *line
	ping     func() // asks and waits for the answer or the end of the line
	interval time.Duration
	missed   int
	asked    atomic.Bool // ping has not come back
	waited   int         // how many intervals have passed without a word since the question
}

// tick looks at the line and sets the timer again. It runs on a goroutine of its own, and stays in
// ping until the client has answered or the line has ended.
func (k *keepalive) tick() {
	l := k.line
	if l.finished.Load() {
		l.end(ReasonDone) // the client was given long enough to close its side
		return
	}
	if !l.enter() {
		return
	}
	defer l.leave()
	silent := l.silence()
	intervals := int((silent + k.slack()) / k.interval) // over, or nearly
	switch {
	case intervals == 0:
		k.waited = 0
	case k.asked.Load():
		k.waited++
	}
	if intervals >= k.missed && k.waited >= k.missed-1 {
		l.end(ReasonSilent)
		return
	}
	k.arm(time.Duration(intervals+1)*k.interval - silent)
	if intervals > 0 && k.asked.CompareAndSwap(false, true) {
		k.ping()
		k.asked.Store(false)
	}
}

// slack is how much earlier than it is due a line may be looked at.
func (k *keepalive) slack() time.Duration { return k.interval / 16 }

// arm sets the timer to a moment at most slack before what is due after d. All lines share these
// moments: to wake up once for a hundred lines costs far less than a hundred times.
func (k *keepalive) arm(d time.Duration) {
	now := time.Since(k.line.srv.born)
	k.line.arm((now+d).Truncate(k.slack())-now, k.tick)
}
