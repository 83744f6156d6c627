package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"boneyard/lobby"
	"boneyard/store/fsync"
)

// Store is the club on disk. It is safe for concurrent use. Get one from [Open]. Its methods are documented
// at the interfaces in packages lobby, lobby/event and table.
type Store struct {
	writer *writer
	guard  *guard
	warn   func(error) // never nil

	digestEvery uint64      // entries of the log
	pool        *sql.DB     // the writer's connection
	keep        *sql.DB     // reads, also for digests; never the last to close, since SQLite would then copy the log and remove it
	data        *fsync.File // the data file, locked
	lock        *fsync.File
	progress    Progress // of a rebuild
	looker      *looker  // nil: the file was verified before anything else
	close       func() error
	ran         func(operation, error)                       // called by tests with each operation; nil
	asked       func(ctx context.Context, change bool) error // see Options.Asked

	replica *replica // nil: not in a cluster

	// Searches share read and wait for each other. People who enter do not wait for them: what they need is
	// read by entrance, in quick queries.
	read, entrance *readers
}

// Stores is the store for each subject of the lobby.
func (s *Store) Stores() lobby.Stores {
	return lobby.Stores{Tables: s, Accounts: s, Teams: s, Standings: s, Games: s, Reviews: s, Talk: s, Moderation: s, Events: s}
}

// Options configures a store.
type Options struct {
	Readers         int // connections for lookups; as many processors may be busy with them
	Entrance        int // connections for what entering needs
	MaxGroup        int // requests in one transaction
	CheckpointEvery int // changes after which the log is copied into the database

	// CheckpointAfter is how long changes may be in the log alone.
	CheckpointAfter time.Duration

	QueryTime time.Duration // limit of a query that people cause, after which it is lobby.ErrSlow

	Existing bool // return fs.ErrNotExist instead of creating a file

	// LookLater is the size in bytes from which a data file that was closed in order is verified after Open
	// has returned; until that is done, all changes stay in its log. 0: every file is verified first.
	LookLater int64

	// Looked is called when a file that is verified after Open is found sound, before it is written to. If it
	// is not sound, Fatal is called instead. It may be nil.
	Looked func(bytes int64, took time.Duration)

	// Fatal is called, on the writer's goroutine, when the disk could not confirm a write, the files at the
	// path are not those that are written to (ErrSwapped), or a file that is verified after Open is damaged
	// (ErrDamaged). It must end the process, since nothing acknowledged afterwards would be certain; a
	// restart reads what the disk has.
	Fatal func(error)

	// Migrated is called when the file's schema has been upgraded, with the name of the copy of the old file;
	// empty if there was no room for one. It may be nil.
	Migrated func(from, to int64, took time.Duration, kept string)

	// Warn is called with problems that the store survives. It may be nil.
	Warn func(error)

	// Trouble is called with the reason when a change cannot be written, and with nil at the next that can. All
	// changes wait for it. It may be nil.
	Trouble func(error)

	// Progress is called during a rebuild. It may be nil.
	Progress Progress

	// Committed is called after each transaction, before its callers go on. It may be nil.
	Committed func(Group)

	// DigestEvery is how many entries lie between two digests; it must be the same on all nodes.
	DigestEvery uint64

	// Asked is called on the caller's goroutine before each query, and before each change whose caller waits;
	// its error is returned to the caller. Tests use it to make the store slow or broken. It may be nil.
	Asked func(ctx context.Context, change bool) error

	scratch bool // the file is a temporary copy
}

// DefaultOptions returns those of a server. If the disk or the file is lost, the process prints a line and
// exits with 1.
func DefaultOptions() Options {
	return Options{
		Readers: max(1, runtime.GOMAXPROCS(0)/2), Entrance: 2, MaxGroup: 256, CheckpointEvery: 2000, CheckpointAfter: time.Minute,
		QueryTime: 5 * time.Second, DigestEvery: 10_000,
		Fatal: func(err error) {
			fmt.Fprintln(os.Stderr, "store:", err)
			os.Exit(1)
		},
		Warn: func(err error) { fmt.Fprintln(os.Stderr, "store:", err) },
	}
}

