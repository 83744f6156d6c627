package main

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/pires/go-proxyproto"

	"boneyard/store/cluster"
)

const (
	ownerTime   = 15 * time.Second // how long a caller waits for a node that runs the club
	relayTime   = 3 * time.Second  // to connect to that node
	headerTime  = 3 * time.Second  // to receive a relayed caller's address
	heldCallers = 512              // callers who may wait at a time; others are turned away
)

// switchboard takes callers at a node of a cluster. If the node has the club, it hands them to the gate, which uses the
// switchboard as its listener; otherwise it relays their bytes to the node that runs the club, so their SSH session is with that
// node. Relayed connections arrive at a second listener, preceded by the caller's address.
type switchboard struct {
	node   *cluster.Node
	data   string // the node's file, which other nodes may copy
	public net.Listener
	relay  net.Listener
	log    *slog.Logger
	in     chan net.Conn
	end    context.CancelFunc
	ctx    context.Context
	held   chan struct{}

	mu    sync.Mutex
	conns map[net.Conn]struct{} // those that the gate does not have
	tasks sync.WaitGroup
}

// listenRelay listens for other nodes, which relay callers here or ask for a copy of the data file.
func listenRelay(node *cluster.Node) (net.Listener, error) {
	secret := node.TLS()
	secret.NextProtos = []string{copyProtocol}
	return tls.Listen("tcp", node.Relay(), secret)
}

func newSwitchboard(node *cluster.Node, data string, public, relay net.Listener, log *slog.Logger) *switchboard {
	s := &switchboard{node: node, data: data, public: public, relay: relay, log: log, in: make(chan net.Conn), held: make(chan struct{}, heldCallers),
		conns: make(map[net.Conn]struct{})}
	s.ctx, s.end = context.WithCancel(context.Background())
	return s
}

// start begins to accept callers.
func (s *switchboard) start() {
	s.tasks.Go(func() { s.accept(s.public, s.lead) })
	s.tasks.Go(func() { s.accept(s.relay, s.receive) })
}

func (s *switchboard) accept(ln net.Listener, take func(net.Conn)) {
	for {
		conn, err := ln.Accept()
		if errors.Is(err, net.ErrClosed) || s.ctx.Err() != nil {
			return
		}
		if err != nil {
			s.log.Warn("accept", "err", err)
			select {
			case <-time.After(100 * time.Millisecond): // for example out of file descriptors
			case <-s.ctx.Done():
			}
			continue
		}
		if !s.keep(conn) {
			_ = conn.Close()
			return
		}
		s.tasks.Go(func() {
			defer s.forget(conn)
			take(conn)
		})
	}
}

// keep registers a connection so that it is closed with the switchboard. It returns false if that is closed already.
func (s *switchboard) keep(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return false
	}
	s.conns[conn] = struct{}{}
	return true
}

func (s *switchboard) forget(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, conn)
}

// lead connects a caller to the node that runs the club, waiting until there is one.
func (s *switchboard) lead(conn net.Conn) {
	select {
	case s.held <- struct{}{}:
	default:
		_ = conn.Close()
		return
	}
	owner, ok := s.owner()
	<-s.held
	switch {
	case !ok:
		_ = conn.Close()
	case owner.Node == s.node.Name():
		s.hand(conn)
	default:
		s.forward(conn, owner)
	}
}

// owner waits for a node that runs the club.
func (s *switchboard) owner() (cluster.Member, bool) {
	timeout := time.NewTimer(ownerTime)
	defer timeout.Stop()
	for {
		owner, changed := s.ownerNow()
		if owner.Epoch > 0 {
			return owner, true
		}
		select {
		case <-changed:
		case <-timeout.C:
			return owner, false
		case <-s.ctx.Done():
			return owner, false
		}
	}
}

