package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"boneyard/store"
)

const (
	beatEvery = 300 * time.Millisecond
	deadAfter = 2 * time.Second

	// settleTime is how long a node hears a majority before it judges by what it hears: by then it hears
	// every node that is up.
	settleTime = deadAfter + 500*time.Millisecond
)

// Member is a node as it describes itself.
type Member struct {
	Node     string
	Run      string       // of this process; a restarted node is another owner
	Relay    string       // where other nodes reach it; unique
	Hosts    []string     // fingerprints of its host keys; empty: not compared
	Next     []string     // fingerprints of its next host keys
	Kinds    []string     // of entries that it knows; empty: all
	Position uint64       // of the last entry that it has applied
	Last     uint64       // entry of the log that it knows of
	Epoch    uint64       // in which it owns the club; 0: it does not
	Current  bool         // its copy of the log has what the leader's has, so that others may fail
	Leaving  bool         // it is about to end
	Base     string       // of its file, from store.Replica
	Bare     bool         `json:",omitempty"` // it had no file when it started
	Digest   store.Digest `json:"Sums"`       // an older version sent another digest as "Digest"
	Heard    time.Time    `json:"-"`
	Voter    bool         `json:"-"` // it votes in the log's elections, as far as is known
	Owns     bool         `json:"-"` // it is the club's owner
	Behind   uint64       `json:"-"` // how many entries that some node knows of it has not applied
	Compared Compared     `json:"-"` // with this node's file
}

// ID returns the node's name and run, which identify a club's owner.
func (m Member) ID() string { return m.Node + "/" + m.Run }

// OwnerOf returns the owner of the club, or the zero Member: the one of the latest epoch, since a node that
// was cut off may still believe that it owns the club.
func OwnerOf(members []Member) (owner Member) {
	for _, m := range members {
		if m.Epoch > owner.Epoch {
			owner = m
		}
	}
	return owner
}

// Peers tracks by heartbeats which nodes of a club are alive, and tells them about this node. It knows no
// network. Get it from a [Node], or from [NewPeers]. It is safe for concurrent use.
type Peers struct {
	id   string // of this node, which never changes
	size int
	send Send
	log  *slog.Logger

	mu       sync.Mutex
	own      Member
	leads    bool                // this node leads the log
	others   map[string]Member   // by address
	voters   []string            // addresses of the log's voters; none: not known yet
	since    time.Time           // since when a majority has been heard without a break; zero if none is
	enough   bool                // a majority was heard at the last log line about it
	unknown  map[string][]string // by address: kinds of entries that this node knows and the other did not when last heard
	compared bool                // compare has run
	misfit   error               // why it cannot be in the cluster: what compare found, or its file differs
	digests  []store.Digest      // this node's latest ones, since others' may come earlier or later
	files    map[string]Compared // by the other nodes' addresses
	changed  chan struct{}       // closed and replaced when a node comes, goes, or has news: see Heard
}

// Send sends a heartbeat to all other nodes.
type Send func(beat []byte) error

// NewPeers returns the peers of a node that has heard nobody yet, in a club of size nodes. own needs Node,
// Run and Relay. Call Beat, and Heard with each heartbeat that arrives.
func NewPeers(own Member, size int, send Send, log *slog.Logger) *Peers {
	return &Peers{id: own.ID(), size: size, send: send, log: log, own: own,
		others: make(map[string]Member), unknown: make(map[string][]string), files: make(map[string]Compared), changed: make(chan struct{})}
}

// ID returns this node's [Member.ID].
func (m *Peers) ID() string { return m.id }

// Name returns this node's name.
func (m *Peers) Name() string { return m.own.Node }

// Beat sends heartbeats, and drops nodes that send none, until ctx ends.
func (m *Peers) Beat(ctx context.Context) {
	tick := time.Tick(beatEvery)
	last := time.Now()
	m.waiting()
	for {
		now := time.Now()
		if now.Sub(last) > deadAfter/2 {
			m.slept(now)
		}
		last = now
		m.forget(now)
		m.publish()
		select {
		case <-tick:
		case <-ctx.Done():
			return
		}
	}
}

func (m *Peers) publish() {
	m.mu.Lock()
	data, err := json.Marshal(m.own)
	m.mu.Unlock()
	if err == nil {
		err = m.send(data)
	}
	if err != nil {
		m.log.Warn("cluster: heartbeat", "err", err)
	}
}

