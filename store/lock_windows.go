package store

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock locks a file, unless somebody else has. Here a lock keeps others from reading what it covers, so it covers one
// byte far behind the end.
func tryLock(f *os.File) (bool, error) {
	const behind = 1 << 30
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{Offset: behind})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// unlock does nothing: here closing the file gives its lock back.
func unlock(*os.File) error { return nil }