// ownerNow returns the reachable node that runs the club, if any: the latest, since a node that was cut off may still believe that
// it has the club.
func (s *switchboard) ownerNow() (owner cluster.Member, changed <-chan struct{}) {
	members, changed := s.node.Members()
	_, owner = lastAndOwner(members)
	return owner, changed
}

// hand passes a connection to the gate.
func (s *switchboard) hand(conn net.Conn) {
	select {
	case s.in <- conn:
	case <-s.ctx.Done():
		_ = conn.Close()
	}
}

// forward relays between a caller and the node that runs the club.
func (s *switchboard) forward(conn net.Conn, to cluster.Member) {
	defer conn.Close()
	ctx, cancel := context.WithTimeout(s.ctx, relayTime)
	defer cancel()
	d := tls.Dialer{Config: s.node.TLS()}
	there, err := d.DialContext(ctx, "tcp", to.Relay)
	if err != nil {
		s.log.Warn("a caller could not be connected to the node that runs the club", "node", to.Node, "err", err)
		return
	}
	defer there.Close()
	if !s.keep(there) {
		return
	}
	defer s.forget(there)
	if _, err := proxyproto.HeaderProxyFromAddrs(2, conn.RemoteAddr(), conn.LocalAddr()).WriteTo(there); err != nil {
		return
	}
	ended := make(chan struct{})
	defer close(ended)
	s.tasks.Go(func() {
		_, _ = io.Copy(there, conn)
		_ = there.(*tls.Conn).CloseWrite()
	})
	s.tasks.Go(func() {
		for { // while it has the club, or no other node is known to have it, or it is ending its sessions itself
			members, changed := s.node.Members()
			_, owner := lastAndOwner(members)
			leaving := slices.ContainsFunc(members, func(m cluster.Member) bool { return m.ID() == to.ID() && m.Leaving })
			if owner.Epoch > to.Epoch && !leaving {
				_ = there.Close() // that node may be stopped and never close it
				return
			}
			select {
			case <-changed:
			case <-ended:
				return
			}
		}
	})
	_, _ = io.Copy(conn, there)
}

// receive accepts a caller relayed by another node, or sends another node the data file.
func (s *switchboard) receive(conn net.Conn) {
	ctx, cancel := context.WithTimeout(s.ctx, headerTime)
	defer cancel()
	if err := conn.(*tls.Conn).HandshakeContext(ctx); err != nil {
		s.log.Warn("a connection to the relay was not from a node of the cluster", "addr", conn.RemoteAddr().String(), "err", err)
		_ = conn.Close()
		return
	}
	if conn.(*tls.Conn).ConnectionState().NegotiatedProtocol == copyProtocol {
		defer conn.Close()
		if err := give(s.ctx, conn, s.data); err != nil {
			s.log.Warn("the data file could not be copied to another node", "addr", conn.RemoteAddr().String(), "err", err)
		}
		return
	}
	pc := proxyproto.NewConn(conn, proxyproto.WithPolicy(proxyproto.REQUIRE), proxyproto.SetReadHeaderTimeout(headerTime))
	if pc.ProxyHeader() == nil {
		_ = conn.Close()
		return
	}
	if owner, ok := s.owner(); !ok || owner.Node != s.node.Name() {
		_ = conn.Close() // the club has just moved to another node; the client reconnects
		return
	}
	s.hand(pc)
}

// Accept, Close and Addr make the switchboard the gate's listener.
func (s *switchboard) Accept() (net.Conn, error) {
	select {
	case conn := <-s.in:
		return conn, nil
	case <-s.ctx.Done():
		return nil, net.ErrClosed
	}
}

func (s *switchboard) Close() error {
	s.mu.Lock()
	s.end()
	for conn := range s.conns {
		_ = conn.Close()
	}
	s.mu.Unlock()
	err := errors.Join(s.public.Close(), s.relay.Close())
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	s.tasks.Wait()
	return err
}

func (s *switchboard) Addr() net.Addr { return s.public.Addr() }
