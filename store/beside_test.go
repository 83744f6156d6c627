package store_test

import (
	"context"
	"database/sql"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/table"
)

// What programs for replication rely on, such as Litestream: SQLite never copies the log by itself; the store copies it only
// as far as nobody reads it; and it waits for the locks of others.
func TestWhatReplicationReliesOn(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	o := options(t)
	o.CheckpointEvery = 5
	s := mustOpen(t, path, o)
	pragmas, err := s.Pragmas("wal_autocheckpoint", "busy_timeout", "journal_mode", "synchronous")
	require.NoError(t, err)
	require.Equal(t, []string{"0", "5000", "wal", "2"}, pragmas)

	// A program that reads holds the log: nothing is taken away before it.
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	reader, err := db.Conn(ctx)
	require.NoError(t, err)
	defer reader.Close()
	require.NoError(t, say(s, 1)())
	require.NoError(t, errOf(reader.ExecContext(ctx, `BEGIN`)))
	var n int
	require.NoError(t, reader.QueryRowContext(ctx, `SELECT count(*) FROM tables`).Scan(&n))
	header := func() string {
		b := mustRead(t, path+"-wal")
		return string(b[:32])
	}
	before, frames := header(), 0
	for id := table.ID(2); id <= 40; id++ {
		require.NoError(t, say(s, id)())
		require.Equal(t, before, header(), "the log began again under a reader")
		now := len(leave(t, path).commits())
		require.Greater(t, now, frames, "the log lost something")
		frames = now
	}
	require.NoError(t, reader.QueryRowContext(ctx, `SELECT count(*) FROM tables`).Scan(&n))
	require.Equal(t, 1, n, "the reader reads one moment")
	require.NoError(t, errOf(reader.ExecContext(ctx, `ROLLBACK`)))

	// Its writes are waited for.
	require.NoError(t, errOf(reader.ExecContext(ctx, `BEGIN IMMEDIATE`)))
	done := make(chan error, 1)
	go func() { done <- say(s, 41)() }()
	require.NoError(t, errOf(reader.ExecContext(context.Background(), `COMMIT`)))
	require.NoError(t, <-done)

	// A start beside a program that reads waits for nobody.
	require.NoError(t, errOf(reader.ExecContext(ctx, `BEGIN`)))
	require.NoError(t, reader.QueryRowContext(ctx, `SELECT count(*) FROM tables`).Scan(&n))
	mustClose(t, s)
	s = mustOpen(t, path, o)
	require.NoError(t, say(s, 42)())
	f := leave(t, path)
	require.Len(t, mustLoad(t, mustOpen(t, f.put(t), options(t))), 42)
}

// A program that reads for hours keeps the log from beginning again. What a commit waits for does not grow with the log.
func TestALogThatIsReadForHours(t *testing.T) {
	path := newPath(t)
	o := options(t)
	o.CheckpointEvery = 1
	s := mustOpen(t, path, o)
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	var n int
	require.NoError(t, say(s, 1)())
	require.NoError(t, errOf(db.Exec(`BEGIN`)))
	require.NoError(t, db.QueryRow(`SELECT count(*) FROM tables`).Scan(&n))
	for id := table.ID(2); id <= 1000; id++ {
		require.NoError(t, say(s, id)())
	}
	frames, _, err := store.ScanLog(path)
	require.NoError(t, err)
	require.Greater(t, frames, 1800)
	var reads atomic.Int32
	heal := failing(func(a access) syscall.Errno {
		if a.call == "read" && a.end() == "-wal" && a.offset == 0 { // the store's own
			reads.Add(1)
		}
		return 0
	})
	require.NoError(t, say(s, 1001)())
	require.NoError(t, say(s, 1002)()) // after the checkpoint of the one before
	heal()
	// Reading the whole log at each checkpoint takes 30; reading the header takes one, and a slow machine may
	// do so more often.
	require.Less(t, reads.Load(), int32(30), "each checkpoint reads all of the log")
}
