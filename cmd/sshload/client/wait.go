package client

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// sightTime is how long a screen may take to show what it should. It is generous, for busy machines; a slow
// club shows in the delays.
const sightTime = 2 * time.Minute

// Sight ends when a screen has had all the time it may take.
func Sight(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, sightTime, fmt.Errorf("waited for %v", sightTime))
}

// Sleep waits; it reports false when ctx has ended.
func Sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// inFlight is how many callers come in at the same moment.
const inFlight = 8

// Each calls f for 0 to n-1, a few at a time, and returns the first error, after which no more are begun.
func Each(n int, f func(i int) error) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	var once sync.Once
	var first error
	for range min(inFlight, n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
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

// bell wakes all who wait for something to happen. The zero value is ready.
type bell struct {
	mu   sync.Mutex
	rung chan struct{} // closed at the next ring; nil while nobody waits
}

// next is closed at the next ring. Ask for it before you look whether there is anything to wait for.
func (b *bell) next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rung == nil {
		b.rung = make(chan struct{})
	}
	return b.rung
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rung != nil {
		close(b.rung)
		b.rung = nil
	}
}

// Gate makes people wait while it is shut, as it is at first.
type Gate struct {
	bell bell
	open atomic.Bool
}

// Set opens the gate or shuts it.
func (g *Gate) Set(open bool) {
	g.open.Store(open)
	g.bell.ring()
}

// pass waits for the gate to be open; it reports false when ctx has ended.
func (g *Gate) pass(ctx context.Context) bool {
	for {
		rung := g.bell.next()
		if g.open.Load() {
			return ctx.Err() == nil
		}
		select {
		case <-rung:
		case <-ctx.Done():
			return false
		}
	}
}
