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
	*statements
	db    *sql.DB
	limit time.Duration
	asked func(ctx context.Context, change bool) error // see Options.Asked
}

func newReaders(db *sql.DB, o Options) *readers {
	return &readers{statements: newStatements(db), db: db, limit: o.QueryTime, asked: o.Asked}
}

// preparer is a connection or a pool of them.
type preparer interface {
	queryer
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// statements make a connection or a pool of them a queryer that prepares each query once: SQLite parses most
// of them longer than it runs them.
type statements struct {
	of preparer

	mu       sync.Mutex
	prepared map[string]*sql.Stmt // few: queries contain neither typed text nor lists of arguments
}

func newStatements(of preparer) *statements {
	return &statements{of: of, prepared: map[string]*sql.Stmt{}}
}

func (p *statements) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	p.mu.Lock()
	s := p.prepared[query]
	p.mu.Unlock()
	if s != nil {
		return s, nil
	}
	made, err := p.of.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.prepared[query]; s != nil { // somebody else was faster
		return s, made.Close()
	}
	p.prepared[query] = made
	return made, nil
}

func (p *statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := p.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

func (p *statements) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if s, err := p.prepare(ctx, query); err == nil {
		return s.QueryRowContext(ctx, args...)
	}
	return p.of.QueryRowContext(ctx, query, args...) // which returns the error
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
			return slow(ctx, err)
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
