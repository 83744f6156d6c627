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

// Backup copies a data file, whether a server uses it or not. The copy is the file as it was at one moment,
// in one piece, without a log beside it; it has been verified and is on the disk before it gets its name.
// What has the name already is not touched: fs.ErrExist. Other errors are those of [Check] for the file. A
// file of an older program is copied as it is. progress, which may be nil, is told how many bytes are copied;
// verifying the copy afterwards takes about as long again.
func Backup(ctx context.Context, from, to string, progress Progress) error {
	return ofCopy(from, to, twice(func() error { return backup(ctx, from, to, progress, openExisting) }))
}

// Salvage is [Backup] of a damaged file: the copy has what can be read. lacks is ErrLog or ErrBehind if
// something is missing.
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
	return errors.Join(copyTo(ctx, db, to, func(part *os.File) (done func()) { return watchGrowth(part, from, progress) }), db.Close())
}

// copyTo makes a copy with the name to, which must be free, of what a connection sees: fs.ErrExist.
func copyTo(ctx context.Context, db *sql.DB, to string, watch func(part *os.File) (done func())) error {
	return fsync.Create(to, func(part *os.File) error {
		defer os.Remove(part.Name() + "-journal") // SQLite leaves it where the disk is full
		grown := func() {}
		if watch != nil {
			grown = watch(part)
		}
		// One statement reads one moment of the file, and does not keep the server from writing. It fills an empty file.
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

// watchGrowth reports how far a copy has grown until done is called, a few times a second: the one statement
// that makes it tells nothing.
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
				progress(int(whole.Size()), int(whole.Size()))
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

// checkCopy verifies the copy, so that nobody finds out when it is needed.
func checkCopy(ctx context.Context, path string) error {
	db, err := openExisting(ctx, path)
	if err != nil {
		return err
	}
	return errors.Join(checkSound(ctx, db), db.Close())
}
