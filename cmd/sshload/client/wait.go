package client

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// sightTime is how long a screen may take to show what it should. It is generous, for busy machines; a slow club shows in the delays.
const sightTime = 2 * time.Minute

// Sight ends when a screen has had all the time it may take.
func Sight(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, sightTime, fmt.Errorf("waited for %v", sightTime))
}

// Sleep waits; it reports false when ctx has ended.
func Sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// InFlight is how many callers come in at the same moment.
const InFlight = 8

// Each calls f for 0 to n-1, so many at a time, and returns the first error, after which no more are begun.
func Each(n, atATime int, f func(i int) error) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	var once sync.Once
	var first error
	for range min(atATime, n) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := f(i); err != nil {
					once.Do(func() { first = err })
					next.Store(int64(n))
				}
			}
		})
	}
	wg.Wait()
	return first
}

// Gate makes people wait while it is shut.
type Gate struct {
	mu   sync.Mutex
	open chan struct{} // closed while the gate is open
}

// NewGate returns a gate that is shut.
func NewGate() *Gate { return &Gate{open: make(chan struct{})} }

// Set opens the gate or shuts it.
func (g *Gate) Set(open bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.open:
		if !open {
			g.open = make(chan struct{})
		}
	default:
		if open {
			close(g.open)
		}
	}
}

// pass waits for the gate to be open; it reports false when ctx has ended.
func (g *Gate) pass(ctx context.Context) bool {
	g.mu.Lock()
	open := g.open
	g.mu.Unlock()
	select {
	case <-open:
		return true
	case <-ctx.Done():
		return false
	}
}
