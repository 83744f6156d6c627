package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"boneyard/store/fsync"
)

// guard checks that the files at the data file's path are those that the store writes to. A file that was
// removed, cut or replaced would go on taking writes that nobody could ever read. Its methods are called on
// the writer's goroutine, or while there is none.
type guard struct {
	path string
	data *fsync.File // held open as long as SQLite has the file open: closing it would end SQLite's locks
	log  *fsync.File
	file *fsync.File // of the mark
	mark mark
	page int64 // the page of the data file with the mark, from 1
	warn func(error)
	torn bool // the mark beside the file could not be written

	dataHeld, logHeld fs.FileInfo // identify the open files

	dataSize int64
	dataTime time.Time
	logSize  int64
	header   [logHeaderSize]byte
	scanned  logState
	seen     uint64 // transactions at the last look
}

// announce begins a run: its number is written beside the file before it is written into it, and before the
// file or its log is changed.
func (g *guard) announce(was, beside mark) (err error) {
	g.mark = mark{file: was.file, commits: was.commits, run: rand.Uint64() | 1, open: true}
	copy(g.mark.past[1:], was.past[:])
	g.mark.past[0] = run{was.run, was.commits}
	if was.file == 0 {
		g.mark.file = rand.Uint64() | 1
	}
	if beside.file == was.file {
		g.mark.base = beside.base
	}
	if g.file, err = fsync.OpenFile(markOf(g.path), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	text := g.mark.text()
	if _, err := g.file.WriteAt(text, 0); err != nil {
		return err
	}
	return errors.Join(g.file.Truncate(int64(len(text))), g.file.Sync(), fsync.Dir(filepath.Dir(g.path)))
}

// begin writes the run's first transaction.
func (g *guard) begin(ctx context.Context, db *sql.DB) error {
	g.mark.commits++
	if err := writeMark(ctx, db, g.mark); err != nil {
		return err
	}
	return db.QueryRowContext(ctx, `SELECT rootpage FROM sqlite_schema WHERE name = 'mark'`).Scan(&g.page)
}

// watch records the state of the files once the run has begun.
func (g *guard) watch() (err error) {
	if g.log, err = fsync.Open(logOf(g.path)); err != nil {
		return err
	}
	if g.logHeld, err = g.log.Stat(); err != nil {
		return err
	}
	if g.header, _, err = readHeader(g.log); err != nil {
		return err
	}
	if g.dataHeld, err = g.data.Stat(); err != nil {
		return err
	}
	g.logSize, g.dataSize, g.dataTime, g.seen = g.logHeld.Size(), g.dataHeld.Size(), g.dataHeld.ModTime(), g.mark.commits
	_, err = g.file.WriteAt(g.mark.text(), 0)
	return err
}

// committed notes a transaction that is on disk. A mark that cannot be written stays behind.
func (g *guard) committed() {
	g.mark.commits++
	g.write()
}

// copied notes that the data file has everything the log has.
func (g *guard) copied() {
	g.mark.base = g.mark.commits
	if g.write() {
		g.file.Sync()
	}
}

func (g *guard) write() bool {
	_, err := g.file.WriteAt(g.mark.text(), 0)
	if err != nil && !g.torn {
		g.warn(fmt.Errorf("the number of transactions cannot be written beside the data file, so that a loss might not be noticed: %w", err))
	}
	g.torn = err != nil
	return err == nil
}

// look returns ErrSwapped if the files at the path are not the open ones, or another error if it cannot tell.
func (g *guard) look() error {
	data, err := sameFile(g.path, g.dataHeld)
	if err != nil {
		return err
	}
	log, err := sameFile(logOf(g.path), g.logHeld)
	if err != nil {
		return err
	}
	if data.Size() < g.dataSize {
		return fmt.Errorf("%w: %s was cut from %d bytes to %d", ErrSwapped, g.path, g.dataSize, data.Size())
	}
	header, sound, err := readHeader(g.log)
	switch {
	case err != nil:
		return judge(err)
	case !sound && log.Size() > 0:
		return fmt.Errorf("%w: %s has been overwritten", ErrSwapped, logOf(g.path))
	case header == g.header && log.Size() < g.logSize:
		return fmt.Errorf("%w: %s was cut from %d bytes to %d", ErrSwapped, logOf(g.path), g.logSize, log.Size())
	}
	if header != g.header { // the log began again, after all of it was copied
		if err := g.inData(g.seen); err != nil {
			return err
		}
	} else if !data.ModTime().Equal(g.dataTime) { // some of the log was copied, by us or another program
		if err := g.inData(g.mark.base); err != nil {
			return err
		}
	}
	g.dataSize, g.dataTime, g.logSize, g.header, g.seen = data.Size(), data.ModTime(), log.Size(), header, g.mark.commits
	return nil
}

// errUnconfirmed is the reason for ending the process when it cannot be determined where a transaction went.
var errUnconfirmed = errors.New("what was written last cannot be confirmed")

// confirm checks the files before a commit is acknowledged. While they cannot be read, it retries for a
// second.
func (g *guard) confirm() (err error) {
	const tries, pause = 20, 50 * time.Millisecond
	for range tries {
		if err = g.look(); err == nil || errors.Is(err, ErrSwapped) {
			return err
		}
		time.Sleep(pause)
	}
	return fmt.Errorf("%w: %w", errUnconfirmed, err)
}

// scan verifies the log before it is copied into the database, when damage would no longer show. It does not
// read again what it has verified: another program that reads for hours keeps the log from starting over, and
// commits wait for the scan.
func (g *guard) scan() error {
	const largeLog = 256 << 20 // the log size in bytes at which, and at each multiple, scan warns that the log cannot start over
	info, err := g.log.Stat()
	if err != nil {
		return judge(err)
	}
	s, err := scanLog(g.log, info.Size(), g.scanned, mark{})
	if err != nil {
		return judge(err)
	}
	if s.damaged() {
		return fmt.Errorf("%w: frame %d of %s was changed", ErrSwapped, s.frames+1, logOf(g.path))
	}
	if before := g.scanned.size / largeLog; s.header == g.scanned.header && s.size/largeLog > before {
		g.warn(fmt.Errorf("%s has grown to %d MB, because another program has been reading the data file since it was smaller; find that "+
			"program, and end it", logOf(g.path), s.size>>20))
	}
	g.scanned = s
	return nil
}

// sameFile returns the state of the file at a path, or ErrSwapped if it is not the one held open.
func sameFile(path string, held fs.FileInfo) (fs.FileInfo, error) {
	there, err := fsync.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", ErrSwapped, err)
	}
	if err != nil {
		return nil, judge(err)
	}
	if !os.SameFile(there, held) {
		return nil, fmt.Errorf("%w: another file lies at %s", ErrSwapped, path)
	}
	return there, nil
}

// inData checks that the data file is ours and has at least so many transactions. While another program
// copies the log, a read may see half a page, so it is repeated.
func (g *guard) inData(commits uint64) error {
	page := make([]byte, pageSize)
	for try := 1; ; try++ {
		if _, err := g.data.ReadAt(page, (g.page-1)*pageSize); err != nil && !errors.Is(err, io.EOF) {
			return judge(err)
		}
		m, ok := markOnPage(page)
		switch {
		case ok && m.file == g.mark.file && m.commits >= commits && (m.run == g.mark.run || m.commits <= g.mark.past[0].until):
			return nil
		case try < 3:
		case !ok:
			return fmt.Errorf("%w: %s has been overwritten", ErrSwapped, g.path)
		case m.file != g.mark.file:
			return fmt.Errorf("%w: another club has been copied over %s", ErrSwapped, g.path)
		case m.commits >= commits:
			return fmt.Errorf("%w: another server writes to %s", ErrSwapped, g.path)
		default:
			return fmt.Errorf("%w: an older file has been copied over %s", ErrSwapped, g.path)
		}
	}
}

// close closes what SQLite does not use; data stays open.
func (g *guard) close() error {
	var errs []error
	for _, f := range []*fsync.File{g.log, g.file} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}
