package store

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

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
	// ErrLog is returned when the log is damaged or another data file's. Its text says what to do.
	ErrLog = errors.New("the log of the data file, which ends in -wal, cannot be trusted, and the latest changes are in it; " + toGoOn)
	// ErrBehind is returned when acknowledged changes are missing. Its text says what to do.
	ErrBehind = errors.New("the data file lacks the latest changes; if an older copy was put in its place on purpose, move the file " +
		"of the same name that ends in .mark away; if not: " + toGoOn)
	// ErrForked is returned when a server may have continued the data file under another name, with another
	// log. Its text says what to do.
	ErrForked = errors.New("the data file was used under another name, or was copied without its log, so that moves " +
		"may stand elsewhere: start the server " +
		"by the name by which it ran last, with the files of the same name that end in -wal and .mark; to go on with " +
		"what this file has, make a " +
		"copy with \"boneyard backup --salvage\" and start on that")
	// ErrMissing is returned when the data file is empty or missing, but its log or mark is there.
	ErrMissing = errors.New("the data file is empty or missing, but files of the same name that end in -wal or .mark " +
		"are there: put it back, " +
		"or restore a backup; for a new club, move them away")
	// ErrNoRoom is returned when reading a file needs files beside it that cannot be created.
	ErrNoRoom = errors.New("the data file has a log, and reading it needs a file beside it that cannot be created " +
		"here; copy the data file and " +
		"the one that ends in -wal to a folder that you may write to")
	// ErrSwapped is the reason for ending the process when the data file was removed, cut or replaced while it was in use.
	ErrSwapped = errors.New("the data files are no longer those that the server writes to; nothing more will be acknowledged")
	// ErrUnreadable is returned when a file could not be opened, read or written; the data may be sound.
	ErrUnreadable = errors.New("the data file could not be read or written just now, which does not mean that it is " +
		"damaged: look at the disk and the " +
		"system's log, and try again before anything is restored")
	// ErrFull is returned when SQLite could not write something for lack of room.
	ErrFull = errors.New("the disk seems to be full, or a quota used up; nothing is lost: make room, and try again")
	// ErrNoPermission is returned when this account may not read or write a file. Its text says what to do.
	ErrNoPermission = errors.New("this account may not read or write one of the files, or their folder: run as the account that " +
		"owns them, or change their owner or mode")
	// ErrLocked is returned when a program other than our server keeps the data file locked.
	ErrLocked = errors.New("another program keeps the data file locked, such as a shell of SQLite or a backup; " +
		"let it finish or end it, and try again")
	// ErrForeign is returned when the data file is another program's database.
	ErrForeign = errors.New("the file is a database, but not a domino club's")
	// ErrNewer is returned when a newer version of the program has written the data file.
	ErrNewer = errors.New("the data file was written by a newer version of this program; run that one")
	// ErrClosed is returned after Close. It is also table.ErrUnavailable.
	ErrClosed = fmt.Errorf("the store is closed: %w", table.ErrUnavailable)
)

// code returns SQLite's extended result code in err, or 0.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code()
	}
	return 0
}

// translate marks errors after which a call may be tried again as table.ErrUnavailable.
func translate(err error) error {
	err = glance(err)
	if errors.Is(err, table.ErrUnavailable) || !isVerdict(err) && !couldNot(err) {
		return err
	}
	return unavailable(err)
}

// unavailable marks an error of the database as table.ErrUnavailable.
func unavailable(err error) error {
	if code(err) == sqlite3.SQLITE_IOERR_WRITE { // SQLite recognizes no reason but a full disk
		err = fmt.Errorf("%w: a write failed, as where a quota is used up or a disk is broken", err)
	}
	return fmt.Errorf("%w (%w)", table.ErrUnavailable, err)
}

// during translates an error for callers and says what was being done; nil stays nil.
func during(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), translate(err))
}

// glance turns signs of damage seen once into ErrUnreadable: only a second look may call a file damaged.
func glance(err error) error {
	if damaged(err) && !isVerdict(err) {
		return fmt.Errorf("%w (%w)", ErrUnreadable, err)
	}
	return err
}

