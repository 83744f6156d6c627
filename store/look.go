package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
)

// Look opens a data file to read it, whether a server has it open or not, and changes nothing. Whatever would
// change the file must not be called on the Store. A file that cannot be trusted is refused, as by [Open]. Of
// a file of an older program, a copy is read that has been brought up to date.
func Look(ctx context.Context, path string) (*Store, error) {
	path, done, err := upToDate(ctx, path)
	var db *sql.DB
	if err == nil {
		db, err = openExisting(ctx, path)
	}
	if err != nil {
		done()
		return nil, fmt.Errorf("read %s: %w", path, judge(err))
	}
	r := newReaders(db, DefaultOptions())
	return &Store{read: r, entrance: r, close: sync.OnceValue(func() error {
		defer done()
		return db.Close()
	})}, nil
}
