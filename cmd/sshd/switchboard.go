package main

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"boneyard/cmd/sshd/gate"
	"boneyard/store/cluster"
)

const (
	ownerTime   = 15 * time.Second // how long somebody who has just called waits for a node that runs the club
	readTime    = 5 * time.Second  // the same for a command that this node can answer from its own file
	heldCallers = 512              // who may wait so at a time; others are turned away

	relayTime = 3 * time.Second  // to connect to that node
	ownerGone = 5 * time.Second  // for which it is not heard before its sessions wait for another
	nodeGone  = 20 * time.Second // for which a node is not heard before the sessions that it relays end
)

// relayProtocol, negotiated by ALPN, passes one call on to the node that runs the club, as package gate describes it.
const relayProtocol = "boneyard-call/1"

// switchboard is what lies behind the gate at a node of a cluster. It has each call served by the node that runs the club, which
// may be this one, and by the next when that one ends.
type switchboard struct {
	node  *cluster.Node
	data  string // the node's file, which other nodes may copy
	relay net.Listener
	log   *slog.Logger
	end   context.CancelFunc
	ctx   context.Context
	held  chan struct{}

	home chan struct{} // closed when the club is open at this node
	club *gate.Server  // then

	reads func(context.Context) (*club, error) // makes reading

	mu      sync.Mutex
	conns   map[net.Conn]struct{} // between nodes
	reading *club                 // answers from this node's file while nobody runs the club; nil: nothing was asked
	tasks   sync.WaitGroup
}

var _ gate.Drainer = (*switchboard)(nil)

// listenRelay listens for other nodes, which relay calls here or ask for a copy of the data file.
func listenRelay(node *cluster.Node) (net.Listener, error) {
	secret := node.TLS()
	secret.NextProtos = []string{relayProtocol, copyProtocol}
	return tls.Listen("tcp", node.Relay(), secret)
}

func newSwitchboard(node *cluster.Node, data string, relay net.Listener, log *slog.Logger, reads func(context.Context) (*club, error)) *switchboard {
	s := &switchboard{node: node, data: data, relay: relay, log: log, held: make(chan struct{}, heldCallers), home: make(chan struct{}),
		reads: reads, conns: make(map[net.Conn]struct{})}
	s.ctx, s.end = context.WithCancel(context.Background())
	return s
}

// start begins to take what other nodes relay.
func (s *switchboard) start() { s.tasks.Go(s.accept) }

// opened tells that the club is open at this node.
func (s *switchboard) opened(club *gate.Server) {
	s.club = club
	close(s.home)
	s.tasks.Go(s.watchNodes)
}

func (s *switchboard) accept() {
	for {
		conn, err := s.relay.Accept()
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
			return
		}
		s.tasks.Go(func() {
			defer s.forget(conn)
			s.receive(conn)
		})
	}
}

// keep registers a connection so that it is closed with the switchboard. If that is closed already, it returns false.
func (s *switchboard) keep(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		_ = conn.Close()
		return false
	}
	s.conns[conn] = struct{}{}
	return true
}

// forget closes a connection.
func (s *switchboard) forget(conn net.Conn) {
	_ = conn.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, conn)
}

// Serve has a call served by the node that runs the club. When that one goes on no more, somebody who stays in the club waits for the
// next, where their session goes on; a command that is being answered fails.
func (s *switchboard) Serve(ctx context.Context, call *gate.Call) int {
	w := newWait(s, call)
	for {
		owner, ok := w.owner(ctx)
		if !ok {
			return w.status
		}
		status, err := w.serveAt(ctx, owner)
		switch {
		case err == nil:
			return status
		case ctx.Err() != nil:
			return w.leave(ctx)
		case errors.Is(err, gate.ErrLost) && !w.stays():
			w.warn("The club is moving to another machine, and your command was cut off; please try again.")
			return exitAgain
		}
		s.log.Debug("a session waits for a node that runs the club", "node", owner.Node, "addr", call.Addr, "user", call.User, "begun", call.Resume != nil, "err", err)
		w.failed(owner)
	}
}

// serveAt has a node serve the call. After an error another may do so.
func (w *wait) serveAt(ctx context.Context, owner cluster.Member) (status int, err error) {
	if owner.Node == w.node.Name() {
		select {
		case <-w.home:
			w.goOn()
			return w.club.Take(ctx, w.call)
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	conn, err := w.dial(ctx, owner)
	if err != nil {
		return 0, err
	}
	defer w.forget(conn)
	defer w.whileOwner(conn, owner)()
	w.goOn()
	return w.call.Relay(ctx, conn, w.node.Name())
}

// dial connects to the relay of a node. The connection is to be forgotten.
func (s *switchboard) dial(ctx context.Context, to cluster.Member) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, relayTime)
	defer cancel()
	secret := s.node.TLS()
	secret.NextProtos = []string{relayProtocol}
	conn, err := (&tls.Dialer{Config: secret}).DialContext(ctx, "tcp", to.Relay)
	if err != nil {
		return nil, err
	}
	if !s.keep(conn) {
		return nil, net.ErrClosed
	}
	return conn, nil
}

