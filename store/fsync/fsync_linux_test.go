package fsync_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/store/fsync"
)

// The next call for the same name, or Sweep, removes what a killed one left, but no file being written.
func TestWhatWasKilledIsRemoved(t *testing.T) {
	if path := os.Getenv("FSYNC_KILLED"); path != "" {
		_, _, err := fsync.Scratch(path)
		err = errors.Join(err, fsync.Create(path, func(f *os.File) error {
			made := os.WriteFile(f.Name()+"-journal", nil, 0o600)
			p, err := os.FindProcess(os.Getpid())
			return errors.Join(made, err, p.Kill())
		}))
		t.Fatal(err)
	}
	folder := t.TempDir() // the process that is killed would leave its own behind
	path := filepath.Join(folder, "copy.db")
	killed := func() {
		cmd := exec.Command(os.Args[0], "-test.run=^TestWhatWasKilledIsRemoved$")
		cmd.Env = append(os.Environ(), "FSYNC_KILLED="+path)
		require.Error(t, cmd.Run())
	}
	names := func() (all []string) {
		entries, err := os.ReadDir(folder)
		require.NoError(t, err)
		for _, e := range entries {
			all = append(all, e.Name())
		}
		return all
	}
	any := func(string) bool { return true }

	killed()
	require.Len(t, names(), 3)
	require.NoError(t, fsync.Sweep(folder, func(name string) bool { return name == "another.db" }))
	require.Len(t, names(), 3)
	require.NoError(t, fsync.Sweep(folder, any))
	require.Empty(t, names())

	killed()
	others := []string{"copy.db.mine.part", "copy.db.1", "1.part"}
	for _, name := range others {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o600))
	}
	require.NoError(t, fsync.Create(path, func(f *os.File) error {
		journal := f.Name() + "-journal"
		require.NoError(t, os.WriteFile(journal, nil, 0o600))
		require.NoError(t, fsync.Sweep(folder, any))
		require.Len(t, names(), len(others)+2, "it is being written")
		return os.Remove(journal)
	}))
	require.ElementsMatch(t, append(others, "copy.db"), names())

	scratch, done, err := fsync.Scratch(path)
	require.NoError(t, err)
	require.NoError(t, fsync.Sweep(folder, any))
	require.DirExists(t, scratch, "it is being used")
	done()
	require.ElementsMatch(t, append(others, "copy.db"), names())
}
