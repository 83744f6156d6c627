// Package cluster lets a few nodes of one club share a log, by Raft (https://raft.github.io): an entry is on
// the disks of a majority before it is acknowledged. The node that leads the log may run the club. The
// package also reports which nodes are alive.
//
// It implements store.Log and must not know what the entries mean.
package cluster

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"
	wal "github.com/hashicorp/raft-wal"
	"github.com/hashicorp/raft-wal/metadb"

	"boneyard/store"
)

// Settings of Raft. Times allow for machines that are sometimes busy: a leader is missed after patience, see
// missLeader.
const (
	patience    = 800 * time.Millisecond // without a leader before a follower asks for an election
	turn        = 100 * time.Millisecond // between followers' requests: of two that ask at once, each votes for itself
	lease       = 700 * time.Millisecond // without a majority before a leader steps down
	commitTime  = 20 * time.Millisecond  // before idle followers are told what is committed
	rpcTime     = 2 * time.Second        // for one request between nodes
	handshake   = 5 * time.Second
	answerTime  = 300 * time.Millisecond // for an owner to answer before it may lead again
	together    = 32                     // entries in one request between nodes, each of up to 128 kB
	marked      = 1 << 14                // entries between snapshots; at the start Raft reads its log from the last one on
	cached      = 1 << 8                 // entries kept in memory
	followEvery = 50 * time.Millisecond  // in which a follower gathers entries: a transaction costs as much as thirty of them
)

var (
	// trailing is the least number of entries that stay in the log when older ones go, unless they exceed
	// mostLog bytes. A node that was away for longer copies another's file.
	trailing uint64 = 1 << 20
	mostLog  uint64 = 4 << 30
	segment         = 4 << 20 // bytes of a file of the log, allocated when the file is created
)

// Node is one node of a club. Get one from [Start].
type Node struct {
	*Peers
	config  Config
	at      raft.ServerAddress // of this node
	secret  *tls.Config
	door    *door
	raft    atomic.Pointer[raft.Raft] // nil until the node is in the cluster
	wal     *wal.WAL
	meta    metadb.BoltMetaDB // which the log does not close
	logs    raft.LogStore
	snaps   raft.SnapshotStore
	logger  hclog.Logger
	broken  chan error // of capacity one: why the node must end
	end     context.CancelFunc
	ctx     context.Context
	running sync.WaitGroup

	obeys atomic.Pointer[Orders]
	heir  atomic.Pointer[string] // the address of the node that is to run the club, if an operator chose one

	outside atomic.Pointer[string] // while the node has no log: the address of the others' leader, or empty

	committed atomic.Uint64 // the last committed entry
	applied   atomic.Uint64 // the last entry in the file
	grown     chan struct{} // of capacity one: committed has grown

	mu        sync.Mutex
	inlets    map[string]*inlet // by their protocols
	protocols []string          // of the inlets, preferred ones first
	lines     map[string]*line  // to others, by their addresses
}

var _ store.Log = (*Node)(nil)

// Start starts a node and returns once it runs, whether or not the others do.
func Start(c Config) (*Node, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	secret, err := secretFrom(c.Name, c.Key)
	if err != nil {
		return nil, err
	}
	door, err := c.listen()
	if err != nil {
		return nil, err
	}
	n := &Node{config: c, at: raft.ServerAddress(cmp.Or(c.advertise, c.Listen)), secret: secret, door: door,
		grown: make(chan struct{}, 1), broken: make(chan error, 1),
		inlets: make(map[string]*inlet), lines: make(map[string]*line)}
	n.ctx, n.end = context.WithCancel(context.Background())
	n.Peers = NewPeers(Member{Node: c.Node, Run: rand.Text(), Relay: string(n.at), Hosts: c.Hosts, Next: c.Next, Bare: c.Bare,
		Kinds: append(store.Kinds(), store.Grouped)}, c.size(), n.sendBeat, c.Log)
	if err := n.start(); err != nil {
		_ = door.Close()
		n.end()
		return nil, fmt.Errorf("cluster: %w", err)
	}
	return n, nil
}

// listen opens the node's port, which the other nodes must be able to reach.
func (c Config) listen() (*door, error) {
	ln, err := net.Listen("tcp", c.Listen)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("cluster: is this node already running? %w", err)
	case err != nil:
		return nil, fmt.Errorf("cluster: %w", err)
	}
	if at := ln.Addr().(*net.TCPAddr); at.IP.IsLoopback() && c.elsewhere() {
		_ = ln.Close()
		return nil, fmt.Errorf("cluster: %q is %v, which other machines cannot reach: give this machine's own address", c.Listen, at.IP)
	}
	return &door{Listener: ln, log: c.Log}, nil
}

