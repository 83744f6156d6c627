package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"boneyard/lobby"
)

// Store is the club on disk. It is safe for concurrent use. Get one from [Open].
type Store struct {
	writer   *writer
	guard    *guard
	warn     func(error) // never nil
	pool     *sql.DB     // the writer's connection
	keep     *sql.DB     // a connection that reads, so that no other is the last one: that would copy the log and remove it
	data     *os.File    // the data file, locked
	lock     *os.File
	progress Progress // of a rebuild
	looker   *looker  // nil: the file was verified before anything else
	close    func() error
	ran      func(operation, error) // told of each operation, by tests; nil

	replica *replica // nil: the file is the club

	// Searches share read, so that they wait for each other, and people who enter do not wait for them:
	// what coming in needs is read by entrance, in queries that take no time.
	read, entrance *readers
}

var _ lobby.Store = (*Store)(nil)

// Options is how a store is run.
type Options struct {
	Readers         int // connections for what people look up; as many processors may be busy with it
	Entrance        int // connections for what coming in needs
	MaxGroup        int // requests in one transaction
	CheckpointEvery int // requests after which the log is copied into the database

	// CheckpointAfter is how long what was written may stand in the log alone.
	CheckpointAfter time.Duration

	QueryTime time.Duration // that a query may take which people cause; then it is lobby.ErrSlow

	Existing bool // a file that is not there is not made, but fs.ErrNotExist

	// LookLater is the size in bytes from which on a data file that was closed in order is verified after Open has
	// returned: until that is done, nothing is written to it, all stands in its log. 0: every file is verified first.
	LookLater int64

	// Looked is called when a file that was opened unseen has been verified and is sound, before it is written to. If it
	// is not sound, Fatal is called instead. It may be nil.
	Looked func(bytes int64, took time.Duration)

	// Fatal is called, on the writer's goroutine, when the disk could not confirm a write, the files at the path are not
	// those that are written to (ErrSwapped), or a file that was opened unseen is damaged (ErrDamaged): it must end the
	// process. Nothing that is told to anybody afterwards would be sure; a restart reads what the disk has.
	Fatal func(error)

	// Warn takes problems that do not keep the store from being opened. It may be nil.
	Warn func(error)

	// Progress takes how far a rebuild is. It may be nil.
	Progress Progress

	// Committed is called after each transaction, before those who wait for it go on. It may be nil.
	Committed func(Group)

	vfs string // SQLite's file system; empty for the usual one. Tests use one that fails.
}

// DefaultOptions is what serves. A disk or a file that is lost prints one line and ends the process with status 1.
func DefaultOptions() Options {
	return Options{
		Readers: max(1, runtime.GOMAXPROCS(0)/2), Entrance: 2, MaxGroup: 256, CheckpointEvery: 2000, CheckpointAfter: time.Minute,
		QueryTime: 5 * time.Second,
		Fatal: func(err error) {
			fmt.Fprintln(os.Stderr, "store:", err)
			os.Exit(1)
		},
	}
}

// Validate reports what is wrong with the options.
func (o Options) Validate() error {
	switch {
	case o.Readers < 1:
		return fmt.Errorf("readers: %d: must be at least 1", o.Readers)
	case o.Entrance < 1:
		return fmt.Errorf("readers for the entrance: %d: must be at least 1", o.Entrance)
	case o.QueryTime <= 0:
		return fmt.Errorf("time for a query: %v: must be positive", o.QueryTime)
	case o.MaxGroup < 1:
		return fmt.Errorf("largest group: %d: must be at least 1", o.MaxGroup)
	case o.CheckpointEvery < 1:
		return fmt.Errorf("requests between checkpoints: %d: must be at least 1", o.CheckpointEvery)
	case o.CheckpointAfter <= 0:
		return fmt.Errorf("time between checkpoints: %v: must be positive", o.CheckpointAfter)
	case o.Fatal == nil:
		return errors.New("no function to end the process")
	}
	return nil
}

func (o Options) observe(g Group) {
	if o.Committed != nil {
		o.Committed(g)
	}
}

