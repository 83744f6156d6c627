package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/pressly/goose/v3"
	sqlite3 "modernc.org/sqlite/lib"
)

//go:embed migrations/*.sql
var migrations embed.FS

func provider(db *sql.DB) (*goose.Provider, error) {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectSQLite3, db, sub, goose.WithDisableGlobalRegistry(true), goose.WithSlog(slog.New(slog.DiscardHandler)))
}

// versions gives the schema's version in the file, 0 for an empty file, and the one that this program knows.
func versions(ctx context.Context, db *sql.DB) (have, want int64, err error) {
	p, err := provider(db)
	if err != nil {
		return 0, 0, err
	}
	for _, s := range p.ListSources() {
		want = max(want, s.Version)
	}
	err = db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&have)
	if code(err) == sqlite3.SQLITE_ERROR { // no such table: nothing has been migrated yet
		return 0, want, nil
	}
	return have, want, damage(err)
}

// migrate brings the schema up to this program's version. ErrNewer if it is ahead: then nothing is touched.
func migrate(ctx context.Context, db *sql.DB) error {
	have, want, err := versions(ctx, db)
	if err != nil {
		return err
	}
	if have > want {
		return fmt.Errorf("%w (its schema is %d, this program's %d)", ErrNewer, have, want)
	}
	p, err := provider(db)
	if err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		var part *goose.PartialError
		if errors.As(err, &part) {
			err = part.Err
		}
		return fmt.Errorf("bring the data file up to date: %w", damage(err))
	}
	return nil
}
