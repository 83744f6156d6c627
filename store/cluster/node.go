// Package cluster lets a few nodes of one club share a log, by Raft (https://raft.github.io): an entry is on
// the disks of a majority before it is acknowledged. Its leader is the node that may run the club. It also
// reports which nodes are alive.
//
// It implements store.Log and knows nothing of what the entries mean.
package cluster

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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

// Config says which node this is, and what the others are.
type Config struct {
	Name   string   // of the club; nodes of other clubs are refused
	Node   string   // this node's name, like no other's
	Listen string   // HOST:PORT, where the other nodes reach this one
	Peers  []string // HOST:PORT of the others
	Key    []byte   // the secret that all nodes share
	Folder string   // for the log
	Bare   bool     // there is no data file yet
	Hosts  []string // fingerprints of the host keys, which are the same on all nodes; none: not compared
	Next   []string // of those that this node will have next
	Log    *slog.Logger

	advertise string // where other nodes reach this one, if not at Listen; tests have slow lines there
}

// size is the number of nodes of the club.
func (c Config) size() int { return len(c.Peers) + 1 }

// Validate reports settings that cannot work.
func (c Config) Validate() error {
	switch {
	case !isName(c.Name):
		return fmt.Errorf("name of the cluster: %q: use letters, digits and hyphens", c.Name)
	case !isName(c.Node):
		return fmt.Errorf("name of the node: %q: use letters, digits and hyphens", c.Node)
	case c.size() < 3 || c.size()%2 == 0:
		return fmt.Errorf("%d nodes: must be 3 or 5, so that a majority is left when one fails", c.size())
	case len(c.Key) < 32:
		return fmt.Errorf("the cluster's key has %d bytes: must have at least 32", len(c.Key))
	}
	return c.validateAddresses()
}

// validateAddresses reports addresses that are no node's, or two nodes'.
func (c Config) validateAddresses() error {
	used := make(map[string]string)
	for _, addr := range append([]string{c.Listen}, c.Peers...) {
		host, port, err := splitPort(addr)
		if err != nil {
			return err
		}
		at := net.JoinHostPort(host, strconv.Itoa(port))
		if by, ok := used[at]; ok {
			return fmt.Errorf("%s and %s are not two nodes: peers are the other nodes only", by, addr)
		}
		used[at] = addr
	}
	return nil
}

func isName(s string) bool {
	return s != "" && len(s) <= 32 && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// CheckAddress reports what is wrong with an address that cannot be a node's.
func CheckAddress(addr string) error {
	_, _, err := splitPort(addr)
	return err
}

func splitPort(addr string) (host string, port int, err error) {
	host, p, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, fmt.Errorf("%q: must be HOST:PORT: %w", addr, err)
	}
	if port, err = strconv.Atoi(p); err != nil || port < 1 || port > 65535 {
		return "", 0, fmt.Errorf("%q: the port must be from 1 to 65535", addr)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		return "", 0, fmt.Errorf("%q: must have a host where the other nodes reach this one", addr)
	}
	return host, port, nil
}

// How Raft is run. Times are for machines that are busy at times: a leader is missed after patience, see
// missLeader.
const (
	patience    = 800 * time.Millisecond // for which a follower hears no leader before it asks the others for an election
	turn        = 100 * time.Millisecond // after which the next follower asks: of two that ask at once, each votes for itself
	lease       = 700 * time.Millisecond // for which a leader hears no majority before it stops being one
	commitTime  = 20 * time.Millisecond  // after which followers are told what is committed, if nothing else is to be told
	rpcTime     = 2 * time.Second        // for one request between nodes
	handshake   = 5 * time.Second
	answerTime  = 300 * time.Millisecond // for the answer of an owner before it may lead again
	together    = 32                     // entries in one request between nodes, each of them with up to 128 kB
	marked      = 1 << 14                // entries after which there is a snapshot: from the last one on, Raft reads its log at the start
	cached      = 1 << 8                 // entries kept in memory
	followEvery = 50 * time.Millisecond  // in which a node that does not lead gathers entries: a transaction costs as much as thirty
)

