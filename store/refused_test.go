package store_test

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/table"
)

const (
	page  = 4096
	frame = page + 24
)

// files is what a process that was killed leaves behind, by the ends of the names.
type files map[string][]byte

// kept are the files that a store must not change when it refuses them.
var kept = []string{"", "-wal", ".mark"}

// leave reads the files of a store that is idle, as a kill at this moment would leave them.
func leave(t testing.TB, path string) files {
	t.Helper()
	f := make(files)
	for _, end := range kept {
		b, err := os.ReadFile(path + end)
		if end != "" && os.IsNotExist(err) {
			continue
		}
		require.NoError(t, err)
		if end == "-wal" && len(b) == 0 {
			continue // as good as none
		}
		f[end] = b
	}
	return f
}

// put writes the files to a new folder.
func (f files) put(t testing.TB) (path string) {
	t.Helper()
	path = newPath(t)
	for end, b := range f {
		require.NoError(t, os.WriteFile(path+end, b, 0o600))
	}
	return path
}

// commits returns the numbers, from 0, of the log's frames that end a transaction.
func (f files) commits() (numbers []int) {
	log := f["-wal"]
	for n := 0; 32+(n+1)*frame <= len(log); n++ {
		ours := bytes.Equal(log[32+n*frame+8:][:8], log[16:24]) // not of the log that lay there before
		if ours && binary.BigEndian.Uint32(log[32+n*frame+4:]) != 0 {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// killedClub is a club with games in the database and more in the log, and its contents.
func killedClub(t testing.TB) (files, []table.Saved) {
	t.Helper()
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	newClub(t, s, 1).play(4)
	mustClose(t, s)
	s = mustOpen(t, path, options(t))
	for range 10 {
		id, err := s.NextTable(ctx)
		require.NoError(t, err)
		require.NoError(t, say(s, id)())
	}
	saved := mustLoad(t, s)
	return leave(t, path), saved
}

// requireRefused opens files that must be refused, by the server and by check, with the error, and left alone.
func requireRefused(t *testing.T, f files, want error) {
	t.Helper()
	path := f.put(t)
	o := options(t)
	require.ErrorIs(t, errOf(store.Open(ctx, path, o)), want)
	require.True(t, same(f, leave(t, path)), "refused, and changed")
	require.NoFileExists(t, path+"-journal")
	found, err := store.Check(ctx, path, nil)
	if err == nil {
		require.NotEmpty(t, found.Problems)
	} else {
		require.ErrorIs(t, err, want)
	}
	require.True(t, same(f, leave(t, path)), "checked, and changed")
}

func TestWhatAKillLeavesIsWhole(t *testing.T) {
	f, want := killedClub(t)
	require.NotEmpty(t, f.commits())
	require.Equal(t, want, mustLoad(t, mustOpen(t, f.put(t), options(t))))
}

func TestABackupBesideAnOldLogIsRefused(t *testing.T) {
	f, _ := killedClub(t)
	from := f.put(t)
	to := filepath.Join(t.TempDir(), "copy.db")
	require.NoError(t, store.Backup(ctx, from, to, nil))
	b := mustRead(t, to)
	for name, f := range map[string]files{
		"with the mark": {"": b, "-wal": f["-wal"], ".mark": f[".mark"]},
		"without":       {"": b, "-wal": f["-wal"]},
	} {
		t.Run(name, func(t *testing.T) {
			requireRefused(t, f, store.ErrLog)
			alone := files{"": f[""]}
			mustOpen(t, alone.put(t), options(t))
		})
	}
	restored := files{"": b, ".mark": f[".mark"]}
	require.NoError(t, errOf(mustOpen(t, restored.put(t), options(t)).Load(ctx)), "a backup may be older than the mark that lies there")
}

func TestADamagedPageBesideALogIsRefusedUntouched(t *testing.T) {
	f, _ := killedClub(t)
	pages := len(f[""]) / page
	refused := 0
	for n := 2; n < pages; n += 5 {
		spoilt := files{"": append([]byte(nil), f[""]...), "-wal": f["-wal"], ".mark": f[".mark"]}
		clear(spoilt[""][n*page : (n+1)*page])
		path := spoilt.put(t)
		s, err := store.Open(ctx, path, options(t))
		if err == nil { // the log has that page
			mustClose(t, s)
			continue
		}
		refused++
		require.ErrorIs(t, err, store.ErrDamaged)
		require.True(t, same(spoilt, leave(t, path)))
	}
	require.Positive(t, refused)
}

func TestDamageInTheLogIsRefused(t *testing.T) {
	f, _ := killedClub(t)
	commits := f.commits()
	require.Greater(t, len(commits), 15)
	for _, mark := range []bool{true, false} {
		for _, at := range []int{32 + 4, 32 + 8, 32 + 16, 32 + 24 + 100, 32 + frame*commits[5] + 7, 32 + frame*commits[8] + 12, 24, 17, 2} {
			spoilt := files{"": f[""], "-wal": append([]byte(nil), f["-wal"]...)}
			if mark {
				spoilt[".mark"] = f[".mark"]
			}
			spoilt["-wal"][at] ^= 0x04
			requireRefused(t, spoilt, store.ErrLog)
		}
	}
}

// Losses that only the mark shows: the last transactions, and all of them.
func TestAMissingOrCutLogIsRefused(t *testing.T) {
	f, _ := killedClub(t)
	commits, log := f.commits(), f["-wal"]
	last := commits[len(commits)-1]
	for name, f := range map[string]files{
		"missing":          {"": f[""], ".mark": f[".mark"]},
		"header only":      {"": f[""], "-wal": log[:32], ".mark": f[".mark"]},
		"without its last": {"": f[""], "-wal": log[:32+frame*last], ".mark": f[".mark"]},
		"cut in the midst": {"": f[""], "-wal": log[:32+frame*commits[6]+1000], ".mark": f[".mark"]},
	} {
		t.Run(name, func(t *testing.T) { requireRefused(t, f, store.ErrBehind) })
	}
}

func TestAnOlderFileIsRefused(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	require.NoError(t, say(s, 1)())
	mustClose(t, s)
	old := leave(t, path)
	s = mustOpen(t, path, options(t))
	require.NoError(t, say(s, 2)())
	f := leave(t, path)
	mustClose(t, s)
	requireRefused(t, files{"": old[""], ".mark": leave(t, path)[".mark"]}, store.ErrBehind)
	requireRefused(t, files{"": old[""], "-wal": f["-wal"][:32], ".mark": f[".mark"]}, store.ErrBehind)
	mustOpen(t, files{"": old[""]}.put(t), options(t))
}

func TestALogWithoutItsFileIsRefused(t *testing.T) {
	f, _ := killedClub(t)
	requireRefused(t, files{"": {}, "-wal": f["-wal"]}, store.ErrMissing)
	requireRefused(t, files{"": {}, ".mark": f[".mark"]}, store.ErrMissing)
	path := f.put(t)
	require.NoError(t, os.Remove(path))
	require.ErrorIs(t, errOf(store.Open(ctx, path, options(t))), store.ErrMissing)
	require.NoFileExists(t, path)
	require.Equal(t, f["-wal"], mustRead(t, path+"-wal"))
	require.ErrorIs(t, errOf(store.Check(ctx, path, nil)), store.ErrMissing)
}

func TestSalvage(t *testing.T) {
	f, want := killedClub(t)
	f["-wal"][32+frame*f.commits()[8]+100] ^= 1
	path := f.put(t)
	to := filepath.Join(t.TempDir(), "copy.db")
	require.ErrorIs(t, store.Backup(ctx, path, to, nil), store.ErrLog)
	require.NoFileExists(t, to)
	lacks, err := store.Salvage(ctx, path, to)
	require.NoError(t, err)
	require.ErrorIs(t, lacks, store.ErrLog)
	require.True(t, same(f, leave(t, path)))
	require.Equal(t, want[:8], mustLoad(t, mustOpen(t, to, options(t))))
	mustBeSound(t, to)
}

// A log that does not reach what the data file has already, or that belongs to another file, must not be laid
// over it: the copy would have pages of two moments.
func TestSalvageLeavesOutALogThatDoesNotContinueTheFile(t *testing.T) {
	path := newPath(t)
	o := options(t)
	o.CheckpointEvery = 20
	s := mustOpen(t, path, o)
	for id := table.ID(1); id <= 20; id++ {
		require.NoError(t, say(s, id)())
	}
	require.Eventually(t, func() bool { return countIn(t, path, "tables") == 20 }, patience, time.Millisecond)
	copied := leave(t, path)
	want := mustLoad(t, s)
	other, _ := killedClub(t)

	damaged := maps.Clone(copied)
	damaged["-wal"] = bytes.Clone(copied["-wal"])
	damaged["-wal"][32+frame*damaged.commits()[3]+100] ^= 1
	for name, f := range map[string]files{
		"damaged":   damaged,
		"cut":       {"": copied[""], "-wal": copied["-wal"][:32+frame*(copied.commits()[3]+1)], ".mark": copied[".mark"]},
		"another's": {"": copied[""], "-wal": other["-wal"], ".mark": copied[".mark"]},
	} {
		t.Run(name, func(t *testing.T) {
			to := filepath.Join(t.TempDir(), "copy.db")
			lacks, err := store.Salvage(ctx, f.put(t), to)
			require.NoError(t, err)
			require.ErrorIs(t, lacks, store.ErrLog)
			require.Equal(t, want, mustLoad(t, mustOpen(t, to, options(t))))
		})
	}
}

func TestWhatIsWrittenDoesNotStayInTheLogAlone(t *testing.T) {
	path := newPath(t)
	o := options(t)
	o.CheckpointAfter = time.Millisecond
	s := mustOpen(t, path, o)
	require.NoError(t, say(s, 1)())
	require.Eventually(t, func() bool { return countIn(t, path, "tables") == 1 }, patience, time.Millisecond)
}

// countIn counts the rows of a table in a data file alone, without its log; 0 if the file was being written.
func countIn(t *testing.T, path, name string) (rows int) {
	db, err := sql.Open("sqlite", "file:"+files{"": leave(t, path)[""]}.put(t)+"?immutable=1")
	require.NoError(t, err)
	defer db.Close()
	if db.QueryRow(`SELECT count(*) FROM `+name).Scan(&rows) != nil {
		return 0
	}
	return rows
}

// The server that runs.

func TestFilesThatAreTakenAwayEndTheProcess(t *testing.T) {
	other := newPath(t)
	s := mustOpen(t, other, options(t))
	for id := table.ID(1); id < 200; id++ {
		require.NoError(t, say(s, id)())
	}
	mustClose(t, s)
	big := mustRead(t, other)
	to := filepath.Join(t.TempDir(), "copy.db")

	for name, do := range map[string]func(path string) error{
		"data removed":       os.Remove,
		"log removed":        func(path string) error { return os.Remove(path + "-wal") },
		"data renamed":       func(path string) error { return os.Rename(path, path+".old") },
		"folder renamed":     func(path string) error { return os.Rename(filepath.Dir(path), filepath.Dir(path)+"x") },
		"data cut":           func(path string) error { return os.Truncate(path, 3*page) },
		"data emptied":       func(path string) error { return os.Truncate(path, 0) },
		"log emptied":        func(path string) error { return os.Truncate(path+"-wal", 0) },
		"log cut":            func(path string) error { return os.Truncate(path+"-wal", 32+3*frame) },
		"log overwritten":    func(path string) error { return overwrite(path+"-wal", make([]byte, 100*frame)) },
		"a club copied over": func(path string) error { return overwrite(path, big) },
		"a backup copied over": func(path string) error {
			if err := store.Backup(ctx, path, to, nil); err != nil {
				return err
			}
			b, err := os.ReadFile(to)
			if err != nil {
				return err
			}
			return overwrite(path, b)
		},
		"a club renamed over": func(path string) error {
			if err := os.WriteFile(path+".new", big, 0o600); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		},
		"an older state of itself": func(path string) error {
			b, err := os.ReadFile(path + ".old")
			if err != nil {
				return err
			}
			return overwrite(path, b)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			var fatal error
			o := store.DefaultOptions()
			o.CheckpointEvery = 20
			o.Fatal = func(err error) { fatal = err }
			s := mustOpen(t, path, o)
			require.NoError(t, os.WriteFile(path+".old", mustRead(t, path), 0o600))
			for id := table.ID(1); id <= 50; id++ {
				require.NoError(t, say(s, id)())
			}
			require.NoError(t, do(path))
			before := there(path)
			require.ErrorIs(t, say(s, 51)(), table.ErrUnavailable, "acknowledged, and lost")
			require.ErrorIs(t, fatal, store.ErrSwapped)
			require.ErrorIs(t, say(s, 52)(), table.ErrUnavailable)
			require.ErrorIs(t, s.Close(), store.ErrSwapped)
			require.True(t, same(before, there(path)), "what lies there now is not ours")
		})
	}
}

// overwrite copies over a file, as cp does.
func overwrite(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(b)
	return err
}

// there is what lies at a path, which may be nothing.
func there(path string) files {
	all := make(files)
	for _, end := range []string{"", "-wal"} {
		if b, err := os.ReadFile(path + end); err == nil {
			all[end] = b
		}
	}
	return all
}

func same(a, b files) bool { return maps.EqualFunc(a, b, bytes.Equal) }

func TestTheLogIsLookedThroughBeforeItIsCopied(t *testing.T) {
	path := newPath(t)
	var fatal error
	o := store.DefaultOptions()
	o.CheckpointEvery = 20
	o.Fatal = func(err error) { fatal = err }
	s := mustOpen(t, path, o)
	for id := table.ID(1); id <= 19; id++ {
		require.NoError(t, say(s, id)())
	}
	log, err := os.OpenFile(path+"-wal", os.O_RDWR, 0)
	require.NoError(t, err)
	require.NoError(t, errOf(log.WriteAt([]byte("spoilt"), 32+2*frame+500)))
	require.NoError(t, log.Close())
	say(s, 20)()
	require.ErrorIs(t, say(s, 21)(), table.ErrUnavailable)
	require.ErrorIs(t, fatal, store.ErrSwapped)
}

// A second connection that copies the log, as programs for replication do, is no reason to end.
func TestOthersMayCopyTheLog(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	for id := table.ID(1); id <= 60; id++ {
		require.NoError(t, say(s, id)())
		switch id % 6 {
		case 0:
			beside(t, path, `PRAGMA wal_checkpoint(PASSIVE)`)
		case 3:
			beside(t, path, `PRAGMA wal_checkpoint(TRUNCATE)`)
		case 4:
			beside(t, path, `PRAGMA wal_checkpoint(RESTART)`, `CREATE TABLE IF NOT EXISTS _seq (id INTEGER)`, `INSERT INTO _seq VALUES (1)`)
		}
	}
	f := leave(t, path)
	require.Len(t, mustLoad(t, mustOpen(t, f.put(t), options(t))), 60)
}

func TestSecondServerWithoutTheLockFileIsRefused(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	require.NoError(t, os.Remove(path+".lock"))
	out, err := again(t, "open", path).Output()
	require.Error(t, err)
	require.Contains(t, string(out), store.ErrInUse.Error())
	require.NoError(t, say(s, 1)())
	require.NotErrorIs(t, errOf(os.Stat(path)), fs.ErrNotExist)
}

// beside is a program beside a server, with a connection of its own.
func beside(t *testing.T, path string, queries ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	for _, q := range queries {
		require.NoError(t, errOf(db.Exec(q)))
	}
}

// An idle server notices at its next checkpoint.
func TestFilesThatAreTakenAwayWhileNobodyPlays(t *testing.T) {
	path := newPath(t)
	fatal := make(chan error, 1)
	o := store.DefaultOptions()
	o.CheckpointAfter = 300 * time.Millisecond
	o.Fatal = func(err error) { fatal <- err }
	s := mustOpen(t, path, o)
	require.NoError(t, say(s, 1)())
	require.NoError(t, os.Rename(path, path+".old"))
	require.ErrorIs(t, <-fatal, store.ErrSwapped)
}