// elsewhere reports whether a peer is on another machine, as far as can be known.
func (c Config) elsewhere() bool {
	return slices.ContainsFunc(c.Peers, func(peer string) bool {
		host, _, _ := splitPort(peer) // Validate has been called
		addrs, _ := net.LookupIP(host)
		return slices.ContainsFunc(addrs, func(ip net.IP) bool { return !ip.IsLoopback() })
	})
}

// start opens the log, and takes part in elections if the log is not new.
func (n *Node) start() (err error) {
	folder := filepath.Join(n.config.Folder, "raft")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	n.logger = hclog.New(&hclog.LoggerOptions{Level: hclog.Info, Output: debugWriter{n.config.Log}, DisableTime: true})
	if n.wal, err = wal.Open(folder, wal.WithLogger(n.logger), wal.WithMetaStore(&n.meta), wal.WithSegmentSize(segment)); err != nil {
		return fmt.Errorf("open this node's part of the log: %w; if it is damaged, move %s away and restart: "+
			"the node gets the log from the others", err, n.config.Folder)
	}
	defer func() {
		if err != nil {
			_ = errors.Join(n.wal.Close(), n.meta.Close())
		}
	}()
	if n.logs, err = raft.NewLogCache(cached, watchedLog{n.wal, n}); err != nil {
		return err
	}
	if n.snaps, err = raft.NewFileSnapshotStoreWithLogger(folder, 1, n.logger); err != nil {
		return err
	}
	has, err := raft.HasExistingState(n.wal, n.wal, n.snaps)
	if err == nil && has {
		err = n.run(false)
	}
	if err != nil {
		return err
	}
	n.reach(nil)
	control, beats := n.inlet(controlProtocol), n.inlet(beatProtocol)
	n.running.Go(n.welcome)
	n.running.Go(func() { n.serveControl(control) })
	n.running.Go(func() { n.hear(beats) })
	n.running.Go(n.lookForRemoval)
	n.running.Go(n.missLeader)
	n.running.Go(func() { n.Beat(n.ctx) })
	n.running.Go(func() {
		if !has {
			n.begin()
		}
		n.watch(n.ctx)
	})
	return nil
}

// run joins elections. With bootstrap, a new log begins with the configured nodes.
func (n *Node) run(bootstrap bool) error {
	transport := raft.NewNetworkTransportWithConfig(&raft.NetworkTransportConfig{
		Stream: raftStream{n.inlet(raftProtocol), n}, MaxPool: 3, Timeout: rpcTime, Logger: n.logger,
		MaxRPCsInFlight: 1}) // with more, version 1.8.0 may hang for good when a leader is deposed (replication.go, pipelineSend)
	c := raft.DefaultConfig()
	c.LocalID, c.Logger = raft.ServerID(n.at), n.logger
	c.HeartbeatTimeout, c.ElectionTimeout, c.LeaderLeaseTimeout, c.CommitTimeout = patience, patience, lease, commitTime
	c.BatchApplyCh, c.NoSnapshotRestoreOnStart, c.NoLegacyTelemetry = true, true, true
	c.TrailingLogs, c.SnapshotThreshold, c.MaxAppendEntries = trailing, marked, together
	if bootstrap {
		var all raft.Configuration
		for _, at := range slices.Sorted(slices.Values(append([]string{string(n.at)}, n.config.Peers...))) {
			all.Servers = append(all.Servers, raft.Server{ID: raft.ServerID(at), Address: raft.ServerAddress(at)})
		}
		if err := raft.BootstrapCluster(c, n.wal, n.wal, n.snaps, transport, all); err != nil {
			return errors.Join(err, transport.Close())
		}
	}
	r, err := raft.NewRaft(c, machine{n}, n.logs, n.wal, n.snaps, transport)
	if err != nil {
		return errors.Join(err, transport.Close())
	}
	n.raft.Store(r)
	n.grow(r.AppliedIndex()) // the snapshot's
	return nil
}