// Open opens a data file, makes it if there is none, and brings its schema up to date. One process at a time may have a
// file open this way: ErrInUse. A file that cannot be trusted is refused, and it and its log are left as they are:
// ErrDamaged, ErrLog, ErrBehind, ErrMissing, ErrForeign, ErrNewer.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Existing {
		if err := checkThere(path); err != nil {
			return nil, fmt.Errorf("open %s: %w", path, err)
		}
	}
	s := &Store{progress: o.Progress, warn: o.Warn}
	if s.warn == nil {
		s.warn = func(error) {}
	}
	if err := s.open(ctx, path, o); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), s.release())
	}
	s.writer = newWriter(s.pool, s.guard, s.looker, o)
	if s.looker != nil {
		s.looker.start(o)
	}
	s.close = sync.OnceValue(s.end)
	if err := s.rebuildIfOrdered(ctx); err != nil {
		s.warn(err) // the games are there, and the next start tries again
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, path string, o Options) (err error) {
	if s.lock, err = lockFile(path + ".lock"); err != nil {
		return err
	}
	if err := checkThere(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if s.data, err = holdData(path); err != nil {
		return err
	}
	for _, r := range []struct {
		of    **readers
		conns int
	}{{&s.read, o.Readers}, {&s.entrance, o.Entrance}} {
		db, err := openPool(path, readOnly, o.vfs, r.conns)
		if err != nil {
			return err
		}
		*r.of = &readers{db, o.QueryTime}
	}
	info, err := s.data.Stat()
	if err != nil {
		return err
	}
	if info.Size() > 0 {
		look, lacks, err := lookAt(ctx, path, o.vfs, openOwnToLook)
		if err != nil {
			return err
		}
		if lacks == nil && o.LookLater > 0 && info.Size() >= o.LookLater {
			var ok bool
			if ok, lacks = mayLookLater(ctx, path, look); ok {
				s.looker = newLooker(path, info.Size())
			}
		}
		if lacks == nil && s.looker == nil {
			lacks = checkSound(ctx, look)
		}
		if err := errors.Join(lacks, look.Close()); err != nil {
			return err
		}
	}
	if s.keep, err = openPool(path, readOnly, o.vfs, 1); err != nil {
		return err
	}
	if s.pool, err = openPool(path, readWrite, o.vfs, 1); err != nil {
		return err
	}
	use := func() error {
		_, err := s.keep.ExecContext(ctx, `PRAGMA schema_version`)
		return err
	}
	copied := false
	empty := func() (err error) {
		if s.looker == nil {
			copied, err = emptyLog(ctx, s.pool)
		}
		return err
	}
	var m mark
	for _, step := range []func() error{
		use,
		empty, // so that a log never has remains of a transaction before the last
		func() error { return markAsOurs(ctx, s.pool) }, // first, or a crash would leave a file that looks foreign
		func() error { return migrate(ctx, s.pool) },
		use, // a new file has a log only now
		func() (err error) { m, err = giveMark(ctx, s.pool); return err },
		func() (err error) {
			if s.looker != nil { // the log has something from now on, until the file has been verified
				m, err = countUp(ctx, s.pool, m)
			}
			return err
		},
		empty,
	} {
		if err := step(); err != nil {
			return damage(err)
		}
	}
	if s.guard, err = newGuard(path, s.data, m); err == nil && copied {
		s.guard.copied()
	}
	return err
}

// Unseen is the size in bytes of a data file that is being verified since it was opened, and 0 of others.
func (s *Store) Unseen() int64 {
	if s.looker.mayWrite() {
		return 0
	}
	return s.looker.bytes
}

// holdData opens the data file, makes it if there is none, and locks it: the lock file may have been removed. Only its
// owner reads it: it is going to hold the seeds of games that are being played. SQLite gives its other files the same
// rights.
func holdData(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	free, err := lockData(f)
	if err == nil && !free {
		err = ErrInUse
	}
	if err == nil {
		_, err = sameFile(path, f)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// emptyLog copies the log into the database, as far as nobody reads it, begins it again, and reports whether it could. It does
// not wait. Where there is no room for it the log keeps everything.
func emptyLog(ctx context.Context, db *sql.DB) (done bool, err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, `PRAGMA busy_timeout = 0`); err != nil {
		return false, err
	}
	var busy, pages, moved int
	failed := conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved)
	done = failed == nil && busy == 0
	if c := code(failed) & 0xff; c == sqlite3.SQLITE_FULL || c == sqlite3.SQLITE_BUSY {
		failed = nil
	}
	_, err = conn.ExecContext(ctx, `PRAGMA busy_timeout = `+strconv.Itoa(busyTimeout))
	return done, errors.Join(failed, err)
}

// Close ends the writer after the group that it is writing, and gives the file free. What is handed to the store
// afterwards is refused with ErrClosed. Closing twice is closing once.
func (s *Store) Close() error { return s.close() }

func (s *Store) end() error {
	if s.replica != nil {
		s.replica.close()
	}
	sound, damaged := s.looker.end()
	s.writer.close()
	if swapped := s.guard.look(); s.writer.broken != nil || swapped != nil {
		return errors.Join(swapped, s.release()) // what lies there now is not ours to change
	}
	if !sound { // the log stays, so that the next start verifies the file first
		return errors.Join(damaged, s.release())
	}
	err := errors.Join(s.read.Close(), s.entrance.Close(), s.keep.Close())
	var busy, pages, moved int
	emptied := s.pool.QueryRow(`PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved)
	if emptied == nil && busy == 0 {
		s.guard.copied()
	}
	return errors.Join(err, translate(emptied), s.release())
}

// release closes what is open, the connection that keeps the log last.
func (s *Store) release() error {
	var errs []error
	if s.guard != nil {
		errs = append(errs, s.guard.close())
	}
	if s.pool != nil {
		errs = append(errs, s.pool.Close())
	}
	for _, r := range []*readers{s.read, s.entrance} {
		if r != nil {
			errs = append(errs, r.Close())
		}
	}
	if s.keep != nil {
		errs = append(errs, s.keep.Close())
	}
	for _, f := range []*os.File{s.data, s.lock} {
		if f != nil {
			errs = append(errs, unlock(f), f.Close())
		}
	}
	return errors.Join(errs...)
}
