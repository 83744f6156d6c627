package gate

import (
	"cmp"
	"net/netip"
	"sync"
)

// startups holds the places of connections whose session has not begun.
//
// Holding a place costs next to nothing: a byte now and then, or a login without a session. So when no places
// are left, age decides, not silence: a connection that has taken longer than a client needs gives way first.
// If there is none, the newcomer takes the place of one of those who hold the most, by network and by
// address. That leaves a place to each caller from a network of their own, as long as there are fewer such
// networks than places.
type startups struct {
	limits    StartupLimits
	perSource int

	mu        sync.Mutex
	held      map[*line]struct{}
	bySource  map[source]int
	byNetwork map[netip.Prefix]int
}

func newStartups(limits StartupLimits, perSource int) *startups {
	return &startups{
		limits:    limits,
		perSource: perSource,
		held:      make(map[*line]struct{}),
		bySource:  make(map[source]int),
		byNetwork: make(map[netip.Prefix]int),
	}
}

// admit gives l a place. If there is none, why is the limit that refused it; if another had to give way,
// displaced is that one, which the caller must close.
func (s *startups) admit(l *line) (displaced *line, why Reason) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.first = s.bySource[l.source] == 0
	if !l.shared && s.bySource[l.source] >= s.perSource {
		displaced = s.worst(func(o *line) bool { return o.source == l.source && o.late() })
		why = ReasonSource
	} else if len(s.held) >= s.limits.Full {
		displaced = s.worst(func(o *line) bool { return s.givesWay(o, l) })
		why = ReasonStartups
	}
	if why != "" && displaced == nil {
		return nil, why
	}
	if displaced != nil {
		s.remove(displaced)
	}
	s.held[l] = struct{}{}
	s.bySource[l.source]++
	s.byNetwork[l.network]++
	return displaced, ""
}

// release gives up the place of l, if it has one.
func (s *startups) release(l *line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(l)
}

// givesWay reports whether o has to give its place to newcomer. Called with mu held.
func (s *startups) givesWay(o, newcomer *line) bool {
	switch {
	case o.privileged():
		return false
	case o.late(), newcomer.privileged():
		return true
	case o.network != newcomer.network:
		return s.byNetwork[o.network] > s.byNetwork[newcomer.network]+1
	}
	return s.bySource[o.source] > s.bySource[newcomer.source]+1
}

// worst returns the eligible connection that is to go first: a late one before others, then one of the
// network and of the address that hold the most places, then the oldest. It returns nil if none is eligible.
// Called with mu held.
func (s *startups) worst(eligible func(*line) bool) *line {
	var worst *line
	for l := range s.held {
		if eligible(l) && (worst == nil || s.before(l, worst)) {
			worst = l
		}
	}
	return worst
}

// before reports whether a is to go before b. Called with mu held.
func (s *startups) before(a, b *line) bool {
	if late := a.late(); late != b.late() {
		return late
	}
	return cmp.Or(cmp.Compare(s.byNetwork[b.network], s.byNetwork[a.network]), cmp.Compare(s.bySource[b.source], s.bySource[a.source]),
		a.born.Compare(b.born)) < 0
}

// remove removes l. Called with mu held.
func (s *startups) remove(l *line) {
	if _, ok := s.held[l]; !ok {
		return
	}
	delete(s.held, l)
	add(s.bySource, l.source, -1)
	add(s.byNetwork, l.network, -1)
}
