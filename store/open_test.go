package store_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/store/storetest"
)

// clubFile is the bytes of a sound data file of some size.
func clubFile(t *testing.T) []byte {
	t.Helper()
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	newClub(t, s, 1).play(20)
	mustClose(t, s)
	require.NoFileExists(t, path+"-wal", "a store that was closed leaves one file")
	data := mustRead(t, path)
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
			require.True(t, bytes.Equal(spoilt, mustRead(t, path)))
		})
	}
}

// Numbers were not always given out in order, so that the highest says nothing.
func TestFileOfANewerProgramIsRefusedAndLeftAlone(t *testing.T) {
	for _, number := range []string{"999", "7"} {
		path := newPath(t)
		require.NoError(t, os.WriteFile(path, clubFile(t), 0o600))
		tamper(t, path, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (`+number+`, 1)`)
		before := mustRead(t, path)
		require.ErrorIs(t, errOf(store.Open(ctx, path, options(t))), store.ErrNewer)
		for _, end := range []string{"-wal", "-shm", "-journal", ".mark"} {
			require.NoFileExists(t, path+end)
		}
		require.ErrorIs(t, errOf(store.Check(ctx, path, nil)), store.ErrNewer)
		require.ErrorIs(t, store.Backup(ctx, path, newPath(t), nil), store.ErrNewer)
		require.True(t, bytes.Equal(before, mustRead(t, path)))
	}
}

// A backup that was made before an upgrade can be checked, copied and restored; a start copies it before it changes it.
func TestFileOfAnOlderProgram(t *testing.T) {
	f := older(t, files{"": clubFile(t)})
	path := f.put(t)
	found := mustBeSound(t, path)
	require.Positive(t, found.Counted)
	to := newPath(t)
	require.NoError(t, store.Backup(ctx, path, to, nil))
	require.True(t, same(f, leave(t, path)))
	left, err := filepath.Glob(path + ".*.part")
	require.NoError(t, err)
	require.Empty(t, left)

	for _, name := range []string{"", ".2"} { // the second time the name of the first copy is taken
		o, told, was := options(t), 0, storetest.Contents(t, path)
		o.Migrated = func(from, to int64, took time.Duration, kept string) {
			told++
			require.Equal(t, to, from, "one that is not the last")
			require.Positive(t, took)
			require.Equal(t, fmt.Sprintf("%s.schema-%d%s", path, from, name), kept)
			require.Equal(t, was, storetest.Contents(t, kept))
			mustBeSound(t, kept)
		}
		mustClose(t, mustOpen(t, path, o))
		require.Equal(t, 1, told)
		require.NoError(t, errors.Join(os.WriteFile(path, f[""], 0o600), os.Remove(path+".mark")))
		tamper(t, path, `INSERT INTO numbers (name, last) VALUES ('later', 1)`)
	}
	mustClose(t, mustOpen(t, to, options(t)))
	mustBeSound(t, to)
}

// TestAFileOfEachSchema: the file of any earlier program, also from before there were marks, can be checked, copied and opened.
func TestAFileOfEachSchema(t *testing.T) {
	all := store.Migrations(t)
	for _, last := range all[:len(all)-1] {
		path, kept := newPath(t), ""
		store.MakeOlder(t, path, last)
		if last > 1 {
			tamper(t, path, `INSERT INTO accounts (name, skeleton, key, created, seen, settings) VALUES ('ana', 'ana', zeroblob(32), 1, 1, '{}')`)
		}
		before := storetest.Contents(t, path)
		require.NoError(t, errOf(store.Check(ctx, path, nil)), last)
		copied := newPath(t)
		require.NoError(t, store.Backup(ctx, path, copied, nil), last)
		require.Equal(t, before, storetest.Contents(t, copied))
		o := options(t)
		o.Migrated = func(_, _ int64, _ time.Duration, name string) { kept = name }
		s := mustOpen(t, path, o)
		require.Equal(t, last > 1, errOf(s.ByName(ctx, "ana")) == nil)
		mustClose(t, s)
		require.NotEmpty(t, kept, "a copy of %d", last)
		require.Equal(t, before, storetest.Contents(t, kept))
	}
}

// A program that cannot migrate a file, however often it is started, copies it once.
func TestOneCopyBeforeAMigrationThatFails(t *testing.T) {
	path := older(t, files{"": clubFile(t)}).put(t)
	tamper(t, path, `INSERT INTO numbers (name, last) VALUES ('rebuild', 1)`) // as the migration would
	for range 3 {
		require.Error(t, errOf(store.Open(ctx, path, options(t))))
	}
	kept, err := filepath.Glob(path + ".schema-*")
	require.NoError(t, err)
	require.Len(t, kept, 1)
}

// An upgrade that was killed between two migrations is continued without another copy.
func TestOneCopyBeforeAnUpgradeThatIsKilled(t *testing.T) {
	path := older(t, files{"": clubFile(t)}).put(t)
	tamper(t, path, `DELETE FROM goose_db_version WHERE version_id = 144`) // its migration fails, since the column is there
	before := storetest.Contents(t, path)
	for range 2 {
		require.Error(t, errOf(store.Open(ctx, path, options(t))))
	}
	tamper(t, path, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (144, 1)`)
	mustClose(t, mustOpen(t, path, options(t)))
	kept, err := filepath.Glob(path + ".schema-*")
	require.NoError(t, err)
	require.Len(t, kept, 1)
	require.Equal(t, before, storetest.Contents(t, kept[0]))

	beside(t, path, `DELETE FROM goose_db_version WHERE version_id = 21`, `DELETE FROM numbers WHERE name = 'rebuild'`)
	mustClose(t, mustOpen(t, path, options(t)))
	kept, err = filepath.Glob(path + ".schema-*")
	require.NoError(t, err)
	require.Len(t, kept, 2, "the next upgrade copies again")
}

// A disk that has no room for the copy does not keep the club closed.
func TestNoRoomForACopyBeforeAMigration(t *testing.T) {
	path := older(t, closedClub(t)).put(t)
	t.Cleanup(failing(func(a access) syscall.Errno {
		if a.call == "write" && strings.HasSuffix(a.path, ".part") {
			return syscall.ENOSPC
		}
		return 0
	}))
	o, warned, kept := options(t), 0, "none"
	o.Warn = func(error) { warned++ }
	o.Migrated = func(_, _ int64, _ time.Duration, name string) { kept = name }
	mustClose(t, mustOpen(t, path, o))
	require.Equal(t, 1, warned)
	require.Empty(t, kept)
	all, err := filepath.Glob(filepath.Dir(path) + "/*")
	require.NoError(t, err)
	for _, name := range all {
		require.NotContains(t, name, "schema")
	}
}

// An upgrade for which its own copy has left no room says that room is to be made. It goes on once there is some.
func TestNoRoomForAMigrationAfterItsCopy(t *testing.T) {
	path := older(t, closedClub(t)).put(t)
	heal := failing(func(a access) syscall.Errno {
		if _, err := os.Stat(path + ".schema-144"); err == nil && a.call == "write" && strings.HasSuffix(a.path, "-wal") {
			return syscall.ENOSPC
		}
		return 0
	})
	t.Cleanup(heal)
	for range 2 {
		err := errOf(store.Open(ctx, path, options(t)))
		require.ErrorIs(t, err, store.ErrFull)
		require.ErrorContains(t, err, "bring the data file up to date: the disk seems to be full")
	}
	heal()
	mustClose(t, mustOpen(t, path, options(t)))
}

// What may be different in a moment lets no upgrade do without a copy: the start fails, and the next one copies.
func TestNoUpgradeWithoutACopyForWhatPasses(t *testing.T) {
	for name, begin := range map[string]func(t *testing.T, path string) (end func()){
		"no file descriptors": func(t *testing.T, _ string) func() { return fail(t, "open", ".schema-144", syscall.EMFILE) },
		"the disk": func(*testing.T, string) func() {
			return failing(func(a access) (no syscall.Errno) {
				if a.call == "sync" && strings.HasSuffix(a.path, ".part") {
					no = syscall.EIO
				}
				return no
			})
		},
		"another program": func(t *testing.T, path string) func() {
			db, err := sql.Open("sqlite", path)
			require.NoError(t, err)
			db.SetMaxOpenConns(1)
			require.NoError(t, errOf(db.Exec(`BEGIN IMMEDIATE`)))
			return sync.OnceFunc(func() { require.NoError(t, db.Close()) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := older(t, closedClub(t)).put(t)
			before := storetest.Contents(t, path)
			end := begin(t, path)
			t.Cleanup(end)
			o, kept := options(t), ""
			o.Warn = func(error) { end() }
			o.Migrated = func(_, _ int64, _ time.Duration, name string) { kept = name }
			require.Error(t, errOf(store.Open(ctx, path, o)))
			require.Equal(t, before, storetest.Contents(t, path))
			end()
			mustClose(t, mustOpen(t, path, o))
			require.Equal(t, before, storetest.Contents(t, kept))
		})
	}
}

// A copy of an earlier upgrade is not taken for that of this one, whatever the clock was when it was made.
func TestACopyOfAnEarlierUpgrade(t *testing.T) {
	path := older(t, files{"": clubFile(t)}).put(t)
	mustClose(t, mustOpen(t, path, options(t)))
	first := path + ".schema-144"
	require.NoError(t, os.Chtimes(first, time.Time{}, time.Now().Add(48*time.Hour)))
	require.NoError(t, errors.Join(os.WriteFile(path, mustRead(t, first), 0o600), os.Remove(path+".mark")))
	tamper(t, path, `INSERT INTO numbers (name, last) VALUES ('later', 1)`)
	beside(t, path, `PRAGMA user_version = 0`) // as the older program does when it opens its file
	before, kept := storetest.Contents(t, path), ""
	o := options(t)
	o.Migrated = func(_, _ int64, _ time.Duration, name string) { kept = name }
	mustClose(t, mustOpen(t, path, o))
	require.Equal(t, before, storetest.Contents(t, kept))
}

// Up to 140 numbers were assigned by subject; from there on there is no gap, so that the last one implies the
// others.
func TestMigrationsAreNumberedInOrder(t *testing.T) {
	all, err := filepath.Glob("migrations/*.sql")
	require.NoError(t, err)
	at := slices.IndexFunc(all, func(name string) bool { return strings.HasPrefix(filepath.Base(name), "0140_") })
	for n, name := range all[at:] {
		require.True(t, strings.HasPrefix(filepath.Base(name), fmt.Sprintf("%04d_", 140+n)), "%s: the next number is %d", name, 140+n)
	}
}

func TestForeignDatabaseIsRefused(t *testing.T) {
	path := newPath(t)
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	tamper(t, path, `CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')`)
	require.ErrorIs(t, errOf(store.Open(ctx, path, options(t))), store.ErrForeign)
	require.ErrorIs(t, errOf(store.Check(ctx, path, nil)), store.ErrForeign)
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

func TestOnlyExistingFiles(t *testing.T) {
	o := options(t)
	o.Existing = true
	path := newPath(t)
	require.ErrorIs(t, errOf(store.Open(ctx, path, o)), fs.ErrNotExist)
	require.NoFileExists(t, path)
	require.NoFileExists(t, path+".lock")
}

// TestReadingAClosedStore asks a store that is closed, as a session may that did not end in time: it gets an error.
func TestReadingAClosedStore(t *testing.T) {
	s := newStore(t)
	mustCreate(t, s, "ana")
	mustClose(t, s)
	require.Error(t, errOf(s.ByName(ctx, "ana")))
	require.Error(t, errOf(s.ListTeams(ctx, "", 10)))
}

// TestAFileThatAnotherProgramLocks checks that the error names that program as the cause, not the disk.
func TestAFileThatAnotherProgramLocks(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	mustClose(t, mustOpen(t, path, options(t)))
	db, err := sql.Open("sqlite", path+"?_pragma=locking_mode(exclusive)")
	require.NoError(t, err)
	defer db.Close()
	require.NoError(t, errOf(db.Exec(`BEGIN EXCLUSIVE`)))
	_, err = store.Open(ctx, path, options(t))
	require.ErrorIs(t, err, store.ErrLocked)
	require.NotErrorIs(t, err, store.ErrUnreadable)
	require.NoError(t, db.Close())
	mustClose(t, mustOpen(t, path, options(t)))
}
