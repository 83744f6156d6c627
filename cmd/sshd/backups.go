package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"boneyard/store"
	"boneyard/store/fsync"
)

// backups makes a backup of a data file every now and then.
type backups struct {
	data   string
	folder string
	every  time.Duration
	keep   int // the newest ones; older ones are removed

	now       func() time.Time
	out, errs io.Writer
}

// backupName is how backups that are made by themselves are called, so that their order is that of their names.
const backupName = "boneyard-20060102T150405.000Z.db"

// run makes the first backup at once. It reports errors and tries again the next time: the disk may be full
// for a while. It ends with ctx.
func (b *backups) run(ctx context.Context) error {
	if err := os.MkdirAll(b.folder, 0o700); err != nil {
		return err
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		begun := b.now()
		if err := b.once(ctx, begun); err != nil && ctx.Err() == nil {
			fmt.Fprintf(b.errs, programName+": %v\n", err)
		}
		timer.Reset(max(0, b.every-b.now().Sub(begun)))
	}
}

// once makes a backup, and then removes those that are too many: never for a backup that could not be made.
func (b *backups) once(ctx context.Context, now time.Time) error {
	to := filepath.Join(b.folder, now.UTC().Format(backupName))
	if err := store.Backup(ctx, b.data, to, nil); err != nil {
		return err
	}
	fmt.Fprintf(b.out, "%s: copied to %s\n", b.data, to)
	names, err := b.list()
	if err != nil {
		return err
	}
	// Where the clock was ahead, there are copies with later names than this one's. They are older.
	if i := slices.Index(names, filepath.Base(to)) + 1; i > 0 {
		names = slices.Concat(names[i:], names[:i])
	}
	errs := []error{fsync.Sweep(b.folder, isBackup)}
	for _, name := range names[:max(0, len(names)-b.keep)] {
		errs = append(errs, os.Remove(filepath.Join(b.folder, name)))
	}
	return errors.Join(errs...)
}

// list returns the names of the backups, sorted. Files with other names are not ours.
func (b *backups) list() (names []string, err error) {
	all, err := os.ReadDir(b.folder)
	for _, e := range all {
		if isBackup(e.Name()) && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, err
}

func isBackup(name string) bool {
	_, err := time.Parse(backupName, name)
	return err == nil
}
