package node

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"boneyard/cmd/sshd/relay"
	"boneyard/store/cluster"
)

// trunkTime is how long connecting to another node may take.
const trunkTime = 3 * time.Second

// CallsVersion is the newest version of what nodes say to each other about calls: the trunk, and in its streams calls as
// package relay describes them. It counts up when another node could misunderstand something. The version before is
// spoken, too, so that nodes can be upgraded one by one.
var CallsVersion = 2

// callsProtocols are the versions that this node speaks, the newest first. By ALPN two nodes agree on one. Version 1 was
// that of nodes with another log.
func callsProtocols() (all []string) {
	for v := CallsVersion; v >= max(2, CallsVersion-1); v-- {
		all = append(all, fmt.Sprintf("boneyard-calls/%d", v))
	}
	return all
}

// trunkTo returns the trunk to a node, which is made for the first call that is passed on to it.
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

// dial connects to another node, for one of the protocols between nodes.
func (n *Node) dial(ctx context.Context, to cluster.Member, protocols ...string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, trunkTime)
	defer cancel()
	return n.Dial(ctx, to.Relay, protocols...)
}

// noProtocol is what TLS says where two nodes share no version of a protocol.
const noProtocol = tls.AlertError(120)

// connect makes a trunk to a node.
func (s *switchboard) connect(to cluster.Member) (t relay.Trunk, err error) {
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

// whileOwner returns when the trunk to a node that runs the club has broken, when another runs the club, or
// when that one has not been heard for long: it may be stopped and never close it. A node that leaves ends
// its sessions itself.
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

// carry serves the calls that another node passes on over a trunk, until that ends.
func (s *switchboard) carry(conn net.Conn) {
	t, err := relay.OpenTrunk(conn, false, s.log)
	if err != nil || !s.keep(t) {
		return
	}
	defer s.forget(t)
	s.leave(conn)
	for {
		call, err := t.Accept()
		if err != nil {
			s.log.Debug("a trunk has ended", "addr", conn.RemoteAddr().String(), "err", err)
			return
		}
		s.tasks.Go(func() { s.serveRelayed(call) })
	}
}

// serveRelayed serves a call that another node passes on, if the club is here.
func (s *switchboard) serveRelayed(call net.Conn) {
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
	if err := relay.Serve(s.server, call); err != nil {
		s.log.Warn("a call could not be served for another node", "addr", call.RemoteAddr().String(), "err", err)
	}
}
