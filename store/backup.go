package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"boneyard/store/fsync"
)

// Backup copies a data file, even while a server uses it. The copy is a snapshot in a single file, without a
// log; it is verified and on disk before it gets its name. If the name is taken, Backup changes nothing and
// returns fs.ErrExist. Other errors are those of [Check]. A file of an older program is copied as it is.
// progress, which may be nil, is called with the number of bytes copied; verifying the copy takes as long
// again.
func Backup(ctx context.Context, from, to string, progress Progress) error {
	return ofCopy(from, to, twice(func() error { return backup(ctx, from, to, progress, openExisting) }))
}

// Salvage is [Backup] for a damaged file: it copies what can be read. lacks is ErrLog, ErrBehind or ErrForked
// if something is missing.
func Salvage(ctx context.Context, from, to string) (lacks, err error) {
	err = twice(func() error {
		return backup(ctx, from, to, nil, func(ctx context.Context, path string) (db *sql.DB, err error) {
			db, lacks, err = openReadable(ctx, path)
			return db, err
		})
	})
	return lacks, ofCopy(from, to, err)
}

func ofCopy(from, to string, err error) error {
	if err != nil {
		return fmt.Errorf("copy %s to %s: %w", from, to, judge(err))
	}
	return nil
}

func backup(ctx context.Context, from, to string, progress Progress, open opener) error {
	db, err := open(ctx, from)
	if err != nil {
		return err
	}
	err = copyTo(ctx, db, to, func(part *os.File) (done func()) { return watchGrowth(part, from, progress) })
	if err == nil && progress != nil {
		progress(1, 1)
	}
	return errors.Join(err, db.Close())
}

// copyTo copies the database that a connection sees to a new file. A taken name is fs.ErrExist.
func copyTo(ctx context.Context, db *sql.DB, to string, watch func(part *os.File) (done func())) error {
	return fsync.Create(to, func(part *os.File) error {
		defer os.Remove(part.Name() + "-journal") // SQLite leaves it where the disk is full
		grown := func() {}
		if watch != nil {
			grown = watch(part)
		}
		// VACUUM INTO reads one snapshot while the server goes on writing. It may fill an empty file.
		_, err := db.ExecContext(ctx, `VACUUM INTO ?`, part.Name())
		grown()
		if err != nil {
			return err
		}
		if err := forgetMark(ctx, part.Name()); err != nil {
			return err
		}
		return checkCopy(ctx, part.Name())
	})
}

// watchGrowth reports the size of the copy a few times a second until done is called: VACUUM does not.
func watchGrowth(part *os.File, from string, progress Progress) (done func()) {
	whole, err := os.Stat(from)
	if progress == nil || err != nil {
		return func() {}
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.Tick(200 * time.Millisecond)
		for {
			select {
			case <-tick:
			case <-quit:
				return
			}
			if info, err := part.Stat(); err == nil {
				progress(int(min(info.Size(), whole.Size())), int(whole.Size()))
			}
		}
	}()
	return func() {
		close(quit)
		<-ended
	}
}

// checkCopy verifies the copy now rather than when it is needed.
func checkCopy(ctx context.Context, path string) error {
	db, err := openExisting(ctx, path)
	if err != nil {
		return err
	}
	return errors.Join(checkSound(ctx, db), db.Close())
}
