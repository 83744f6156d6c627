package gate

import (
	"sync/atomic"
	"time"
)

// keepalive finds out whether a silent client is still there. A client that has sent nothing for an interval
// is asked for a reply. One that has sent nothing for missed intervals is gone, but only if it left a
// question unanswered for all but the first of them: after the server itself stood still, input may be
// waiting unread. There is no ticker but one timer per line, set for when the next check could be due: a busy
// line costs nothing, and an idle one a packet an interval, sent together with those of others.
type keepalive struct {
	line     *line
	ping     func() // asks, and waits for the answer or the line's end
	interval time.Duration
	missed   int
	asked    atomic.Bool // ping has not returned
	waited   int         // intervals without input since the question
}

// tick checks the line and sets the timer again. It runs on a goroutine of its own, and stays in ping until
// the client has answered or the line has ended.
func (k *keepalive) tick() {
	l := k.line
	if l.finished.Load() {
		l.end(ReasonDone) // the client has had its time to close its side
		return
	}
	if !l.enter() {
		return
	}
	defer l.leave()
	silent := l.silence()
	intervals := int((silent + k.slack()) / k.interval) // that are over, or nearly so
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

// slack is how much earlier than due a line may be checked.
func (k *keepalive) slack() time.Duration { return k.interval / 16 }

// arm sets the timer for d from now, up to slack earlier. All lines share these moments: one wakeup for a
// hundred lines costs far less than a hundred wakeups.
func (k *keepalive) arm(d time.Duration) {
	now := time.Since(k.line.srv.born)
	k.line.arm((now+d).Truncate(k.slack())-now, k.tick)
}
