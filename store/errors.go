package store

import (
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"boneyard/table"
)

const toGoOn = "keep a copy of all these files; then restore the newest backup, or save what can be read with " +
	"\"boneyard backup --salvage\" and restore that"

var (
	// ErrInUse is returned when another process owns the data file.
	ErrInUse = errors.New("another server uses this data file")
	// ErrDamaged is returned when the data file is not a sound database. Its text says how to restore.
	ErrDamaged = errors.New("the data file is damaged; to restore: stop every program that uses it, move it away together with " +
		"the files of the same name that end in -wal, -shm and .mark, copy the newest backup to its place, and run check on it")
	// ErrLog is returned when the log beside the data file is damaged or another file's. Its text says what to do.
	ErrLog = errors.New("the log of the data file, which ends in -wal, cannot be trusted, and the latest changes are in it; " + toGoOn)
	// ErrBehind is returned when something is missing that was acknowledged. Its text says what to do.
	ErrBehind = errors.New("the data file lacks the latest changes; if an older copy was put in its place on purpose, move the file " +
		"of the same name that ends in .mark away; if not: " + toGoOn)
	// ErrMissing is returned when the data file is empty or missing, and its log or its mark is.
	ErrMissing = errors.New("the data file is empty or missing, but files of the same name that end in -wal or .mark are there: put it back, " +
		"or restore a backup; for a new club, move them away")
	// ErrNoRoom is returned when a file cannot be read without files beside it that cannot be made.
	ErrNoRoom = errors.New("the data file has a log, and reading it needs a file beside it that cannot be created here; copy the data file and " +
		"the one that ends in -wal to a folder that you may write to")
	// ErrSwapped is the reason for ending the process when the data file was removed, cut or replaced while it was in use.
	ErrSwapped = errors.New("the data files are no longer those that the server writes to; nothing more will be acknowledged")
	// ErrUnreadable is returned when the disk gave an error: the data may be sound.
	ErrUnreadable = errors.New("the disk could not read the data file just now, which does not mean that the file is damaged: look at the disk and the " +
		"system's log, and try again before anything is restored")
	// ErrForeign is returned when the data file is a database of something else.
	ErrForeign = errors.New("the file is a database, but not a domino club's")
	// ErrNewer is returned when a newer version of the program has written the data file.
	ErrNewer = errors.New("the data file was written by a newer version of this program; run that one")
	// ErrOlder is returned when the data file lacks what this version needs and may not be changed now.
	ErrOlder = errors.New("the data file was written by an older version of this program; start the server once to bring it up to date")
	// ErrClosed is returned after Close. It is also table.ErrUnavailable.
	ErrClosed = fmt.Errorf("the store is closed: %w", table.ErrUnavailable)
)

// code is SQLite's extended result code in err, 0 if there is none.
func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

// translate gives the errors of the database their meaning for callers: what may be tried again is
// table.ErrUnavailable, what shows a damaged file is ErrDamaged too. Others come back as they are.
func translate(err error) error {
	if damaged(err) {
		return fmt.Errorf("%w (%w)", table.ErrUnavailable, damage(err))
	}
	switch code(err) & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED,
		sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_PROTOCOL:
		return fmt.Errorf("%w (%w)", table.ErrUnavailable, err)
	}
	return err
}

// damage is translate for those who only open a file: ErrDamaged if it is none that can be read.
func damage(err error) error {
	switch c := code(err); {
	case errors.Is(err, ErrDamaged), errors.Is(err, ErrUnreadable): // says so already
	case damaged(err):
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	case c&0xff == sqlite3.SQLITE_IOERR:
		return fmt.Errorf("%w (%w)", ErrUnreadable, err)
	}
	return err
}

// damaged reports whether an error of SQLite says that a file is no sound database. The full-text index tells of a page that is not its own as
// of a fault in the statement.
func damaged(err error) bool {
	c := code(err)
	return damagedCode(c) || c == sqlite3.SQLITE_ERROR && strings.Contains(err.Error(), "invalid fts5 file format")
}

func damagedCode(c int) bool {
	return c&0xff == sqlite3.SQLITE_CORRUPT || c&0xff == sqlite3.SQLITE_NOTADB
}

// ownFault reports whether err is the fault of one request only: the transaction is as it was before the statement. All
// other errors of the database concern whoever shares the transaction.
func ownFault(err error) bool {
	switch code(err) & 0xff {
	case 0, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_RANGE, sqlite3.SQLITE_ERROR:
		return true
	}
	return false
}

// taken reports whether err is a name or number that must be unique and is not.
func taken(err error) bool {
	switch code(err) {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return true
	}
	return false
}

// lostSync reports whether the operating system could not say that what was written is on the disk.
func lostSync(err error) bool {
	switch code(err) {
	case sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC:
		return true
	}
	return false
}
