package store_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/table"
)

// secondName links a file that a killed server left with a log, or may have, to a folder of its own.
func secondName(t *testing.T, path string) string {
	t.Helper()
	to := newPath(t)
	if err := os.Link(path, to); err != nil {
		t.Skip(err)
	}
	return to
}

// openWarned opens a file and counts warnings.
func openWarned(t *testing.T, path string) (*store.Store, *int) {
	t.Helper()
	warned := 0
	o := options(t)
	o.Warn = func(error) { warned++ }
	return mustOpen(t, path, o), &warned
}

// A killed server has moves in its log. Under another name the file has no log, and a server would go on
// without them.
func TestAFileThatWasNotClosedIsRefusedByAnotherName(t *testing.T) {
	f, _ := killedClub(t)
	path := f.put(t)
	other := secondName(t, path)
	for range 2 {
		require.ErrorIs(t, errOf(store.Open(ctx, other, options(t))), store.ErrForked)
		require.True(t, same(f, leave(t, path)), "refused, and changed")
		require.NoFileExists(t, other+".mark")
	}
	require.ErrorIs(t, errOf(store.Check(ctx, other, nil)), store.ErrForked)

	// Under its own name it is fine; and people may take what the file alone has.
	to := newPath(t)
	lacks, err := store.Salvage(ctx, other, to)
	require.NoError(t, err)
	require.ErrorIs(t, lacks, store.ErrForked)
	s, warned := openWarned(t, to)
	require.Zero(t, *warned, "it is a file of its own")
	mustClose(t, s)
	mustClose(t, mustOpen(t, path, options(t)))

	// Closed in order, it may be used under either name in turn, but with a warning.
	for range 2 {
		s, _ = openWarned(t, other)
		mustClose(t, s)
		s, _ = openWarned(t, path)
		mustClose(t, s)
	}
}

// Two servers continued one file: what one acknowledged is neither overwritten by the other's log nor
// accepted as complete by its mark.
func TestForksAreTold(t *testing.T) {
	begin := closedClub(t)
	play := func(path string, n int) files {
		s, warned := openWarned(t, path)
		require.FileExists(t, path+".mark")
		for id := table.ID(5000); id < table.ID(5000+n); id++ {
			require.NoError(t, say(s, id)())
		}
		killed := leave(t, path)
		mustClose(t, s)
		if begin[".mark"] == nil {
			require.Equal(t, 1, *warned, "no mark, and nobody was told")
		}
		return killed
	}
	long, short := play(begin.put(t), 40), play(begin.put(t), 3)
	delete(begin, ".mark")
	stray := play(begin.put(t), 20)
	for name, f := range map[string]files{
		"a log on another run's file":        {"": short[""], "-wal": long["-wal"], ".mark": long[".mark"]},
		"the same without a mark":            {"": short[""], "-wal": long["-wal"]},
		"a shorter log":                      {"": long[""], "-wal": short["-wal"], ".mark": long[".mark"]},
		"a log on the file it began on":      {"": begin[""], "-wal": long["-wal"], ".mark": long[".mark"]},
		"a log on the file of a second name": {"": stray[""], "-wal": long["-wal"], ".mark": long[".mark"]},
	} {
		t.Run(name, func(t *testing.T) { requireRefused(t, f, store.ErrLog) })
	}

	// Without a log: both were closed, and have more transactions than the other's mark.
	path := long.put(t)
	mustClose(t, mustOpen(t, path, options(t)))
	closed := leave(t, path)
	requireRefused(t, files{"": closed[""], ".mark": short[".mark"]}, store.ErrForked)
	requireRefused(t, files{"": closed[""], ".mark": stray[".mark"]}, store.ErrForked)

	// And none of them was closed.
	requireRefused(t, files{"": long[""]}, store.ErrForked)
	requireRefused(t, files{"": long[""], ".mark": short[".mark"]}, store.ErrForked)
}

func TestASymbolicLinkIsItsFile(t *testing.T) {
	path := newPath(t)
	link := newPath(t)
	require.NoError(t, os.Symlink(path, link))
	require.ErrorIs(t, errOf(store.Open(ctx, link, options(t))), store.ErrMissing, "what it leads to may not be mounted")
	s := mustOpen(t, path, options(t))
	require.NoError(t, say(s, 1)())
	require.ErrorIs(t, errOf(store.Open(ctx, link, options(t))), store.ErrInUse)
	f := leave(t, path)
	mustClose(t, s)
	for end, b := range f {
		require.NoError(t, os.WriteFile(path+end, b, 0o600))
	}
	s = mustOpen(t, link, options(t))
	require.Len(t, mustLoad(t, s), 1)
	all, err := os.ReadDir(filepath.Dir(link))
	require.NoError(t, err)
	require.Len(t, all, 1, "files beside the link")
	mustClose(t, s)
}

// If the mark cannot be written, the club does not open.
func TestAMarkThatCannotBeWritten(t *testing.T) {
	f, want := killedClub(t)
	path := f.put(t)
	for name, hinder := range map[string]func() (mend func()){
		"a link to nothing": func() func() {
			require.NoError(t, os.Remove(path+".mark"))
			require.NoError(t, os.Symlink(filepath.Join(filepath.Dir(path), "gone", "mark"), path+".mark"))
			return func() {
				require.NoError(t, os.Remove(path+".mark"))
				require.NoError(t, os.WriteFile(path+".mark", f[".mark"], 0o600))
			}
		},
		"a folder": func() func() {
			require.NoError(t, os.Remove(path+".mark"))
			require.NoError(t, os.Mkdir(path+".mark", 0o700))
			return func() {
				require.NoError(t, os.Remove(path+".mark"))
				require.NoError(t, os.WriteFile(path+".mark", f[".mark"], 0o600))
			}
		},
		"immutable":   func() func() { return fail(t, "open", ".mark", syscall.EPERM) },
		"a full disk": func() func() { return fail(t, "write", ".mark", syscall.ENOSPC) },
		"a sync":      func() func() { return fail(t, "sync", ".mark", syscall.EIO) },
	} {
		t.Run(name, func(t *testing.T) {
			mend := hinder()
			_, err := store.Open(ctx, path, options(t))
			require.Error(t, err)
			require.NoError(t, accused(err))
			require.True(t, same(files{"": f[""], "-wal": f["-wal"]}, there(path)))
			mend()
		})
	}
	require.Equal(t, want, mustLoad(t, mustOpen(t, path, options(t))))
}

// During play, a mark that cannot be written causes one warning, and moves go on: the log has them.
func TestAMarkThatCannotBeWrittenInPlay(t *testing.T) {
	path := newPath(t)
	s, warned := openWarned(t, path)
	heal := fail(t, "write", ".mark", syscall.EIO)
	for id := table.ID(1); id < 5; id++ {
		require.NoError(t, say(s, id)())
	}
	require.Equal(t, 1, *warned)
	heal()
	require.NoError(t, say(s, 5)())
	f := leave(t, path)
	delete(f, "-wal")
	requireRefused(t, f, store.ErrBehind)
}

// While the files cannot be checked, nothing is written; then play goes on.
func TestFilesThatCannotBeSeenForAMoment(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	for _, errno := range []syscall.Errno{syscall.EIO, syscall.EMFILE, syscall.ENOMEM} {
		heal := fail(t, "stat", "", errno)
		require.ErrorIs(t, say(s, 1)(), table.ErrUnavailable)
		heal()
		require.NoError(t, say(s, 1)())
	}
}
