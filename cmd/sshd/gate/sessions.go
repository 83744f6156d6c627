package gate

import (
	"net/netip"
	"slices"
	"sync"

	"boneyard/lobby/limit"
)

// Rank is a caller's standing in the club, lowest first. Places are reserved for callers of higher rank.
type Rank int

// The ranks.
const (
	Stranger Rank = iota // a guest, or a key without an account
	Member
	Seated   // a member with a seat in a running game
	Operator // of the club
)

// sessions counts the open sessions in all, by player, by source and by network.
//
// Keys cost nothing to make, so a key counts as a player only once it has a name; until then it is one of its
// source's guests. All sources together cannot shut anybody out: strangers never hold more than three
// quarters of the places, and the last twentieth is reserved for players in running games and for operators.
// One source gets at most a fiftieth of all and one network a quarter.
type sessions struct {
	total, perPlayer int

	mu        sync.Mutex
	count     int
	strangers int
	byOwner   map[owner]int
	bySource  map[source]int
	byNetwork map[netip.Prefix]int
	nameless  map[KeyID][]*admission // sessions of keys without a name
}

// owner is the key, or the strangers' source, to whose limit a session counts.
type owner struct {
	key   KeyID
	guest source
}

// admission is one counted session.
type admission struct {
	key     KeyID // zero for a guest
	rank    Rank
	source  source
	network netip.Prefix
	exempt  bool // not counted by address
	shared  bool // many callers have that address, see [Call]
}

// asStranger reports whether the session is one of its source's guests. Those of exempt networks count as
// members.
func (p *admission) asStranger() bool { return p.rank == Stranger && !p.exempt }

func newSessions(total, perPlayer int) *sessions {
	return &sessions{
		total:     total,
		perPlayer: perPlayer,
		byOwner:   make(map[owner]int),
		bySource:  make(map[source]int),
		byNetwork: make(map[netip.Prefix]int),
		nameless:  make(map[KeyID][]*admission),
	}
}

// room returns how many sessions there may be before a caller of rank r is refused.
func (s *sessions) room(r Rank) int {
	if r >= Seated {
		return s.total
	}
	return s.total - max(s.total/20, min(1, s.total-1))
}

// perSource returns how many of total sessions one source may have.
func perSource(total, perPlayer int) int { return max(total/50, 2*perPlayer) }

// limit returns how many sessions the source and the network of p may have, and how many strangers the
// source.
func (s *sessions) limit(p *admission) (source, network, strangers int) {
	if p.exempt || p.rank == Operator {
		return s.total, s.total, s.total
	}
	source, network, strangers = perSource(s.total, s.perPlayer), max(s.total/4, 2*s.perPlayer), 2*s.perPlayer
	if p.rank == Seated {
		source += s.perPlayer
	}
	if p.shared { // the source stands for all callers
		source, network, strangers = s.total, s.total, s.total
	}
	return source, network, strangers
}

// enter counts a caller's session until leave is called, or says which limit forbids it.
func (s *sessions) enter(c *Call, rank Rank) (leave func(), why Reason) {
	who := &admission{key: c.Key, rank: rank, source: sourceOf(c.Addr), network: limit.Network(c.Addr), exempt: c.Exempt, shared: c.Shared}
	if why := s.admit(who); why != "" {
		return nil, why
	}
	return func() { s.release(who) }, ""
}

// admit counts a session, or says which limit forbids it.
func (s *sessions) admit(p *admission) Reason {
	s.mu.Lock()
	defer s.mu.Unlock()
	source, network, strangers := s.limit(p)
	switch {
	case p.key != KeyID{} && s.byOwner[owner{key: p.key}] >= s.perPlayer:
		return ReasonPlayer
	case p.asStranger() && s.byOwner[owner{guest: p.source}] >= strangers:
		return ReasonStrangers
	case s.count >= s.room(p.rank), p.asStranger() && s.strangers >= max(s.total*3/4, 1):
		return ReasonFull
	case s.bySource[p.source] >= source, s.byNetwork[p.network] >= network:
		return ReasonCrowd
	}
	s.count++
	s.bySource[p.source]++
	s.byNetwork[p.network]++
	if p.key != (KeyID{}) {
		s.byOwner[owner{key: p.key}]++
	}
	s.estrange(p, 1)
	if p.rank == Stranger && p.key != (KeyID{}) {
		s.nameless[p.key] = append(s.nameless[p.key], p)
	}
	return ""
}

// estrange adds by to the strangers' counts if p is one. Called with mu held.
func (s *sessions) estrange(p *admission, by int) {
	if p.asStranger() {
		s.strangers += by
		add(s.byOwner, owner{guest: p.source}, by)
	}
}

// named turns the sessions of a key that was given a name into a member's.
func (s *sessions) named(key KeyID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.nameless[key] {
		s.estrange(p, -1)
		p.rank = Member
	}
	delete(s.nameless, key)
}

// release undoes admit.
func (s *sessions) release(p *admission) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count--
	add(s.bySource, p.source, -1)
	add(s.byNetwork, p.network, -1)
	if p.key != (KeyID{}) {
		add(s.byOwner, owner{key: p.key}, -1)
	}
	s.estrange(p, -1)
	if p.rank == Stranger {
		s.nameless[p.key] = slices.DeleteFunc(s.nameless[p.key], func(o *admission) bool { return o == p })
		if len(s.nameless[p.key]) == 0 {
			delete(s.nameless, p.key)
		}
	}
}

// add changes a count, and deletes it at 0.
func add[K comparable](counts map[K]int, k K, by int) {
	if counts[k] += by; counts[k] == 0 {
		delete(counts, k)
	}
}
