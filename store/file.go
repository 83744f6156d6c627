package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"boneyard/lobby/text"
	"boneyard/store/fsync"
)

// applicationID marks our files in their header ("bone"), so that no other database is mistaken for one.
const applicationID = 0x626f6e65

// busyTimeout is how many milliseconds a connection waits for other programs, such as a backup.
const busyTimeout = 5000

type mode string

const (
	readWrite mode = "rwc"
	readOnly  mode = "ro"
	inMemory  mode = "memory" // no file; each connection has a database of its own
	alone     mode = "alone"  // read-only, ignoring the log, without locks
	plain     mode = "rw"     // to change a copy that nobody else uses
)

// dsn returns the data source name for connections to a file. The pragmas are in it because a statement would
// reach only one connection of a pool.
func dsn(path string, m mode) string {
	q := url.Values{
		"mode":          {string(m)},
		"_txlock":       {"immediate"}, // a transaction that begins to write half-way fails with BUSY
		"_dqs":          {"0"},
		"_error_rc":     {"1"},
		"_busy_timeout": {strconv.Itoa(busyTimeout)},
		"_foreign_keys": {"on"},
		"_journal_mode": {"WAL"},
		"_synchronous":  {"FULL"}, // a commit is on the disk, not in its cache
	}
	switch m {
	case alone:
		q.Set("mode", string(readOnly))
		q.Set("immutable", "1")
		q.Del("_journal_mode")
	case readOnly, plain:
		q.Del("_journal_mode")
	default:
		q["_pragma"] = append(q["_pragma"],
			"cache_size(-16384)",           // KiB; there is one writer
			"wal_autocheckpoint(0)",        // the writer does it, and checks the result
			"journal_size_limit(67108864)") // bytes the log keeps after a burst
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: q.Encode()}).String()
}

// driverName is the driver of all connections. A test replaces it with one that records queries.
var driverName = "sqlite"

func openPool(path string, m mode, conns int) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open(driverName, dsn(abs, m))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

// queryer is a connection, a pool of them, or a transaction.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// checkHeader returns ErrForeign or ErrDamaged unless the file is ours. We may fill one without tables.
func checkHeader(ctx context.Context, db queryer) error {
	var id, tables, versioned int
	err := db.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema),
		(SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version')`).Scan(&id, &tables, &versioned)
	if err != nil {
		return judge(err)
	}
	if id != applicationID && (id != 0 || tables > 0) {
		return ErrForeign
	}
	if tables > 0 && versioned == 0 {
		return fmt.Errorf("%w (its schema is incomplete)", ErrDamaged)
	}
	return nil
}

// checkPages checks the whole file for damage by a torn write, a bad disk or a careless copy, and returns at
// most ten findings. It compares indexes with their tables only if whole is set.
func checkPages(ctx context.Context, db queryer, whole bool) ([]string, error) {
	pragma := "quick_check"
	if whole {
		pragma = "integrity_check"
	}
	found, err := column[string](ctx, db, "PRAGMA "+pragma+"(10)")
	if err != nil {
		return nil, judge(err)
	}
	found = slices.DeleteFunc(text.Each(found, strings.TrimSpace), func(s string) bool { return s == "ok" })
	for _, s := range found {
		if m := pageError.FindStringSubmatch(s); m != nil {
			if c, _ := strconv.Atoi(m[1]); !damagedCode(c) {
				return nil, fmt.Errorf("%w (%s)", ErrUnreadable, s)
			}
		}
	}
	return found, nil
}

// pageError matches SQLite's message that a page could not be read, with the cause: a failing disk does not
// mean that the page is damaged.
var pageError = regexp.MustCompile(`error code=(\d+)`)

// checkSound is checkPages with ErrDamaged for any finding: writing to a broken file makes it worse.
func checkSound(ctx context.Context, db queryer) error {
	found, err := checkPages(ctx, db, false)
	if err != nil {
		return err
	}
	if len(found) > 0 {
		return fmt.Errorf("%w (%s)", ErrDamaged, strings.Join(found, "; "))
	}
	return nil
}

// openExisting opens a file for reading, even while a server uses it. It returns fs.ErrNotExist, ErrMissing,
// ErrForeign, ErrNewer, ErrDamaged, ErrLog, ErrBehind or ErrForked.
func openExisting(ctx context.Context, path string) (*sql.DB, error) {
	db, lacks, err := openReadable(ctx, path)
	if err == nil && lacks != nil {
		return nil, errors.Join(lacks, db.Close())
	}
	return db, err
}

// openReadable opens a file to read what can be read. If not all can, lacks is ErrLog, ErrBehind or
// ErrForked.
func openReadable(ctx context.Context, path string) (db *sql.DB, lacks, err error) {
	if path, err = realPath(path); err != nil {
		return nil, nil, err
	}
	if err := checkThere(path); err != nil {
		return nil, nil, err
	}
	l, err := lookAt(ctx, path, openToLook)
	return l.db, l.lacks, err
}

