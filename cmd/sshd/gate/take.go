package gate

import (
	"context"
	"io"
	"log/slog"
	"maps"
	"slices"
	"time"
)

// Another server may let a call in, in this process or on another machine, and have this one serve it. The
// call is counted here, together with all others, and must not be counted as its own by the other one, whose
// [Config.Passes] says so. That one writes what there is to log and to count about its caller.

// Outcome is how a call that another server served has ended; zero before that.
type Outcome struct {
	Status  int
	Refused Reason `json:",omitempty"` // it was not served, because of this
	Why     Reason `json:",omitempty"` // it ended not as a session does
	Seated  bool   `json:",omitempty"` // the caller had a seat in a running game at the end
}

// Guest is a call that another server has let in, as Shutdown sees it.
type Guest interface {
	// Move has the caller's server go on elsewhere, if it can. It does not wait.
	Move()
	// Close ends the call at once.
	Close() error
}

// Host announces that the server will Take a call, until leave is called. It is refused when the server is
// closed. g is nil if the call's context ends with the server by itself.
func (s *Server) Host(g Guest) (leave func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, false
	}
	s.wg.Add(1)
	if g != nil {
		s.hosted[g] = struct{}{}
	}
	return func() {
		s.mu.Lock()
		delete(s.hosted, g)
		s.mu.Unlock()
		s.wg.Done()
	}, true
}

// guests are the calls that other servers have let in.
func (s *Server) guests() []Guest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.hosted))
}

// Take lets a call in that another server has let in, or says why not, and has it served. c.Outcome is how
// that ended.
func (s *Server) Take(ctx context.Context, c *Call) {
	leave, why, text := s.enter(ctx, c)
	if why != "" {
		c.Warn(text)
		c.Outcome = Outcome{Status: 1, Refused: why}
		return
	}
	defer leave()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })()
	c.Outcome.Status = s.call(ctx, c)
	c.Outcome.Seated = s.isSeated(c)
}

// Places are where callers wait for a server, shared out by address and network as sessions are.
type Places struct{ sessions *sessions }

// NewPlaces returns so many places. One address may hold three times as many of them as one key, and one network a quarter.
func NewPlaces(total, perKey int) Places { return Places{newSessions(total, perKey)} }

// Hold gives a caller a place until leave is called, which is nil if there is none for them.
func (p Places) Hold(c *Call) (leave func()) {
	leave, _ = p.sessions.enter(c, Seated) // none are kept for others
	return leave
}

// Wire is how a call whose caller is at another node is connected with them: Out and Err are written to, Keep
// is told where the caller is, and End is called, any number of times, to end the session.
type Wire struct {
	Out, Err io.Writer
	Keep     func(at string)
	End      func(Reason)
}

// Feed gives a call what its caller sends.
type Feed struct {
	in       *inbox
	sizes    *latest // nil without a terminal
	out, err *stallWriter
}

// Connect completes a call that was described by another node.
func (s *Server) Connect(c *Call, w Wire) *Feed {
	stall := func(why Reason) {
		s.cfg.Hooks.WriteStall()
		w.End(why)
	}
	f := &Feed{in: newInbox(), out: newStallWriter(w.Out, s.cfg.WriteStall, stall), err: newStallWriter(w.Err, s.cfg.WriteStall, stall)}
	if c.Term != nil {
		f.in.setKeys(newKeyLimiter(s.cfg.Input))
		f.sizes = newLatest(c.Term.Size)
		c.Term.Resizes = f.sizes.sizes
	}
	c.In, c.Out, c.Err = f.in, f.out, f.err
	c.server, c.end, c.keep = s, w.End, w.Keep
	return f
}

// Put adds what the caller has sent, and the error after which nothing follows. It returns false if that is
// more than is kept.
func (f *Feed) Put(p []byte, err error) bool {
	if !f.in.roomFor(len(p)) {
		return false
	}
	f.in.put(time.Now(), p, err)
	return true
}

// Resize changes the size of the caller's window. It returns false if there is no terminal.
func (f *Feed) Resize(width, height uint32) bool {
	if f.sizes != nil {
		f.sizes.put(clampSize(width, height))
	}
	return f.sizes != nil
}

// Close has the call read no more.
func (f *Feed) Close() { f.in.close() }

// Stop gives back what the feed holds, when the call has ended.
func (f *Feed) Stop() {
	f.in.close()
	f.out.stop()
	f.err.stop()
}

// LogOf returns a logger that says whose call it is. One takes 4 kB, and is not kept as long as a session
// lasts.
func (s *Server) LogOf(c *Call) *slog.Logger {
	return s.cfg.Log.With("addr", c.Addr, "key", c.Fingerprint, "user", c.User)
}
