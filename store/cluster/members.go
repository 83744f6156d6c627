package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"boneyard/store"
)

const (
	beatEvery = 300 * time.Millisecond
	deadAfter = 2 * time.Second

	// settleTime is how long a node hears a majority before it judges by what it hears: by then it hears all
	// who are there.
	settleTime = deadAfter + 500*time.Millisecond
)

// Member is a node as it describes itself.
type Member struct {
	Node     string
	Run      string   // of this process; a node that is started again is another owner
	Relay    string   // where other nodes reach it, which no other node has
	Hosts    []string // fingerprints of its host keys; none: not compared
	Next     []string // of those that it will have next
	Kinds    []string // of entries that it knows; none: all
	Position uint64   // of the last entry that it has applied
	Last     uint64   // entry that it knows to be in the log
	Epoch    uint64   // in which it owns the club; 0 if it does not
	Current  bool     // its replica of the log has what the leader has, so that others may fail
	Leaving  bool     // it is about to end
	Base     string   // of its file, as store.Replica has it
	Digest   store.Digest
	Heard    time.Time `json:"-"`
	Voter    bool      `json:"-"` // it is one of the log's nodes, as far as that is known
}

// ID is the node's name and run, which a club's owner is known by.
func (m Member) ID() string { return m.Node + "/" + m.Run }

// LastAndOwner returns the last entry that any node knows, and the owner of the club: the latest one, since a
// node that was cut off may still believe that it is the owner.
func LastAndOwner(members []Member) (last uint64, owner Member) {
	for _, m := range members {
		last = max(last, m.Last, m.Position)
		if m.Epoch > owner.Epoch {
			owner = m
		}
	}
	return last, owner
}

// Peers tracks which nodes of a club are alive, by their heartbeats, and tells the others what this node is.
// It knows no network. Get it from a [Node], or from [NewPeers]. Its methods may be called by any goroutine.
type Peers struct {
	id   string // of this node, which never changes
	size int
	send Send
	log  *slog.Logger

	mu       sync.Mutex
	own      Member
	leads    bool                // this node leads the log
	others   map[string]Member   // by where they are reached
	voters   []string            // where the log's nodes are reached; none: not known yet
	since    time.Time           // when a majority began to be heard without a break; zero if none is
	enough   bool                // a majority was heard when it was last logged
	unknown  map[string][]string // kinds of entries that this node knows and another did not when it was last heard
	compared bool                // this node was compared with the others, once when it had heard a majority for a while
	misfit   error               // then: why it cannot be one of them
	changed  chan struct{}       // closed and replaced when somebody came or went, owns the club, or has another digest
}

// Send sends a heartbeat to all other nodes.
type Send func(beat []byte) error

// NewPeers returns the peers of a node that hears nobody yet, in a club of size nodes. own needs Node, Run
// and Relay. Call Beat, and Heard with each heartbeat that arrives.
func NewPeers(own Member, size int, send Send, log *slog.Logger) *Peers {
	return &Peers{id: own.ID(), size: size, send: send, log: log, own: own,
		others: make(map[string]Member), unknown: make(map[string][]string), changed: make(chan struct{})}
}

// ID is this node's, as its Member says.
func (m *Peers) ID() string { return m.id }

// Name is this node's own.
func (m *Peers) Name() string { return m.own.Node }

// Beat announces that this node is alive, and notices when others no longer are, until ctx ends.
func (m *Peers) Beat(ctx context.Context) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
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
		case <-tick.C:
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

// Heard takes a heartbeat, of any node.
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
		m.log.Error("cluster: another node has other host keys: clients that know one node warn of an attack at the other and refuse to connect; "+
			"have the same files in the folder of host keys on all nodes, and restart", "node", v.Node, "its_keys", v.Hosts, "keys_here", m.own.Hosts)
	}
	m.others[v.Relay] = v
	m.lookForOld(&before, &v)
	m.count(v.Heard)
	m.compare(v.Heard)
	if !known || before.Epoch != v.Epoch || before.Run != v.Run || before.Current != v.Current ||
		before.Leaving != v.Leaving || before.Base != v.Base || before.Digest != v.Digest {
		m.tell()
	}
}

