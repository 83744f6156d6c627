package fsync

import (
	"io/fs"
	"os"
	"sync/atomic"
)

// Fault is asked before each call of this package for a file, and its error stands for the call's: tests have
// the n-th call fail. Nil for whoever runs a club.
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

// File is an [os.File] whose calls Fault knows.
type File struct{ *os.File }

// Open opens a file to read it.
func Open(path string) (*File, error) { return OpenFile(path, os.O_RDONLY, 0) }

// OpenFile is [os.OpenFile].
func OpenFile(path string, flag int, perm fs.FileMode) (*File, error) {
	if err := fault("open", path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, flag, perm)
	if err != nil {
		return nil, err
	}
	return &File{f}, nil
}

// Stat is [os.Stat].
func Stat(path string) (fs.FileInfo, error) {
	if err := fault("stat", path); err != nil {
		return nil, err
	}
	return os.Stat(path)
}

// ReadFile is [os.ReadFile].
func ReadFile(path string) ([]byte, error) {
	if err := fault("read", path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// ReadAt is that of [os.File].
func (f *File) ReadAt(b []byte, offset int64) (int, error) {
	if err := fault("read", f.Name()); err != nil {
		return 0, err
	}
	return f.File.ReadAt(b, offset)
}

// WriteAt is that of [os.File].
func (f *File) WriteAt(b []byte, offset int64) (int, error) {
	if err := fault("write", f.Name()); err != nil {
		return 0, err
	}
	return f.File.WriteAt(b, offset)
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
func (f *File) Stat() (fs.FileInfo, error) {
	if err := fault("stat", f.Name()); err != nil {
		return nil, err
	}
	return f.File.Stat()
}
