package gate

import "sync"

// sessions counts the sessions there are, in all, by player and by source.
type sessions struct {
	total, perPlayer int

	mu       sync.Mutex
	count    int
	byPlayer map[player]int
	bySource map[source]int
}

// player is who a session is counted for: a key, or the source that guests come from.
type player struct {
	key   KeyID
	guest source
}

func newSessions(total, perPlayer int) *sessions {
	return &sessions{
		total:     total,
		perPlayer: perPlayer,
		byPlayer:  make(map[player]int),
		bySource:  make(map[source]int),
	}
}

// admit counts a session, or says which limit forbids it. Exempt callers are not counted by address.
func (s *sessions) admit(p player, src source, exempt bool) Reason {
	s.mu.Lock()
	defer s.mu.Unlock()
	counted := p.key != KeyID{} || !exempt
	switch {
	case counted && s.byPlayer[p] >= s.perPlayer:
		return ReasonPlayer
	case s.count >= s.total:
		return ReasonFull
	case !exempt && s.bySource[src] >= max(s.total/2, s.perPlayer):
		// Keys cost nothing to make: without this, one machine could take every place.
		return ReasonCrowd
	}
	s.count++
	s.byPlayer[p]++
	s.bySource[src]++
	return ""
}

// release takes back what admit counted.
func (s *sessions) release(p player, src source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count--
	if s.byPlayer[p]--; s.byPlayer[p] == 0 {
		delete(s.byPlayer, p)
	}
	if s.bySource[src]--; s.bySource[src] == 0 {
		delete(s.bySource, src)
	}
}
