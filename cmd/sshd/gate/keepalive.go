package gate

import (
	"sync/atomic"
	"time"
)

// keepalive finds out whether a client that says nothing is still there. A client that has sent
// nothing for an interval is asked for a reply; one that has sent nothing for missed intervals is
// gone. There is no ticker: one timer a line, set to when the next thing could be due, so a line that
// is used costs nothing and an idle one a packet an interval.
type keepalive struct {
	line     *line
	ping     func() // asks and waits for the answer or the end of the line
	interval time.Duration
	missed   int
	asked    atomic.Bool // ping has not come back
}

// tick looks at the line and sets the timer anew. It runs on a goroutine of its own, and stays in
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
	switch {
	case silent < k.interval:
		l.arm(k.interval-silent, k.tick)
	case silent >= time.Duration(k.missed)*k.interval:
		l.end(ReasonSilent)
	default:
		l.arm(k.interval-silent%k.interval, k.tick)
		if k.asked.CompareAndSwap(false, true) {
			k.ping()
			k.asked.Store(false)
		}
	}
}