// realPath follows symbolic links: the other files are beside the one that SQLite opens.
func realPath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%w: %s is a symbolic link to nothing", ErrMissing, path)
	}
	return path, nil
}

// checkThere returns fs.ErrNotExist if there is no data file, or ErrMissing if only its log or mark is there.
func checkThere(path string) error {
	data, err := fsync.Stat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || err == nil && data.Size() > 0 {
		return err
	}
	log, failed := hasLog(path)
	m, unread := readMark(path)
	switch {
	case failed != nil || unread != nil:
		return errors.Join(failed, unread)
	case log || m.commits > 0:
		return fmt.Errorf("%w: %s", ErrMissing, path)
	}
	return err
}

// look is what is known of a file that can be trusted.
type look struct {
	db     *sql.DB // that read it
	mark   mark    // in the file
	beside mark
	schema schema
	lacks  error // why something is missing: ErrLog, ErrBehind, ErrForked
}

// lookAt examines a file without changing it or its log. The error says why the file cannot be trusted
// (ErrForeign, ErrNewer, ErrDamaged) or could not be examined (ErrUnreadable, ErrFull, ErrNoPermission, ErrLocked).
func lookAt(ctx context.Context, path string, open opener) (l look, err error) {
	if l.beside, err = readMark(path); err != nil {
		return l, err
	}
	own, ownOK, log, lacks, err := checkLog(ctx, path)
	if code(err)&0xff == sqlite3.SQLITE_CANTOPEN {
		f, why := fsync.Open(path) // SQLite does not say why
		if why == nil {
			why = errors.Join(err, f.Close())
		}
		return l, why
	}
	if err != nil {
		return l, err
	}
	if lacks != nil && ownOK && checkLink(ctx, path, own, log) != nil {
		// SQLite would lay the log's pages over the file's, which are of another moment.
		open = func(context.Context, string) (*sql.DB, error) { return openPool(path, alone, 1) }
	}
	if l.db, err = open(ctx, path); err != nil {
		return look{}, errors.Join(lacks, err)
	}
	err = checkHeader(ctx, l.db)
	if err == nil {
		l.schema, err = schemaOf(ctx, l.db)
	}
	if err == nil && len(l.schema.unknown) > 0 {
		err = fmt.Errorf("%w (it has migration %d, which this program does not know)", ErrNewer, l.schema.unknown[0])
	}
	if err == nil {
		l.mark, err = markIn(ctx, l.db)
	}
	if err != nil {
		return look{}, errors.Join(lacks, judge(err), l.db.Close())
	}
	if l.lacks = lacks; lacks == nil {
		l.lacks = checkMark(l.beside, own, ownOK, l.mark, log)
	}
	return l, nil
}

type opener func(ctx context.Context, path string) (*sql.DB, error)

// openToLook opens a file for reading, even while a server uses it. Where the files beside it can be neither
// created nor changed, SQLite reads the data file alone, which is correct if there is no log.
func openToLook(ctx context.Context, path string) (*sql.DB, error) {
	db, err := openPool(path, readOnly, 1)
	if err != nil {
		return nil, err
	}
	_, err = db.ExecContext(ctx, `PRAGMA schema_version`)
	switch c := code(err); {
	case c&0xff == sqlite3.SQLITE_CANTOPEN, c&0xff == sqlite3.SQLITE_READONLY, c == sqlite3.SQLITE_IOERR_SHMSIZE: // the disk is full
	default:
		return db, nil // its first use returns what is wrong
	}
	db.Close()
	if has, failed := hasLog(path); failed != nil {
		return nil, failed
	} else if !has {
		return openPool(path, alone, 1)
	}
	return nil, fmt.Errorf("%w (%w)", ErrNoRoom, err)
}

// openOwnToLook opens a file that nobody else uses, and creates no files beside it.
func openOwnToLook(ctx context.Context, path string) (*sql.DB, error) {
	has, err := hasLog(path)
	if err != nil {
		return nil, err
	}
	if !has {
		return openPool(path, alone, 1)
	}
	return openPool(path, readOnly, 1)
}

// hasLog reports whether there is a log that is not empty.
func hasLog(path string) (bool, error) {
	log, err := fsync.Stat(logOf(path))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && log.Size() > 0, err
}

// markAsOurs writes the application's number into the file's header, unless it is there.
func markAsOurs(ctx context.Context, db *sql.DB) error {
	var id int
	err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id)
	if err == nil && id != applicationID {
		_, err = db.ExecContext(ctx, "PRAGMA application_id = "+strconv.Itoa(applicationID))
	}
	return err
}