// whileOwner closes a connection to a node once another runs the club, or that one has not been heard for long: it may be stopped and
// never close it. A node that leaves ends its sessions itself.
func (s *switchboard) whileOwner(conn net.Conn, to cluster.Member) (stop func()) {
	ended := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		gone := time.NewTimer(ownerGone)
		defer gone.Stop()
		silent := false
		for {
			members, changed := s.node.Members()
			_, owner := lastAndOwner(members)
			i := slices.IndexFunc(members, func(m cluster.Member) bool { return m.ID() == to.ID() })
			switch {
			case owner.Epoch > to.Epoch && (i < 0 || !members[i].Leaving):
				_ = conn.Close()
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
					_ = conn.Close()
					return
				}
			case <-ended:
				return
			}
		}
	})
	return func() {
		close(ended)
		watching.Wait()
	}
}

// ownerNow returns the reachable node that runs the club, if any: the latest, since a node that was cut off may still believe that
// it has the club.
func (s *switchboard) ownerNow() (owner cluster.Member, members []cluster.Member, changed <-chan struct{}) {
	members, changed = s.node.Members()
	_, owner = lastAndOwner(members)
	return owner, members, changed
}

// receive serves a call that another node relays, or sends another node the data file.
func (s *switchboard) receive(conn net.Conn) {
	ctx, cancel := context.WithTimeout(s.ctx, relayTime)
	defer cancel()
	if err := conn.(*tls.Conn).HandshakeContext(ctx); err != nil {
		s.log.Warn("a connection to the relay was not from a node of the cluster", "addr", conn.RemoteAddr().String(), "err", err)
		return
	}
	switch conn.(*tls.Conn).ConnectionState().NegotiatedProtocol {
	case copyProtocol:
		if err := give(s.ctx, conn, s.data); err != nil {
			s.log.Warn("the data file could not be copied to another node", "addr", conn.RemoteAddr().String(), "err", err)
		}
	case relayProtocol:
		if owner, _, _ := s.ownerNow(); owner.Node != s.node.Name() {
			gate.Elsewhere(conn) // the club has just moved
			return
		}
		select {
		case <-s.home:
		case <-s.ctx.Done():
			return
		}
		if err := s.club.Relayed(conn); err != nil {
			s.log.Warn("a call could not be served for another node", "addr", conn.RemoteAddr().String(), "err", err)
		}
	default:
		s.log.Warn("another node runs a version of the program with which this one cannot serve calls", "addr", conn.RemoteAddr().String())
	}
}

// watchNodes ends the sessions that were relayed by nodes which have not been heard for long. A node that is stopped does not end them.
func (s *switchboard) watchNodes() {
	absent := make(missing)
	timer := time.NewTimer(nodeGone)
	defer timer.Stop()
	for {
		members, changed := s.node.Members()
		gone, next := absent.gone(time.Now(), members)
		for _, node := range gone {
			s.log.Warn("the sessions that another node relayed end: it has not been heard for long", "node", node)
			s.club.Lost(node)
		}
		timer.Reset(next)
		select {
		case <-changed:
		case <-timer.C:
		case <-s.ctx.Done():
			return
		}
	}
}

// missing is since when each node that was a member is none; the zero time while it is.
type missing map[string]time.Time

// gone returns the nodes that have been missing for long now, once each, and after what time to look again at the latest.
func (m missing) gone(now time.Time, members []cluster.Member) (gone []string, next time.Duration) {
	for node, since := range m {
		if since.IsZero() {
			m[node] = now
		}
	}
	for _, v := range members {
		m[v.Node] = time.Time{}
	}
	next = time.Hour
	for node, since := range m {
		switch left := nodeGone - now.Sub(since); {
		case since.IsZero():
		case left <= 0:
			delete(m, node)
			gone = append(gone, node)
		default:
			next = min(next, left)
		}
	}
	return gone, next
}

// Drain hands the club over, if it is here: sessions of other nodes go on where it is next, and those of this one end.
func (s *switchboard) Drain(ctx context.Context) {
	select {
	case <-s.home:
		if err := s.club.Shutdown(ctx); err != nil {
			s.log.Warn("some sessions did not end", "err", err)
		}
	default:
	}
}

// Close ends what connects this node with others.
func (s *switchboard) Close() error {
	s.mu.Lock()
	s.end()
	for conn := range s.conns {
		_ = conn.Close()
	}
	s.mu.Unlock()
	err := s.relay.Close()
	s.tasks.Wait()
	return err
}
