//go:build unix

package fsync

import (
	"errors"
	"os"
	"syscall"
)

// TryLock locks a file until it is closed or its process ends, and returns false if somebody else has.
func TryLock(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// Unlock gives a lock back at once. Closing the file would not, while a process that is just being started
// holds a copy of it.
func Unlock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
