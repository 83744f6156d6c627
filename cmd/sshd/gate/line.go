package gate

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"boneyard/lobby/limit"

	"golang.org/x/time/rate"
)

// Ended is the cause of a [Handler]'s context after its line has ended.
type Ended struct{ Reason Reason }

func (e Ended) Error() string { return fmt.Sprintf("the line ended: %s", e.Reason) }

var errNotSSH = errors.New("the first bytes are not an SSH client's")

// line is one connection, from accept until all its goroutines have ended. It is the net.Conn that the SSH
// library works on.
type line struct {
	net.Conn
	srv     *Server
	addr    netip.Addr // of the client, from its proxy's header if there is one
	source  source
	network netip.Prefix
	exempt  bool
	shared  bool // many callers come from addr
	awaited bool // somebody may return from this source to a running game
	first   bool // no other of its source was before login when it came; guarded by startups.mu
	born    time.Time

	heard    atomic.Int64 // when input last came, in nanoseconds since born
	signed   atomic.Bool  // a host key has signed: all later input is encrypted
	keyed    atomic.Bool  // the key exchange is done
	loggedIn atomic.Bool
	finished atomic.Bool // the handler has returned
	held     atomic.Bool // not read while enough input is waiting

	// Owned by the goroutine that reads.
	greeting int // how much of the client's "SSH-" has been seen
	early    int // bytes read since signed, before login
	intake   *rate.Limiter
	unread   *rate.Limiter // applies too while there is no terminal
	owed     time.Duration // how long the client has been slowed down in all

	keyings *rate.Limiter // key exchanges; used by the goroutine that makes them
	proved  bool          // host keys were proved; used by the goroutine that takes global requests

	deadline time.Time // of writes; the SSH library writes one packet at a time

	// Owned by the goroutine that runs the handshake, then read by the session's.
	failures   int    // refused attempts to log in
	keyRefused string // why the last key offered cannot be used

	readAhead <-chan []byte // of the library, owned by the goroutine that serves the line

	ctx    context.Context // of the handler; ends with the line or when the server drains
	cancel context.CancelCauseFunc
	login  chan struct{} // closed when the client is asked to log in
	done   chan struct{} // closed when the line has ended

	mu      sync.Mutex
	why     Reason // why it ended; empty while it lives
	begun   bool   // its session has begun
	taken   bool   // its one session channel is taken
	channel *channel
	timer   *time.Timer // the login limit, then the keepalive
	closing bool        // no more work is begun
	work    sync.WaitGroup
}

func newLine(s *Server, conn net.Conn, addr netip.Addr) *line {
	l := &line{
		Conn:    conn,
		srv:     s,
		addr:    addr,
		source:  sourceOf(addr),
		network: limit.Network(addr),
		exempt:  s.cfg.Exempt.Contains(addr),
		born:    time.Now(),
		intake:  rate.NewLimiter(rate.Limit(s.cfg.Input.LineRate), s.cfg.Input.LineBurst),
		unread:  rate.NewLimiter(rate.Limit(s.cfg.Input.LineRate), min(s.cfg.Input.LineBurst, maxUnreadBurst)),
		keyings: rate.NewLimiter(rate.Every(keyingEvery), keyingsAtOnce),
		login:   make(chan struct{}),
		done:    make(chan struct{}),
	}
	l.shared = s.sharing.is(l.source)
	l.awaited = s.returning.has(l.source)
	l.ctx, l.cancel = context.WithCancelCause(s.ctx)
	return l
}

// silence returns how long the client has sent nothing; 0 while its input is not read, since nobody can know
// then.
func (l *line) silence() time.Duration {
	if l.held.Load() {
		return 0
	}
	return time.Since(l.born) - time.Duration(l.heard.Load())
}

// late reports whether a client has taken longer than it should to begin its session.
func (l *line) late() bool {
	limits := l.srv.cfg.Startups
	if l.keyed.Load() {
		return time.Since(l.born) >= limits.BeforeSession
	}
	return time.Since(l.born) >= limits.BeforeKeys
}

// privileged reports whether the line keeps its place before login: it is the first of a source from which
// somebody may return to a running game.
func (l *line) privileged() bool { return l.awaited && l.first }

// Read reads at the line's rate, and ends a line whose first bytes are not "SSH-": a client sends nothing
// before that (RFC 4253, 4.2), so it is some other protocol, or a PROXY header from a peer that is not a
// listed proxy.
func (l *line) Read(p []byte) (int, error) {
	l.awaitReader()
	p, early := l.beforeLogin(p)
	n, err := l.Conn.Read(p)
	if n == 0 {
		return n, err
	}
	if early {
		l.early += n
	}
	l.heard.Store(int64(time.Since(l.born)))
	const greeting = "SSH-"
	for i := 0; i < n && l.greeting < len(greeting); i++ {
		if p[i] != greeting[l.greeting] {
			l.end(ReasonNotSSH)
			return 0, errNotSSH
		}
		l.greeting++
	}
	l.slowDown(n)
	return n, err
}

