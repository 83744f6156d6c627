package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshload/grown"
)

// TestGrown measures a small club in the way a club of many years is measured: every command that the club lists, and every page, which
// must show what it should.
func TestGrown(t *testing.T) {
	t.Parallel()
	r, err := carryOut[grown.Report](t, "grown", "--times", "1", "--games", "60", "--members", "20", "--teams", "6", "--chat", "10")
	require.NoError(t, err)
	require.Len(t, r.Starts, 2)
	require.Len(t, r.Jobs, 3)
	require.Greater(t, len(r.Pages), 20)
	require.Greater(t, len(r.Asked), 15)
	require.Positive(t, r.Enter.All)
	for _, c := range r.Jobs {
		require.Positive(t, c.Own, c.What)
		require.Positive(t, c.RSS, c.What)
	}
	for _, c := range r.Asked {
		require.Positive(t, c.All, c.What)
	}
}
