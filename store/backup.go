package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Backup copies a data file, whether a server uses it or not. The copy is the file as it was at one moment, in one piece,
// without a log beside it; it has been looked through and is on the disk before it gets its name. What has the name
// already is not touched: fs.ErrExist. Other errors are those of [Check] for the file.
func Backup(ctx context.Context, from, to string) error {
	return ofCopy(from, to, backup(ctx, from, to, openExisting))
}

// Salvage is [Backup] of a file that lacks something: the copy has what can be read. What is missing, ErrLog or ErrBehind,
// is told in lacks.
func Salvage(ctx context.Context, from, to string) (lacks, err error) {
	err = backup(ctx, from, to, func(ctx context.Context, path string) (db *sql.DB, err error) {
		db, lacks, err = openReadable(ctx, path)
		return db, err
	})
	return lacks, ofCopy(from, to, err)
}

func ofCopy(from, to string, err error) error {
	if err != nil {
		return fmt.Errorf("copy %s to %s: %w", from, to, damage(err))
	}
	return nil
}

func backup(ctx context.Context, from, to string, open func(context.Context, string) (*sql.DB, error)) (err error) {
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fs.ErrExist, err)
	}
	db, err := open(ctx, from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()

	part, err := os.CreateTemp(filepath.Dir(to), filepath.Base(to)+".*.part")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // after the copy has got its name, this is a second name of it
	defer part.Close()
	// One statement reads one moment of the file, and does not keep the server from writing. It fills an empty file.
	if _, err := db.ExecContext(ctx, `VACUUM INTO ?`, part.Name()); err != nil {
		return err
	}
	if err := forgetMark(ctx, part.Name()); err != nil {
		return err
	}
	if err := checkCopy(ctx, part.Name()); err != nil {
		return err
	}
	if err := part.Sync(); err != nil {
		return err
	}
	if err := giveName(part.Name(), to); err != nil {
		return err
	}
	return syncDir(filepath.Dir(to))
}

// checkCopy looks through the copy, so that nobody finds out when it is needed.
func checkCopy(ctx context.Context, path string) error {
	db, err := openExisting(ctx, path)
	if err != nil {
		return err
	}
	return errors.Join(checkSound(ctx, db), db.Close())
}

// giveName names the copy, unless the name has been given meanwhile. File systems without links, such as those of memory
// sticks, leave a moment between looking and naming.
func giveName(part, to string) error {
	err := os.Link(part, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fs.ErrExist, err)
	}
	return os.Rename(part, to)
}

// syncDir puts a new name in a folder on the disk. Windows does it by itself, and opens no folders.
func syncDir(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
