// Package limit knows how often callers have done what, by the key, the address and the network they come
// from, so that a limit holds for callers who reconnect as it does for those who stayed. It must not know
// what the callers do, nor what they are told.
//
// All counts are in one [Limits], which is bounded: under a flood of callers it forgets those that were quiet
// for longest. Keys, addresses and networks have room of their own there. Keys cost nothing, so a flood of
// keys must not displace what is known of the network that they come from.
//
// How many things exist at once is counted by [Places].
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

// Who is a caller.
type Who struct {
	Key  [32]byte   // zero: the caller has none
	Addr netip.Addr // not valid: it is not known
	// Shared says that many callers come from this address, as through a proxy that does not name them.
	// Limits by address and network hold for such callers with [Crowd] times the room, by key as for all.
	Shared bool
}

// Crowd is how many callers a shared address stands for.
const Crowd = 50

// Rate allows Burst at once, and from then on one each Every. The zero Rate sets no limit.
type Rate struct {
	Burst int
	Every time.Duration
}

func (r Rate) limiter() *rate.Limiter { return rate.NewLimiter(rate.Every(r.Every), r.Burst) }

// times is the rate for n callers together.
func (r Rate) times(n int) Rate { return Rate{r.Burst * n, r.Every / time.Duration(n)} }

// Rule says how often one thing may be done. A rule is known by its address: all that use one share what it counts.
type Rule struct {
	Key     Rate // with one key
	Addr    Rate // from one IPv4 address or IPv6 /64, see [Household]
	Network Rate // from one IPv4 /24 or IPv6 /48, see [Network]
	All     Rate // by all callers together; half of it is shared out among their networks, see pool
}

// Household is what counts as one address: an IPv4 address, or an IPv6 /64, since that is what one household
// or machine is given. It is not valid for an address that is not.
func Household(a netip.Addr) netip.Prefix { return prefix(a, 32, 64) }

// Network is the network of an address: an IPv4 /24 or an IPv6 /48, which is what one customer may be given.
func Network(a netip.Addr) netip.Prefix { return prefix(a, 24, 48) }

func prefix(a netip.Addr, four, six int) netip.Prefix {
	a = a.Unmap().WithZone("")
	bits := four
	if a.Is6() {
		bits = six
	}
	p, _ := a.Prefix(bits) // an address that is not valid gives the prefix that is not
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

// New returns Limits that remember so many counts by key, as many by address, and as many by network.
func New(entries int, now func() time.Time) *Limits {
	l := &Limits{now: now, pools: map[*Rule]*pool{}}
	for i := range l.books {
		l.books[i] = book{most: entries, of: map[subject]*list.Element{}}
	}
	return l
}

// Allow reports whether a caller may do something once more, and counts it if so. What is refused is not counted.
func (l *Limits) Allow(r *Rule, w Who) bool { return l.look(r, w, true) }

// Open reports what Allow would, and counts nothing: for what is counted only if it fails.
func (l *Limits) Open(r *Rule, w Who) bool { return l.look(r, w, false) }

// Charge counts n more of what Allow has counted once, for what turns out to have cost more. It is counted
// although there may be no room for it: then nothing is allowed until it has been made up for.
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

// of is who is counted under a rule in a scope, and against which rate; a zero rate: nobody.
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
		return s, limit.times(Crowd)
	}
	return s, limit
}

type subject struct {
	rule  *Rule
	scope int
	key   [32]byte
	net   netip.Prefix
	crowd bool // of a shared address
}

// book keeps counts of one scope, those that were used last. Its methods are called with Limits.mu held.
type book struct {
	most  int
	of    map[subject]*list.Element // of *counted
	order list.List                 // the one used last in front
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
		e = b.order.PushFront(&counted{s, limit.limiter()})
		b.of[s] = e
	}
	e.Value.(*counted).ReserveN(now, min(n, limit.Burst))
}

// makeRoom forgets counts that say nothing any more, and the oldest if there is no room.
func (b *book) makeRoom(now time.Time) {
	for range 2 { // more than come in, so that they are gone in time
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

// pool is what all callers together use of something. Whoever comes first may have half of it; the rest is
// shared out equally among the networks that have used some lately, so that a few cannot take it from all
// others.
type pool struct {
	at   time.Time // when the amounts were so large
	used float64
	by   map[netip.Prefix]float64 // what networks have used lately: it fades by e in the time in which the whole pool is given out
}

// forgotten is the amount below which a network has not used a pool lately.
const forgotten = 0.25

// pool returns a rule's pool as it is now. Called with mu held.
func (l *Limits) pool(r *Rule, now time.Time) *pool {
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

// sharer is the network that has a share of pools as a caller's; not valid for a crowd, and for a caller from nowhere.
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
