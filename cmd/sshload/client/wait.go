package client

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
)

// sightTime is how long a login may take, and an answer, and a screen to show what it should. It is generous, for busy
// machines; a slow club shows in the delays.
const sightTime = 2 * time.Minute

// Sight ends when something has had all the time it may take.
func Sight(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, sightTime, fmt.Errorf("waited for %v", sightTime))
}

// Sleep waits; it reports false when ctx has ended.
func Sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// inFlight is how many callers come in at the same moment.
const inFlight = 8

// Each calls f for 0 to n-1, a few at a time, and returns the first error, after which no more are begun.
func Each(n int, f func(i int) error) error {
	all, ctx := errgroup.WithContext(context.Background())
	all.SetLimit(inFlight)
	for i := 0; i < n && ctx.Err() == nil; i++ {
		all.Go(func() error { return f(i) })
	}
	return all.Wait()
}