var (
	// trailing is how many entries at least stay in the log when older ones go, unless they are more than
	// mostLog bytes. A node that was away for longer copies another's file.
	trailing uint64 = 1 << 20
	mostLog  uint64 = 4 << 30
	segment         = 4 << 20 // bytes of a file of the log, which are taken when it begins
)

// Node is one of the club's. Get one from [Start].
type Node struct {
	*Peers
	config  Config
	at      raft.ServerAddress // of this node
	secret  *tls.Config
	door    *door
	raft    atomic.Pointer[raft.Raft] // nil until the node is one of the cluster's
	wal     *wal.WAL
	meta    metadb.BoltMetaDB // which the log does not close
	logs    raft.LogStore
	snaps   raft.SnapshotStore
	logger  hclog.Logger
	broken  chan error // of capacity one: why the node cannot go on
	end     context.CancelFunc
	ctx     context.Context
	running sync.WaitGroup

	obeys atomic.Pointer[Orders]
	heir  atomic.Pointer[string] // the address of the node that an operator wants to run the club, if any

	outside atomic.Pointer[string] // while the node has no log: the address of the leader of the others, if they have one

	committed atomic.Uint64 // the last entry that is certain to be in the log
	applied   atomic.Uint64 // the last one that is in the file
	grown     chan struct{} // of capacity one: committed has grown

	mu        sync.Mutex
	inlets    map[string]*inlet // by their protocols
	protocols []string          // of the inlets, the ones preferred first
	lines     map[string]*line  // to others, by their addresses
}

var _ store.Log = (*Node)(nil)

// Start starts a node and returns when it runs, whether or not the others do.
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

// listen opens the node's port, which must be where the others can reach it.
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

// elsewhere reports whether a peer is on another machine, as far as that can be known.
func (c Config) elsewhere() bool {
	return slices.ContainsFunc(c.Peers, func(peer string) bool {
		host, _, _ := splitPort(peer) // Validate has been called
		addrs, _ := net.LookupIP(host)
		return slices.ContainsFunc(addrs, func(ip net.IP) bool { return !ip.IsLoopback() })
	})
}

// start opens the log, and takes part in elections if it has begun.
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

// run begins to take part in elections. A log that is new begins with the nodes of the settings.
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
	n.grow(r.AppliedIndex()) // that of the snapshot
	return nil
}

// watchedLog notices when the log cannot be written: the node ends then, so that another leads that can.
type watchedLog struct {
	*wal.WAL
	node *Node
}

func (l watchedLog) StoreLog(e *raft.Log) error { return l.StoreLogs([]*raft.Log{e}) }

func (l watchedLog) StoreLogs(all []*raft.Log) error {
	err := l.WAL.StoreLogs(all)
	if err != nil && !errors.Is(err, wal.ErrClosed) {
		l.node.fail(fmt.Errorf("%w (%w)", ErrStopped, err))
	}
	return err
}

// debugWriter takes what Raft logs, most of which a reader of our log would not miss.
type debugWriter struct{ log *slog.Logger }

func (w debugWriter) Write(p []byte) (int, error) {
	w.log.Debug("raft: " + strings.TrimSpace(string(p)))
	return len(p), nil
}

// machine is what Raft tells of entries that are certain to be in the log. [Node.Follow] reads them from
// there: the file remembers up to which one it has them. So a snapshot is but a mark, and a node whose log
// does not reach back to its file copies another's file.
type machine struct{ *Node }

func (m machine) Apply(l *raft.Log) any {
	m.grow(l.Index)
	return nil
}

func (m machine) ApplyBatch(logs []*raft.Log) []any {
	m.grow(logs[len(logs)-1].Index)
	return make([]any, len(logs))
}

func (n *Node) grow(to uint64) {
	for was := n.committed.Load(); was < to && !n.committed.CompareAndSwap(was, to); was = n.committed.Load() {
	}
	select {
	case n.grown <- struct{}{}:
	default:
	}
}

