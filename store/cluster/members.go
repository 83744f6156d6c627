package cluster

import (
	"context"
	"encoding/json"
	"errors"
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

	// settleTime is how long a node hears a majority before it may take the club over: by then it hears the owner too, if that is there.
	settleTime = deadAfter + 500*time.Millisecond
)

// Member is a node as it describes itself.
type Member struct {
	Node     string
	Run      string   // of this process; a node that is started again is another owner
	Relay    string   // where it takes callers that come by way of another
	Hosts    []string // fingerprints of its host keys; none: not compared
	Next     []string // of those that it will have next
	Kinds    []string // of entries that it knows; none: all
	Position uint64   // of the last entry that it has applied
	Last     uint64   // entry that it knows to be in the log
	Epoch    uint64   // in which it owns the club; 0 if it does not
	Leads    bool     // all entries of the log go through it
	Current  bool     // its replica of the log has what the leader has, so that others may fail
	Leaving  bool     // it is about to end
	Hears    []string // the IDs of the other nodes that are alive for it
	Base     string   // of its file, as store.Replica has it
	Digest   store.Digest
	Heard    time.Time `json:"-"`
}

// ID is the node's name and run, which a club's owner is known by.
func (m Member) ID() string { return m.Node + "/" + m.Run }

// Peers tracks which nodes of a club are alive, by their heartbeats, and tells the others what this node is. It knows no network. Get it
// from a [Node], or from [NewPeers]. Its methods may be called by any goroutine.
type Peers struct {
	id    string // of this node, which never changes
	size  int
	send  Send
	log   *slog.Logger
	ahead chan struct{} // of capacity one: another node has applied more than this one

	mu       sync.Mutex
	own      Member
	others   map[string]Member
	since    time.Time           // when a majority began to be heard without a break; zero if none is
	enough   bool                // a majority was heard when it was last logged
	twin     time.Time           // since when others hear another node by this one's name; zero if they do not
	refused  string              // the ID of the last node that was not heard because another has its name
	unknown  map[string][]string // kinds of entries that this node knows and another, by name, did not when it was last heard
	compared bool                // the host keys were compared with those of the others, once when this node had heard a majority for a while
	stranger string              // then: a node that has others, if all have
	changed  chan struct{}       // closed and replaced when somebody came or went, owns the club, or has another digest
}

// Send sends a heartbeat to all other nodes; an urgent one has left when it returns, if that is possible at all.
type Send func(beat []byte, urgent bool) error

// NewPeers returns the peers of a node that hears nobody yet, in a club of size nodes. own needs Node, Run and Relay. Call Beat, and Heard
// with each heartbeat that arrives.
func NewPeers(own Member, size int, send Send, log *slog.Logger) *Peers {
	return &Peers{id: own.ID(), size: size, send: send, log: log, ahead: make(chan struct{}, 1), own: own, others: make(map[string]Member), unknown: make(map[string][]string),
		changed: make(chan struct{})}
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
		m.publish(false)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (m *Peers) publish(urgent bool) {
	m.mu.Lock()
	if m.own.Last > m.own.Position {
		m.lookAhead()
	}
	own := m.own
	own.Hears = m.hears()
	data, err := json.Marshal(own)
	m.mu.Unlock()
	if err == nil {
		err = m.send(data, urgent)
	}
	if err != nil {
		m.log.Warn("cluster: heartbeat", "err", err)
	}
}

// hears are the IDs of the other nodes that are alive. With mu held.
func (m *Peers) hears() (all []string) {
	for _, v := range m.others {
		all = append(all, v.ID())
	}
	slices.Sort(all)
	return all
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
	if v.Node == m.own.Node {
		return
	}
	v.Heard = time.Now()
	m.lookForTwin(v)
	before, known := m.others[v.Node]
	if known && !before.Leaving && before.Run != v.Run && before.Relay != v.Relay {
		m.refuse(before, v)
		return
	}
	if !known {
		m.log.Info("cluster: node reachable", "node", v.Node)
	}
	if (!known || before.Run != v.Run) && !sameHosts(&v, &m.own) {
		m.log.Error("cluster: another node has other host keys: clients that know one node warn of an attack at the other and refuse to connect; "+
			"have the same files in the folder of host keys on all nodes, and restart", "node", v.Node, "its_keys", v.Hosts, "keys_here", m.own.Hosts)
	}
	m.others[v.Node] = v
	m.lookForOld(&before, &v)
	m.count(v.Heard)
	m.compareHosts(v.Heard)
	if v.Last > m.own.Position {
		m.lookAhead()
	}
	if !known || before.Epoch != v.Epoch || before.Run != v.Run || before.Relay != v.Relay || before.Leads != v.Leads || before.Current != v.Current || before.Leaving != v.Leaving || before.Base != v.Base || before.Digest != v.Digest ||
		!slices.Equal(before.Hears, v.Hears) {
		m.tell()
	}
}

// sameHosts reports whether two nodes have the same host keys, or all that one has the other has, too, or will have next.
func sameHosts(a, b *Member) bool {
	has := func(all *Member, keys []string) bool {
		return !slices.ContainsFunc(keys, func(k string) bool { return !slices.Contains(all.Hosts, k) && !slices.Contains(all.Next, k) })
	}
	return len(a.Hosts) == 0 || len(b.Hosts) == 0 || has(a, b.Hosts) || has(b, a.Hosts)
}

// compareHosts looks once, when this node has heard a majority for a while after its start, whether it has
// the host keys of any other. With mu held.
func (m *Peers) compareHosts(now time.Time) {
	if m.compared || m.since.IsZero() || now.Sub(m.since) < settleTime {
		return
	}
	m.compared = true
	for _, v := range m.others {
		if sameHosts(&v, &m.own) {
			m.stranger = ""
			return
		}
		m.stranger = v.Node
	}
	m.tell()
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
	m.unknown[v.Node] = unknown
}

// refuse ignores a node that has the name of one that is alive, at another address: a node that is started
// again has the same. With mu held.
func (m *Peers) refuse(alive, v Member) {
	if m.refused != v.ID() {
		m.refused = v.ID()
		m.log.Warn("cluster: two nodes have the same name; ignoring the second", "node", v.Node, "relay", alive.Relay, "second", v.Relay)
	}
}

// lookForTwin notes whether another node hears one that has this one's name and is not this one. With mu held.
func (m *Peers) lookForTwin(v Member) {
	switch {
	case slices.Contains(v.Hears, m.id):
		m.twin = time.Time{}
	case slices.ContainsFunc(v.Hears, func(id string) bool { return strings.HasPrefix(id, m.own.Node+"/") }):
		if m.twin.IsZero() {
			m.twin = v.Heard
		}
		if m.isTwin(v.Heard) {
			m.tell()
		}
	default:
		m.twin = time.Time{}
	}
}

// isTwin allows others the time in which they notice that a node has been started again at another address. With mu held.
func (m *Peers) isTwin(now time.Time) bool { return !m.twin.IsZero() && now.Sub(m.twin) > settleTime }

// ErrTwin is returned by Misfit when another node has this one's name, so that the others ignore this one.
var ErrTwin = errors.New("another node of the cluster has the name of this one, and the others hear that one: give each node its own --node")

// Misfit is why this node cannot be one of the cluster's: ErrTwin, or that no other node has the host keys
// that this one has had since its start. It is nil while it can be one.
func (m *Peers) Misfit() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.isTwin(time.Now()):
		return ErrTwin
	case m.stranger != "":
		return fmt.Errorf("node %s has other host keys than this one: have the same files in the folder of host keys on all nodes", m.stranger)
	}
	return nil
}

