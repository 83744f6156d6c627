package node

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"boneyard/cmd/sshd/relay"
	"boneyard/store/cluster"
)

// CallsVersion is the newest version of the protocol between nodes for calls: the trunk, and in its streams
// calls as in package relay. It is increased when another node could misunderstand something. Nodes also
// speak the previous version, so that they can be upgraded one by one.
var CallsVersion = 2

// callsProtocols returns the versions that this node speaks, newest first; two nodes agree on one by ALPN.
// Version 1 belonged to an earlier kind of log.
func callsProtocols() (all []string) {
	for v := CallsVersion; v >= max(2, CallsVersion-1); v-- {
		all = append(all, fmt.Sprintf("boneyard-calls/%d", v))
	}
	return all
}

// trunkTo returns the trunk to a node, which the first call passed on opens.
func (s *switchboard) trunkTo(ctx context.Context, to cluster.Member) (relay.Trunk, error) {
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
		t, _ := r.Val.(relay.Trunk)
		return t, r.Err
	case <-ctx.Done():
		return relay.Trunk{}, context.Cause(ctx)
	}
}

// dial connects to another node for one of the protocols between nodes.
func (n *Node) dial(ctx context.Context, to cluster.Member, protocols ...string) (net.Conn, error) {
	const trunkTime = 3 * time.Second // how long connecting to another node may take
	ctx, cancel := context.WithTimeout(ctx, trunkTime)
	defer cancel()
	return n.Dial(ctx, to.Relay, protocols...)
}

// connect opens a trunk to a node.
func (s *switchboard) connect(to cluster.Member) (t relay.Trunk, err error) {
	const noProtocol = tls.AlertError(120) // the TLS alert for two nodes without a common version of a protocol
	conn, err := s.node.dial(s.ctx, to, callsProtocols()...)
	if err != nil {
		if alert := noProtocol; errors.As(err, &alert) && alert == noProtocol {
			s.log.Error("callers here cannot be served: the node that runs the club is older or newer than this one "+
				"by more than a version of the relay", "node", to.Node)
		}
		return t, err
	}
	protocol := conn.(*tls.Conn).ConnectionState().NegotiatedProtocol
	s.log.Debug("a trunk to the node that runs the club", "node", to.Node, "protocol", protocol)
	if t, err = relay.OpenTrunk(conn, true, s.log); err != nil {
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

// whileOwner returns when the trunk to a node that runs the club breaks, another node runs the club, or that
// node is silent for long: a stopped one may never close its trunk. A node that leaves ends its own sessions.
func (s *switchboard) whileOwner(t relay.Trunk, to cluster.Member) {
	gone := time.NewTimer(ownerGone)
	defer gone.Stop()
	silent := false
	for {
		members, changed := s.node.Members()
		owner := cluster.OwnerOf(members)
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

// carried is a trunk on which another node passes calls on.
type carried struct {
	relay.Trunk
	no     int             // in order of arrival
	over   chan struct{}   // closed when everything served on it has ended
	before <-chan struct{} // over of the same node's previous trunk, or nil
}

// carry serves the calls that another node passes on, until the trunk ends.
func (s *switchboard) carry(conn net.Conn) {
	t, err := relay.OpenTrunk(conn, false, s.log)
	if err != nil || !s.keep(t) {
		return
	}
	c := &carried{Trunk: t, over: make(chan struct{})}
	s.mu.Lock()
	s.arrived++
	c.no = s.arrived
	s.mu.Unlock()
	var calls sync.WaitGroup
	defer func() {
		s.forget(t)
		calls.Wait()
		close(c.over)
	}()
	s.leave(conn)
	for {
		call, err := t.Accept()
		if err != nil {
			s.log.Debug("a trunk has ended", "addr", conn.RemoteAddr().String(), "err", err)
			return
		}
		calls.Go(func() { s.serveRelayed(c, call) })
	}
}

// newest ends the calls on a node's earlier, abandoned trunk: if the connection was cut, this side may not
// know yet. The callers return, and must not count twice. It returns false for a trunk that was itself
// abandoned.
func (s *switchboard) newest(c *carried, node string) bool {
	const endTime = 2 * time.Second // how long calls on an abandoned trunk may take to end
	s.mu.Lock()
	last := s.carried[node]
	if last != nil && last.no > c.no {
		s.mu.Unlock()
		return false
	}
	if s.carried[node] = c; last != nil && last != c {
		c.before = last.over
		go last.Close() // its streams end at once, while its connection may take a moment
	}
	before := c.before
	s.mu.Unlock()
	if before == nil {
		return true
	}
	late := time.NewTimer(endTime)
	defer late.Stop()
	select {
	case <-before:
	case <-late.C:
	case <-s.ctx.Done():
	}
	return true
}

// serveRelayed serves a call from another node, if the club is here.
func (s *switchboard) serveRelayed(c *carried, call net.Conn) {
	if owner, _ := s.ownerNow(); owner.ID() != s.node.ID() {
		relay.Elsewhere(call) // the club has just moved
		return
	}
	select {
	case <-s.home:
	case <-s.ctx.Done():
		_ = call.Close()
		return
	}
	if err := relay.Serve(s.server, call, func(node string) bool { return s.newest(c, node) }); err != nil {
		s.log.Warn("a call could not be served for another node", "addr", call.RemoteAddr().String(), "err", err)
	}
}
