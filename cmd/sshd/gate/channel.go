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

// serveChannel handles a client's request for a session channel. The library's own handler does the work,
// behind a filter: on its own it keeps any number of environment variables, trusts any window size, stops
// reading requests while nobody takes a resize, and grants agent forwarding.
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
	ssh.DefaultSessionHandler(srv, conn, opened, ctx) // returns when the session has begun
	if c := opened.channel; c != nil {
		<-c.prepared
		for r := range c.requests {
			c.answer(r)
		}
		c.out.stop()
		c.err.stop()
	}
	_ = l.Close() // the channel is closed, and there will be no other
}

// mostAtOnce returns how many bytes a client takes in one packet of a channel, or 0 if unknown. The SSH
// library accepts any number from 9 up and does not expose it; a test fails if the library moves the field.
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
	channel *channel // set by Accept
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
	// All of these end with the channel, the first one as soon as the session begins.
	l.work.Go(func() { c.prepare(kept) })
	l.work.Go(func() { c.in.pump(ch) })
	l.work.Go(c.refuseStderr)
	return c, kept, nil
}

// channel is a session's channel: input is limited and output is watched for stalls.
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

func (c *channel) Read(p []byte) (int, error) { return c.in.Read(p) }

func (c *channel) Write(p []byte) (int, error) { return c.out.Write(p) }

func (c *channel) Stderr() io.ReadWriter {
	return struct {
		io.Reader
		io.Writer
	}{c.Channel.Stderr(), c.err}
}

// refuseStderr ends the line when the client sends data for stderr, which only servers do: nobody would ever
// read it.
func (c *channel) refuseStderr() {
	var b [1]byte
	if n, _ := c.Channel.Stderr().Read(b[:]); n > 0 {
		c.line.end(ReasonFlood)
	}
}

// prepare cleans and passes on the requests that a session needs until it begins, and answers all others
// itself. It never leaves a request waiting, since that would block the whole connection. When it ends, so
// does the library's loop, whose goroutine then answers requests.
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
				r.Payload = gossh.Marshal(struct{ Command string }{"\x00"}) // serveSession refuses it with a message
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

// answer answers a request that the library does not see.
func (c *channel) answer(r *gossh.Request) {
	harmless := []string{"pty-req", "env", "shell", "exec", "signal"} // requests that well-behaved clients make
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

// resize stores the window's new size.
func (c *channel) resize(r *gossh.Request) bool {
	var w windowChange
	if c.resizes == nil || gossh.Unmarshal(r.Payload, &w) != nil {
		return false
	}
	c.resizes.put(clampSize(w.Width, w.Height))
	return true
}

// stallWriter ends a session when one write blocks for as long as the client is given to read it, or up to a
// quarter less. The connection's deadlines do not catch this: a client that grants no window leaves the
// socket idle. Like the channel beneath, it is for one goroutine at a time.
//
// The timer is reset at most once every quarter of that time, and not stopped after a write: resetting and
// stopping it each time took a twentieth of the time that showing a move to a watcher takes.
type stallWriter struct {
	io.Writer
	timer *time.Timer
	after time.Duration
	born  time.Time
	set   time.Duration // when the timer was last set; this and the next are since born
	began atomic.Int64  // when the current write began; 0 if there is none
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

// stop stops the timer, so that it keeps nothing alive. Called after the last write.
func (s *stallWriter) stop() { s.timer.Stop() }
