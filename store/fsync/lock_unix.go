//go:build unix

package fsync

import (
	"errors"
	"os"
	"syscall"
)

// TryLock locks a file until it is closed or its process ends. It returns false if it is locked.
func TryLock(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// Unlock releases a lock at once. Closing the file would not while a starting process holds a copy.
func Unlock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
