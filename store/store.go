package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"boneyard/lobby"
)

// Store is the club on disk. It is safe for concurrent use. Get one from [Open].
type Store struct {
	writer *writer
	pool   *sql.DB // the writer's connection
	lock   *os.File
	close  func() error

	// What people look up shares read, so that many who search wait for each other, but nobody who comes in for them:
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

	QueryTime time.Duration // that a query may take which people cause; then it is lobby.ErrSlow

	Existing bool // a file that is not there is not made, but fs.ErrNotExist

	// Fatal is called, on the writer's goroutine, when the disk could not confirm a write: it must end the process. Nothing
	// that is told to anybody afterwards would be sure; a restart reads what the disk has.
	Fatal func(error)

	// Committed is called after each transaction, before those who wait for it go on. It may be nil.
	Committed func(Group)

	vfs string // SQLite's file system; empty for the usual one. Tests use one that fails.
}

// DefaultOptions is what serves. A failed sync prints one line and ends the process with status 1.
func DefaultOptions() Options {
	return Options{
		Readers: max(1, runtime.GOMAXPROCS(0)/2), Entrance: 2, MaxGroup: 256, CheckpointEvery: 2000, QueryTime: 5 * time.Second,
		Fatal: func(err error) {
			fmt.Fprintln(os.Stderr, "store:", err)
			os.Exit(1)
		},
	}
}

// Validate tells what is wrong with the options.
func (o Options) Validate() error {
	switch {
	case o.Readers < 1:
		return fmt.Errorf("readers: %d: at least one is needed", o.Readers)
	case o.Entrance < 1:
		return fmt.Errorf("readers for the entrance: %d: at least one is needed", o.Entrance)
	case o.QueryTime <= 0:
		return fmt.Errorf("time for a query: %v: some is needed", o.QueryTime)
	case o.MaxGroup < 1:
		return fmt.Errorf("largest group: %d: at least one request must fit", o.MaxGroup)
	case o.CheckpointEvery < 1:
		return fmt.Errorf("requests between checkpoints: %d: at least one is needed", o.CheckpointEvery)
	case o.Fatal == nil:
		return errors.New("no function that ends the process is given")
	}
	return nil
}

func (o Options) observe(g Group) {
	if o.Committed != nil {
		o.Committed(g)
	}
}

// Open opens a data file, makes it if there is none, and brings its schema up to date. One process at a time may have a
// file open this way: ErrInUse. A file that cannot be trusted is refused and left as it is: ErrDamaged, ErrForeign,
// ErrNewer.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Existing {
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
	}
	lock, err := lockFile(path + ".lock")
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	pool, err := openOwned(ctx, path, o.vfs)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), lock.Close())
	}
	s := &Store{pool: pool, lock: lock}
	for _, r := range []struct {
		of    **readers
		conns int
	}{{&s.read, o.Readers}, {&s.entrance, o.Entrance}} {
		db, err := openPool(path, readOnly, o.vfs, r.conns)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), pool.Close(), lock.Close())
		}
		*r.of = &readers{db, o.QueryTime}
	}
	s.writer = newWriter(pool, o)
	s.close = sync.OnceValue(s.end)
	return s, nil
}

// openOwned opens the file to write it, with all that must be looked at before anybody may rely on it.
func openOwned(ctx context.Context, path, vfs string) (*sql.DB, error) {
	if err := makeFile(path); err != nil {
		return nil, err
	}
	db, err := openPool(path, readWrite, vfs, 1)
	if err != nil {
		return nil, err
	}
	for _, step := range []func() error{
		func() error { return checkHeader(ctx, db) },
		func() error { return checkSound(ctx, db) },
		func() error { return markAsOurs(ctx, db) }, // first, or a crash would leave a file that looks foreign
		func() error { return migrate(ctx, db) },
	} {
		if err := step(); err != nil {
			return nil, errors.Join(damage(err), db.Close())
		}
	}
	return db, nil
}

// makeFile makes an empty file that only its owner reads, unless there is one: it is going to hold the seeds of games that
// are being played. SQLite gives its other files the same rights.
func makeFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// Close ends the writer after the group that it is writing, and gives the file free. What is handed to the store
// afterwards is refused with ErrClosed. Closing twice is closing once.
func (s *Store) Close() error { return s.close() }

func (s *Store) end() error {
	s.writer.close()
	err := errors.Join(s.read.Close(), s.entrance.Close())
	_, emptied := s.pool.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`)
	return errors.Join(err, translate(emptied), s.pool.Close(), s.lock.Close())
}
