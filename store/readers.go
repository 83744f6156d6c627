package store

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"boneyard/lobby"
)

// readers are connections for reading, with a time limit for each query and the wait for a connection.
type readers struct {
	*sql.DB
	limit time.Duration
	asked func(ctx context.Context, change bool) error // see Options.Asked

	mu       sync.Mutex
	prepared map[string]*sql.Stmt // few: queries contain neither typed text nor lists of arguments
}

func newReaders(db *sql.DB, o Options) *readers {
	return &readers{DB: db, limit: o.QueryTime, asked: o.Asked, prepared: map[string]*sql.Stmt{}}
}

// prepare returns the statement of a query. It is cached: SQLite parses most queries longer than it runs
// them.
func (r *readers) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	r.mu.Lock()
	s := r.prepared[query]
	r.mu.Unlock()
	if s != nil {
		return s, nil
	}
	made, err := r.DB.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.prepared[query]; s != nil { // somebody else was faster
		return s, made.Close()
	}
	r.prepared[query] = made
	return made, nil
}

// QueryContext and QueryRowContext make readers a queryer.
func (r *readers) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := r.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

func (r *readers) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if s, err := r.prepare(ctx, query); err == nil {
		return s.QueryRowContext(ctx, args...)
	}
	return r.DB.QueryRowContext(ctx, query, args...) // which returns the error
}

// reading returns the context of one query. Only readers have a time limit, transactions have none.
func reading(ctx context.Context, db queryer) (context.Context, context.CancelFunc, error) {
	r, ok := db.(*readers)
	if !ok {
		return ctx, func() {}, nil
	}
	if r.asked != nil {
		if err := r.asked(ctx, false); err != nil {
			return nil, nil, err
		}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, r.limit, lobby.ErrSlow)
	return ctx, cancel, nil
}

// slow turns the error of a query that took too long into lobby.ErrSlow.
func slow(ctx context.Context, err error) error {
	if err != nil && context.Cause(ctx) == lobby.ErrSlow {
		return lobby.ErrSlow
	}
	return err
}

// each runs a query and calls do for each row.
func each(ctx context.Context, db queryer, do func(scanner) error, query string, args ...any) error {
	ctx, cancel, err := reading(ctx, db)
	if err != nil {
		return err
	}
	defer cancel()
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return slow(ctx, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows.Scan); err != nil {
			return err
		}
	}
	return slow(ctx, rows.Err())
}

// collect runs a query and makes a value of each row.
func collect[T any](ctx context.Context, db queryer, make func(scanner) (T, error), query string, args ...any) ([]T, error) {
	var all []T
	err := each(ctx, db, func(scan scanner) error {
		v, err := make(scan)
		all = append(all, v)
		return err
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// column is collect for a query of one column.
func column[T any](ctx context.Context, db queryer, query string, args ...any) ([]T, error) {
	return collect(ctx, db, func(scan scanner) (v T, err error) { return v, scan(&v) }, query, args...)
}

// one is collect for a query of one row. It returns sql.ErrNoRows if there is none.
func one[T any](ctx context.Context, db queryer, make func(scanner) (T, error), query string, args ...any) (v T, err error) {
	all, err := collect(ctx, db, make, query, args...)
	switch {
	case err != nil:
		return v, err
	case len(all) == 0:
		return v, sql.ErrNoRows
	}
	return all[0], nil
}

// scanRow runs a query and scans its first row. It returns sql.ErrNoRows if there is none.
func scanRow(ctx context.Context, db queryer, to []any, query string, args ...any) error {
	ctx, cancel, err := reading(ctx, db)
	if err != nil {
		return err
	}
	defer cancel()
	return slow(ctx, db.QueryRowContext(ctx, query, args...).Scan(to...))
}
