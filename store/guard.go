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

// guard looks whether what lies at the data file's path is what the store writes to. A file that was removed, cut or
// replaced goes on taking writes, which nobody would ever read again. Its methods are called on the writer's goroutine,
// or where there is none.
type guard struct {
	path string
	data *fsync.File // held open as long as SQLite has the file open: closing it would end SQLite's locks
	log  *fsync.File
	file *fsync.File // of the mark
	mark mark
	page int64 // the number of the page of the data file with the mark, from 1
	warn func(error)
	torn bool // the mark beside the file could not be written

	dataHeld, logHeld fs.FileInfo // what is open: which file that is does not change as long as it is

	dataSize int64
	dataTime time.Time
	logSize  int64
	header   [logHeaderSize]byte
	scanned  logState
	seen     uint64 // transactions at the last look
}

// announce begins a run: its number stands beside the file before it stands in it, and before the file or its
// log is changed.
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

// watch looks at the files as they are now that the run has begun.
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

// committed notes a transaction that is on the disk. A mark that cannot be written stays behind, until a later one can.
func (g *guard) committed() {
	g.mark.commits++
	g.write()
}

// copied notes that the data file has everything.
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

// look returns ErrSwapped if the files at the path are not those that are open, and another error if that
// cannot be seen now.
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
	} else if !data.ModTime().Equal(g.dataTime) { // some of the log was copied, by us or by a program beside us
		if err := g.inData(g.mark.base); err != nil {
			return err
		}
	}
	g.dataSize, g.dataTime, g.logSize, g.header, g.seen = data.Size(), data.ModTime(), log.Size(), header, g.mark.commits
	return nil
}

// errUnconfirmed is the reason for ending the process when nobody could see where a transaction went.
var errUnconfirmed = errors.New("what was written last cannot be confirmed")

// confirm looks at the files after a commit, before anybody is told of it. If they cannot be read just then,
// it tries again.
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

// largeLog is the size of a log in bytes from which on something keeps it from beginning again.
const largeLog = 256 << 20

// scan verifies the log before it is copied into the database, after which nobody could tell any more. What
// it has verified it does not read again: a program beside us that reads for hours keeps the log from
// beginning again, and commits wait for the scan.
func (g *guard) scan() error {
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

// sameFile looks whether the file that is held open lies at its path.
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

// inData makes sure that the data file itself is ours and has at least so many transactions. While a program beside us
// copies the log, a look may see half a page; then the next one does not.
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
