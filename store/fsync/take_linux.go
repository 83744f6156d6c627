package fsync

import (
	"errors"
	"os"
	"syscall"
)

// take locks a file until it is closed or its process ends, and returns false if another process has done so.
// SQLite's locks are of another kind.
func take(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
