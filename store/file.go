package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// applicationID marks our files in their header ("bone"), so that nobody's other database is taken for one.
const applicationID = 0x626f6e65

// mode is what a connection may do.
type mode string

const (
	readWrite mode = "rwc"
	readOnly  mode = "ro"
	inMemory  mode = "memory" // no file; each connection has a database of its own
)

// dsn is how connections to a file are opened. The pragmas stand here, not in statements, or they would reach one
// connection of a pool only.
func dsn(path string, m mode, vfs string) string {
	q := url.Values{
		"mode":          {string(m)},
		"_txlock":       {"immediate"}, // a transaction that turns into a writer half-way fails with BUSY
		"_dqs":          {"0"},
		"_error_rc":     {"1"},
		"_busy_timeout": {"5000"}, // ms; for programs beside us, such as a backup's
		"_foreign_keys": {"on"},
		"_journal_mode": {"WAL"},
		"_synchronous":  {"FULL"}, // a commit is on the disk, not in its cache
	}
	if m != readOnly {
		q["_pragma"] = append(q["_pragma"],
			"cache_size(-16384)",           // KiB; there is one writer
			"wal_autocheckpoint(0)",        // the writer does it, and looks at the result
			"journal_size_limit(67108864)") // bytes the log keeps after a burst
	} else {
		q.Del("_journal_mode")
	}
	if vfs != "" {
		q.Set("vfs", vfs)
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: q.Encode()}).String()
}

// driverName is the driver of all connections. A test puts one before it that takes down the queries.
var driverName = "sqlite"

// openPool opens connections to a file.
func openPool(path string, m mode, vfs string, conns int) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open(driverName, dsn(abs, m, vfs))
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

// checkHeader reports whether the file is ours: ErrForeign, ErrDamaged. A file without any table is ours to fill.
func checkHeader(ctx context.Context, db queryer) error {
	var id, tables int
	err := db.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)`).Scan(&id, &tables)
	if err != nil {
		return damage(err)
	}
	if id != applicationID && (id != 0 || tables > 0) {
		return ErrForeign
	}
	return nil
}

// checkPages looks through the whole file for what a torn write, a bad disk or a careless copy leaves behind, and gives
// at most ten findings. It does not compare indexes with their tables unless whole is set.
func checkPages(ctx context.Context, db queryer, whole bool) ([]string, error) {
	pragma := "quick_check"
	if whole {
		pragma = "integrity_check"
	}
	rows, err := db.QueryContext(ctx, "PRAGMA "+pragma+"(10)")
	if err != nil {
		return nil, damage(err)
	}
	defer rows.Close()
	var found []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		if s != "ok" {
			found = append(found, strings.TrimSpace(s))
		}
	}
	if err := rows.Err(); err != nil {
		return nil, damage(err)
	}
	return found, nil
}

// checkSound is checkPages for those who only go on with a sound file: ErrDamaged. It is done at every start: 250 MB, or
// 40,000 games, take 1.4 s, and a server that goes on with a broken file breaks more of it.
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

// openExisting opens a file to read it, whether a server uses it or not: fs.ErrNotExist, ErrForeign, ErrNewer,
// ErrOlder, ErrDamaged.
func openExisting(ctx context.Context, path string) (*sql.DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	db, err := openPool(path, readOnly, "", 1)
	if err != nil {
		return nil, err
	}
	if err := checkHeader(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	have, want, err := versions(ctx, db)
	switch {
	case err != nil:
	case have > want:
		err = ErrNewer
	case have < want:
		err = ErrOlder
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
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
