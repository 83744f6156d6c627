// Package storetest has what tests of a replicated store share. A [Network] connects the nodes of a club by a
// network that delays and loses messages, delivers some twice, and breaks. It has the log that the nodes
// share, and carries their heartbeats. Use it in bubbles of testing/synctest, where waiting takes no time.
package storetest

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"boneyard/store"
)

var (
	errDead = errors.New("the node was killed")
	errLost = errors.New("nobody knows whether the entries are in the log")
)

// Network connects nodes. Any goroutine may call its methods.
//
// All entries of the log go through one node, the leader, which must reach a majority. If it does not, or
// some node cannot reach it but could reach another leader, another is elected after a while. The log loses
// nothing: only nodes that reach another one get it.
type Network struct {
	Elections bool // elections take time, and only the leader may add entries; if false, any node that reaches a majority may
	size      int

	late sync.WaitGroup // messages in flight

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced when anything changes
	rng      *rand.Rand
	entries  []store.Entry
	nodes    map[string]*Node   // that run
	cut      map[string]bool    // from all others
	broken   map[[2]string]bool // links, in both directions
	leader   string             // empty: none
	electing bool
}

// NewNetwork returns a network for size nodes.
func NewNetwork(seed uint64, size int) *Network {
	return &Network{
		size: size, changed: make(chan struct{}), rng: rand.New(rand.NewPCG(seed, 5)),
		nodes: make(map[string]*Node), cut: make(map[string]bool), broken: make(map[[2]string]bool),
	}
}

// Node is one process of a node, from start to end. It is a store.Log.
type Node struct {
	*Network
	name    string
	hear    func(beat []byte)
	stopped bool // as by SIGSTOP
	dead    bool
	knows   bool // knows that it is cut off
}

// Join connects a node that starts. hear, which may be nil, is called with other nodes' heartbeats.
func (n *Network) Join(name string, hear func(beat []byte)) *Node {
	v := &Node{Network: n, name: name, hear: hear}
	n.with(func() { n.nodes[name] = v })
	return v
}

// with changes the network and wakes everybody who waits.
func (n *Network) with(change func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	change()
	n.elect()
	close(n.changed)
	n.changed = make(chan struct{})
}

// Cut cuts a node off from all others, or connects it again.
func (n *Network) Cut(node string, cut bool) { n.with(func() { n.cut[node] = cut }) }

// Break breaks the link between two nodes, or repairs it. Both may reach the others.
func (n *Network) Break(a, b string, broken bool) {
	n.with(func() { n.broken[[2]string{a, b}], n.broken[[2]string{b, a}] = broken, broken })
}

// Stop stops a process, or lets it continue. While stopped it sends nothing, and loses what reaches it.
func (v *Node) Stop(stopped bool) { v.with(func() { v.stopped = stopped }) }

// Kill ends a process: from now on nothing from it reaches anybody, except messages in flight.
func (v *Node) Kill() {
	v.with(func() {
		v.dead = true
		if v.nodes[v.name] == v {
			delete(v.nodes, v.name)
		}
	})
}

// SetKnows sets whether a node knows that it is cut off, as Reachable reports.
func (v *Node) SetKnows(knows bool) { v.with(func() { v.knows = knows }) }

// Wait waits for messages in flight.
func (n *Network) Wait() { n.late.Wait() }

// Entries returns the log, which must not be changed.
func (n *Network) Entries() []store.Entry {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.entries
}

// up reports whether a node runs and is connected. Call it, and the following ones, with mu held.
func (n *Network) up(node string) bool {
	v := n.nodes[node]
	return v != nil && !v.stopped && !n.cut[node]
}

func (n *Network) reaches(a, b string) bool {
	return n.up(a) && (a == b || n.up(b) && !n.broken[[2]string{a, b}])
}

// reached returns how many nodes a node reaches, itself included.
func (n *Network) reached(node string) (count int) {
	for other := range n.nodes {
		if n.reaches(node, other) {
			count++
		}
	}
	return count
}

func (n *Network) majority(node string) bool { return 2*n.reached(node) > n.size }

// adds reports whether a node can add an entry.
func (n *Network) adds(node string) bool {
	if !n.Elections {
		return n.majority(node)
	}
	return n.leader == node && n.majority(node)
}

// best returns the node that reaches most others, empty if none can lead.
func (n *Network) best() (name string) {
	for _, v := range n.sorted() {
		if n.majority(v) && (name == "" || n.reached(v) > n.reached(name)) {
			name = v
		}
	}
	return name
}

func (n *Network) sorted() []string { return slices.Sorted(maps.Keys(n.nodes)) }

