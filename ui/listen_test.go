package ui

import (
	"context"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"boneyard/ui/page"
)

// silence is a terminal at which nothing is typed.
type silence struct{ Input }

func (silence) Ready() <-chan struct{} { return nil }

func TestListener(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	sizes, got := make(chan Size), make(chan tea.Msg)
	updates, kicked := make(chan struct{}, 1), make(chan string, 1)
	at := func(wake <-chan struct{}) sources { return sources{updates, kicked, wake} }
	l := newListener(&trap{})
	l.start(ctx, silence{}, sizes, func(m tea.Msg) { got <- m })

	// The listener takes changes of the window from the start, and of the club once there is one.
	sizes <- Size{100, 30}
	require.Equal(t, tea.WindowSizeMsg{Width: 100, Height: 30}, <-got)
	updates <- struct{}{}
	sizes <- Size{101, 31}
	require.Equal(t, tea.WindowSizeMsg{Width: 101, Height: 31}, <-got)
	l.follow(at(nil))
	require.Equal(t, page.ClubUpdateMsg{}, <-got)

	first, second := make(chan struct{}, 1), make(chan struct{}, 1)
	l.follow(at(first))
	first <- struct{}{}
	require.Equal(t, page.WokenMsg{}, <-got)

	// A page that is left is not listened to; of several changes the last counts.
	l.follow(at(nil))
	l.follow(at(first))
	l.follow(at(second))
	second <- struct{}{}
	require.Equal(t, page.WokenMsg{}, <-got)
	first <- struct{}{}
	kicked <- "the door is there"
	require.Equal(t, kickedMsg{"the door is there"}, <-got)
	require.Len(t, first, 1)

	cancel()
	l.join()
	l.follow(at(first)) // nobody listens any more, and nobody waits
	l.follow(at(second))
}
