//go:build !linux

package fsync

import "os"

// take does nothing here, where SQLite would be kept out by such a lock, or end it.
func take(*os.File) (bool, error) { return false, nil }
