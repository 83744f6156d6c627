package cluster

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

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
	Run      string // of this process; a node that is started again is another owner
	Relay    string // where it takes callers that come by way of another
	Position uint64 // of the last entry that it has applied
	Last     uint64 // entry that it knows to be in the log
	Epoch    uint64 // in which it owns the club; 0 if it does not
	Leads    bool   // all entries of the log go through it
	Current  bool   // its replica of the log has what the leader has, so that others may fail
	Leaving  bool   // it is about to end
	Base     string // of its file, as store.Replica has it
	Digest   store.Digest
	Heard    time.Time `json:"-"`
}

// ID is the node's name and run, which a club's owner is known by.
func (m Member) ID() string { return m.Node + "/" + m.Run }

// members tracks which nodes are alive.
type members struct {
	node  *Node
	id    string        // of this node, which never changes
	ahead chan struct{} // of capacity one: another node has applied more than this one

	mu      sync.Mutex
	own     Member
	others  map[string]Member
	since   time.Time     // when a majority began to be heard without a break; zero if none is
	changed chan struct{} // closed and replaced when somebody came or went, owns the club, or has another digest
}

func newMembers(n *Node) *members {
	own := Member{Node: n.config.Node, Run: rand.Text(), Relay: n.config.Relay()}
	return &members{node: n, id: own.ID(), ahead: make(chan struct{}, 1), own: own, others: make(map[string]Member),
		changed: make(chan struct{})}
}

// beat announces that this node is alive.
func (m *members) beat(ctx context.Context) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	last := time.Now()
	for {
		now := time.Now()
		if now.Sub(last) > deadAfter/2 {
			m.slept(now)
		}
		last = now
		m.publish()
		m.forget(now)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (m *members) publish() {
	m.mu.Lock()
	if m.own.Last > m.own.Position {
		m.lookAhead()
	}
	data, err := json.Marshal(m.own)
	m.mu.Unlock()
	if err == nil {
		err = m.node.conn.Publish(m.node.subject("alive"), data)
	}
	if err != nil {
		m.node.config.Log.Warn("cluster: heartbeat", "err", err)
	}
}

func (m *members) heard(msg *nats.Msg) {
	var v Member
	if err := json.Unmarshal(msg.Data, &v); err != nil {
		m.node.config.Log.Warn("cluster: unreadable heartbeat", "err", err)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if v.Node == m.own.Node {
		return
	}
	v.Heard = time.Now()
	before, known := m.others[v.Node]
	if !known {
		m.node.config.Log.Info("cluster: node reachable", "node", v.Node)
	}
	m.others[v.Node] = v
	m.count(v.Heard)
	if v.Last > m.own.Position {
		m.lookAhead()
	}
	if !known || before.Epoch != v.Epoch || before.Run != v.Run || before.Relay != v.Relay || before.Leads != v.Leads || before.Current != v.Current || before.Leaving != v.Leaving || before.Base != v.Base || before.Digest != v.Digest {
		m.tell()
	}
}

// forget drops nodes that have not been heard for too long.
func (m *members) forget(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, v := range m.others {
		if now.Sub(v.Heard) > deadAfter {
			delete(m.others, name)
			m.node.config.Log.Warn("cluster: node unreachable", "node", name, "position", v.Position)
			m.count(now)
			m.tell()
		}
	}
}

// slept gives everybody time to be heard after this process was stopped, and heard nobody.
func (m *members) slept(now time.Time) {
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
func (m *members) count(now time.Time) {
	switch {
	case !m.node.majority(1 + len(m.others)):
		m.since = time.Time{}
	case m.since.IsZero():
		m.since = now
	}
}

// Settles returns after what time this node may take the club over if nobody else has it, having heard a majority for long enough. ok is
// false while it hears none.
func (n *Node) Settles() (in time.Duration, ok bool) {
	m := n.members
	m.mu.Lock()
	defer m.mu.Unlock()
	return max(0, settleTime-time.Since(m.since)), !m.since.IsZero()
}

// lookAhead lets the follower ask for entries that have not come by themselves.
func (m *members) lookAhead() {
	select {
	case m.ahead <- struct{}{}:
	default:
	}
}

func (m *members) tell() {
	close(m.changed)
	m.changed = make(chan struct{})
}

func (m *members) setPosition(p uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.own.Position = p
	m.own.Last = max(m.own.Last, p)
}

// setLast records that an entry is in the log.
func (m *members) setLast(seq uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.own.Last = max(m.own.Last, seq)
}

// SetOwner tells the others at once that this node owns the club, in this epoch.
func (n *Node) SetOwner(epoch uint64) { n.members.set(func(own *Member) { own.Epoch = epoch }) }

// SetDigests tells the others this node's digests, so that they can compare them with theirs.
func (n *Node) SetDigests(base string, last store.Digest) {
	m := n.members
	m.mu.Lock()
	defer m.mu.Unlock()
	m.own.Base, m.own.Digest = base, last // they hear of it with the next beat
}

// Leave tells the others at once that this node does not own the club any more and is about to end.
func (n *Node) Leave() { n.members.set(func(own *Member) { own.Epoch, own.Leaving = 0, true }) }

func (m *members) set(change func(*Member)) {
	m.mu.Lock()
	change(&m.own)
	m.tell()
	m.mu.Unlock()
	m.publish()
	_ = m.node.conn.FlushTimeout(beatEvery) // who is not reached hears the next beat, or none
}

// Members are the nodes that are alive, this one among them, by name. The channel is closed when they change.
func (n *Node) Members() ([]Member, <-chan struct{}) {
	m := n.members
	m.mu.Lock()
	defer m.mu.Unlock()
	all := []Member{m.own}
	for _, v := range m.others {
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b Member) int { return strings.Compare(a.Node, b.Node) })
	return all, m.changed
}

// Reachable implements store.Log.
func (n *Node) Reachable() bool {
	n.members.mu.Lock()
	defer n.members.mu.Unlock()
	return n.majority(1 + len(n.members.others))
}

// Size is the number of nodes of the club.
func (n *Node) Size() int { return n.config.size() }

func (n *Node) majority(of int) bool { return 2*of > n.config.size() }

// Majority reports whether so many members are more than half of all nodes.
func (n *Node) Majority(members []Member) bool { return n.majority(len(members)) }
