package gate

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Serve a call that another server has let in: [Server.Take] in this process, [Server.Relayed] on another machine. It is counted here, together
// with all others, and must not be counted as its own by the other one, whose [Config.Passes] says so. That one writes what there is
// to log and to count about its caller.

// Take serves a call that another server of this process has let in. The error is ErrServerClosed if this one takes none any more.
func (s *Server) Take(ctx context.Context, c *Call) (status int, err error) {
	if !s.work() {
		return 0, ErrServerClosed
	}
	defer s.wg.Done()
	e := s.take(ctx, c)
	c.refused, c.ended, c.seated = e.Refused, e.Why, e.Seated
	return e.Status, nil
}

// work announces a goroutine that works for the server until it calls s.wg.Done. It is refused when the server is closed.
func (s *Server) work() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.wg.Add(1)
	return true
}

// take lets a call in, or says why not, and has it served.
func (s *Server) take(ctx context.Context, c *Call) ending {
	leave, why, text := s.enter(ctx, c)
	if why != "" {
		c.Warn(text)
		return ending{Status: 1, Refused: why}
	}
	defer leave()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })()
	e := ending{Status: s.call(ctx, c)}
	e.Why, e.Seated = c.ended, s.isSeated(c)
	return e
}

// headerTime is how long another node may take to describe a call.
const headerTime = 3 * time.Second

// relayed is a call whose caller is at another node.
type relayed struct {
	srv    *Server
	conn   net.Conn
	node   string
	input  *inbox
	out    *stallWriter
	err    *stallWriter
	sizes  *latest // nil without a terminal
	ctx    context.Context
	cancel context.CancelCauseFunc

	kept  atomic.Bool // the other node knows where the caller is
	moved atomic.Bool // and has been told to go on elsewhere: nothing is sent any more

	mu      sync.Mutex
	why     Reason        // why it was ended here
	at      *string       // where the caller is, if the other node is to be told
	telling chan struct{} // closed when it has been told; nil where it need not be
}

// Relayed serves the call that another node relays over a connection, until the call ends or the connection breaks, and closes that.
func (s *Server) Relayed(conn net.Conn) error {
	defer conn.Close()
	if !s.work() {
		return writeFrame(conn, frameElsewhere, nil)
	}
	defer s.wg.Done()
	r := &relayed{srv: s, conn: conn}
	frames := &frameReader{r: bufio.NewReaderSize(conn, 1<<10)}
	if err := conn.SetReadDeadline(time.Now().Add(headerTime)); err != nil {
		return err
	}
	kind, content, err := frames.next()
	if err != nil || kind != frameHeader {
		return fmt.Errorf("no header: %w", errors.Join(err, errFrame))
	}
	var c *Call
	if r.node, c, err = readHeader(content); err != nil {
		return err
	}
	if err := conn.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	r.prepare(c)
	if !s.addRelayed(r) {
		return writeFrame(conn, frameElsewhere, nil)
	}
	defer s.removeRelayed(r)
	if err := writeNumber(conn, frameTaken, maxUnread); err != nil { // what it sent before would be lost if this one did not begin the call
		return err
	}
	var reading sync.WaitGroup
	reading.Go(func() { r.read(frames) })
	defer reading.Wait()
	defer r.told()
	defer conn.Close()

	log := s.logOf(c).With("node", r.node)
	log.Info("session relayed", "terminal", c.Term != nil, "command", len(c.Command) > 0, "resumed", c.Resume != nil)
	began := time.Now()
	e := s.take(r.ctx, c)
	r.input.close()
	r.out.stop()
	r.err.stop()
	if why := r.reason(); why != "" {
		e.Why = why
	}
	log.Info("relayed session ended", "why", string(cmp.Or(e.Why, ReasonDone)), "refused", string(e.Refused), "moved", r.moved.Load(), "took", time.Since(began).Round(time.Millisecond))
	if r.moved.Load() {
		return nil
	}
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := r.conn.SetWriteDeadline(time.Now().Add(goodbyeTime)); err == nil && writeFrame(conn, frameEnd, b) == nil {
		_ = conn.SetReadDeadline(time.Now().Add(goodbyeTime)) // the other node hangs up when it has read it
		reading.Wait()
	}
	return nil
}

// prepare makes a call out of its description.
func (r *relayed) prepare(c *Call) {
	r.ctx, r.cancel = context.WithCancelCause(context.Background())
	r.input = newInbox()
	if c.Term != nil {
		r.input.setKeys(newKeyLimiter(r.srv.cfg.Input))
		r.sizes = newLatest(c.Term.Size)
		c.Term.Resizes = r.sizes.sizes
	}
	c.In = &relayedInput{inbox: r.input, conn: r.conn, acknowledge: c.Term == nil}
	r.out, r.err = r.writer(frameOut), r.writer(frameErr)
	c.Out, c.Err = r.out, r.err
	c.server, c.end, c.keep = r.srv, r.end, r.keep
}