// wrote takes an entry that has just come from the node that owns the club in an epoch for a sign that it is
// alive: on a busy machine entries can be in time and heartbeats late.
func (m *Peers) wrote(epoch uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, v := range m.others {
		if epoch > 0 && v.Epoch == epoch {
			v.Heard = time.Now()
			m.others[name] = v
		}
	}
}

// forget drops nodes that have not been heard for too long.
func (m *Peers) forget(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, v := range m.others {
		if now.Sub(v.Heard) > deadAfter {
			delete(m.others, name)
			if v.Leaving {
				m.log.Info("cluster: node has ended", "node", name)
			} else {
				m.log.Warn("cluster: node unreachable", "node", name, "position", v.Position)
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
	for name, v := range m.others {
		v.Heard = now
		m.others[name] = v
	}
	m.since = time.Time{}
	m.count(now)
}

// count records whether a majority is heard. With mu held.
func (m *Peers) count(now time.Time) {
	enough := m.majority(1 + len(m.others))
	switch {
	case !enough:
		m.since = time.Time{}
	case m.since.IsZero():
		m.since = now
	}
	switch {
	case enough && !m.enough:
		m.log.Info("cluster: enough nodes are reachable", "nodes", 1+len(m.others), "of", m.size)
	case !enough && m.enough:
		m.log.Warn("cluster: too few nodes are reachable: nothing can be changed until there are more", "nodes", 1+len(m.others), "of", m.size)
	}
	m.enough = enough
}

// waiting logs what a node waits for that has just been started.
func (m *Peers) waiting() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.enough {
		m.log.Info("cluster: waiting for other nodes: the club opens when enough are reachable", "nodes", 1+len(m.others), "of", m.size, "enough", m.size/2+1)
	}
}

// Settles returns after what time this node may take the club over if nobody else has it, having heard a majority for long enough. ok is
// false while it hears none.
func (m *Peers) Settles() (in time.Duration, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return max(0, settleTime-time.Since(m.since)), !m.since.IsZero()
}

// lookAhead lets the follower ask for entries that have not come by themselves.
func (m *Peers) lookAhead() {
	select {
	case m.ahead <- struct{}{}:
	default:
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

// setLast records that an entry is in the log.
func (m *Peers) setLast(seq uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.own.Last = max(m.own.Last, seq)
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
	m.publish(true)
}

// Members are the nodes that are alive, this one among them, by name. The channel is closed when they change.
func (m *Peers) Members() ([]Member, <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	own := m.own
	own.Hears = m.hears()
	all := []Member{own}
	for _, v := range m.others {
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b Member) int { return strings.Compare(a.Node, b.Node) })
	return all, m.changed
}

// Reachable implements store.Log.
func (m *Peers) Reachable() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.majority(1 + len(m.others))
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

// Size is the number of nodes of the club.
func (m *Peers) Size() int { return m.size }

func (m *Peers) majority(of int) bool { return 2*of > m.size }

// Majority reports whether so many members are more than half of all nodes.
func (m *Peers) Majority(members []Member) bool { return m.majority(len(members)) }

// SetLeads notes whether this node leads the log and how its replica is, and reports whether it owns the club.
func (m *Peers) SetLeads(leads, current bool) (owns bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.own.Leads != leads {
		said := "cluster: another node leads the log"
		if leads {
			said = "cluster: this node leads the log"
		}
		m.log.Info(said)
	}
	if m.own.Leads != leads || m.own.Current != current {
		m.own.Leads, m.own.Current = leads, current
		m.tell() // the others hear of it with the next beat
	}
	return m.own.Epoch > 0
}
