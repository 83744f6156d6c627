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

// backups makes backups of a data file at intervals.
type backups struct {
	data   string
	folder string
	every  time.Duration
	keep   int // how many to keep; see spare

	now       func() time.Time
	out, errs io.Writer
}

// backupName is the name of automatic backups: sorted by name, they are in order of time.
const backupName = "boneyard-20060102T150405.000Z.db"

// run makes the first backup at once. It reports errors and tries again, until ctx ends.
func (b *backups) run(ctx context.Context) error {
	const tryAgain = 10 * time.Minute // the longest wait after a failed backup: the disk may be full only for a while
	if err := os.MkdirAll(b.folder, 0o700); err != nil {
		return err
	}
	for wait := time.Duration(0); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		begun, next := b.now(), b.every
		if err := b.once(ctx, begun); err != nil && ctx.Err() == nil {
			fmt.Fprintf(b.errs, programName+": %v\n", err)
			next = min(next, tryAgain)
		}
		wait = max(0, next-b.now().Sub(begun))
	}
}

// once makes a backup, and then removes those that are too many: never for a backup that could not be made. What one that was
// killed has left goes first, or it might leave no room for any.
func (b *backups) once(ctx context.Context, now time.Time) error {
	to := filepath.Join(b.folder, now.UTC().Format(backupName))
	errs := []error{fsync.Sweep(b.folder, isBackup)}
	if err := store.Backup(ctx, b.data, to, nil); err != nil {
		return errors.Join(append(errs, err)...)
	}
	fmt.Fprintf(b.out, "%s: copied to %s\n", b.data, to)
	names, err := b.list()
	if err != nil {
		return err
	}
	// If the clock was ahead, copies with later names than this one's are older.
	if i := slices.Index(names, filepath.Base(to)) + 1; i > 0 {
		names = slices.Concat(names[i:], names[:i])
	}
	for len(names) > b.keep {
		i := b.spare(names)
		errs = append(errs, os.Remove(filepath.Join(b.folder, names[i])))
		names = slices.Delete(names, i, i+1)
	}
	return errors.Join(errs...)
}

// spare returns the index of the next backup to remove, of names from oldest to newest: the first soon
// followed by another, so that a restarting service does not leave only the last minutes; else the oldest.
func (b *backups) spare(names []string) int {
	for i := range names[1:] {
		at, _ := time.Parse(backupName, names[i]) // isBackup has parsed it
		next, _ := time.Parse(backupName, names[i+1])
		if apart := next.Sub(at); apart >= 0 && apart < b.every/2 {
			return i
		}
	}
	return 0
}

// list returns the names of the backups, sorted. It ignores files with other names.
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
