package relay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"boneyard/cmd/sshd/gate"
)

// inputChunk is how many bytes of input are sent at once.
const inputChunk = 512

// goodbyeTime is how long last messages may take.
const goodbyeTime = time.Second

// Errors of [Pass]. After either, another node may serve the call.
var (
	// ErrElsewhere is returned when the other node does not serve calls, and has not begun this one.
	ErrElsewhere = errors.New("that node does not serve calls")
	// ErrLost is returned when the other node has begun the call and cannot continue it.
	ErrLost = errors.New("the node that served the call does so no more")
)

// Pass has another node serve a call, over a connection to its [Serve], until the call ends there or that
// node cannot continue. node is this node's name. After an error, [gate.Call.Resume] says where the caller
// was.
func Pass(ctx context.Context, c *gate.Call, conn net.Conn, node string) (status int, err error) {
	defer conn.Close()
	b, err := gate.Describe(node, c)
	if err != nil {
		return 0, err
	}
	r := &relay{call: c, conn: conn, fresh: c.Resume == nil, taken: make(chan struct{}, 1)}
	if c.Resume == nil {
		c.Resume = new(string) // the call may have begun from here on
	}
	if err = conn.SetWriteDeadline(time.Now().Add(headerTime)); err == nil {
		err = writeFrame(conn, frameHeader, b)
	}
	if err == nil {
		err = conn.SetWriteDeadline(time.Time{})
	}
	if err != nil {
		return 0, r.lost(err)
	}
	var working sync.WaitGroup
	sending, stop := context.WithCancel(context.Background())
	read := make(chan struct{})
	working.Go(func() {
		defer close(read)
		r.end, r.err = r.receive()
	})
	working.Go(func() { r.send(ctx, sending.Done()) })
	select {
	case <-read:
	case <-ctx.Done():
		select {
		case <-read:
		case <-time.After(goodbyeTime): // for a last message, and for the outcome of a caller who has left
		}
	}
	stop()
	_ = conn.Close()
	working.Wait()
	if r.err != nil {
		return 0, r.lost(r.err)
	}
	c.Outcome = r.end
	return r.end.Status, nil
}

// relay is a call that is served at another node.
type relay struct {
	call  *gate.Call
	conn  net.Conn
	fresh bool // begun at that node

	end gate.Outcome
	err error

	mu     sync.Mutex
	credit int           // bytes of input that may be sent: 0 before the other node begins the call; with a terminal, unlimited after that
	taken  chan struct{} // capacity 1: credit has grown
}

// lost returns the error of a call that the other node does not continue.
func (r *relay) lost(err error) error {
	if errors.Is(err, ErrElsewhere) {
		if r.fresh {
			r.call.Resume = nil
		}
		return err
	}
	return fmt.Errorf("%w: %w", ErrLost, err)
}

// errMoves is the reason of an announced loss.
var errMoves = errors.New("it hands its calls over")

// receive passes the other node's frames on to the caller, until the call ends.
func (r *relay) receive() (end gate.Outcome, err error) {
	frames := &frameReader{r: bufio.NewReaderSize(r.conn, 1<<10)}
	c := r.call
	for {
		kind, content, err := frames.next()
		if err != nil {
			return end, err
		}
		switch kind {
		case frameOut:
			_, _ = c.Out.Write(content) // a caller who does not read is disconnected
		case frameErr:
			_, _ = c.Err.Write(content)
		case frameKeep:
			c.Resume = new(string(content))
		case frameTaken:
			n, err := number(content)
			if err != nil {
				return end, err
			}
			r.grant(int(n))
		case frameMoves:
			return end, errMoves
		case frameElsewhere:
			return end, ErrElsewhere
		case frameEnd:
			if err := json.Unmarshal(content, &end); err != nil {
				return end, fmt.Errorf("%w: %w", errFrame, err)
			}
			return end, nil
		default:
			return end, fmt.Errorf("%w: a frame %q", errFrame, byte(kind))
		}
	}
}

// grant allows n more bytes to be sent.
func (r *relay) grant(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.credit = min(r.credit+n, gate.MaxUnread)
	select {
	case r.taken <- struct{}{}:
	default:
	}
}

// room returns how many bytes of input may be sent now.
func (r *relay) room() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return min(r.credit, inputChunk)
}

func (r *relay) spend(n int) {
	if r.call.Term == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.credit -= n
	}
}

// send passes the caller's input on to the other node, until stop is closed or the connection breaks, which
// receive notices, too.
func (r *relay) send(ctx context.Context, stop <-chan struct{}) {
	c := r.call
	ended := false
	var sizes <-chan gate.Size
	if c.Term != nil {
		sizes = c.Term.Resizes
	}
	var b [inputChunk]byte
	for {
		room := r.room()
		ready := c.In.Ready()
		if ended || room == 0 {
			ready = nil
		}
		var err error
		select {
		case <-stop:
			return
		case <-ctx.Done():
			kind := frameGone
			if errors.Is(context.Cause(ctx), gate.ErrServerClosed) {
				kind = frameClosed
			}
			_ = writeFrame(r.conn, kind, nil) // if that fails, there is nobody to tell
			return
		case <-r.taken:
		case size := <-sizes:
			c.Term.Size = size
			err = writeSize(r.conn, size)
		case <-ready:
			n, end := c.In.Read(b[:room])
			if n > 0 {
				r.spend(n)
				err = writeFrame(r.conn, frameInput, b[:n])
			}
			if end != nil && err == nil {
				ended = true
				err = writeFrame(r.conn, frameEOF, nil)
			}
		}
		if err != nil {
			return
		}
	}
}