// writer writes to the caller. What the other node does not take for long ends the session.
func (r *relayed) writer(kind frameKind) *stallWriter {
	return newStallWriter(relayedWriter{r, frameWriter{r.conn, kind}}, r.srv.cfg.WriteStall, r.end)
}

// relayedWriter writes to a caller who has not been told to go on elsewhere. The other node knows where the caller is before the caller is
// shown what happens there.
type relayedWriter struct {
	r  *relayed
	to frameWriter
}

func (w relayedWriter) Write(p []byte) (int, error) {
	w.r.told()
	if w.r.moved.Load() {
		return len(p), nil
	}
	return w.to.Write(p)
}

// keep has the other node told where the caller is. It does not wait for that.
func (r *relayed) keep(at string) {
	r.kept.Store(true)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at = &at
	if r.telling == nil {
		r.telling = make(chan struct{})
		go r.tell()
	}
}

// tell tells the other node where the caller is, until there is nothing new.
func (r *relayed) tell() {
	for {
		r.mu.Lock()
		at := r.at
		r.at = nil
		if at == nil {
			close(r.telling)
			r.telling = nil
		}
		r.mu.Unlock()
		if at == nil {
			return
		}
		if !r.moved.Load() {
			_ = writeFrame(r.conn, frameKeep, []byte(*at)) // if it is lost, so is the connection
		}
	}
}

// told waits until the other node has been told where the caller is.
func (r *relayed) told() {
	r.mu.Lock()
	telling := r.telling
	r.mu.Unlock()
	if telling != nil {
		<-telling
	}
}

// move has the other node go on elsewhere, if it can. The caller sees nothing more of what is served here.
func (r *relayed) move() {
	if r.kept.Load() && r.moved.CompareAndSwap(false, true) {
		go func() { _ = writeFrame(r.conn, frameMoves, nil) }() // ends when the connection does
	}
}

// end ends the session; the first reason counts.
func (r *relayed) end(why Reason) {
	r.mu.Lock()
	first := r.why == ""
	if first {
		r.why = why
	}
	r.mu.Unlock()
	if !first {
		return
	}
	r.input.close()
	r.cancel(Ended{why})
	if why == ReasonStall {
		r.srv.cfg.Hooks.writeStall()
		_ = r.conn.Close()
	}
}

func (r *relayed) reason() Reason {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.why
}

// read takes in what the other node sends, until the connection ends.
func (r *relayed) read(frames *frameReader) {
	err := r.take(frames)
	if errors.Is(err, errFrame) {
		r.srv.cfg.Log.Error("relayed session", "node", r.node, "err", err)
	}
	_ = r.conn.Close() // nobody would read an answer
	r.end(ReasonHungUp)
}

func (r *relayed) take(frames *frameReader) error {
	for {
		kind, content, err := frames.next()
		if err != nil {
			return err
		}
		switch kind {
		case frameInput:
			if !r.input.roomFor(len(content)) {
				return fmt.Errorf("%w: more input than was granted", errFrame)
			}
			r.input.put(time.Now(), content, nil)
		case frameEOF:
			r.input.put(time.Now(), nil, io.EOF)
		case frameResize:
			n, err := number(content)
			if err != nil || r.sizes == nil {
				return errFrame
			}
			r.sizes.put(clampSize(n>>16, n&0xffff))
		case frameGone:
			r.end(ReasonHungUp)
		case frameClosed:
			r.cancel(ErrServerClosed)
		default:
			return fmt.Errorf("%w: a frame %q", errFrame, byte(kind))
		}
	}
}

// relayedInput acknowledges what was read of an inbox without a terminal, so that the other node sends more.
type relayedInput struct {
	*inbox
	conn        net.Conn
	acknowledge bool
	owed        int // bytes read and not acknowledged
}

// acknowledged at once is what was read when so much is owed, or when nothing is left.
const acknowledgeAt = maxUnread / 4

func (in *relayedInput) Read(p []byte) (int, error) {
	n, err := in.inbox.Read(p)
	if !in.acknowledge || n == 0 {
		return n, err
	}
	if in.owed += n; in.owed >= acknowledgeAt || len(in.Ready()) == 0 {
		_ = writeNumber(in.conn, frameTaken, uint32(in.owed)) // if it is lost, so is the connection
		in.owed = 0
	}
	return n, err
}

// Elsewhere tells the node that relays a call over a connection that no calls are served here, and closes that.
func Elsewhere(conn net.Conn) {
	_ = writeFrame(conn, frameElsewhere, nil) // or it finds out by the end
	_ = conn.Close()
}

// addRelayed registers a call, unless the server is closed.
func (s *Server) addRelayed(r *relayed) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.relayed[r] = struct{}{}
	return true
}

func (s *Server) removeRelayed(r *relayed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.relayed, r)
}

// relays are the relayed calls.
func (s *Server) relays() []*relayed {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.relayed))
}
