package store

import "os"

// lockData locks the data file itself. Here such a lock and those that SQLite takes know nothing of each other.
func lockData(f *os.File) (bool, error) { return tryLock(f) }
