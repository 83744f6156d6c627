package node

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"boneyard/cmd/sshd/gate"
	"boneyard/cmd/sshd/relay"
	"boneyard/store"
	"boneyard/store/cluster"
)

const (
	ownerTime   = 15 * time.Second // how long a new caller waits for a node that runs the club
	readTime    = 5 * time.Second  // the same for a command that this node can answer from its own file
	heldCallers = 512              // who may wait so at a time; others are turned away
	heldOfKey   = 20               // of one key, see [gate.NewPlaces]

	ownerGone = 5 * time.Second // how long that node may be unheard before its sessions wait for another
)

// switchboard is what lies behind the gate at a node of a cluster. It has each call served by the node that
// runs the club, perhaps this one, and when that ends, by the next.
type switchboard struct {
	node  *Node
	store *store.Store
	relay net.Listener
	log   *slog.Logger
	club  Club
	end   context.CancelFunc
	ctx   context.Context
	held  gate.Places

	home   chan struct{} // closed when the club is open at this node
	server *gate.Server  // set when home is closed

	connecting singleflight.Group // trunks, by the other node's ID

	mu      sync.Mutex
	trunks  map[string]relay.Trunk // from here, by the other node's ID
	carried map[string]*carried    // to here, the newest by the other node's name
	arrived int                    // number of trunks to here so far
	conns   map[io.Closer]struct{} // all open connections between nodes
	tasks   sync.WaitGroup

	readMu  sync.Mutex // held during a disk read
	reading Reader     // answers from this node's file while nobody runs the club; nil before the first question
}

var _ gate.Drainer = (*switchboard)(nil)

func newSwitchboard(n *Node, st *store.Store, ln net.Listener, club Club) *switchboard {
	s := &switchboard{node: n, store: st, relay: ln, log: n.log, club: club,
		held: gate.NewPlaces(heldCallers, heldOfKey), home: make(chan struct{}),
		trunks: make(map[string]relay.Trunk), carried: make(map[string]*carried), conns: make(map[io.Closer]struct{})}
	s.ctx, s.end = context.WithCancel(context.Background())
	return s
}

// opened records that the club is open at this node.
func (s *switchboard) opened(server *gate.Server) {
	s.server = server
	close(s.home)
}

// accept accepts connections from other nodes.
func (s *switchboard) accept() {
	for {
		conn, err := s.relay.Accept()
		if err != nil {
			return // the relay is closed
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

// keep registers a connection to be closed with the switchboard. It returns false if that is already closed.
func (s *switchboard) keep(conn io.Closer) bool {
	s.mu.Lock()
	open := s.ctx.Err() == nil
	if open {
		s.conns[conn] = struct{}{}
	}
	s.mu.Unlock()
	if !open {
		_ = conn.Close()
	}
	return open
}

// leave unregisters a connection that somebody else closes.
func (s *switchboard) leave(conn io.Closer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, conn)
}

// forget closes and unregisters a connection.
func (s *switchboard) forget(conn io.Closer) {
	_ = conn.Close()
	s.leave(conn)
}

// Serve has a call served by the node that runs the club. When that ends, a caller who stays in the club
// waits for the next node, which continues the session; a command that is being answered fails.
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
		case errors.Is(err, relay.ErrLost) && !w.stays():
			w.call.Warn("The club is moving to another machine, and your command was cut off; please try again.")
			return gate.ExitAgain
		}
		s.log.Debug("a session waits for a node that runs the club", "node", owner.Node, "addr", call.Addr, "user", call.User,
			"begun", call.Resume != nil, "err", err)
		w.failed(owner)
	}
}

// serveAt has a node serve the call. After an error another may do so.
func (w *wait) serveAt(ctx context.Context, owner cluster.Member) (status int, err error) {
	if owner.ID() == w.node.ID() {
		select {
		case <-w.home:
			w.goOn()
			leave, ok := w.server.Register(nil)
			if !ok {
				return 0, gate.ErrServerClosed
			}
			defer leave()
			w.server.Take(ctx, w.call)
			return w.call.Outcome.Status, nil
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	t, err := w.trunkTo(ctx, owner)
	if err != nil {
		return 0, err
	}
	conn, err := t.Open()
	if err != nil {
		return 0, err
	}
	w.goOn()
	return relay.Pass(ctx, w.call, conn, w.node.Name())
}

// ownerNow returns the reachable node that runs the club, if any.
func (s *switchboard) ownerNow() (owner cluster.Member, changed <-chan struct{}) {
	members, changed := s.node.Members()
	return cluster.OwnerOf(members), changed
}

// receive serves calls that another node relays, or sends it the data file.
func (s *switchboard) receive(conn net.Conn) {
	if conn.(*tls.Conn).ConnectionState().NegotiatedProtocol != copyProtocol {
		s.carry(conn)
		return
	}
	if err := give(s.ctx, conn, s.node.data); err != nil {
		s.log.Warn("the data file could not be copied to another node", "addr", conn.RemoteAddr().String(), "err", err)
	}
}

// Drain hands the club over, if it is here: other nodes' sessions continue at the next node; this node's end.
func (s *switchboard) Drain(ctx context.Context) {
	select {
	case <-s.home:
		if err := s.server.Shutdown(ctx); err != nil {
			s.log.Warn("some sessions did not end", "err", err)
		}
	default:
	}
}

// Close closes the connections to other nodes.
func (s *switchboard) Close() error {
	s.mu.Lock()
	s.end()
	open := slices.Collect(maps.Keys(s.conns))
	s.mu.Unlock()
	for _, conn := range open {
		_ = conn.Close()
	}
	err := s.relay.Close()
	s.tasks.Wait()
	return err
}
