// Package fsync puts what the operating system holds back on the disk. It knows files, and nothing of what they are for.
package fsync

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Create makes a file that gets its name when it is complete and on the disk, so that no crash leaves half of it. Only its owner may
// use it. A file that has the name already, also meanwhile, is not touched: fs.ErrExist.
func Create(path string, write func(f *os.File) error) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fs.ErrExist, err)
	}
	part, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // after the file has got its name, this is a second name of it
	err = write(part)
	if err == nil {
		err = part.Sync()
	}
	if err := errors.Join(err, part.Close()); err != nil {
		return err
	}
	if err := giveName(part.Name(), path); err != nil {
		return err
	}
	return Dir(filepath.Dir(path))
}

// giveName names a file, unless the name has been given meanwhile. File systems without links, such as those of memory
// sticks, leave a moment between looking and naming.
func giveName(part, to string) error {
	err := os.Link(part, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fs.ErrExist, err)
	}
	return os.Rename(part, to)
}

// Dir puts new names in a folder on the disk, so that a power loss does not take them. Windows does it by itself, and opens no folders.
func Dir(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
