package relay

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"boneyard/cmd/sshd/gate"
)

// headerTime is how long another node may take to describe a call.
const headerTime = 3 * time.Second

// relayed is a call whose caller is at another node.
type relayed struct {
	srv    *gate.Server
	conn   net.Conn
	call   *gate.Call
	node   string
	feed   *gate.Feed
	ctx    context.Context
	cancel context.CancelCauseFunc

	kept  atomic.Bool // the other node knows where the caller is
	moved atomic.Bool // the other node was told to continue elsewhere, and gets nothing more

	mu      sync.Mutex
	why     gate.Reason   // why the call was ended here
	at      *string       // where the caller is, if the other node must be told
	telling chan struct{} // closed when the other node has been told; nil if it need not be
}

// Serve makes a server serve the call that another node passes on over conn, until the call ends or conn
// breaks, and closes conn. It first asks begin, with the other node's name, whether to serve the call.
func Serve(s *gate.Server, conn net.Conn, begin func(node string) bool) error {
	defer conn.Close()
	frames := &frameReader{r: bufio.NewReaderSize(conn, 1<<10)}
	if err := conn.SetReadDeadline(time.Now().Add(headerTime)); err != nil {
		return err
	}
	kind, content, err := frames.next()
	if err != nil || kind != frameHeader {
		return fmt.Errorf("no header: %w", errors.Join(err, errFrame))
	}
	node, c, err := gate.Described(content)
	if err != nil {
		return fmt.Errorf("%w: %w", errFrame, err)
	}
	if err := conn.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	if !begin(node) {
		return nil
	}
	r := &relayed{srv: s, conn: conn, call: c, node: node}
	r.ctx, r.cancel = context.WithCancelCause(context.Background())
	r.feed = s.Connect(c, gate.Wire{Out: r.writer(frameOut), Err: r.writer(frameErr), Keep: r.keep, End: r.end})
	defer r.feed.Stop()
	if c.Term == nil {
		c.In = &acknowledged{Input: c.In, conn: conn}
	}
	leave, ok := s.Register(r)
	if !ok {
		return writeFrame(conn, frameElsewhere, nil)
	}
	defer leave()
	// If this node did not begin the call, input sent earlier would be lost.
	if err := writeNumber(conn, frameTaken, gate.MaxUnread); err != nil {
		return err
	}
	var reading sync.WaitGroup
	reading.Go(func() { r.read(frames) })
	defer reading.Wait()
	defer r.awaitTelling()
	defer conn.Close()

	log := s.LogOf(c).With("node", node)
	log.Info("session relayed", "terminal", c.Term != nil, "command", len(c.Command) > 0, "resumed", c.Resume != nil)
	began := time.Now()
	s.Take(r.ctx, c)
	r.feed.Stop()
	e := c.Outcome
	e.Why = cmp.Or(r.reason(), e.Why)
	log.Info("relayed session ended", "why", string(cmp.Or(e.Why, gate.ReasonDone)), "refused", string(e.Refused), "moved", r.moved.Load(),
		"took", time.Since(began).Round(time.Millisecond))
	if r.moved.Load() {
		return nil
	}
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := conn.SetWriteDeadline(time.Now().Add(goodbyeTime)); err == nil && writeFrame(conn, frameEnd, b) == nil {
		_ = conn.SetReadDeadline(time.Now().Add(goodbyeTime)) // the other node hangs up when it has read the end
		reading.Wait()
	}
	return nil
}

// writer returns a writer to the caller.
func (r *relayed) writer(kind frameKind) io.Writer {
	return relayedWriter{r, frameWriter{r.conn, kind}}
}

// relayedWriter writes to a caller until the other node is told to continue elsewhere. The other node learns
// where the caller is before the caller sees what happens there.
type relayedWriter struct {
	r  *relayed
	to frameWriter
}

func (w relayedWriter) Write(p []byte) (int, error) {
	w.r.awaitTelling()
	if w.r.moved.Load() {
		return len(p), nil
	}
	return w.to.Write(p)
}

// keep tells the other node where the caller is, without waiting.
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

// awaitTelling waits until the other node knows where the caller is.
func (r *relayed) awaitTelling() {
	r.mu.Lock()
	telling := r.telling
	r.mu.Unlock()
	if telling != nil {
		<-telling
	}
}

// Move makes the other node continue elsewhere, if it can. The caller sees nothing more from here.
func (r *relayed) Move() {
	if r.kept.Load() && r.moved.CompareAndSwap(false, true) {
		go func() { _ = writeFrame(r.conn, frameMoves, nil) }() // ends with the connection
	}
}

// end ends the session; the first reason counts.
func (r *relayed) end(why gate.Reason) {
	r.mu.Lock()
	first := r.why == ""
	if first {
		r.why = why
	}
	r.mu.Unlock()
	if !first {
		return
	}
	r.feed.Close()
	r.cancel(gate.Ended{Reason: why})
	if why == gate.ReasonStall {
		_ = r.conn.Close()
	}
}

func (r *relayed) reason() gate.Reason {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.why
}

// Close ends the call at once.
func (r *relayed) Close() error { return r.conn.Close() }

// read handles the other node's frames until the connection ends.
func (r *relayed) read(frames *frameReader) {
	err := r.take(frames)
	if errors.Is(err, errFrame) {
		r.srv.LogOf(r.call).Error("relayed session", "node", r.node, "err", err)
	}
	_ = r.conn.Close() // nobody would read an answer
	r.end(gate.ReasonHungUp)
}

func (r *relayed) take(frames *frameReader) error {
	for {
		kind, content, err := frames.next()
		if err != nil {
			return err
		}
		switch kind {
		case frameInput:
			if !r.feed.Put(content, nil) {
				return fmt.Errorf("%w: more input than was granted", errFrame)
			}
		case frameEOF:
			r.feed.Put(nil, io.EOF)
		case frameResize:
			n, err := number(content)
			if err != nil || !r.feed.Resize(n>>16, n&0xffff) {
				return errFrame
			}
		case frameGone:
			r.end(gate.ReasonHungUp)
		case frameClosed:
			r.cancel(gate.ErrServerClosed)
		default:
			return fmt.Errorf("%w: a frame %q", errFrame, byte(kind))
		}
	}
}

// acknowledged is the input of a call without a terminal. It reports to the other node what was read.
type acknowledged struct {
	gate.Input
	conn net.Conn
	owed int // bytes read and not yet acknowledged
}

func (in *acknowledged) Read(p []byte) (int, error) {
	const acknowledgeAt = gate.MaxUnread / 4 // how many bytes read are acknowledged at once, as are any when no input is left
	n, err := in.Input.Read(p)
	if in.owed += n; n > 0 && (in.owed >= acknowledgeAt || len(in.Ready()) == 0) {
		_ = writeNumber(in.conn, frameTaken, uint32(in.owed)) // if it is lost, so is the connection
		in.owed = 0
	}
	return n, err
}

// Elsewhere tells the node that relays a call that no calls are served here, and closes the connection.
func Elsewhere(conn net.Conn) {
	_ = writeFrame(conn, frameElsewhere, nil) // if this fails, the node notices the end
	_ = conn.Close()
}
