package gate

import (
	"net/netip"
	"sync"
	"time"
)

// sharing detects whether callers come through something that hides their addresses, such as a container's
// user-space proxy, so that all of them have the proxy's. Limits by address would then shut everybody out for
// what one of them does.
//
// Only a private address is detected. Nobody on the internet has one, so nobody there can pose as a crowd;
// loopback is left to the operator to name.
type sharing struct {
	mu    sync.Mutex
	last  [lastCallers]caller // the latest to begin a session, in a ring
	n     int                 // how many there have been
	by    source              // the shared source, or the latest candidate
	known bool                // by is shared
	said  time.Time           // when the log last said so
}

type caller struct {
	source source
	key    KeyID
}

const (
	lastCallers = 64
	fewCallers  = 8 // the fewest that prove anything
	fewKeys     = 4 // the fewest that are not one household
)

// came records a caller whose session begins. It reports whether an address is shared from now on and the log
// has not said so for an hour.
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
	s.known = s.isShared(s.by) // stays so despite a few calls from elsewhere
	if news = s.known && !was && (s.said.IsZero() || now.Sub(s.said) > time.Hour); news {
		s.said = now
	}
	return news
}

// isShared reports whether nearly all callers came from src, and they are more than one household. Called
// with mu held.
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

// sharedSpace is used between providers and their customers (RFC 6598).
var sharedSpace = netip.MustParsePrefix("100.64.0.0/10")

// is reports whether src is shared by many callers.
func (s *sharing) is(src source) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known && s.by == src
}
