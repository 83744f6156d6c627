package node

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/store/cluster"
	"boneyard/store/cluster/freeport"
)

// A big data file takes a node longer to open than a node without one listens for others: the second waits, and
// does not begin an empty file.
func TestANodeWithoutAFileWaitsForOneThatOpensIts(t *testing.T) {
	t.Parallel()
	var at [3]string
	for i := range at {
		at[i] = fmt.Sprint("127.0.0.1:", freeport.Pair(t))
	}
	config := func(i int) cluster.Config {
		return cluster.Config{Name: "club", Node: fmt.Sprint("n", i), Listen: at[i], Peers: []string{at[(i+1)%3], at[(i+2)%3]},
			Key: make([]byte, 32), Folder: t.TempDir(), Log: slog.New(slog.DiscardHandler)}
	}
	has, err := cluster.Start(config(0))
	require.NoError(t, err)
	defer has.Close()

	entered := make(chan error, 1)
	go func() {
		_, err := Enter(context.Background(), config(1), filepath.Join(t.TempDir(), "club.db"))
		entered <- err
	}()
	select {
	case err := <-entered:
		require.Fail(t, "it has not waited", err)
	case <-time.After(startGrace + time.Second):
	}
	has.SetDigests("opened", store.Digest{})
	require.ErrorContains(t, <-entered, "copy the data file of node n0")
}
