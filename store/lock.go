package store

import (
	"fmt"
	"io"
	"os"
	"strings"

	"boneyard/store/fsync"
)

// lockFile locks the file beside the database that names its owner, until the file is closed or the process
// ends, in whatever way. SQLite's own locks would not do: they last for a transaction, so that two servers
// would take turns, each believing its own tables; held for longer, they would block a backup. The file stays
// behind; only its lock means anything.
func lockFile(path string) (*fsync.File, error) {
	f, err := fsync.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	free, err := fsync.TryLock(f.File)
	if err == nil && !free {
		err = inUse(f)
	}
	if err == nil {
		err = f.Truncate(0)
	}
	if err == nil {
		_, err = fmt.Fprintln(f, os.Getpid())
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return f, nil
}

// inUse returns ErrInUse with the process number that is in the file.
func inUse(f io.Reader) error {
	owner := make([]byte, 32)
	n, _ := f.Read(owner) // without it the message is shorter, not wrong
	if pid := strings.TrimSpace(string(owner[:n])); pid != "" {
		return fmt.Errorf("%w: process %s", ErrInUse, pid)
	}
	return ErrInUse
}