// elect begins an election if one is due. Without a leader nothing is added.
func (n *Network) elect() {
	if !n.Elections || n.electing {
		return
	}
	if n.leader != "" && !n.majority(n.leader) {
		n.leader = ""
	}
	if n.leader != "" || n.best() == "" {
		return
	}
	n.electing = true
	wait := 700*time.Millisecond + time.Duration(n.rng.Int64N(int64(time.Second)))
	n.late.Go(func() {
		_ = pass(context.Background(), wait)
		n.with(func() {
			n.electing = false
			n.leader = n.best()
		})
	})
}

// Leads reports whether the node leads the log.
func (v *Node) Leads() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return !v.dead && v.leader == v.name
}

// Led reports whether the node reaches a leader of the log.
func (v *Node) Led() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return !v.dead && v.leader != "" && v.reaches(v.name, v.leader)
}

// YieldTo makes another node the leader of the log, if v is and that one can be.
func (v *Node) YieldTo(other string) (done bool) {
	v.with(func() {
		if !v.dead && v.leader == v.name && v.reaches(v.name, other) && v.majority(other) {
			v.leader, done = other, true
		}
	})
	return done
}

// Yield makes some other node the leader of the log, if v is and one can be.
func (v *Node) Yield() {
	v.with(func() {
		if v.dead || v.leader != v.name {
			return
		}
		for _, other := range v.sorted() {
			if other != v.name && v.majority(other) && v.reached(other) >= v.reached(v.name) {
				v.leader = other
			}
		}
	})
}

func (n *Network) chance(of int) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.rng.IntN(of) == 0
}

// delay waits, mostly for a short while.
func (n *Network) delay(ctx context.Context) error {
	n.mu.Lock()
	d := time.Duration(n.rng.Int64N(int64(20 * time.Millisecond)))
	if n.rng.IntN(20) == 0 {
		d *= 100
	}
	n.mu.Unlock()
	return pass(ctx, d)
}

func pass(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// until waits for a condition, or returns an error if the process is killed. It releases mu meanwhile.
func (v *Node) until(ctx context.Context, so func() bool) error {
	for !v.dead && !so() {
		changed := v.changed
		v.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		v.mu.Lock()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if v.dead {
		return errDead
	}
	return nil
}

// Runs waits while the process is stopped.
func (v *Node) Runs(ctx context.Context) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.until(ctx, func() bool { return !v.stopped })
}

// Append implements store.Log. It waits while the node cannot add anything.
func (v *Node) Append(ctx context.Context, entries []store.Entry) error {
	if v.chance(6) { // they arrive another way, even after their sender has given up
		v.late.Go(func() {
			_ = pass(context.Background(), time.Duration(1+len(entries)%5)*time.Second)
			v.with(func() {
				if v.best() != "" && (!v.Elections || v.adds(v.name)) {
					v.add(entries)
				}
			})
		})
	}
	if err := v.delay(ctx); err != nil {
		return err
	}
	v.mu.Lock()
	err := v.until(ctx, func() bool { return v.adds(v.name) })
	v.mu.Unlock()
	if err != nil {
		return err
	}
	switch {
	case v.chance(8): // one was refused, and the others were not
		v.with(func() { v.add(entries[1:]) })
		return errLost
	case v.chance(5): // the answer is lost
		v.with(func() { v.add(entries) })
		return errors.Join(errLost, pass(ctx, time.Second))
	}
	v.with(func() { v.add(entries) })
	return v.delay(ctx)
}

// add adds entries. Call it with mu held.
func (n *Network) add(entries []store.Entry) {
	for _, e := range entries {
		e.Position = uint64(len(n.entries) + 1)
		n.entries = append(n.entries, e)
	}
}

func (v *Node) Follow(ctx context.Context, after uint64, apply func([]store.Entry) error) error {
	for {
		if err := v.delay(ctx); err != nil {
			return err
		}
		v.mu.Lock()
		if err := v.until(ctx, func() bool { return v.reached(v.name) > 1 && len(v.entries) > int(after) }); err != nil {
			v.mu.Unlock()
			return err
		}
		some := v.entries[after:min(len(v.entries), int(after)+1+v.rng.IntN(12))]
		v.mu.Unlock()
		if err := apply(some); err != nil {
			return err
		}
		after += uint64(len(some))
	}
}

func (v *Node) Knows(string) bool { return true }

func (v *Node) Reachable() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return !v.knows
}

// Send sends a heartbeat to the other nodes, of which some are lost. It waits while the process is stopped.
func (v *Node) Send(beat []byte) error {
	if err := v.Runs(context.Background()); err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, name := range v.sorted() {
		to := v.nodes[name]
		if to == v || !v.reaches(v.name, name) || v.rng.IntN(30) == 0 {
			continue
		}
		v.late.Go(func() {
			_ = v.delay(context.Background())
			v.mu.Lock()
			arrives := v.nodes[name] == to && v.reaches(v.name, name)
			v.mu.Unlock()
			if arrives {
				to.hear(beat)
			}
		})
	}
	return nil
}
