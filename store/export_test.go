package store

import (
	"context"
	"fmt"
)

// WithVFS makes SQLite use another file system.
func (o Options) WithVFS(name string) Options {
	o.vfs = name
	return o
}

// Hold keeps the writer busy with a group of one until release is closed. It returns when the writer is held.
func (s *Store) Hold(release <-chan struct{}) (done <-chan error) {
	held, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- s.writer.do(context.Background(), func(*tx) error {
			close(held)
			<-release
			return nil
		})
	}()
	<-held
	return ended
}

// LimitPages makes the disk seem full when the file has so many pages more than now.
func (s *Store) LimitPages(more int) error {
	return s.writer.do(context.Background(), func(tx *tx) error {
		var pages int
		if err := tx.queryRow(`PRAGMA page_count`).Scan(&pages); err != nil {
			return err
		}
		return tx.queryRow(fmt.Sprintf(`PRAGMA max_page_count = %d`, pages+more)).Scan(&pages)
	})
}
