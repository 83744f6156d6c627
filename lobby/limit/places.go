package limit

import (
	"slices"
	"sync"
)

// Owner is whom a thing counts against: a person, their address and their network, under any names that
// distinguish them. An empty name does not count.
type Owner struct {
	Person, Address, Network string
	// Shared means that many come from this address, see [Who]: it and its network have [Crowd] times the
	// room.
	Shared bool
	// Staff means an operator.
	Staff bool
}

// Quota limits how many things of one kind may exist at the same time, including those being made; 0 is no
// limit. Its address identifies it: all users of one Quota share its counts.
type Quota struct {
	Person  int
	Address int
	Network int
	All     int
	Staff   int // for all of the operators' things together, which count nowhere else; 0 if operators count like others
	Few     int // with at least so many things in all, an address or a network may have only a third; 0 for never
}

// Scope says whose room is full.
type Scope int

// The scopes of a [Quota]. Free says that there is room.
const (
	Free Scope = iota
	PersonFull
	AddressFull
	NetworkFull
	AllFull
)

// Places counts what exists and what is being made. A place is taken before the thing is made, in one step
// with the check for room. The zero Places is ready for use. Its methods may be called by any goroutine.
type Places struct {
	mu    sync.Mutex
	taken map[counter]int
}

// counter identifies a count: the things of one quota, or those of one owner in one scope.
type counter struct {
	of    *Quota
	scope Scope
	whose string
}

// Place is room for one thing. It is kept while the thing exists, and given back by Free.
type Place struct {
	places   *Places
	counters []counter // nil once given back
}

// Take returns a place for a thing that will be made, or nil and whose room is full.
func (p *Places) Take(q *Quota, o Owner) (*Place, Scope) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, n, full := p.room(q, o)
	if full != Free {
		return nil, full
	}
	return p.take(at[:n]), Free
}

// Open reports whether there is room for one more now. It is for display: that may change.
func (p *Places) Open(q *Quota, o Owner) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _, full := p.room(q, o)
	return full == Free
}

// Hold returns a place, even if there is no room, for a restored thing, or one that the club makes itself.
func (p *Places) Hold(q *Quota, o Owner) *Place {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, n, _ := p.room(q, o)
	return p.take(at[:n])
}

// room returns the n counters of a thing with an owner, and whose room is full. It does not allocate, since
// each watcher's screen calls it at each move. Called with mu held.
func (p *Places) room(q *Quota, o Owner) (at [4]counter, n int, full Scope) {
	crowd, share, most := 1, 1, q.All
	if o.Shared {
		crowd = Crowd
	}
	if q.Few > 0 && p.taken[counter{q, AllFull, ""}] >= q.Few {
		share = 3
	}
	if o.Staff && q.Staff > 0 {
		o, most = Owner{}, q.Staff
	}
	look := func(scope Scope, whose string, most int) {
		c := counter{q, scope, whose}
		if full == Free && most > 0 && p.taken[c] >= most {
			full = scope
		}
		at[n] = c
		n++
	}
	if o.Person != "" {
		look(PersonFull, o.Person, q.Person)
	}
	if o.Address != "" {
		look(AddressFull, o.Address, q.Address*crowd/share)
	}
	if o.Network != "" {
		look(NetworkFull, o.Network, q.Network*crowd/share)
	}
	look(AllFull, "", most)
	return at, n, full
}

// take counts a thing. Called with mu held.
func (p *Places) take(counters []counter) *Place {
	if p.taken == nil {
		p.taken = map[counter]int{}
	}
	for _, c := range counters {
		p.taken[c]++
	}
	return &Place{p, slices.Clone(counters)}
}

// Free gives the place back: the thing is gone, or could not be made. It may be called again, and on nil.
func (p *Place) Free() {
	if p == nil {
		return
	}
	p.places.mu.Lock()
	defer p.places.mu.Unlock()
	for _, n := range p.counters {
		if p.places.taken[n]--; p.places.taken[n] == 0 {
			delete(p.places.taken, n)
		}
	}
	p.counters = nil
}
