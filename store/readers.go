package store

import (
	"context"
	"database/sql"
	"time"

	"boneyard/lobby"
)

// readers are connections for reading, and how long a query on them may take, the wait for a free one included.
type readers struct {
	*sql.DB
	limit time.Duration
}

// reading returns the context of one query. What is no reader, such as a transaction, has no limit.
func reading(ctx context.Context, db queryer) (context.Context, context.CancelFunc) {
	if r, ok := db.(*readers); ok {
		return context.WithTimeoutCause(ctx, r.limit, lobby.ErrSlow)
	}
	return ctx, func() {}
}

// slow turns the error of a query that took too long into lobby.ErrSlow.
func slow(ctx context.Context, err error) error {
	if err != nil && context.Cause(ctx) == lobby.ErrSlow {
		return lobby.ErrSlow
	}
	return err
}

// collect runs a query and makes a value of each row.
func collect[T any](ctx context.Context, db queryer, make func(scanner) (T, error), query string, args ...any) ([]T, error) {
	ctx, cancel := reading(ctx, db)
	defer cancel()
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, slow(ctx, err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		v, err := make(rows.Scan)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, slow(ctx, rows.Err())
}

// scanRow runs a query and scans its first row: sql.ErrNoRows without one.
func scanRow(ctx context.Context, db queryer, to []any, query string, args ...any) error {
	ctx, cancel := reading(ctx, db)
	defer cancel()
	return slow(ctx, db.QueryRowContext(ctx, query, args...).Scan(to...))
}
