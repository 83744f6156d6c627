package screen

import "sync"

// Cache keeps the values made last: at least size, and at most twice as many. It drops them in generations,
// so that it need not track use. Concurrent callers share the making of a value. NewCache returns one.
type Cache[K comparable, V any] struct {
	size int

	mu         sync.Mutex
	young, old map[K]*slot[V]
}

// NewCache returns a cache that keeps at least size values.
func NewCache[K comparable, V any](size int) *Cache[K, V] { return &Cache[K, V]{size: size} }

type slot[V any] struct {
	mu    sync.Mutex
	made  bool
	value V
}

// Get returns the value of a key, and calls make if it is not cached. If make panics, nothing is cached, and
// the next caller calls make again.
func (c *Cache[K, V]) Get(k K, make func() V) V {
	s := c.slot(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.made {
		s.value = make()
		s.made = true
	}
	return s.value
}

func (c *Cache[K, V]) slot(k K) *slot[V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.young[k]; s != nil {
		return s
	}
	s := c.old[k]
	if s == nil {
		s = new(slot[V])
	}
	if c.young == nil || len(c.young) >= c.size {
		c.old, c.young = c.young, make(map[K]*slot[V])
	}
	c.young[k] = s
	return s
}
