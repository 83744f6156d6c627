//go:build unix

package store

import (
	"errors"
	"os"
	"syscall"
)

// tryLock locks a file, unless somebody else has.
func tryLock(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// unlock gives a lock back at once. Closing the file would not, while a process that is just being started
// holds a copy of it.
func unlock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
