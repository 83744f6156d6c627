package main

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/yamux"

	"boneyard/cmd/sshd/relay"
	"boneyard/store/cluster"
)

// Trunks are the connections between nodes that carry calls: one from each node to the one that runs the club, and in it a stream for each
// call. What is shown to many callers at once goes out in few writes so; with a connection for each call it took one each.

const (
	trunkTime   = 3 * time.Second  // to connect to another node
	trunkPings  = 5 * time.Second  // between two pings, which find out that the other node is gone
	trunkStall  = 15 * time.Second // for which a node may take nothing, or answer no ping
	streamAfter = time.Minute      // after which a stream that one side has closed is dropped by force
	lastWords   = time.Second      // which what is written before a trunk is closed may take
	trunkBatch  = 64 << 10         // bytes that wait to be written, after which more are not taken
)

// relayProtocol, negotiated by ALPN, is that of a trunk whose streams are calls as package relay describes them.
const relayProtocol = "boneyard-calls/2"

// trunk is one end of such a connection.
type trunk struct{ *yamux.Session }

// openTrunk makes a trunk of a connection, which it owns then. The side that connects is the one that opens streams.
func openTrunk(conn net.Conn, connects bool, log *slog.Logger) (trunk, error) {
	c := yamux.DefaultConfig()
	c.KeepAliveInterval, c.ConnectionWriteTimeout, c.StreamOpenTimeout, c.StreamCloseTimeout = trunkPings, trunkStall, trunkStall, streamAfter
	c.LogOutput, c.Logger = nil, slog.NewLogLogger(log.With("addr", conn.RemoteAddr().String()).Handler(), slog.LevelDebug)
	begin := yamux.Server
	if connects {
		begin = yamux.Client
	}
	s, err := begin(newBatchConn(conn), c)
	return trunk{s}, err
}

// open begins a stream.
func (t trunk) open() (net.Conn, error) {
	s, err := t.OpenStream()
	if err != nil {
		return nil, err
	}
	return stream{s}, nil
}

// accept waits for the next stream that the other node begins.
func (t trunk) accept() (net.Conn, error) {
	s, err := t.AcceptStream()
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

// trunkTo returns the trunk to a node, which is made for the first call that is passed on to it.
func (s *switchboard) trunkTo(ctx context.Context, to cluster.Member) (trunk, error) {
	made := s.connecting.DoChan(to.ID(), func() (any, error) {
		s.mu.Lock()
		t, ok := s.trunks[to.ID()]
		s.mu.Unlock()
		if ok {
			return t, nil
		}
		return s.connect(to)
	})
	select {
	case r := <-made:
		t, _ := r.Val.(trunk)
		return t, r.Err
	case <-ctx.Done():
		return trunk{}, context.Cause(ctx)
	}
}

// dialNode connects to another node, for one of the protocols between nodes.
func dialNode(ctx context.Context, node *cluster.Node, to cluster.Member, protocol string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, trunkTime)
	defer cancel()
	secret := node.TLS()
	secret.NextProtos = []string{protocol}
	return (&tls.Dialer{Config: secret}).DialContext(ctx, "tcp", to.Relay)
}

// connect makes a trunk to a node.
func (s *switchboard) connect(to cluster.Member) (t trunk, err error) {
	conn, err := dialNode(s.ctx, s.node, to, relayProtocol)
	s.blame(to, err)
	if err != nil {
		return t, err
	}
	if t, err = openTrunk(conn, true, s.log); err != nil {
		return t, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		defer t.Close()
		return t, net.ErrClosed
	}
	s.conns[t], s.trunks[to.ID()] = struct{}{}, t
	s.tasks.Go(func() {
		s.whileOwner(t, to)
		s.mu.Lock()
		delete(s.trunks, to.ID())
		s.mu.Unlock()
		s.forget(t)
	})
	return t, nil
}

// blame logs once that a node cannot be connected to, when it is still heard after a time in which one that has died would not be.
func (s *switchboard) blame(to cluster.Member, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch since, known := s.refused[to.ID()]; {
	case err == nil:
		delete(s.refused, to.ID())
	case !known:
		s.refused[to.ID()] = time.Now()
	case !since.IsZero() && time.Since(since) >= ownerGone:
		s.refused[to.ID()] = time.Time{}
		s.log.Warn("cluster: the node that runs the club is reachable, but not on its second port, so callers of this node cannot be served: does a firewall let the port through?",
			"node", to.Node, "addr", to.Relay, "err", err)
	}
}

// whileOwner returns when the trunk to a node that runs the club has broken, when another runs the club, or when that one has not been heard
// for long: it may be stopped and never close it. A node that leaves ends its sessions itself.
func (s *switchboard) whileOwner(t trunk, to cluster.Member) {
	gone := time.NewTimer(ownerGone)
	defer gone.Stop()
	silent := false
	for {
		members, changed := s.node.Members()
		_, owner := lastAndOwner(members)
		i := slices.IndexFunc(members, func(m cluster.Member) bool { return m.ID() == to.ID() })
		switch {
		case owner.Epoch > to.Epoch && (i < 0 || !members[i].Leaving):
			return
		case i >= 0:
			gone.Stop()
			silent = false
		case !silent:
			gone.Reset(ownerGone)
			silent = true
		}
		select {
		case <-changed:
		case <-gone.C:
			if silent {
				return
			}
		case <-t.CloseChan():
			return
		}
	}
}

// carry serves the calls that another node passes on over a trunk, until that ends.
func (s *switchboard) carry(conn net.Conn) {
	t, err := openTrunk(conn, false, s.log)
	if err != nil || !s.keep(t) {
		return
	}
	defer s.forget(t)
	s.leave(conn)
	for {
		call, err := t.accept()
		if err != nil {
			s.log.Debug("a trunk has ended", "addr", conn.RemoteAddr().String(), "err", err)
			return
		}
		s.tasks.Go(func() { s.serveRelayed(call) })
	}
}

// serveRelayed serves a call that another node passes on, if the club is here.
func (s *switchboard) serveRelayed(call net.Conn) {
	if owner, _, _ := s.ownerNow(); owner.Node != s.node.Name() {
		relay.Elsewhere(call) // the club has just moved
		return
	}
	select {
	case <-s.home:
	case <-s.ctx.Done():
		_ = call.Close()
		return
	}
	if err := relay.Serve(s.club, call); err != nil {
		s.log.Warn("a call could not be served for another node", "addr", call.RemoteAddr().String(), "err", err)
	}
}
