package ui

import (
	"context"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"boneyard/ui/page"
)

func TestListener(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	updates, kick, got := make(chan struct{}, 1), make(chan string, 1), make(chan tea.Msg)
	l := newListener()
	l.start(ctx, updates, kick, func(m tea.Msg) { got <- m })

	updates <- struct{}{}
	require.Equal(t, page.ClubUpdateMsg{}, <-got)

	first, second := make(chan struct{}, 1), make(chan struct{}, 1)
	l.follow(first)
	first <- struct{}{}
	require.Equal(t, page.WokenMsg{}, <-got)

	// A page that is left is not listened to; of several changes the last counts.
	l.follow(nil)
	l.follow(first)
	l.follow(second)
	second <- struct{}{}
	require.Equal(t, page.WokenMsg{}, <-got)
	first <- struct{}{}
	kick <- "the door is there"
	require.Equal(t, kickedMsg{"the door is there"}, <-got)
	require.Len(t, first, 1)

	cancel()
	l.join()
	l.follow(first) // nobody listens any more, and nobody waits
	l.follow(second)
}
