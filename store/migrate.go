package store

import (
	"context"
	"database/sql"
	"embed"
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

// provider applies the migrations that a file lacks. Up to 140 they were numbered by subject, so that a file
// may lack one below its highest.
func provider(db *sql.DB) (*goose.Provider, error) {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectSQLite3, db, sub, goose.WithDisableGlobalRegistry(true),
		goose.WithAllowOutofOrder(true), goose.WithSlog(slog.New(slog.DiscardHandler)),
		goose.WithGoMigrations(goose.NewGoMigration(41, &goose.GoFunc{RunTx: indexBeginnings}, nil)))
}

// schema compares a file's migrations with this program's: as sets, since a file may lack any of them.
type schema struct {
	version int64   // the highest in the file; 0 if it is empty
	applied int     // how many the file has
	lacks   []int64 // by the file
	unknown []int64 // to this program
}

// schemaOf reads which migrations a file has. It returns ErrDamaged if they cannot be read.
func schemaOf(ctx context.Context, db *sql.DB) (s schema, err error) {
	p, err := provider(db)
	if err != nil {
		return s, err
	}
	applied, err := column[int64](ctx, db, `SELECT DISTINCT version_id FROM goose_db_version WHERE is_applied ORDER BY version_id`)
	switch {
	case code(err) == sqlite3.SQLITE_ERROR: // no such table: nothing has been migrated yet
	case err != nil:
		return s, judge(err)
	case len(applied) == 0 || applied[0] != 0: // the table is created with this row
		return s, fmt.Errorf("%w (its version cannot be read)", ErrDamaged)
	default:
		s.version, applied = applied[len(applied)-1], applied[1:]
	}
	s.unknown, s.applied = applied, len(applied)
	for _, source := range p.ListSources() {
		if at := slices.Index(s.unknown, source.Version); at >= 0 {
			s.unknown = slices.Delete(s.unknown, at, at+1)
		} else {
			s.lacks = append(s.lacks, source.Version)
		}
	}
	return s, nil
}

// migrate upgrades a file's schema to this program's.
func migrate(ctx context.Context, db *sql.DB) error {
	p, err := provider(db)
	if err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		if part, ok := errors.AsType[*goose.PartialError](err); ok {
			err = part.Err
		}
		return fmt.Errorf("bring the data file up to date: %w", judge(err))
	}
	return nil
}

// indexBeginnings is migration 41, which SQL cannot do: it indexes words by their prefixes (see indexWords).
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
			var players []table.Player
			var tags [2]string
			var started time.Time
			err = scan(&g.id, &rules, asJSON{&players}, &tags[0], &tags[1], timeOf{&started})
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
