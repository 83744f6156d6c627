// Package fsync reads and writes files, and forces written data to disk. It does not know what they are for.
package fsync

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// Create creates a file that gets its name when it is complete and on disk, so that no crash leaves half of
// it. Only its owner may use it. If the name is taken, even in the meantime, Create returns fs.ErrExist and
// leaves that file alone. It removes what earlier calls left that were killed.
func Create(path string, write func(f *os.File) error) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return cmp.Or(err, fs.ErrExist)
	}
	folder, base := filepath.Split(path)
	_ = Sweep(folder, func(name string) bool { return name == base }) // a leftover only takes space
	if err := fault("open", path); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(path), base+".*.part")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())                    // once the file has its name, this is a second one
	_, _ = take(part)                               // where that cannot be done, nobody removes it either
	if _, err = os.Lstat(part.Name()); err == nil { // else another call has removed it before it was locked
		err = write(part)
	}
	if err == nil {
		err = (&File{part}).Sync()
	}
	if err := errors.Join(err, part.Close()); err != nil {
		return err
	}
	if err := giveName(part.Name(), path); err != nil {
		return err
	}
	return Dir(filepath.Dir(path))
}

// giveName names a file unless the name is taken meanwhile. File systems without links, such as on memory
// sticks, leave a gap between check and rename.
func giveName(part, to string) error {
	err := fault("link", to)
	if err == nil {
		err = os.Link(part, to)
	}
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return cmp.Or(err, fs.ErrExist)
	}
	return os.Rename(part, to)
}

// Dir syncs a folder, so that a power loss does not take new names in it. Windows does so by itself.
func Dir(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// LocksApart reports whether locks of [TryLock] are independent of SQLite's. Elsewhere a lock on the data
// file would keep SQLite out, or be lost with one of its locks.
const LocksApart = runtime.GOOS == "linux"

// take is [TryLock] where that is harmless, and returns false elsewhere.
func take(f *os.File) (bool, error) {
	if !LocksApart {
		return false, nil
	}
	return TryLock(f)
}

// partOf matches the temporary names that [Create] and [Scratch] use, and those of the journals that SQLite
// makes beside them.
var partOf = regexp.MustCompile(`^(.+)\.[0-9]+\.part(-journal)?$`)

// Scratch makes a temporary folder beside a file; done removes it. It also removes what killed calls have left.
func Scratch(path string) (folder string, done func(), err error) {
	parent, base := filepath.Split(path)
	_ = Sweep(parent, func(name string) bool { return name == base })
	if folder, err = os.MkdirTemp(filepath.Dir(path), base+".*.part"); err != nil {
		return "", func() {}, err
	}
	held, err := os.Open(folder)
	if err == nil {
		_, _ = take(held)
	}
	return folder, func() {
		_ = held.Close()
		_ = os.RemoveAll(folder)
	}, err
}

// Sweep removes what calls of [Create] and [Scratch] that were killed have left in a folder, for the names for which of
// reports true. On systems where nothing tells such a file from one that is being written it removes none.
func Sweep(folder string, of func(name string) bool) error {
	entries, err := os.ReadDir(cmp.Or(folder, "."))
	errs := []error{err}
	for _, e := range entries {
		m := partOf.FindStringSubmatch(e.Name())
		if m == nil || !e.Type().IsRegular() && !e.IsDir() || !of(m[1]) {
			continue
		}
		if m[2] != "" { // what it belongs to comes first, and has just been removed if it was left
			path := filepath.Join(folder, e.Name())
			if _, err := os.Lstat(strings.TrimSuffix(path, m[2])); errors.Is(err, fs.ErrNotExist) {
				_ = os.Remove(path)
			}
			continue
		}
		f, err := os.Open(filepath.Join(folder, e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // it has got its name
		}
		left := false
		if err == nil {
			if left, err = take(f); left {
				err = os.RemoveAll(f.Name())
			}
			err = errors.Join(err, f.Close())
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
