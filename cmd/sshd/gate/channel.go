package gate

import (
	"io"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// serveChannel handles a client's request for a session channel. The library's own handler does the
// work, behind a filter: of itself it keeps any number of environment variables, believes any window
// size, stops reading requests while nobody takes a resize, and grants agent forwarding.
func (s *Server) serveChannel(srv *ssh.Server, conn *gossh.ServerConn, nc gossh.NewChannel, ctx ssh.Context) {
	l := lineOf(ctx)
	if most := mostAtOnce(nc); most != 0 && most < s.cfg.LeastPacket {
		s.cfg.Hooks.Refused(ReasonForbidden)
		_ = nc.Reject(gossh.Prohibited, "packets are too small")
		return
	}
	if !l.takeSession() {
		s.cfg.Hooks.Refused(ReasonOneOnly)
		_ = nc.Reject(gossh.ResourceShortage, "one session a connection")
		return
	}
	if !l.enter() {
		return
	}
	defer l.leave()
	opened := &newChannel{NewChannel: nc, line: l}
	ssh.DefaultSessionHandler(srv, conn, opened, ctx) // until the session has begun
	if c := opened.channel; c != nil {
		<-c.prepared
		c.attend()
		c.out.stop()
		c.err.stop()
	}
	_ = l.Close() // the channel is closed, and there will be no other
}

// mostAtOnce is how many bytes a client takes in one packet of a channel; 0: not known. The SSH library accepts any
// number from 9 on, and shows it to nobody; a test fails if it keeps it elsewhere some day.
func mostAtOnce(nc gossh.NewChannel) uint64 {
	if most := reflect.Indirect(reflect.ValueOf(nc)).FieldByName("maxRemotePayload"); most.IsValid() {
		return most.Uint()
	}
	return 0
}

// refuseChannel answers requests for every other kind of channel: forwarded ports, X11, agents.
func (s *Server) refuseChannel(_ *ssh.Server, _ *gossh.ServerConn, nc gossh.NewChannel, _ ssh.Context) {
	s.cfg.Hooks.Refused(ReasonForbidden)
	_ = nc.Reject(gossh.Prohibited, "only sessions are served here")
}

// newChannel is a requested session channel whose requests will be filtered.
type newChannel struct {
	gossh.NewChannel
	line    *line
	channel *channel // once it is accepted
}

func (n *newChannel) Accept() (gossh.Channel, <-chan *gossh.Request, error) {
	ch, reqs, err := n.NewChannel.Accept()
	if err != nil {
		return nil, nil, err
	}
	l := n.line
	c := &channel{Channel: ch, line: l, in: newInbox(), requests: reqs, prepared: make(chan struct{})}
	n.channel = c
	stall := l.srv.cfg.WriteStall
	c.out = newStallWriter(ch, stall, l.end)
	c.err = newStallWriter(ch.Stderr(), stall, l.end)
	l.mu.Lock()
	l.channel = c
	if l.why != "" {
		c.in.close()
	}
	l.mu.Unlock()

	kept := make(chan *gossh.Request)
	// All of them end with the channel, the first as soon as the session begins.
	l.work.Go(func() { c.prepare(kept) })
	l.work.Go(func() { c.in.pump(ch) })
	l.work.Go(c.refuseStderr)
	return c, kept, nil
}

// channel is a session's channel: what is read from it is limited, what is written to it is watched.
type channel struct {
	gossh.Channel
	line *line
	in   *inbox
	out  *stallWriter
	err  *stallWriter

	requests <-chan *gossh.Request
	prepared chan struct{} // closed when prepare has ended

	// Written by prepare before the handler starts, constant afterwards.
	term    string
	size    Size
	resizes *latest // nil without a terminal
	envs    int
}

var _ gossh.Channel = (*channel)(nil)

func (c *channel) Read(p []byte) (int, error) { return c.in.Read(p) }

func (c *channel) Write(p []byte) (int, error) { return c.out.Write(p) }

func (c *channel) Stderr() io.ReadWriter {
	return struct {
		io.Reader
		io.Writer
	}{c.Channel.Stderr(), c.err}
}

// refuseStderr ends the line when the client sends data for stderr, which only servers do: nobody
// would ever read it.
func (c *channel) refuseStderr() {
	var b [1]byte
	if n, _ := c.Channel.Stderr().Read(b[:]); n > 0 {
		c.line.end(ReasonFlood)
	}
}

// prepare passes on the requests that a session needs until it begins, cleaned, and answers all the others
// itself. It always takes the next request: one that waits would hold up the whole connection. The library's
// loop ends with it, and its goroutine is free to attend to what comes afterwards.
func (c *channel) prepare(out chan<- *gossh.Request) {
	defer close(c.prepared)
	defer close(out)
	for r := range c.requests {
		begins := false
		switch r.Type {
		case "pty-req":
			if !c.wantTerminal(r) {
				c.refuse(r)
				continue
			}
		case "env":
			if !c.wantEnv(r) {
				c.refuse(r)
				continue
			}
		case "shell", "exec":
			if len(r.Payload) > maxCommand {
				r.Payload = gossh.Marshal(struct{ Command string }{"\x00"}) // which is refused with a sentence
			}
			begins = true
			c.line.work.Add(1) // for the handler
		default:
			c.answer(r)
			continue
		}
		select {
		case out <- r:
		case <-c.line.done:
			c.refuse(r)
			if begins {
				c.line.work.Done() // the handler does not start
			}
		}
		if begins {
			return
		}
	}
}

// attend answers the requests that come while the session goes on, until there are no more.
func (c *channel) attend() {
	for r := range c.requests {
		c.answer(r)
	}
}

// answer answers a request of those that the library does not see.
func (c *channel) answer(r *gossh.Request) {
	switch r.Type {
	case "window-change":
		_ = r.Reply(c.resize(r), nil)
	default:
		if !slices.Contains(harmless, r.Type) {
			c.line.srv.cfg.Hooks.Refused(ReasonForbidden)
		}
		c.refuse(r)
	}
}

func (c *channel) refuse(r *gossh.Request) { _ = r.Reply(false, nil) }

// harmless are requests of clients that mean no harm.
var harmless = []string{"pty-req", "env", "shell", "exec", "signal"}

func (c *channel) wantTerminal(r *gossh.Request) bool {
	if c.resizes != nil {
		return false
	}
	clean, term, size, ok := cleanPty(r.Payload)
	if !ok {
		return false
	}
	r.Payload = clean
	c.term, c.size = term, size
	c.resizes = newLatest(size)
	c.in.setKeys(newKeyLimiter(c.line.srv.cfg.Input))
	return true
}

func (c *channel) wantEnv(r *gossh.Request) bool {
	var kv struct{ Name, Value string }
	if c.envs >= maxEnv || gossh.Unmarshal(r.Payload, &kv) != nil || !envKept(kv.Name, kv.Value) {
		return false
	}
	c.envs++
	return true
}

// resize keeps the latest size for whoever draws.
func (c *channel) resize(r *gossh.Request) bool {
	var w windowChange
	if c.resizes == nil || gossh.Unmarshal(r.Payload, &w) != nil {
		return false
	}
	c.resizes.put(clampSize(w.Width, w.Height))
	return true
}

// stallWriter ends a session when one write takes as long as the client is given to read it, or up to a
// quarter less. The deadlines of the connection do not see this: a client that grants no window leaves the
// socket idle. Like the channel beneath, it is for one goroutine at a time.
//
// The timer is set for the writes of a quarter of that time at once, and never stopped: to set and stop it
// for each write took a twentieth of the time in which a watcher is shown a move.
type stallWriter struct {
	io.Writer
	timer *time.Timer
	after time.Duration
	born  time.Time
	set   time.Duration // when the timer was set last; this and what follows since born
	began atomic.Int64  // when the write that is under way began; 0: none is
}

func newStallWriter(w io.Writer, after time.Duration, end func(Reason)) *stallWriter {
	s := &stallWriter{Writer: w, after: after, born: time.Now(), set: -after}
	s.timer = time.AfterFunc(s.after, func() {
		if began := time.Duration(s.began.Load()); began != 0 && time.Since(s.born)-began >= s.after*3/4 {
			end(ReasonStall)
		}
	})
	s.timer.Stop()
	return s
}

func (s *stallWriter) Write(p []byte) (int, error) {
	now := max(time.Since(s.born), 1)
	if now-s.set >= s.after/4 {
		s.set = now
		s.timer.Reset(s.after)
	}
	s.began.Store(int64(now))
	defer s.began.Store(0)
	return s.Writer.Write(p)
}

// stop has the timer keep nothing alive when all has been written.
func (s *stallWriter) stop() { s.timer.Stop() }
