package store

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"time"

	"github.com/pressly/goose/v3"
	sqlite3 "modernc.org/sqlite/lib"

	"boneyard/table"
)

//go:embed migrations/*.sql
var migrations embed.FS

// provider applies whatever a file lacks: numbers are given out by subject, and none relies on a higher one.
func provider(db *sql.DB) (*goose.Provider, error) {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectSQLite3, db, sub, goose.WithDisableGlobalRegistry(true), goose.WithAllowOutofOrder(true), goose.WithSlog(slog.New(slog.DiscardHandler)),
		goose.WithGoMigrations(goose.NewGoMigration(41, &goose.GoFunc{RunTx: indexBeginnings}, nil)))
}

// versions gives the schema's version in the file, 0 for an empty file, and the one that this program knows. ErrDamaged.
func versions(ctx context.Context, db *sql.DB) (have, want int64, err error) {
	p, err := provider(db)
	if err != nil {
		return 0, 0, err
	}
	for _, s := range p.ListSources() {
		want = max(want, s.Version)
	}
	var first int
	err = db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0), count(*) FILTER (WHERE version_id = 0) FROM goose_db_version WHERE is_applied`).Scan(&have, &first)
	if code(err) == sqlite3.SQLITE_ERROR { // no such table: nothing has been migrated yet
		return 0, want, nil
	}
	if err == nil && first == 0 { // the table is made with this row
		return 0, want, fmt.Errorf("%w (its version cannot be read)", ErrDamaged)
	}
	return have, want, damage(err)
}

// isUpToDate reports whether a file lacks no migration. Numbers are not given out in order, so that the highest says nothing.
func isUpToDate(ctx context.Context, db *sql.DB) (bool, error) {
	p, err := provider(db)
	if err != nil {
		return false, err
	}
	applied, err := collect(ctx, db, func(scan scanner) (v int64, err error) { return v, scan(&v) },
		`SELECT version_id FROM goose_db_version WHERE is_applied`)
	for _, s := range p.ListSources() {
		if !slices.Contains(applied, s.Version) {
			return false, err
		}
	}
	return true, err
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

// indexBeginnings rebuilds the index of words, with the beginnings of words (see indexWords): migration 41. It cannot be
// said in SQL.
func indexBeginnings(ctx context.Context, tx *sql.Tx) error {
	for _, change := range []string{
		`DROP TABLE game_words`,
		`CREATE VIRTUAL TABLE game_words USING fts5 (words, content='', columnsize=0, tokenize="unicode61 remove_diacritics 2 tokenchars '-_'")`,
	} {
		if _, err := tx.ExecContext(ctx, change); err != nil {
			return err
		}
	}
	insert, err := tx.PrepareContext(ctx, insertWords)
	if err != nil {
		return err
	}
	defer insert.Close()
	const some = 500
	for last := int64(0); ; {
		page, err := collect(ctx, tx, func(scan scanner) (g struct {
			id    int64
			words string
		}, err error) {
			var rules string
			var seats []byte
			var tags [2]string
			var started time.Time
			if err := scan(&g.id, &rules, &seats, &tags[0], &tags[1], timeOf{&started}); err != nil {
				return g, err
			}
			var players []table.Player
			err = json.Unmarshal(seats, &players)
			g.words = indexWords(rules, players, tags, started)
			return g, err
		}, `SELECT id, rules, seats, tag1, tag2, started FROM games WHERE id > ? ORDER BY id LIMIT ?`, last, some)
		if err != nil {
			return err
		}
		for _, g := range page {
			if _, err := insert.ExecContext(ctx, g.id, g.words); err != nil {
				return err
			}
			last = g.id
		}
		if len(page) < some {
			return nil
		}
	}
}
