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
