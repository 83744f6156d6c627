// Package node is a server's part in a cluster. It follows the club's log, has each caller served by the node
// that runs the club (this one, while it leads the log), and gives other nodes copies of the data file.
package node

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"sync"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby"
	"boneyard/store"
	"boneyard/store/cluster"
)

var (
	// ErrTaken ends a node that was unreachable while another took over the club. The last input of its
	// sessions was not acknowledged.
	ErrTaken = errors.New("another node has taken over the club; restart this one, and it will stand by")
	// ErrHandedOver ends a node that an operator told to hand over the club.
	ErrHandedOver = errors.New("the club was handed over to another node, as an operator wanted; restart this one, and it will stand by")
)

// Club is what a node needs to know about the club.
type Club struct {
	// Open opens the club at this node, and returns its gate. It is called at most once.
	Open func() (*lobby.Lobby, *gate.Server, error)
	// Read returns what answers commands from this node's own file while nobody runs the club.
	Read func(context.Context) (Reader, error)
	// Stays reports whether a caller with this command stays in the club; others are answered, and end.
	Stays func(words []string, terminal bool) bool
	// Pages reports whether a session resumed at a [gate.Call.Resume] shows the club's pages.
	Pages func(at string) bool
	// Failed is called with the error that ends the node.
	Failed func(error)
}

// Reader answers commands from a file.
type Reader interface {
	gate.Handler
	// Refuses returns why the caller is turned away, or "".
	Refuses(*gate.Call) string
}

// Node is a node of a cluster with its server. It is safe for concurrent use.
type Node struct {
	*cluster.Node
	data        string // the data file
	log         *slog.Logger
	switchboard *switchboard       // nil before Join
	end         context.CancelFunc // stops Keep
	keeping     sync.WaitGroup     // runs Keep
}

// Enter connects to the other nodes of a cluster, and copies one's data file if there is none here.
func Enter(ctx context.Context, c cluster.Config, data string) (*Node, error) {
	n := &Node{data: data, log: c.Log, end: func() {}}
	_, err := os.Lstat(data)
	c.Bare = errors.Is(err, fs.ErrNotExist)
	if n.Node, err = cluster.Start(c); err != nil {
		return nil, err
	}
	if c.Bare {
		err = n.seed(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, n.Close())
	}
	return n, nil
}

// Join makes the node follow the club's log, and open the club when it is its turn. It returns the gate for
// callers at this node.
func (n *Node) Join(st *store.Store, cfg gate.Config, club Club) (*gate.Server, error) {
	relay := n.ListenRelay(append(callsProtocols(), copyProtocol)...)
	if err := st.Follow(n.ID(), n.Node); err != nil {
		return nil, errors.Join(err, relay.Close())
	}
	n.Obey(cluster.Orders{Compare: st.CompareFiles, HandOver: sync.OnceFunc(func() { club.Failed(ErrHandedOver) })})
	var ctx context.Context
	ctx, n.end = context.WithCancel(context.Background())
	n.switchboard = newSwitchboard(n, st, relay, club)
	cfg.Passes = true
	server, err := gate.New(cfg, n.switchboard)
	if err != nil {
		return nil, errors.Join(err, relay.Close())
	}
	n.switchboard.tasks.Go(n.switchboard.accept)
	n.keeping.Go(func() {
		if err := Keep(ctx, n, st, n.log, func() (*lobby.Lobby, error) {
			l, server, err := club.Open()
			if err == nil {
				n.switchboard.opened(server)
			}
			return l, err
		}); err != nil {
			club.Failed(err)
		}
	})
	n.log.Info("this is a node of a cluster", "node", n.Name(), "nodes", n.Size())
	return server, nil
}

// Stop prevents the club from being opened from now on.
func (n *Node) Stop() {
	n.end()
	n.keeping.Wait()
}

// Close leaves the cluster. The gate and the store must already be closed.
func (n *Node) Close() (err error) {
	if n.switchboard != nil {
		err = n.switchboard.Close()
	}
	n.Leave()
	n.Node.Close()
	return err
}
