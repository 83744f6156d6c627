package cluster_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/store/cluster"
)

// leader waits until a node other than the given one leads the log, and returns its index.
func (c *club) leader(not int) int {
	c.t.Helper()
	leads := -1
	require.Eventually(c.t, func() bool {
		members, _ := c.nodes[not].Members()
		for _, m := range members {
			if m.Leads && m.Node != c.nodes[not].Name() {
				_, err := fmt.Sscanf(m.Node, "n%d", &leads)
				leads--
				return err == nil && c.nodes[leads] != nil
			}
		}
		return false
	}, far, 5*time.Millisecond)
	return leads
}

// TestALeaderThatEndsNeedsNoElection shuts the node that leads the log down while another writes. An election
// takes four seconds or more, so two shutdowns with shorter waits show that leadership was handed over. On a
// busy machine that can fail, and an election follows; on one so slow that writes wait for seconds although
// no node stops, the test can say nothing.
func TestALeaderThatEndsNeedsNoElection(t *testing.T) {
	t.Parallel()
	const ends, wanted = 24, 2
	c := newClub(t)
	require.NoError(t, c.stores[0].Claim(ctx))
	c.nodes[0].SetOwner(1)
	given, slow := 0, 0
	for i := 0; i < ends && given < wanted; i++ {
		require.NoError(t, c.create(0, fmt.Sprint("before", i)))
		at := c.leader(0)
		calm := time.Now()
		for k := range 10 {
			require.NoError(t, c.create(0, fmt.Sprint("calm", i, "x", k)))
		}
		if time.Since(calm) > cluster.ShortestElection {
			slow++
		}
		ended := make(chan struct{})
		began := time.Now()
		go func() {
			defer close(ended)
			c.stop(at)
		}()
		var worst time.Duration
		for k, over := 0, false; !over; k++ {
			last := time.Now()
			require.NoError(t, c.create(0, fmt.Sprint("while", i, "x", k)))
			worst = max(worst, time.Since(last))
			select {
			case <-ended:
				over = time.Since(began) > 2*time.Second
			default:
			}
		}
		t.Logf("nothing could be written for %v", worst)
		if worst < cluster.ShortestElection {
			given++
		}
		c.start(at)
	}
	if given < wanted && slow > 0 {
		t.Skip("this machine is too slow to tell")
	}
	require.Equal(t, wanted, given)
}