// judge classifies the error of examining a file. There are three answers: nil, the file is fine; a verdict,
// it is not, or not ours; ErrUnreadable, ErrFull, ErrNoPermission or ErrLocked, it could not be examined.
func judge(err error) error {
	switch {
	case err == nil, isVerdict(err), unseen(err):
		return err
	case code(err)&0xff == sqlite3.SQLITE_BUSY:
		return fmt.Errorf("%w (%w)", ErrLocked, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w (%w)", ErrNoPermission, err)
	case damaged(err):
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	case noRoom(err):
		return fmt.Errorf("%w (%w)", ErrFull, err)
	case couldNot(err):
		return fmt.Errorf("%w (%w)", ErrUnreadable, err)
	}
	return err
}

func again(err error) error {
	if damaged(err) || errors.Is(err, table.ErrUnavailable) {
		return err // translate says so
	}
	return unavailable(err)
}

// answer classifies the error of a write as journals promise: without table.ErrUnavailable it is final,
// because the data to be written is at fault. A statement that the database does not understand is not final:
// the program or the file is at fault.
func answer(err error) error {
	if err != nil && code(err)&0xff == sqlite3.SQLITE_ERROR {
		return again(err)
	}
	return err
}

// isVerdict reports whether an error says that a file is not fine, or not ours.
func isVerdict(err error) bool {
	verdicts := []error{ErrDamaged, ErrLog, ErrBehind, ErrForked, ErrMissing, ErrSwapped, ErrForeign, ErrNewer}
	return slices.ContainsFunc(verdicts, func(v error) bool { return errors.Is(err, v) })
}

// unseen reports whether an error says that a file could not be examined, and so nothing about it.
func unseen(err error) bool {
	states := []error{ErrUnreadable, ErrFull, ErrNoPermission, ErrLocked}
	return slices.ContainsFunc(states, func(s error) bool { return errors.Is(err, s) })
}

// twice repeats a check that finds fault, since a read that fails halfway may look like damage.
func twice(look func() error) error {
	err := judge(look())
	if isVerdict(err) {
		err = judge(look())
	}
	return err
}

// couldNot reports whether an error says that something could not be done, and nothing about the file.
func couldNot(err error) bool {
	switch code(err) & 0xff {
	case 0:
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED,
		sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_PROTOCOL:
		return true
	default:
		return false
	}
	var failed syscall.Errno
	return errors.Is(err, ErrUnreadable) || errors.As(err, &failed) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist)
}

// noRoom reports whether an error says that the disk is full or a quota used up, as far as SQLite tells.
func noRoom(err error) bool {
	c := code(err)
	return c == sqlite3.SQLITE_FULL || c == sqlite3.SQLITE_IOERR_WRITE || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// damaged reports whether an error of SQLite says that a file is not a sound database. The full-text index
// reports a page that is not its own like a fault in the statement.
func damaged(err error) bool {
	c := code(err)
	return damagedCode(c) || c == sqlite3.SQLITE_ERROR && strings.Contains(err.Error(), "invalid fts5 file format")
}

func damagedCode(c int) bool {
	return c&0xff == sqlite3.SQLITE_CORRUPT || c&0xff == sqlite3.SQLITE_NOTADB
}

// ownFault reports whether err is the fault of one request only: the transaction is as it was before the
// statement. All other errors of the database concern every request in the transaction.
func ownFault(err error) bool {
	if errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) {
		return false
	}
	switch code(err) & 0xff {
	case 0, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_RANGE, sqlite3.SQLITE_ERROR:
		return true
	}
	return false
}

// taken reports whether err says that a name or number that must be unique is taken.
func taken(err error) bool {
	switch code(err) {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return true
	}
	return false
}

// lostSync reports whether the operating system could not confirm that data is on disk.
func lostSync(err error) bool {
	switch code(err) {
	case sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC:
		return true
	}
	return false
}
