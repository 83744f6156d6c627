package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshload/load"
)

// TestCluster puts a small load on a club on one machine and on three nodes.
func TestCluster(t *testing.T) {
	t.Parallel()
	c, err := carryOut[load.Comparison](t, "cluster", "--tables", "3", "--watchers", "12", "--play", "3s")
	require.NoError(t, err)
	require.Empty(t, c.One.Play.Nodes)
	require.Len(t, c.Three.Play.Nodes, 3)
	owners := 0
	for _, n := range c.Three.Play.Nodes {
		require.Positive(t, n.Share)
		require.Positive(t, n.RSS)
		if n.Club {
			owners++
		}
	}
	require.Equal(t, 1, owners)
	for _, r := range []*load.Report{c.One, c.Three} {
		require.Positive(t, r.Play.Moves)
		require.NotNil(t, r.Play.Ack)
		require.NotNil(t, r.Play.Delay)
		require.LessOrEqual(t, r.Left.Goroutines, 0.0, "goroutines that stay behind")
	}
}