// Heard handles a heartbeat from any node, including this one.
func (m *Peers) Heard(beat []byte) {
	var v Member
	if err := json.Unmarshal(beat, &v); err != nil {
		m.log.Warn("cluster: unreadable heartbeat", "err", err)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if v.Relay == m.own.Relay {
		return
	}
	v.Heard = time.Now()
	before, known := m.others[v.Relay]
	if !known {
		m.log.Info("cluster: node reachable", "node", v.Node)
	}
	if (!known || before.Run != v.Run) && !sameHosts(&v, &m.own) {
		m.log.Error("cluster: another node has other host keys: clients that know one node warn of an attack at the other "+
			"and refuse to connect; have the same files in the folder of host keys on all nodes, and restart",
			"node", v.Node, "its_keys", v.Hosts, "keys_here", m.own.Hosts)
	}
	m.others[v.Relay] = v
	m.lookForOld(&before, &v)
	m.count(v.Heard)
	m.compare(v.Heard)
	if before.Digest.Position != v.Digest.Position {
		m.compareFiles()
	}
	if !known || before.Epoch != v.Epoch || before.Run != v.Run || before.Current != v.Current ||
		before.Leaving != v.Leaving || before.Base != v.Base || before.Digest.Position != v.Digest.Position {
		m.tell()
	}
}

// sameHosts reports whether two nodes have the same host keys, or one's are all among those that the other
// has or will have next.
func sameHosts(a, b *Member) bool {
	has := func(all *Member, keys []string) bool {
		return !slices.ContainsFunc(keys, func(k string) bool { return !slices.Contains(all.Hosts, k) && !slices.Contains(all.Next, k) })
	}
	return len(a.Hosts) == 0 || len(b.Hosts) == 0 || has(a, b.Hosts) || has(b, a.Hosts)
}

// compare checks once, when this node has heard a majority for settleTime, that its name is unique and that
// some other node has its host keys. With mu held.
func (m *Peers) compare(now time.Time) {
	if m.compared || m.since.IsZero() || now.Sub(m.since) < settleTime {
		return
	}
	m.compared = true
	alike, other := false, ""
	for _, v := range m.others {
		if v.Node == m.own.Node {
			m.misfit = fmt.Errorf("the node at %s has the name of this one, too: give each node its own --node", v.Relay)
		}
		if sameHosts(&v, &m.own) {
			alike = true
		} else {
			other = v.Node
		}
	}
	if m.misfit == nil && !alike {
		m.misfit = fmt.Errorf("node %s has other host keys than this one: have the same files in the folder of host keys on all nodes", other)
	}
	if m.misfit != nil {
		m.tell()
	}
}

// lookForOld records which kinds of entries a node does not know, and keeps them when the node goes silent:
// it may come back unchanged. With mu held.
func (m *Peers) lookForOld(before, v *Member) {
	if slices.Equal(before.Kinds, v.Kinds) {
		return
	}
	var unknown []string
	for _, k := range m.own.Kinds {
		if len(v.Kinds) > 0 && !slices.Contains(v.Kinds, k) {
			unknown = append(unknown, k)
		}
	}
	if len(unknown) > 0 {
		m.log.Warn("cluster: a node runs an older version of the program; what it does not know is not written until it is upgraded",
			"node", v.Node, "unknown", unknown)
	}
	m.unknown[v.Relay] = unknown
}

// Misfit returns why this node cannot be in the cluster: another had its name when it started, no other had
// its host keys, or its data file differs from the others'; the last is store.ErrDiffers if the files began
// the same. It returns nil if none of these holds.
func (m *Peers) Misfit() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.misfit != nil {
		return m.misfit
	}
	return m.compareBase()
}

// lost handles the end of a node's connection: the node counts as down unless it is heard again at once.
func (m *Peers) lost(at string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.others[at]; ok {
		v.Heard = time.Now().Add(2*beatEvery - deadAfter)
		m.others[at] = v
	}
}

// alive reports whether the node with an ID has just been heard and is not leaving. The limit is below
// patience, so that it is false for a node that was just missed as the log's leader.
func (m *Peers) alive(id string) (v Member, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, v := range m.others {
		if v.ID() == id && !v.Leaving && time.Since(v.Heard) < min(2*beatEvery, patience) {
			return v, true
		}
	}
	return v, false
}

// forget drops nodes that have been silent for too long.
func (m *Peers) forget(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for at, v := range m.others {
		if now.Sub(v.Heard) > deadAfter {
			delete(m.others, at)
			if v.Leaving {
				m.log.Info("cluster: node has ended", "node", v.Node)
			} else {
				m.log.Warn("cluster: node unreachable", "node", v.Node, "position", v.Position)
			}
			m.count(now)
			m.tell()
		}
	}
}

// slept gives every node time to be heard after this process was suspended and heard none.
func (m *Peers) slept(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for at, v := range m.others {
		v.Heard = now
		m.others[at] = v
	}
	m.since = time.Time{}
	m.count(now)
}

