package store

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A file that cannot be verified just now, for want of file descriptors or because another program keeps it
// locked, is verified later.
func TestAFileThatCannotBeReadIsLookedThroughLater(t *testing.T) {
	for name, keep := range map[string]func(t *testing.T, path string) (free func()){
		"away": func(t *testing.T, path string) func() {
			require.NoError(t, os.Rename(path, path+".away"))
			return func() { require.NoError(t, os.Rename(path+".away", path)) }
		},
		"locked": func(t *testing.T, path string) func() {
			db, err := sql.Open("sqlite", path+"?_pragma=locking_mode(exclusive)")
			require.NoError(t, err)
			_, err = db.Exec(`BEGIN EXCLUSIVE`)
			require.NoError(t, err)
			return func() { require.NoError(t, db.Close()) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "club.db")
			s, err := Open(context.Background(), path, DefaultOptions())
			require.NoError(t, err)
			require.NoError(t, s.Close())
			synctest.Test(t, func(t *testing.T) {
				free := keep(t, path)
				o, looked := DefaultOptions(), false
				o.Looked = func(int64, time.Duration) { looked = true }
				l := &looker{path: path, bytes: 1, done: make(chan struct{})}
				l.start(o)
				time.Sleep(lookAgain / 2)
				free()
				<-l.done
				require.NoError(t, l.err)
				require.True(t, looked)
				sound, damage := l.end()
				require.True(t, sound)
				require.NoError(t, damage)
			})
		})
	}
}
