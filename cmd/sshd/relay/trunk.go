package relay

import (
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/hashicorp/yamux"
)

const (
	trunkPings  = 5 * time.Second  // between two pings, which find out that the other node is gone
	trunkStall  = 15 * time.Second // for which a node may take nothing, or answer no ping
	streamAfter = time.Minute      // after which a stream that one side has closed is dropped by force
	lastWords   = time.Second      // which what is written before a trunk is closed may take
	trunkBatch  = 64 << 10         // bytes that wait to be written, after which more are not taken
)

// Trunk is one end of a connection between two nodes that carries calls, each in a stream of its own. What is
// shown to many callers at once goes out in few writes so; with a connection for each call it took one each.
type Trunk struct{ *yamux.Session }

// OpenTrunk makes a trunk of a connection, which it owns then. The side that connects is the one that opens
// streams.
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

// Open begins a stream.
func (t Trunk) Open() (net.Conn, error) { return streamOf(t.OpenStream()) }

// Accept waits for the next stream that the other node begins.
func (t Trunk) Accept() (net.Conn, error) { return streamOf(t.AcceptStream()) }

func streamOf(s *yamux.Stream, err error) (net.Conn, error) {
	if err != nil {
		return nil, err
	}
	return stream{s}, nil
}

// stream ends both ways when it is closed, as a connection does. Yamux's own can still be read.
type stream struct{ *yamux.Stream }

func (s stream) Close() error {
	_ = s.SetDeadline(time.Unix(1, 0)) // always nil
	return s.Stream.Close()
}

// batchConn is a connection that writes together what has come since its last write began.
type batchConn struct {
	net.Conn

	mu      sync.Mutex
	changed sync.Cond // of what follows
	buf     []byte
	err     error // of the last write, or net.ErrClosed
}

func newBatchConn(conn net.Conn) *batchConn {
	b := &batchConn{Conn: conn}
	b.changed.L = &b.mu
	go b.flush()
	return b
}

// Write hands p over. It waits while too much is waiting; its error may be that of an earlier write.
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
			_ = b.Conn.Close() // whoever reads finds out
			return
		}
	}
}

// fail has no more taken. The first error counts.
func (b *batchConn) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
	b.changed.Broadcast()
}

// Close writes what is waiting, unless that takes long, and closes the connection.
func (b *batchConn) Close() error {
	err := b.SetDeadline(time.Now().Add(lastWords))
	b.fail(net.ErrClosed)
	return err
}
