package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshload/arena"
)

// TestArenaLoad has some programs play an arena, in which they are paired again and again. It checks no times, since the machine may be
// busy; the exit status follows from the goal.
func TestArenaLoad(t *testing.T) {
	t.Parallel()
	r, err := carryOut[arena.Report](t, "arena", "--players", "20", "--lobby", "10", "--rest", "1s", "--play", "10s", "--pace", "20ms")
	require.Len(t, r.Goals, 1)
	require.Equal(t, r.Goals[0].Met, err == nil)
	require.Equal(t, 20, r.Players)
	require.Positive(t, r.Paired.N, "games end, and others begin")
	require.Positive(t, r.CPU)
}
