package limit

import (
	"slices"
	"sync"
)

// Owner is whom a thing is counted for: a person, and the address and the network they come from, by any
// names that tell them apart. Nobody is counted by what is empty.
type Owner struct {
	Person, Address, Network string
	// Shared says that many come from this address, see [Who]; it has [Crowd] times the room, and so has its network.
	Shared bool
	// Staff is an operator.
	Staff bool
}

// Quota says how many things of one kind may exist at once, those that are being made included; 0 is no
// limit. A quota is known by its address: all that use one share what it counts.
type Quota struct {
	Person  int
	Address int
	Network int
	All     int
	Staff   int // in all, for operators, who are not counted otherwise; 0: they are as all others
	Few     int // from so many on, an address and a network may have a third of what they may have while there are fewer; 0: never
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

// Places counts what exists and what is being made: whoever makes something takes a place for it first, and
// there is no moment between looking whether there is room and taking it. The zero Places is ready for use.
// Its methods may be called by any goroutine.
type Places struct {
	mu    sync.Mutex
	taken map[counter]int
}

// counter is what is counted together: the things of one quota, or those of one owner in one scope.
type counter struct {
	of    *Quota
	scope Scope
	whose string
}

// Place is room for one thing. It is kept for as long as the thing exists, and given back by Free.
type Place struct {
	places   *Places
	counters []counter // nil once it was given back
}

// Take returns a place for a thing that is to be made, or nil and whose room is full.
func (p *Places) Take(q *Quota, o Owner) (*Place, Scope) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, n, full := p.room(q, o)
	if full != Free {
		return nil, full
	}
	return p.take(at[:n]), Free
}

// Open reports whether there is room for one more. It is for what is shown: by the time that somebody makes
// the thing, there may be none.
func (p *Places) Open(q *Quota, o Owner) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _, full := p.room(q, o)
	return full == Free
}

// Hold returns a place for a thing that exists, as after a restart, or that the club makes itself, whether or
// not there is room.
func (p *Places) Hold(q *Quota, o Owner) *Place {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, n, _ := p.room(q, o)
	return p.take(at[:n])
}

// room returns in which n counters one more thing of an owner's would be counted, and whose room is full. It
// allocates nothing: each watcher's screen asks at each move. Called with mu held.
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

// Free gives the place back: the thing is gone, or could not be made. It may be called again, and of nil.
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
