package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/store/cluster"
)

// A node that is not heard for long is gone, once; one that is heard in between is not.
func TestNodesThatAreNotHeard(t *testing.T) {
	absent := make(missing)
	start := time.Unix(1e9, 0)
	at := func(after time.Duration, nodes ...string) (gone []string, next time.Duration) {
		var members []cluster.Member
		for _, n := range nodes {
			members = append(members, cluster.Member{Node: n})
		}
		return absent.gone(start.Add(after), members)
	}
	for _, step := range []struct {
		after time.Duration
		nodes []string
		gone  []string
		next  time.Duration
	}{
		{0, []string{"one", "two", "three"}, nil, time.Hour},
		{time.Hour, []string{"one"}, nil, nodeGone}, // nobody has looked in between
		{time.Hour + 5*time.Second, []string{"one"}, nil, nodeGone - 5*time.Second},
		{time.Hour + 6*time.Second, []string{"one", "two"}, nil, nodeGone - 6*time.Second},
		{time.Hour + 8*time.Second, []string{"one"}, nil, nodeGone - 8*time.Second},
		{time.Hour + nodeGone, []string{"one"}, []string{"three"}, 8 * time.Second},
		{time.Hour + nodeGone + 8*time.Second, []string{"one"}, []string{"two"}, time.Hour},
		{2 * time.Hour, []string{"one"}, nil, time.Hour},
	} {
		gone, next := at(step.after, step.nodes...)
		require.Equal(t, step.gone, gone, step.after)
		require.Equal(t, step.next, next, step.after)
	}
}
