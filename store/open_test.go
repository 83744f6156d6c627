package store_test

import (
	"bytes"
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/store"
)

// clubFile is the bytes of a sound data file of some size.
func clubFile(t *testing.T) []byte {
	t.Helper()
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	newClub(t, s, 1).play(20)
	mustClose(t, s)
	require.NoFileExists(t, path+"-wal", "a store that was closed leaves one file")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

func TestDamagedFileIsRefusedAndLeftAlone(t *testing.T) {
	sound := clubFile(t)
	const page = 4096
	for name, spoil := range map[string]func([]byte) []byte{
		"cut off":           func(b []byte) []byte { return b[:len(b)/2/page*page] },
		"cut within a page": func(b []byte) []byte { return b[:len(b)-page/2] },
		"zeros in it":       func(b []byte) []byte { clear(b[5*page : 6*page]); return b },
		"pages exchanged": func(b []byte) []byte {
			first := bytes.Clone(b[3*page : 4*page])
			copy(b[3*page:], b[8*page:9*page])
			copy(b[8*page:], first)
			return b
		},
		"bits flipped": func(b []byte) []byte {
			for i := 2*page + 1; i < len(b); i += page {
				b[i] ^= 0xff
			}
			return b
		},
		"no database": func(b []byte) []byte { copy(b, "SQLite is here no more"); return b },
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			spoilt := spoil(bytes.Clone(sound))
			require.NoError(t, os.WriteFile(path, spoilt, 0o600))
			_, err := store.Open(ctx, path, options(t))
			require.ErrorIs(t, err, store.ErrDamaged)
			require.ErrorContains(t, err, "to restore")
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			require.True(t, bytes.Equal(spoilt, after))
		})
	}
}

func TestFileOfANewerProgramIsRefusedAndLeftAlone(t *testing.T) {
	path := newPath(t)
	require.NoError(t, os.WriteFile(path, clubFile(t), 0o600))
	tamper(t, path, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)`)
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	_, err = store.Open(ctx, path, options(t))
	require.ErrorIs(t, err, store.ErrNewer)
	for _, end := range []string{"-wal", "-shm", "-journal", ".mark"} {
		require.NoFileExists(t, path+end)
	}
	_, err = store.Check(ctx, path)
	require.ErrorIs(t, err, store.ErrNewer)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, bytes.Equal(before, after))
}

func TestFileOfAnOlderProgramIsNotChecked(t *testing.T) {
	path := newPath(t)
	require.NoError(t, os.WriteFile(path, clubFile(t), 0o600))
	tamper(t, path, `DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`)
	_, err := store.Check(ctx, path)
	require.ErrorIs(t, err, store.ErrOlder)
}

func TestForeignDatabaseIsRefused(t *testing.T) {
	path := newPath(t)
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	tamper(t, path, `CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')`)
	_, err := store.Open(ctx, path, options(t))
	require.ErrorIs(t, err, store.ErrForeign)
	_, err = store.Check(ctx, path)
	require.ErrorIs(t, err, store.ErrForeign)
}

func TestOnlyTheOwnerReadsTheFile(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	mustCreate(t, s, "ana")
	for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
		info, err := os.Stat(path + suffix)
		require.NoError(t, err)
		require.Zero(t, info.Mode()&0o077, "club.db%s holds seeds of games that are being played", suffix)
	}
}

func TestOptionsThatCannotWork(t *testing.T) {
	for name, change := range map[string]func(*store.Options){
		"readers":     func(o *store.Options) { o.Readers = 0 },
		"entrance":    func(o *store.Options) { o.Entrance = 0 },
		"time":        func(o *store.Options) { o.QueryTime = 0 },
		"group":       func(o *store.Options) { o.MaxGroup = 0 },
		"checkpoints": func(o *store.Options) { o.CheckpointEvery = -1 },
		"after":       func(o *store.Options) { o.CheckpointAfter = 0 },
		"fatal":       func(o *store.Options) { o.Fatal = nil },
	} {
		o := store.DefaultOptions()
		require.NoError(t, o.Validate())
		change(&o)
		require.Error(t, o.Validate(), name)
		path := newPath(t)
		_, err := store.Open(ctx, path, o)
		require.Error(t, err, name)
		require.NoFileExists(t, path)
	}
	o := options(t)
	o.Existing = true
	path := newPath(t)
	_, err := store.Open(ctx, path, o)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.NoFileExists(t, path)
	require.NoFileExists(t, path+".lock")
}

// TestReadingAClosedStore asks a store that is closed, as a session may that did not end in time: it gets an error.
func TestReadingAClosedStore(t *testing.T) {
	s := newStore(t)
	mustCreate(t, s, "ana")
	mustClose(t, s)
	_, err := s.ByName(ctx, "ana")
	require.Error(t, err)
	_, err = s.ListTeams(ctx, "", 10)
	require.Error(t, err)
}
