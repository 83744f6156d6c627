package gate

import (
	"sync"
	"time"
)

// startups holds the places of connections whose session has not begun.
//
// Its numbers are OpenSSH's MaxStartups: from Begin places taken on, a newcomer finds none with a
// growing chance. Unlike OpenSSH, it is not always the newcomer that goes: a connection that has said
// nothing for a while gives up its place first. Otherwise a hundred connections that are opened and
// left alone would keep everybody out for the whole login limit, at no cost to whoever opened them.
type startups struct {
	limits StartupLimits
	rand   func() float64

	mu       sync.Mutex
	held     map[*line]struct{}
	bySource map[source]int
}

func newStartups(limits StartupLimits, rand func() float64) *startups {
	return &startups{
		limits:   limits,
		rand:     rand,
		held:     make(map[*line]struct{}),
		bySource: make(map[source]int),
	}
}

// admit gives l a place. If there is none for it, why says which limit it met; if another had to give
// up its own, displaced is that one, which the caller must close.
func (s *startups) admit(l *line) (displaced *line, why Reason) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bySource[l.source] >= s.limits.PerSource {
		displaced = s.stalled(func(o *line) bool { return o.source == l.source })
		why = ReasonSource
	} else if s.crowded() {
		displaced = s.stalled(func(*line) bool { return true })
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
	return displaced, ""
}

// release gives up the place of l, if it has one.
func (s *startups) release(l *line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(l)
}

// crowded reports whether a newcomer finds no place, as sshd's drop_connection. Called with mu held.
func (s *startups) crowded() bool {
	n, lim := len(s.held), s.limits
	switch {
	case n >= lim.Full:
		return true
	case n < lim.Begin:
		return false
	}
	rate := float64(lim.Rate) / 100
	p := rate + (1-rate)*float64(n-lim.Begin)/float64(lim.Full-lim.Begin)
	return s.rand() < p
}

// stalled returns the eligible connection that is furthest from logging in: rather one that never
// said anything than one before the key exchange, rather that than one after it, and of equals the one
// that has been silent longest. nil when none has been silent for long enough. Called with mu held.
func (s *startups) stalled(eligible func(*line) bool) *line {
	var worst *line
	var progress int
	var silence time.Duration
	for l := range s.held {
		if !eligible(l) {
			continue
		}
		p, d := l.progress(), l.silence()
		if p == progressNone && d < s.limits.Mute || p != progressNone && d < s.limits.Stalled {
			continue
		}
		if worst == nil || p < progress || p == progress && d > silence {
			worst, progress, silence = l, p, d
		}
	}
	return worst
}

// remove forgets l. Called with mu held.
func (s *startups) remove(l *line) {
	if _, ok := s.held[l]; !ok {
		return
	}
	delete(s.held, l)
	if s.bySource[l.source]--; s.bySource[l.source] == 0 {
		delete(s.bySource, l.source)
	}
}
