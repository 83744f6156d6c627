package gate

import (
	"maps"
	"sync"
	"time"
)

// recent remembers keys for an hour each, and at most so many.
type recent[K comparable] struct {
	most int
	now  func() time.Time

	mu    sync.Mutex
	until map[K]time.Time
}

const (
	recentTime   = time.Hour
	maxReturning = 4096 // sources
	maxPanics    = 256  // places; there are not that many bugs
)

func newRecent[K comparable](most int, now func() time.Time) *recent[K] {
	return &recent[K]{most: most, now: now, until: make(map[K]time.Time)}
}

// add remembers a key, be it anew. It returns false if there is no room for one more.
func (r *recent[K]) add(k K) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if len(r.until) >= r.most {
		maps.DeleteFunc(r.until, func(_ K, until time.Time) bool { return until.Before(now) })
	}
	if _, known := r.until[k]; !known && len(r.until) >= r.most {
		return false
	}
	r.until[k] = now.Add(recentTime)
	return true
}

// has reports whether a key is remembered.
func (r *recent[K]) has(k K) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	until, ok := r.until[k]
	return ok && r.now().Before(until)
}
