package store

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A file that cannot be opened just now, as without file descriptors, is looked through later.
func TestAFileThatCannotBeReadIsLookedThroughLater(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(context.Background(), filepath.Join(dir, "club.db"), DefaultOptions())
	require.NoError(t, err)
	require.NoError(t, s.Close())
	b, err := os.ReadFile(filepath.Join(dir, "club.db"))
	require.NoError(t, err)
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(dir, "away", "club.db")
		o, looked := DefaultOptions(), false
		o.Looked = func(int64, time.Duration) { looked = true }
		l := newLooker(path, int64(len(b)))
		l.start(o)
		time.Sleep(lookAgain / 2)
		require.NoError(t, os.Mkdir(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, b, 0o600))
		<-l.done
		require.NoError(t, l.err)
		require.True(t, looked)
		require.Empty(t, l.wrong)
	})
}