// count records whether a majority is heard. With mu held.
func (m *Peers) count(now time.Time) {
	heard := m.heard()
	enough := m.majority(heard)
	switch {
	case !enough:
		m.since = time.Time{}
	case m.since.IsZero():
		m.since = now
	}
	switch {
	case enough && !m.enough:
		m.log.Info("cluster: enough nodes are reachable", "nodes", heard, "of", m.size)
	case !enough && m.enough:
		m.log.Warn("cluster: too few nodes are reachable: nothing can be changed until there are more", "nodes", heard, "of", m.size)
	}
	m.enough = enough
}

// heard returns how many of the log's nodes are alive. With mu held.
func (m *Peers) heard() (n int) {
	if m.votes(m.own.Relay) {
		n = 1
	}
	for at := range m.others {
		if m.votes(at) {
			n++
		}
	}
	return n
}

// votes reports whether the node at an address is one of the log's, as far as is known. With mu held.
func (m *Peers) votes(at string) bool { return len(m.voters) == 0 || slices.Contains(m.voters, at) }

// SetVoters sets the addresses of the log's nodes.
func (m *Peers) SetVoters(at []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(at) == 0 || slices.Equal(at, m.voters) {
		return
	}
	if len(at) < 3 {
		m.log.Warn("cluster: the club stops when one of the nodes that have the log fails: there are fewer than three", "nodes", len(at))
	}
	m.voters, m.size = at, len(at)
	maps.DeleteFunc(m.unknown, func(at string, _ []string) bool { return !m.votes(at) })
	m.count(time.Now())
	m.tell()
}

// waiting logs what a node that has just started is waiting for.
func (m *Peers) waiting() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.enough {
		m.log.Info("cluster: waiting for other nodes: the club opens when enough are reachable",
			"nodes", m.heard(), "of", m.size, "enough", m.size/2+1)
	}
}

func (m *Peers) tell() {
	close(m.changed)
	m.changed = make(chan struct{})
}

// SetPosition records that this node has applied the log up to an entry.
func (m *Peers) SetPosition(p uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.own.Position = p
	m.own.Last = max(m.own.Last, p)
}

// SetOwner tells the others at once that this node owns the club, in this epoch.
func (m *Peers) SetOwner(epoch uint64) { m.set(func(own *Member) { own.Epoch = epoch }) }

// SetDigests sends this node's base and latest digest to the others, and compares it with theirs.
func (m *Peers) SetDigests(base string, last store.Digest) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if last.Position != m.own.Digest.Position {
		m.digests = append(m.digests[max(0, len(m.digests)-digestsKept+1):], last)
		m.compareFiles()
	}
	m.own.Base, m.own.Digest = base, last // sent with the next beat
}

// Leave tells the others at once that this node no longer owns the club and is about to end.
func (m *Peers) Leave() { m.set(func(own *Member) { own.Epoch, own.Leaving = 0, true }) }

func (m *Peers) set(change func(*Member)) {
	m.mu.Lock()
	change(&m.own)
	m.tell()
	m.mu.Unlock()
	m.publish()
}

// Members returns the nodes that are alive, including this one, by name. The channel is closed when they
// change.
func (m *Peers) Members() ([]Member, <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.AppendSeq([]Member{m.own}, maps.Values(m.others))
	owner, last := OwnerOf(all), uint64(0)
	for _, v := range all {
		last = max(last, v.Last, v.Position)
	}
	for i := range all {
		v := &all[i]
		v.Voter, v.Compared = m.votes(v.Relay), m.file(v)
		v.Owns, v.Behind = owner.Epoch > 0 && v.ID() == owner.ID(), last-v.Position
	}
	slices.SortFunc(all, func(a, b Member) int { return strings.Compare(a.Node, b.Node) })
	return all, m.changed
}

// Knows implements store.Log.
func (m *Peers) Knows(kind string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, unknown := range m.unknown {
		if slices.Contains(unknown, kind) {
			return false
		}
	}
	return true
}

// Size returns the number of the log's nodes.
func (m *Peers) Size() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.size
}

func (m *Peers) majority(of int) bool { return 2*of > m.size }

// Complete reports whether the files of all nodes of the log are known.
func (m *Peers) Complete() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := 0
	for _, v := range append(slices.Collect(maps.Values(m.others)), m.own) {
		if v.Base != "" && m.votes(v.Relay) {
			known++
		}
	}
	return known >= m.size
}

// Majority reports whether most of the log's nodes are alive.
func (m *Peers) Majority() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.majority(m.heard())
}

// SetLeads records whether this node leads the log, whether its copy is current, and the last entry that it
// knows of.
func (m *Peers) SetLeads(leads, current bool, last uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.own.Last = max(m.own.Last, last)
	if m.leads != leads || m.own.Current != current {
		m.leads, m.own.Current = leads, current
		m.tell() // sent with the next beat
	}
}
