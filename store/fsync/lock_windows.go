package fsync

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// TryLock locks a file until it is closed or its process ends. It returns false if it is locked. On Windows a
// locked range cannot be read by others, so it locks one byte far beyond the end.
func TryLock(f *os.File) (bool, error) {
	const behind = 1 << 30
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{Offset: behind})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// Unlock does nothing: on Windows closing the file releases its lock.
func Unlock(*os.File) error { return nil }