// Snapshot refuses while the file needs entries that would go.
func (m machine) Snapshot() (raft.FSMSnapshot, error) {
	keep, err := m.room()
	if err != nil {
		return nil, err
	}
	if m.applied.Load()+keep/2 < m.committed.Load() {
		return nil, errors.New("the file is far behind the log")
	}
	m.tune(func(c *raft.ReloadableConfig) { c.TrailingLogs = keep })
	return mark(m.committed.Load()), nil
}

// room is how many entries of the size of those in the log may stay in it.
func (n *Node) room() (entries uint64, err error) {
	folder := os.DirFS(filepath.Join(n.config.Folder, "raft")) // its path may hold what a pattern takes for its own
	files, err := fs.Glob(folder, "*.wal")
	var size uint64
	for _, f := range files {
		info, err := fs.Stat(folder, f)
		if err != nil {
			return 0, err
		}
		size += uint64(info.Size())
	}
	first, errFirst := n.wal.FirstIndex()
	last, errLast := n.wal.LastIndex()
	return min(trailing, mostLog/max(1, size/(last-first+1))), errors.Join(err, errFirst, errLast)
}

// tune changes how Raft runs.
func (n *Node) tune(change func(*raft.ReloadableConfig)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	r := n.raft.Load()
	c := r.ReloadableConfig()
	change(&c)
	if err := r.ReloadConfig(c); err != nil {
		n.config.Log.Error("cluster: Raft refuses its settings", "err", err)
	}
}

func (m machine) Restore(r io.ReadCloser) error {
	defer r.Close()
	var at mark
	if err := json.NewDecoder(r).Decode(&at); err != nil {
		return err
	}
	m.grow(uint64(at))
	return nil
}

// mark is a snapshot: the entry up to which the file of each node that is not far behind has all.
type mark uint64

func (m mark) Persist(sink raft.SnapshotSink) error {
	return errors.Join(json.NewEncoder(sink).Encode(m), sink.Close())
}

func (mark) Release() {}

// watch tells others who leads.
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

// missLeader asks for an election as soon as the leader has not been heard for patience. Raft itself looks at
// random, one to three times patience after it last heard it, and no other is elected before all followers of
// three nodes have looked.
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
		for _, d := range []time.Duration{patience - time.Millisecond, patience} { // a shorter one makes Raft look now
			n.tune(func(c *raft.ReloadableConfig) { c.HeartbeatTimeout = d })
		}
	}
}

// Leads reports whether this node leads the log, so that it alone can add entries.
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

// GiveBack makes a node that runs the club the leader of the log, if it is alive and answers: an election may
// have chosen another while too few nodes reached each other.
func (n *Node) GiveBack(owner string) bool {
	v, ok := n.alive(owner)
	if !ok {
		return false
	}
	ctx, cancel := context.WithTimeout(n.ctx, answerTime)
	defer cancel()
	_, err := ask(ctx, n.secret, v.Relay, Request{Do: "status"}) // it may be heard, and not hear
	return err == nil && n.yieldTo(v.Relay) == nil
}

func (n *Node) yieldTo(at string) error {
	return n.raft.Load().LeadershipTransferToServer(raft.ServerID(at), raft.ServerAddress(at)).Error()
}

// YieldLead makes another node the leader of the log, if this one is: it is about to end.
func (n *Node) YieldLead() {
	if !n.Leads() {
		return
	}
	if at := n.heir.Load(); at != nil && n.yieldTo(*at) == nil {
		return
	}
	_ = n.raft.Load().LeadershipTransfer().Error() // if there is no other, nobody can be told
}

// Close ends the node. End calls of Append and Follow before.
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
	if r := n.raft.Load(); r != nil { // it may have begun just now
		_ = r.Shutdown().Error()
	}
	_ = errors.Join(n.wal.Close(), n.meta.Close())
}

// pause waits for a while, or until ctx ends.
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