// Open opens a data file, creates it if there is none, and upgrades its schema. One process at a time may
// have a file open this way; others get ErrInUse. A file that cannot be trusted is refused, and it and its
// log are left as they are: ErrDamaged, ErrLog, ErrBehind, ErrForked, ErrMissing, ErrForeign, ErrNewer.
// ErrUnreadable, ErrFull, ErrNoPermission and ErrLocked say nothing about the file.
func Open(ctx context.Context, path string, o Options) (s *Store, err error) {
	err = twice(func() error {
		s = &Store{progress: o.Progress, warn: o.Warn, asked: o.Asked, digestEvery: max(1, o.DigestEvery)}
		if s.warn == nil {
			s.warn = func(error) {}
		}
		if err := s.open(ctx, path, o); err != nil {
			return errors.Join(fmt.Errorf("open %s: %w", path, judge(err)), s.release())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.writer = newWriter(s.pool, s.guard, s.looker, o)
	if s.looker != nil {
		s.looker.start(o)
	}
	s.close = sync.OnceValue(s.end)
	if err := s.rebuildIfOrdered(ctx); err != nil {
		s.warn(glance(err)) // the games are there, and the next start tries again
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, path string, o Options) (err error) {
	if path, err = realPath(path); err != nil {
		return err
	}
	if o.Existing {
		if err := checkThere(path); err != nil {
			return err
		}
	}
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
		db, err := openPool(path, readOnly, r.conns)
		if err != nil {
			return err
		}
		*r.of = newReaders(db, o)
	}
	seen, err := s.lookFirst(ctx, path, o)
	if err != nil {
		return err
	}
	if s.keep, err = openPool(path, readOnly, 2); err != nil {
		return err
	}
	if s.pool, err = openPool(path, readWrite, 1); err != nil {
		return err
	}
	s.guard = &guard{path: path, data: s.data, warn: s.warn}
	return s.prepare(ctx, path, seen, o)
}

// prepare upgrades a file that was examined, and notes in it that this program writes to it.
func (s *Store) prepare(ctx context.Context, path string, seen look, o Options) error {
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
	for _, step := range []func() error{
		use,
		func() error { return s.guard.announce(seen.mark, seen.beside) },
		empty, // so that a log never has remains of a transaction before the last
		func() error { return markAsOurs(ctx, s.pool) }, // first, or a crash would leave a file that looks foreign
		func() error { return s.migrate(ctx, path, seen.schema, o) },
		use, // a new file has a log only now
		func() error { return s.guard.begin(ctx, s.pool) },
		empty,
		s.guard.watch,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	if copied {
		s.guard.copied()
	}
	return nil
}

// lookFirst examines a file before anything changes it.
func (s *Store) lookFirst(ctx context.Context, path string, o Options) (l look, err error) {
	info, err := s.data.Stat()
	if err != nil || info.Size() == 0 {
		return l, err
	}
	if l, err = lookAt(ctx, path, openOwnToLook); err != nil {
		return l, err
	}
	err = l.lacks
	if err == nil && o.LookLater > 0 && info.Size() >= o.LookLater {
		var ok bool
		if ok, err = mayLookLater(path, l); ok {
			s.looker = &looker{path: path, bytes: info.Size(), done: make(chan struct{})}
		}
	}
	if err == nil && s.looker == nil {
		err = checkSound(ctx, l.db)
	}
	if err == nil && l.mark.file != 0 && l.beside.file != l.mark.file {
		s.warn(fmt.Errorf("%s is no backup, and the file that says what was acknowledged, %s, is missing or another "+
			"club's: if this is a copy, or a second name of a file, "+
			"later moves may stand elsewhere, and nothing here would tell", path, markOf(path)))
	}
	return l, errors.Join(err, l.db.Close())
}

// migrate upgrades the file to this program's schema. That cannot be undone, so the file is copied first,
// unless it is new or there is no room; what may be different in a moment is no reason to do without.
func (s *Store) migrate(ctx context.Context, path string, from schema, o Options) error {
	began := time.Now()
	kept := ""
	var had int // migrations that the file had when the upgrade that is going on began; 0: none is
	if err := s.pool.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&had); err != nil {
		return err
	}
	if from.version > 0 && len(from.lacks) > 0 && !o.scratch && (had == 0 || had == from.applied) {
		err := s.setUpgrading(ctx, had, from.applied)
		if err == nil {
			kept, err = s.keepOlder(ctx, fmt.Sprintf("%s.schema-%d", path, from.version), had != 0)
		}
		if err := judge(err); unseen(err) && !noRoom(err) {
			return fmt.Errorf("copy the data file before it is brought up to date: %w", err)
		}
		if err != nil {
			s.warn(fmt.Errorf("the data file is brought up to date without a copy of what it was: %w", err))
			kept = ""
		}
		had = from.applied
	}
	if err := migrate(ctx, s.pool); err != nil {
		return err
	}
	if err := s.setUpgrading(ctx, had, 0); err != nil {
		return err
	}
	if from.version > 0 && len(from.lacks) > 0 && o.Migrated != nil {
		o.Migrated(from.version, slices.Max(append(from.lacks, from.version)), time.Since(began), kept)
	}
	return nil
}

// setUpgrading notes in the file's header how many migrations the file had when the present upgrade began; 0
// means that none is going on. An upgrade that was killed goes on without another copy: nobody can go
// back to a file between two versions.
func (s *Store) setUpgrading(ctx context.Context, before, had int) error {
	if before == had {
		return nil
	}
	if _, err := s.pool.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", had)); err != nil {
		return err
	}
	_, err := emptyLog(ctx, s.pool) // or the file would be changed after it is copied
	return err
}

// keepOlder copies the file, and returns the name of the copy. If an earlier start could not migrate the file,
// its copy, which is as new as the file, is used; others stay, and this one gets a number: 2, 3, …
func (s *Store) keepOlder(ctx context.Context, to string, again bool) (name string, err error) {
	data, err := s.data.Stat()
	if err != nil {
		return "", err
	}
	name = to
	for n := 2; ; n++ {
		if err = copyTo(ctx, s.pool, name, nil); !errors.Is(err, fs.ErrExist) {
			return name, err
		}
		if kept, err := os.Stat(name); err != nil || again && !kept.ModTime().Before(data.ModTime()) {
			return name, err
		}
		name = fmt.Sprintf("%s.%d", to, n)
	}
}

// Unseen returns the size in bytes of a data file that is being verified after Open, and 0 for others.
func (s *Store) Unseen() int64 {
	if s.looker.mayWrite() {
		return 0
	}
	return s.looker.bytes
}

// holdData opens the data file, creates it if there is none, and locks it: the lock file may have been
// removed. Only its owner may read it, because it will hold the seeds of games in progress. SQLite gives its
// other files the same permissions.
func holdData(path string) (*fsync.File, error) {
	f, err := fsync.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if fsync.LocksApart {
		var free bool
		if free, err = fsync.TryLock(f.File); err == nil && !free {
			err = ErrInUse
		}
	}
	var held fs.FileInfo
	if err == nil {
		held, err = f.Stat()
	}
	if err == nil {
		_, err = sameFile(path, held)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// emptyLog copies the log into the database and starts it over, and reports whether it could. It does not
// wait for readers. If there is no room for the copy, the log keeps everything.
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

// Close lets the writer finish its current group, and closes the file. Later calls fail with ErrClosed;
// closing twice is no error.
func (s *Store) Close() error { return s.close() }

func (s *Store) end() error {
	if s.replica != nil {
		s.replica.close()
	}
	sound, damaged := s.looker.end()
	s.writer.close()
	if swapped := s.guard.look(); s.writer.broken != nil || swapped != nil {
		return errors.Join(swapped, s.release()) // the files there now are not ours to change
	}
	if !sound { // the log stays, so that the next start verifies the file first
		return errors.Join(damaged, s.release())
	}
	err := errors.Join(s.read.db.Close(), s.entrance.db.Close())
	// The file says last that it was closed in order: a partial copy of the log must not say so.
	emptied := s.emptyLast()
	if emptied == nil {
		last := s.guard.mark
		last.open = false
		last.commits++
		if emptied = writeMark(context.Background(), s.pool, last); emptied == nil {
			s.guard.committed()
			emptied = s.emptyLast()
		}
	}
	if emptied == nil {
		emptied = s.keep.Close() // or SQLite would try once more, and remove the log even after a sync that failed
	} else if errors.Is(emptied, errRead) {
		emptied = nil
	}
	return errors.Join(err, translate(emptied), s.release())
}

// errRead says that the log was kept because another program reads it.
var errRead = errors.New("another program reads the log")

// emptyLast copies the whole log into the file and empties it.
func (s *Store) emptyLast() error {
	var busy, pages, moved int
	err := s.pool.QueryRow(`PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved)
	if err == nil && busy != 0 {
		return errRead
	}
	if err == nil {
		s.guard.copied()
	}
	return err
}

// release closes what is open, and last the connection that keeps the log.
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
			errs = append(errs, r.db.Close())
		}
	}
	if s.keep != nil {
		errs = append(errs, s.keep.Close())
	}
	for _, f := range []*fsync.File{s.data, s.lock} {
		if f != nil {
			errs = append(errs, fsync.Unlock(f.File), f.Close())
		}
	}
	return errors.Join(errs...)
}
