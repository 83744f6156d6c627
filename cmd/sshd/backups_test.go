package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/store/fsync"
)

func TestBackupsAreKept(t *testing.T) {
	data, folder := newData(t), filepath.Join(t.TempDir(), "copies")
	var out, errs strings.Builder
	at := time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)
	b := backups{data: data, folder: folder, every: time.Minute, keep: 3, now: func() time.Time { return at }, out: &out, errs: &errs}
	require.NoError(t, os.MkdirAll(folder, 0o700))
	other := filepath.Join(folder, "mine.db")
	require.NoError(t, os.WriteFile(other, []byte("mine"), 0o600))
	ctx := context.Background()
	for range 5 {
		require.NoError(t, b.once(ctx, at))
		at = at.Add(10 * time.Minute)
	}
	names, err := b.list()
	require.NoError(t, err)
	require.Equal(t, []string{"boneyard-20261121T202000.000Z.db", "boneyard-20261121T203000.000Z.db", "boneyard-20261121T204000.000Z.db"},
		names)
	require.FileExists(t, other)
	for _, name := range names {
		found, err := store.Check(ctx, filepath.Join(folder, name), nil)
		require.NoError(t, err)
		require.Empty(t, found.Problems)
	}

	require.NoError(t, os.Rename(data, data+".away"))
	require.Error(t, b.once(ctx, at))
	left, err := b.list()
	require.NoError(t, err)
	require.Equal(t, names, left, "without a new one, no old one goes")
}

// Whatever the clock does between backups, the newest is kept, and as many as configured.
func TestBackupsAreKeptWhateverTheClockDoes(t *testing.T) {
	data, folder := newData(t), filepath.Join(t.TempDir(), "copies")
	require.NoError(t, os.MkdirAll(folder, 0o700))
	b := backups{data: data, folder: folder, keep: 3, out: io.Discard}
	usual := time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)
	for n, at := range []time.Duration{0, 1, 2, 100_000, 100_001, 3, 4, -200_000, -199_999, 5, 6, 7, 8} {
		to := usual.Add(at * time.Hour)
		require.NoError(t, b.once(t.Context(), to))
		require.FileExists(t, filepath.Join(folder, to.Format(backupName)), "the copy that has just been made")
		names, err := b.list()
		require.NoError(t, err)
		require.Len(t, names, min(n+1, b.keep))
	}
	names, err := b.list()
	require.NoError(t, err)
	require.Equal(t, usual.Add(6*time.Hour).Format(backupName), names[0], "in the end all are of the right clock")
}

// What a killed backup has left goes before the next one is made, which might find no room.
func TestAKilledBackupMakesRoom(t *testing.T) {
	if !fsync.LocksApart {
		t.Skip("nothing tells such a file from one that is being written")
	}
	folder := t.TempDir()
	b := backups{data: filepath.Join(folder, "none.db"), folder: folder, keep: 3}
	left := filepath.Join(folder, "boneyard-20261121T200000.000Z.db.123.part")
	require.NoError(t, os.WriteFile(left, nil, 0o600))
	require.Error(t, b.once(t.Context(), time.Date(2026, 11, 21, 20, 1, 0, 0, time.UTC)))
	require.NoFileExists(t, left)
}

// A service that starts again and again makes a copy each time. The copies of the days before stay.
func TestRestartsLeaveOldBackups(t *testing.T) {
	data, folder := newData(t), filepath.Join(t.TempDir(), "copies")
	require.NoError(t, os.MkdirAll(folder, 0o700))
	b := backups{data: data, folder: folder, every: 24 * time.Hour, keep: 4, out: io.Discard}
	day := time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)
	made := func(at ...time.Duration) (names []string) {
		for _, d := range at {
			names = append(names, day.Add(d).Format(backupName))
		}
		return names
	}
	const h = time.Hour
	for _, at := range []time.Duration{0, 24 * h, 48 * h, 72 * h, 73 * h, 74 * h, 75 * h} {
		require.NoError(t, b.once(t.Context(), day.Add(at)))
	}
	names, err := b.list()
	require.NoError(t, err)
	require.Equal(t, made(0, 24*h, 48*h, 75*h), names)
	require.NoError(t, b.once(t.Context(), day.Add(99*h)))
	names, err = b.list()
	require.NoError(t, err)
	require.Equal(t, made(24*h, 48*h, 75*h, 99*h), names)
}

// A failed backup is tried again long before the next is due.
func TestAFailedBackupIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var errs bytes.Buffer
		b := backups{data: filepath.Join(t.TempDir(), "none.db"), folder: t.TempDir(), every: 24 * time.Hour, keep: 3, now: time.Now,
			out: io.Discard, errs: &errs}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour-time.Second)
		defer cancel()
		require.NoError(t, b.run(ctx))
		require.Equal(t, 6, bytes.Count(errs.Bytes(), []byte{'\n'}), errs.String())
	})
}

func TestBackupEvery(t *testing.T) {
	t.Parallel()
	data, folder := newData(t), filepath.Join(t.TempDir(), "copies")
	m := NewMain(os.Stderr)
	m.Settings.Data = data
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	root := newRoot(m)
	root.SetArgs([]string{"backup", "--data", data, "--every", "1s", "--keep", "2", folder})
	ended := make(chan error, 1)
	go func() { ended <- root.ExecuteContext(ctx) }()
	b := backups{folder: folder}
	require.Eventually(t, func() bool {
		names, _ := b.list()
		return len(names) == 2
	}, time.Minute, 10*time.Millisecond)
	cancel()
	require.NoError(t, <-ended)

	for _, args := range [][]string{
		{"backup", "--every", "10ms", folder}, {"backup", "--keep", "3", folder}, {"backup", "--every", "1m", "--keep", "0", folder},
		{"backup", "--every", "1m", "--salvage", folder}, {"backup", "--every", "1m"},
	} {
		status, _, _ := sshd(args...)
		require.Equal(t, exitUsage, status, args)
	}
}