// watch keeps Peers informed of the log's leader and voters.
func (n *Node) watch(ctx context.Context) {
	seen := make(chan raft.Observation, 16)
	o := raft.NewObserver(seen, false, func(o *raft.Observation) bool {
		switch o.Data.(type) {
		case raft.RaftState, raft.LeaderObservation:
			return true
		}
		return false
	})
	r := n.raft.Load()
	if r == nil {
		return // the node ends
	}
	r.RegisterObserver(o)
	defer r.DeregisterObserver(o)
	tick := time.Tick(beatEvery)
	led := false
	for {
		servers, voters := n.servers(), n.voters()
		if len(voters) > 0 && !slices.ContainsFunc(servers, func(s raft.Server) bool { return s.Address == n.at }) {
			n.fail(ErrRemoved)
		}
		n.SetVoters(voters)
		n.reach(voters)
		leads, last := n.Leads(), r.LastIndex()
		n.SetLeads(leads, n.Reachable() && n.committed.Load()+cached > last, n.committed.Load())
		if leads != led {
			led = leads
			n.config.Log.Info("cluster: leading the log", "leads", leads, "term", r.CurrentTerm())
			n.publish()
		}
		select {
		case <-seen:
		case <-tick:
		case <-ctx.Done():
			return
		}
	}
}

// missLeader asks for an election once the leader has been silent for patience. Raft itself checks at a
// random time, one to three times patience after it last heard the leader, and of three nodes no follower is
// elected before both have checked.
func (n *Node) missLeader() {
	for wait := patience; pause(n.ctx, wait) == nil; {
		wait = patience
		r := n.raft.Load()
		if r == nil || r.State() != raft.Follower {
			continue
		}
		leader, _ := r.LeaderWithID()
		heard := r.LastContact()
		if leader == "" || heard.IsZero() {
			continue
		}
		followers := slices.DeleteFunc(n.voters(), func(at string) bool { return at == string(leader) })
		due := heard.Add(patience + turn*time.Duration(max(0, slices.Index(followers, string(n.at)))))
		if wait = time.Until(due); wait > 0 {
			continue
		}
		wait = patience
		for _, d := range []time.Duration{patience - time.Millisecond, patience} { // a shorter timeout makes Raft check now
			n.tune(func(c *raft.ReloadableConfig) { c.HeartbeatTimeout = d })
		}
	}
}

// Leads reports whether this node leads the log, so that only it can add entries.
func (n *Node) Leads() bool {
	r := n.raft.Load()
	return r != nil && r.State() == raft.Leader
}

// Reachable implements store.Log.
func (n *Node) Reachable() bool {
	r := n.raft.Load()
	if r == nil {
		return false
	}
	_, leader := r.LeaderWithID()
	return leader != ""
}

// GiveBack makes the node that runs the club the leader of the log, if that node is alive and answers: an
// election may have chosen another while too few nodes were connected. owner is the node's ID.
func (n *Node) GiveBack(owner string) bool {
	v, ok := n.alive(owner)
	if !ok {
		return false
	}
	ctx, cancel := context.WithTimeout(n.ctx, answerTime)
	defer cancel()
	_, err := ask(ctx, n.secret, v.Relay, Request{Do: "status"}) // it may send heartbeats and receive nothing
	return err == nil && n.yieldTo(v.Relay) == nil
}

func (n *Node) yieldTo(at string) error {
	return n.raft.Load().LeadershipTransferToServer(raft.ServerID(at), raft.ServerAddress(at)).Error()
}

// YieldLead makes another node the leader of the log, if this one is. Called before this node ends.
func (n *Node) YieldLead() {
	if !n.Leads() {
		return
	}
	if at := n.heir.Load(); at != nil && n.yieldTo(*at) == nil {
		return
	}
	_ = n.raft.Load().LeadershipTransfer().Error() // there may be no other node
}

// Close ends the node. Calls of Append and Follow must have ended.
func (n *Node) Close() {
	n.YieldLead()
	n.end()
	_ = n.door.Close()
	n.mu.Lock()
	for _, in := range n.inlets {
		_ = in.Close()
	}
	n.mu.Unlock()
	if r := n.raft.Load(); r != nil {
		_ = r.Shutdown().Error()
	}
	n.running.Wait()
	if r := n.raft.Load(); r != nil { // begin may have started it just now
		_ = r.Shutdown().Error()
	}
	_ = errors.Join(n.wal.Close(), n.meta.Close())
}

// pause waits for d, or until ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Append implements store.Log.
func (n *Node) Append(_ context.Context, entries []store.Entry) error {
	r := n.raft.Load()
	if r == nil {
		return raft.ErrNotLeader
	}
	packed, err := store.Pack(entries, n.Knows(store.Grouped))
	if err != nil {
		return err
	}
	sent := make([]raft.ApplyFuture, len(packed))
	for i, data := range packed {
		sent[i] = r.Apply(data, 0)
	}
	for _, f := range sent {
		if err := f.Error(); err != nil {
			return err
		}
	}
	return nil
}
