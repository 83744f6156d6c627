package fsync

import (
	"io/fs"
	"os"
	"sync/atomic"
)

// Fault is called before each call of this package for a file; its error replaces the call. Tests use it to
// make the n-th call fail. Otherwise it is nil.
var Fault atomic.Pointer[func(call, path string) error]

func fault(call, path string) error {
	f := Fault.Load()
	if f == nil {
		return nil
	}
	if err := (*f)(call, path); err != nil {
		return &fs.PathError{Op: call, Path: path, Err: err}
	}
	return nil
}

// asked makes a call unless there is a fault.
func asked[T any](call, path string, do func() (T, error)) (done T, err error) {
	if err := fault(call, path); err != nil {
		return done, err
	}
	return do()
}

// File is an [os.File] whose calls go through Fault.
type File struct{ *os.File }

// Open opens a file for reading.
func Open(path string) (*File, error) { return OpenFile(path, os.O_RDONLY, 0) }

// OpenFile is [os.OpenFile].
func OpenFile(path string, flag int, perm fs.FileMode) (*File, error) {
	f, err := asked("open", path, func() (*os.File, error) { return os.OpenFile(path, flag, perm) })
	if err != nil {
		return nil, err
	}
	return &File{f}, nil
}

// Stat is [os.Stat].
func Stat(path string) (fs.FileInfo, error) {
	return asked("stat", path, func() (fs.FileInfo, error) { return os.Stat(path) })
}

// ReadFile is [os.ReadFile].
func ReadFile(path string) ([]byte, error) {
	return asked("read", path, func() ([]byte, error) { return os.ReadFile(path) })
}

// ReadAt is that of [os.File].
func (f *File) ReadAt(b []byte, offset int64) (int, error) {
	return asked("read", f.Name(), func() (int, error) { return f.File.ReadAt(b, offset) })
}

// WriteAt is that of [os.File].
func (f *File) WriteAt(b []byte, offset int64) (int, error) {
	return asked("write", f.Name(), func() (int, error) { return f.File.WriteAt(b, offset) })
}

// Truncate is that of [os.File].
func (f *File) Truncate(size int64) error {
	if err := fault("truncate", f.Name()); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

// Sync is that of [os.File].
func (f *File) Sync() error {
	if err := fault("sync", f.Name()); err != nil {
		return err
	}
	return f.File.Sync()
}

// Stat is that of [os.File].
func (f *File) Stat() (fs.FileInfo, error) { return asked("stat", f.Name(), f.File.Stat) }
