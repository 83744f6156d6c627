//go:build unix

package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/store"
)

func init() {
	roles["check"] = func(path string) {
		if os.Getuid() == 0 { // whom no mode keeps out
			const nobody = 65534
			if err := syscall.Setuid(nobody); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
		found, err := store.Check(ctx, path, nil)
		switch {
		case err != nil:
			fmt.Println(err)
		case len(found.Problems) > 0:
			fmt.Println(found.Problems)
		default:
			fmt.Println("all is well")
		}
	}
}

func TestCheckInAFolderThatMayOnlyBeRead(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	newClub(t, s, 1).play(3)
	lock := func(end string, mode os.FileMode) {
		t.Helper()
		require.NoError(t, os.Chmod(path+end, mode))
	}
	folder := func(mode os.FileMode) {
		t.Helper()
		require.NoError(t, os.Chmod(filepath.Dir(path), mode))
	}
	require.NoError(t, os.Chmod(filepath.Dir(filepath.Dir(path)), 0o755)) // the test's own
	withLog := leave(t, path)
	mustClose(t, s)
	t.Cleanup(func() { os.Chmod(filepath.Dir(path), 0o700) })

	lock("", 0o444)
	lock(".mark", 0o444)
	folder(0o555)
	out, err := again(t, "check", path).Output()
	require.NoError(t, err)
	require.Equal(t, "all is well\n", string(out))

	folder(0o755)
	require.NoError(t, os.Remove(path))
	for end, b := range withLog {
		os.Remove(path + end)
		require.NoError(t, os.WriteFile(path+end, b, 0o444))
	}
	folder(0o555)
	out, err = again(t, "check", path).Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "copy the data file and the one that ends in -wal to a folder that you may write")
}

// A file that this account may not read is not mistaken for a disk error.
func TestCheckWithoutPermission(t *testing.T) {
	path := newPath(t)
	mustClose(t, mustOpen(t, path, options(t)))
	require.NoError(t, os.Chmod(filepath.Dir(filepath.Dir(path)), 0o755)) // the test's own
	require.NoError(t, os.Chmod(filepath.Dir(path), 0o755))
	t.Cleanup(func() { os.Chmod(filepath.Dir(path), 0o700) })
	for name, mode := range map[string]os.FileMode{path: 0o200, path + ".mark": 0, filepath.Dir(path): 0o600} {
		require.NoError(t, os.Chmod(name, mode))
		out, err := again(t, "check", path).Output()
		require.NoError(t, err)
		require.Contains(t, string(out), store.ErrNoPermission.Error(), name)
		require.Contains(t, string(out), filepath.Base(path))
		require.Contains(t, string(out), "permission denied)")
		require.NoError(t, os.Chmod(name, 0o755))
	}
}