// sameHosts reports whether two nodes have the same host keys, or all that one has the other has, too, or
// will have next.
func sameHosts(a, b *Member) bool {
	has := func(all *Member, keys []string) bool {
		return !slices.ContainsFunc(keys, func(k string) bool { return !slices.Contains(all.Hosts, k) && !slices.Contains(all.Next, k) })
	}
	return len(a.Hosts) == 0 || len(b.Hosts) == 0 || has(a, b.Hosts) || has(b, a.Hosts)
}

// compare looks once, when this node has heard a majority for a while after its start, whether it has a name
// of its own and the host keys of any other. With mu held.
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

// lookForOld notes which kinds of entries a node does not know. They stay noted when it is not heard any
// more: it may come back as it was. With mu held.
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
		m.log.Warn("cluster: a node runs an older version of the program; what it does not know is not written until it is upgraded", "node", v.Node, "unknown", unknown)
	}
	m.unknown[v.Relay] = unknown
}

// Misfit is why this node cannot be one of the cluster's: another had its name when it started, or no other
// had its host keys. It is nil while it can be one.
func (m *Peers) Misfit() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.misfit
}

// lost takes the end of a node's connection for a sign that it has ended, unless it is heard again at once.
func (m *Peers) lost(at string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.others[at]; ok {
		v.Heard = time.Now().Add(2*beatEvery - deadAfter)
		m.others[at] = v
	}
}

// alive reports whether a node, by its ID, has been heard just now, and does not leave.
func (m *Peers) alive(id string) (v Member, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, v := range m.others {
		if v.ID() == id && !v.Leaving && time.Since(v.Heard) < 2*beatEvery {
			return v, true
		}
	}
	return v, false
}

// forget drops nodes that have not been heard for too long.
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

// slept gives everybody time to be heard after this process was stopped, and heard nobody.
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

// heard is how many of the log's nodes are alive. With mu held.
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

// votes reports whether a node is one of the log's, as far as that is known. With mu held.
func (m *Peers) votes(at string) bool { return len(m.voters) == 0 || slices.Contains(m.voters, at) }

// SetVoters tells which nodes the log has, by where they are reached.
func (m *Peers) SetVoters(at []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(at) == 0 || slices.Equal(at, m.voters) {
		return
	}
	m.voters, m.size = at, len(at)
	for v := range m.unknown {
		if !m.votes(v) {
			delete(m.unknown, v)
		}
	}
	m.count(time.Now())
	m.tell()
}

// waiting logs what a node waits for that has just been started.
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

// SetDigests tells the others this node's digests, so that they can compare them with theirs.
func (m *Peers) SetDigests(base string, last store.Digest) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.own.Base, m.own.Digest = base, last // they hear of it with the next beat
}

// Leave tells the others at once that this node does not own the club any more and is about to end.
func (m *Peers) Leave() { m.set(func(own *Member) { own.Epoch, own.Leaving = 0, true }) }

func (m *Peers) set(change func(*Member)) {
	m.mu.Lock()
	change(&m.own)
	m.tell()
	m.mu.Unlock()
	m.publish()
}

// Members are the nodes that are alive, this one among them, by name. The channel is closed when they change.
func (m *Peers) Members() ([]Member, <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := []Member{m.own}
	for _, v := range m.others {
		all = append(all, v)
	}
	for i := range all {
		all[i].Voter = m.votes(all[i].Relay)
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

// Size is the number of the log's nodes.
func (m *Peers) Size() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.size
}

func (m *Peers) majority(of int) bool { return 2*of > m.size }

// Majority reports whether most of the log's nodes are alive.
func (m *Peers) Majority() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.majority(m.heard())
}

// SetLeads notes whether this node leads the log, and how far its log and its copy of it are.
func (m *Peers) SetLeads(leads, current bool, last uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.own.Last = max(m.own.Last, last)
	if m.leads != leads || m.own.Current != current {
		m.leads, m.own.Current = leads, current
		m.tell() // the others hear of it with the next beat
	}
}
