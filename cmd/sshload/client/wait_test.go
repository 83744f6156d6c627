package client

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A player waits for its turn while somebody else waits for the first round: news wake both, and the end as well.
func TestNewsWakeAll(t *testing.T) {
	c := &Client{Ended: make(chan struct{}), picture: func() string { return "the picture" }}
	c.news = sync.NewCond(&c.mu)
	errs := make(chan error)
	wait := func(ctx context.Context) { errs <- c.wait(ctx, "round", func() bool { return c.begun }) }
	go wait(t.Context())
	go wait(t.Context())
	c.mu.Lock()
	c.begun = true
	c.mu.Unlock()
	c.news.Broadcast()
	require.NoError(t, <-errs)
	require.NoError(t, <-errs)

	c.begun = false
	ctx, cancel := context.WithCancel(t.Context())
	go wait(ctx)
	cancel()
	require.ErrorContains(t, <-errs, "no round: context canceled; there is:\nthe picture")
	close(c.Ended)
	go wait(t.Context())
	require.ErrorContains(t, <-errs, "the session has ended")
}
