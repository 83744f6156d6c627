package gate

import (
	"net/netip"
	"sync"
	"time"
)

// sharing finds out whether the callers come through something that does not pass their addresses on, such as
// a container's user-space proxy: then all of them have one address, and it is the proxy's. Limits by address
// would shut everybody out for what one of them does.
//
// Only a private address can be shared so. Nobody on the internet has one, so nobody there can claim to be a
// crowd; and loopback is left to the operator to name.
type sharing struct {
	mu    sync.Mutex
	last  [lastCallers]caller // those whose session began last, in a ring
	n     int                 // how many there have been
	by    source              // what is shared, or the last that might have been
	known bool                // it is shared
	said  time.Time           // when the log was last told
}

// caller is one that has come in.
type caller struct {
	source source
	key    KeyID
}

const (
	lastCallers = 64
	fewCallers  = 8 // say nothing
	fewKeys     = 4 // might be one household
)

// came notes a caller whose session begins. It reports whether that makes an address a shared one, of which
// the log has not been told for an hour.
func (s *sharing) came(addr netip.Addr, key KeyID, now time.Time) (news bool) {
	if addr.IsLoopback() || !addr.IsValid() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last[s.n%lastCallers] = caller{sourceOf(addr), key}
	s.n++
	was := s.known
	if !was {
		if !addr.IsPrivate() && !addr.IsLinkLocalUnicast() && !sharedSpace.Contains(addr) {
			return false
		}
		s.by = sourceOf(addr)
	}
	s.known = s.isShared(s.by) // a few calls from elsewhere end nothing
	if news = s.known && !was && (s.said.IsZero() || now.Sub(s.said) > time.Hour); news {
		s.said = now
	}
	return news
}

// isShared reports whether nearly all have come from src, and more than one household has. Called with mu held.
func (s *sharing) isShared(src source) bool {
	n := min(s.n, lastCallers)
	from, keys := 0, make(map[KeyID]struct{})
	for _, c := range s.last[:n] {
		if c.source == src {
			from++
			if c.key != (KeyID{}) {
				keys[c.key] = struct{}{}
			}
		}
	}
	return n >= fewCallers && from*4 >= n*3 && (len(keys) >= fewKeys || from == lastCallers)
}

// sharedSpace is what providers use between themselves and their customers (RFC 6598).
var sharedSpace = netip.MustParsePrefix("100.64.0.0/10")

// is reports whether src is shared by many callers.
func (s *sharing) is(src source) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known && s.by == src
}