// awaitReader waits while the inbox is full. The SSH library grants each channel a window of two megabytes
// and offers no way to grant less, so the line itself is not read. That holds up all input, and through TCP's
// window the client.
func (l *line) awaitReader() {
	l.mu.Lock()
	ch := l.channel
	l.mu.Unlock()
	if ch == nil || !ch.in.full() {
		return
	}
	l.held.Store(true)
	if !ch.in.awaitRoom(l.srv.cfg.Input.UnreadFor) {
		l.end(ReasonFlood)
	}
	l.heard.Store(int64(time.Since(l.born)))
	l.held.Store(false)
}

// maxUnreadBurst is how many bytes may come at once from a client without a terminal. More could sit in the
// SSH library before awaitReader sees that they are too many.
const maxUnreadBurst = 32 << 10

// slowDown waits until n more bytes are within the rate. Called on the goroutine that reads.
func (l *line) slowDown(n int) {
	l.mu.Lock()
	terminal := l.channel != nil && l.channel.in.terminal()
	l.mu.Unlock()
	if !terminal {
		l.wait(l.unread, n)
	}
	l.wait(l.intake, n)
}

// wait waits until limit allows n bytes.
func (l *line) wait(limit *rate.Limiter, n int) {
	for n > 0 {
		part := min(n, limit.Burst())
		n -= part
		d := limit.ReserveN(time.Now(), part).Delay()
		if d <= 0 {
			continue
		}
		if l.owed += d; l.owed > l.srv.cfg.Input.FloodAfter {
			l.end(ReasonFlood)
			return
		}
		select {
		case <-time.After(d):
		case <-l.done:
			return
		}
	}
}

// Write gives the client WriteStall to take p, or up to a quarter less, and ends the line if it does not. A
// deadline is reused for a quarter of that time: a new one for each write took a twentieth of the time that
// showing a move to a watcher takes.
func (l *line) Write(p []byte) (int, error) {
	if now, stall := time.Now(), l.srv.cfg.WriteStall; l.deadline.Sub(now) < stall*3/4 {
		l.deadline = now.Add(stall)
		if err := l.Conn.SetWriteDeadline(l.deadline); err != nil {
			return 0, err
		}
	}
	n, err := l.Conn.Write(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		l.end(ReasonStall)
	}
	return n, err
}

// SetDeadline sets the deadline for reads only: Write sets its own.
func (l *line) SetDeadline(t time.Time) error { return l.Conn.SetReadDeadline(t) }

// Close ends the line. The SSH library calls it when the client is gone.
func (l *line) Close() error {
	if l.finished.Load() {
		l.end(ReasonDone)
	} else {
		l.end(ReasonHungUp)
	}
	return nil
}

// end ends the line; the first reason counts.
func (l *line) end(why Reason) {
	l.mu.Lock()
	if l.why != "" {
		l.mu.Unlock()
		return
	}
	l.why = why
	if l.timer != nil {
		l.timer.Stop()
	}
	close(l.done)
	if l.channel != nil {
		l.channel.in.close()
	}
	l.mu.Unlock()

	switch why {
	case ReasonStall:
		l.srv.cfg.Hooks.WriteStall()
		fallthrough
	case ReasonSilent, ReasonDisplaced, ReasonFlood:
		// Unsent data will never be read: have the kernel discard it rather than keep trying.
		if tcp, ok := l.Conn.(interface{ SetLinger(int) error }); ok {
			_ = tcp.SetLinger(0)
		}
	}
	_ = l.Conn.Close()
	l.cancel(Ended{why})
}

// reason returns why the line ended; empty while it lives.
func (l *line) reason() Reason {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.why
}

// arm calls f after d, in place of what was armed before.
func (l *line) arm(d time.Duration, f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why != "" {
		return
	}
	if l.timer != nil {
		l.timer.Stop()
	}
	l.timer = time.AfterFunc(d, f)
}

// enter registers a goroutine that works for the line and must call leave; it returns false once join has
// been called. A goroutine that has entered may add others to work directly.
func (l *line) enter() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return false
	}
	l.work.Add(1)
	return true
}

func (l *line) leave() { l.work.Done() }

// join waits for every goroutine that has entered.
func (l *line) join() {
	l.mu.Lock()
	l.closing = true
	l.mu.Unlock()
	l.work.Wait()
}

// begin marks the session as begun: the login limit is over, the place before login is free and the keepalive
// starts. It returns false if the line has already ended.
func (l *line) begin(ping func()) bool {
	l.mu.Lock()
	l.begun = l.why == ""
	begun := l.begun
	l.mu.Unlock()
	if !begun {
		return false
	}
	l.srv.startups.release(l)
	k := &keepalive{line: l, ping: ping, interval: l.srv.cfg.KeepAlive, missed: l.srv.cfg.KeepAliveMissed}
	k.arm(k.interval)
	return true
}

// takeSession reserves the line's one session channel; it returns false if there is none to have.
func (l *line) takeSession() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken || l.closing {
		return false
	}
	l.taken = true
	return true
}

// hasBegun reports whether the line's session has begun.
func (l *line) hasBegun() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.begun
}
