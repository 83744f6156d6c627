// Package limit knows how often callers have done what, by their key, address and network, so that
// reconnecting does not reset a limit. It must not know what callers do, or what they are told.
//
// All counts are in one [Limits], which is bounded: under a flood of callers it drops the counts that were
// unused longest. Keys, addresses and networks have room of their own: keys cost nothing, so a flood of keys
// must not displace what is known about the network that they come from.
//
// [Places] counts how many things exist at the same time.
package limit

import (
	"container/list"
	"maps"
	"math"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Who identifies a caller.
type Who struct {
	Key  [32]byte   // zero if the caller has none
	Addr netip.Addr // invalid if unknown
	// Shared means that many callers come from this address, as through a proxy that does not name them. For
	// such callers, limits by address and network have [Crowd] times the room; limits by key are unchanged.
	Shared bool
}

// Crowd is how many callers a shared address stands for.
const Crowd = 50

// Rate allows Burst at once, and after that one each Every. The zero Rate sets no limit.
type Rate struct {
	Burst int
	Every time.Duration
}

// Rule limits how often a thing may be done. Its address identifies it: users of one Rule share its counts.
type Rule struct {
	Key     Rate // with one key
	Addr    Rate // from one IPv4 address or IPv6 /64, see [Household]
	Network Rate // from one IPv4 /24 or IPv6 /48, see [Network]
	All     Rate // by all callers together; half of it is shared out among their networks, see pool
}

// Household returns what counts as one address: an IPv4 address, or an IPv6 /64, which is what one household
// or machine is given. It is invalid for an invalid address.
func Household(a netip.Addr) netip.Prefix { return prefix(a, 32, 64) }

// Network returns an address's network: an IPv4 /24 or an IPv6 /48, which one customer may be given.
func Network(a netip.Addr) netip.Prefix { return prefix(a, 24, 48) }

func prefix(a netip.Addr, four, six int) netip.Prefix {
	a = a.Unmap().WithZone("")
	bits := four
	if a.Is6() {
		bits = six
	}
	p, _ := a.Prefix(bits) // an invalid address gives an invalid prefix
	return p
}

// Limits counts. Its methods may be called by any goroutine, and do not wait.
type Limits struct {
	now func() time.Time

	mu    sync.Mutex
	books [scopes]book
	pools map[*Rule]*pool
}

// Scopes of counts.
const (
	byKey = iota
	byAddr
	byNetwork
	scopes
)

// DefaultEntries bounds each scope at about 5 MB.
const DefaultEntries = 1 << 14

// New returns Limits that remember at most so many counts by key, by address, and by network each.
func New(entries int, now func() time.Time) *Limits {
	l := &Limits{now: now, pools: map[*Rule]*pool{}}
	for i := range l.books {
		l.books[i] = book{most: entries, of: map[subject]*list.Element{}}
	}
	return l
}

// Allow reports whether a caller may do something once more, and if so, counts it.
func (l *Limits) Allow(r *Rule, w Who) bool { return l.look(r, w, true) }

// Open is Allow without counting: for things that count only if they fail.
func (l *Limits) Open(r *Rule, w Who) bool { return l.look(r, w, false) }

// Charge counts n more of what Allow has counted once, for something that proved more expensive. It may
// exceed the limit: then nothing is allowed until that has been made up for.
func (l *Limits) Charge(r *Rule, w Who, n int) {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	for scope := range scopes {
		if s, rate := r.of(scope, w); rate != (Rate{}) && n > 0 {
			l.books[scope].take(s, rate, now, n)
		}
	}
	if r.All != (Rate{}) && n > 0 {
		l.pool(r, now).take(w, r.All, n)
	}
}

func (l *Limits) look(r *Rule, w Who, count bool) bool {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	var asked [scopes]struct {
		subject
		rate Rate
	}
	n := 0
	for scope := range scopes {
		if s, rate := r.of(scope, w); rate != (Rate{}) {
			if !l.books[scope].open(s, now) {
				return false
			}
			asked[n].subject, asked[n].rate = s, rate
			n++
		}
	}
	if r.All != (Rate{}) {
		p := l.pool(r, now)
		if !p.open(w, r.All) {
			return false
		}
		if count {
			p.take(w, r.All, 1)
		}
	}
	if count {
		for _, a := range asked[:n] {
			l.books[a.scope].take(a.subject, a.rate, now, 1)
		}
	}
	return true
}

// of returns who is counted under a rule in a scope, and with which rate; a zero rate means nobody.
func (r *Rule) of(scope int, w Who) (s subject, limit Rate) {
	s = subject{rule: r, scope: scope}
	switch scope {
	case byKey:
		if s.key = w.Key; w.Key != [32]byte{} {
			limit = r.Key
		}
		return s, limit
	case byAddr:
		s.net, limit = Household(w.Addr), r.Addr
	default:
		s.net, limit = Network(w.Addr), r.Network
	}
	switch {
	case !s.net.IsValid() || limit == Rate{}:
		return s, Rate{}
	case w.Shared:
		s.crowd = true
		return s, Rate{limit.Burst * Crowd, limit.Every / Crowd}
	}
	return s, limit
}

type subject struct {
	rule  *Rule
	scope int
	key   [32]byte
	net   netip.Prefix
	crowd bool // a shared address
}

// book keeps the most recently used counts of one scope. Its methods are called with Limits.mu held.
type book struct {
	most  int
	of    map[subject]*list.Element // of *counted
	order list.List                 // most recently used first
}

type counted struct {
	subject
	*rate.Limiter
}

func (b *book) open(s subject, now time.Time) bool {
	e := b.of[s]
	if e == nil {
		return true
	}
	b.order.MoveToFront(e)
	return e.Value.(*counted).TokensAt(now) >= 1
}

func (b *book) take(s subject, limit Rate, now time.Time, n int) {
	e := b.of[s]
	if e == nil {
		b.makeRoom(now)
		e = b.order.PushFront(&counted{s, rate.NewLimiter(rate.Every(limit.Every), limit.Burst)})
		b.of[s] = e
	}
	e.Value.(*counted).ReserveN(now, min(n, limit.Burst))
}

// makeRoom drops counts that no longer limit anything, and the oldest one if there is no room.
func (b *book) makeRoom(now time.Time) {
	for range 2 { // more than one, so that they are dropped faster than they come
		e := b.order.Back()
		if e == nil {
			return
		}
		c := e.Value.(*counted)
		if len(b.of) < b.most && c.TokensAt(now) < float64(c.Burst()) {
			return
		}
		b.order.Remove(e)
		delete(b.of, c.subject)
	}
}

// pool is what all callers together use of something. Half of it is for whoever comes first; the rest is
// divided equally among the networks that have recently used it, so that a few cannot exclude all others.
type pool struct {
	at   time.Time // time of the amounts
	used float64
	by   map[netip.Prefix]float64 // recent use by network: it decays by e in the time in which the whole pool is refilled
}

// pool returns the current state of a rule's pool. Called with mu held.
func (l *Limits) pool(r *Rule, now time.Time) *pool {
	const forgotten = 0.25 // the amount below which a network no longer counts as a recent user
	p := l.pools[r]
	if p == nil {
		p = &pool{at: now, by: map[netip.Prefix]float64{}}
		l.pools[r] = p
	}
	if passed := now.Sub(p.at); passed > 0 {
		given := float64(passed) / float64(r.All.Every)
		left := math.Exp(-given / float64(r.All.Burst))
		p.at, p.used = now, max(p.used-given, 0)
		for net := range p.by {
			p.by[net] *= left
		}
		maps.DeleteFunc(p.by, func(_ netip.Prefix, used float64) bool { return used < forgotten })
	}
	return p
}

// sharer returns the network whose share of a pool the caller uses; invalid for a shared or unknown address.
func (w *Who) sharer() netip.Prefix {
	if w.Shared {
		return netip.Prefix{}
	}
	return Network(w.Addr)
}

func (p *pool) open(w Who, all Rate) bool {
	most, net := float64(all.Burst), w.sharer()
	switch {
	case p.used+1 > most:
		return false
	case p.used+1 <= most/2 || !net.IsValid():
		return true
	}
	sharers := len(p.by)
	if _, ok := p.by[net]; !ok {
		sharers++
	}
	return p.by[net]+1 <= max(1, most/2/float64(sharers))
}

func (p *pool) take(w Who, all Rate, n int) {
	amount := float64(min(n, all.Burst))
	p.used += amount
	if net := w.sharer(); net.IsValid() {
		p.by[net] += amount
	}
}
