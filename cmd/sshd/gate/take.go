package gate

import (
	"context"
	"io"
	"log/slog"
	"maps"
	"slices"
	"time"
)

// Another server, in this process or on another machine, may let a call in and have this one serve it. This
// server counts the call together with all others. The other server sets [Config.Passes] so that it does not
// count the call too; it does the logging and metrics for its caller.

// Outcome is how a call that another server served ended; zero before that.
type Outcome struct {
	Status  int
	Refused Reason `json:",omitempty"` // why the call was not served
	Why     Reason `json:",omitempty"` // if it did not end as sessions do
	Seated  bool   `json:",omitempty"` // the caller had a seat in a running game at the end
}

// RelayedCall is a call that another server has let in, as Shutdown sees it.
type RelayedCall interface {
	// Move asks the caller's server to resume the call elsewhere, if it can. It does not block.
	Move()
	// Close ends the call at once.
	Close() error
}

// Register registers a call that the server will Take, until leave is called. It returns false if the server is
// closed. c is nil if the call's context ends with the server by itself.
func (s *Server) Register(c RelayedCall) (leave func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, false
	}
	s.wg.Add(1)
	if c != nil {
		s.relayed[c] = struct{}{}
	}
	return func() {
		s.mu.Lock()
		delete(s.relayed, c)
		s.mu.Unlock()
		s.wg.Done()
	}, true
}

// relayedCalls returns the calls that other servers have let in.
func (s *Server) relayedCalls() []RelayedCall {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.relayed))
}

// Take admits and serves a call that another server has let in, or refuses it with a message. c.Outcome is
// the result.
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

// Feed passes a call what its caller sends.
type Feed struct {
	in       *inbox
	sizes    *latest // nil without a terminal
	out, err *stallWriter
}

// Connect completes a call that another node described.
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

// Put adds the caller's input, and the error after which nothing follows. It returns false if there is no
// room.
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

// Close ends the call's input.
func (f *Feed) Close() { f.in.close() }

// Stop frees what the feed holds, after the call has ended.
func (f *Feed) Stop() {
	f.in.close()
	f.out.stop()
	f.err.stop()
}

// LogOf returns a logger that names the caller. It takes 4 kB, so it is not kept for as long as a session
// lasts.
func (s *Server) LogOf(c *Call) *slog.Logger {
	return s.cfg.Log.With("addr", c.Addr, "key", c.Fingerprint, "user", c.User)
}
