package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"boneyard/store/fsync"
)

// guard looks whether what lies at the data file's path is what the store writes to. A file that was removed, cut or
// replaced goes on taking writes, which nobody would ever read again. Its methods are called on the writer's goroutine,
// or where there is none.
type guard struct {
	path string
	data *os.File // held open as long as SQLite has the file open: closing it would end SQLite's locks
	log  *os.File
	file *os.File // of the mark
	mark mark

	dataSize int64
	dataTime time.Time
	logSize  int64
	header   [logHeaderSize]byte
	seen     uint64 // transactions at the last look
}

// newGuard begins with what is open now.
func newGuard(path string, data *os.File, m mark) (g *guard, err error) {
	g = &guard{path: path, data: data, mark: m, seen: m.commits}
	defer func() {
		if err != nil {
			err = errors.Join(err, g.close())
		}
	}()
	before, err := readMark(path)
	if err != nil {
		return nil, err
	}
	if before.file == m.file {
		g.mark.base = before.base
	}
	if g.file, err = os.OpenFile(markOf(path), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, err
	}
	if err := g.write(); err != nil {
		return nil, err
	}
	if err := errors.Join(g.file.Truncate(int64(len(m.text()))), g.file.Sync(), fsync.Dir(filepath.Dir(path))); err != nil {
		return nil, err
	}
	if g.log, err = os.Open(logOf(path)); err != nil {
		return nil, err
	}
	info, err := g.log.Stat()
	if err != nil {
		return nil, err
	}
	g.logSize = info.Size()
	if g.header, _, err = readHeader(g.log); err != nil {
		return nil, err
	}
	if info, err = data.Stat(); err != nil {
		return nil, err
	}
	g.dataSize, g.dataTime = info.Size(), info.ModTime()
	return g, nil
}

// committed notes a transaction that is on the disk. A mark that cannot be written only stays behind.
func (g *guard) committed() {
	g.mark.commits++
	g.write()
}

// copied notes that the data file has everything.
func (g *guard) copied() {
	g.mark.base = g.mark.commits
	if g.write() == nil {
		g.file.Sync()
	}
}

func (g *guard) write() error {
	_, err := g.file.WriteAt(g.mark.text(), 0)
	return err
}

// look returns ErrSwapped if the files at the path are not those that are open.
func (g *guard) look() error {
	data, err := sameFile(g.path, g.data)
	if err != nil {
		return err
	}
	log, err := sameFile(logOf(g.path), g.log)
	if err != nil {
		return err
	}
	if data.Size() < g.dataSize {
		return fmt.Errorf("%w: %s was cut from %d bytes to %d", ErrSwapped, g.path, g.dataSize, data.Size())
	}
	header, sound, err := readHeader(g.log)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %s cannot be read: %w", ErrSwapped, logOf(g.path), err)
	case !sound && log.Size() > 0:
		return fmt.Errorf("%w: %s has been overwritten", ErrSwapped, logOf(g.path))
	case header == g.header && log.Size() < g.logSize:
		return fmt.Errorf("%w: %s was cut from %d bytes to %d", ErrSwapped, logOf(g.path), g.logSize, log.Size())
	}
	if header != g.header { // the log began again, after all of it was copied
		if err := g.inData(g.seen); err != nil {
			return err
		}
	} else if !data.ModTime().Equal(g.dataTime) { // some of the log was copied, by us or by a program beside us
		if err := g.inData(g.mark.base); err != nil {
			return err
		}
	}
	g.dataSize, g.dataTime, g.logSize, g.header, g.seen = data.Size(), data.ModTime(), log.Size(), header, g.mark.commits
	return nil
}

// scan verifies the log before it is copied into the database, after which nobody could tell any more.
func (g *guard) scan() error {
	info, err := g.log.Stat()
	if err != nil {
		return err
	}
	s, err := scanLog(g.log, info.Size())
	if err == nil && s.damaged() {
		err = fmt.Errorf("%w: frame %d of %s was changed", ErrSwapped, s.frames+1, logOf(g.path))
	}
	return err
}

// sameFile looks whether a file lies at its path.
func sameFile(path string, f *os.File) (fs.FileInfo, error) {
	there, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSwapped, err)
	}
	held, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSwapped, err)
	}
	if !os.SameFile(there, held) {
		return nil, fmt.Errorf("%w: another file lies at %s", ErrSwapped, path)
	}
	return there, nil
}

// inData makes sure that the data file itself is ours and has at least so many transactions. While a program beside us
// copies the log, a look may see half a page; then the next one does not.
func (g *guard) inData(commits uint64) error {
	for try := 1; ; try++ {
		m, ok := markAlone(context.Background(), g.path)
		switch {
		case ok && m.file == g.mark.file && m.commits >= commits:
			return nil
		case try < 3:
		case !ok:
			return fmt.Errorf("%w: %s has been overwritten", ErrSwapped, g.path)
		case m.file != g.mark.file:
			return fmt.Errorf("%w: another club has been copied over %s", ErrSwapped, g.path)
		default:
			return fmt.Errorf("%w: an older file has been copied over %s", ErrSwapped, g.path)
		}
	}
}

// close closes what SQLite does not use; data stays open.
func (g *guard) close() error {
	var errs []error
	for _, f := range []*os.File{g.log, g.file} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}
