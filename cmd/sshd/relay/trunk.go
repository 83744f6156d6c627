package relay

import (
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/hashicorp/yamux"
)

const (
	trunkPings  = 5 * time.Second  // between pings, which detect that the other node is gone
	trunkStall  = 15 * time.Second // how long a node may read nothing, or not answer a ping
	streamAfter = time.Minute      // after which a stream closed by one side is dropped
	lastWords   = time.Second      // for writing what is left when a trunk is closed
	trunkBatch  = 64 << 10         // bytes waiting to be written at which Write blocks
)

// Trunk is one end of a connection between two nodes that carries calls, each in its own stream. What many
// callers are shown at the same time needs few writes; separate connections needed one for each.
type Trunk struct{ *yamux.Session }

// OpenTrunk makes a trunk from a connection, which it takes over. Only the side that connects opens streams.
func OpenTrunk(conn net.Conn, connects bool, log *slog.Logger) (Trunk, error) {
	c := yamux.DefaultConfig()
	c.KeepAliveInterval, c.ConnectionWriteTimeout, c.StreamOpenTimeout, c.StreamCloseTimeout = trunkPings, trunkStall, trunkStall, streamAfter
	c.LogOutput, c.Logger = nil, slog.NewLogLogger(log.With("addr", conn.RemoteAddr().String()).Handler(), slog.LevelDebug)
	begin := yamux.Server
	if connects {
		begin = yamux.Client
	}
	s, err := begin(newBatchConn(conn), c)
	return Trunk{s}, err
}

// Open opens a stream.
func (t Trunk) Open() (net.Conn, error) { return streamOf(t.OpenStream()) }

// Accept waits for the next stream that the other node opens.
func (t Trunk) Accept() (net.Conn, error) { return streamOf(t.AcceptStream()) }

func streamOf(s *yamux.Stream, err error) (net.Conn, error) {
	if err != nil {
		return nil, err
	}
	return stream{s}, nil
}

// stream ends in both directions when it is closed, as a connection does. Yamux's own could still be read.
type stream struct{ *yamux.Stream }

func (s stream) Close() error {
	_ = s.SetDeadline(time.Unix(1, 0)) // always nil
	return s.Stream.Close()
}

// batchConn is a connection that writes in one go what has accumulated during its last write.
type batchConn struct {
	net.Conn

	mu      sync.Mutex
	changed sync.Cond // signals changes of the fields below
	buf     []byte
	err     error // of the last write, or net.ErrClosed
}

func newBatchConn(conn net.Conn) *batchConn {
	b := &batchConn{Conn: conn}
	b.changed.L = &b.mu
	go b.flush()
	return b
}

// Write queues p. It blocks while too much is queued; its error may be that of an earlier write.
func (b *batchConn) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.buf) >= trunkBatch && b.err == nil {
		b.changed.Wait()
	}
	if b.err != nil {
		return 0, b.err
	}
	b.buf = append(b.buf, p...)
	b.changed.Broadcast()
	return len(p), nil
}

// flush writes until the connection is closed or broken.
func (b *batchConn) flush() {
	var p []byte
	for {
		b.mu.Lock()
		for len(b.buf) == 0 && b.err == nil {
			b.changed.Wait()
		}
		p, b.buf = b.buf, p[:0]
		closed := b.err != nil
		b.changed.Broadcast()
		b.mu.Unlock()

		_, err := b.Conn.Write(p)
		if closed || err != nil {
			b.fail(err)
			_ = b.Conn.Close() // so that readers notice
			return
		}
	}
}

// fail makes writes fail. The first error counts.
func (b *batchConn) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
	b.changed.Broadcast()
}

// Close writes what is queued, unless that takes long, and closes the connection.
func (b *batchConn) Close() error {
	err := b.SetDeadline(time.Now().Add(lastWords))
	b.fail(net.ErrClosed)
	return err
}
