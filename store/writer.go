package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"boneyard/table"
)

// writer owns the one connection that writes. Whoever wants something written hands it a function; the writer runs all
// functions that are waiting in one transaction and acknowledges them after the commit. Functions run in the order of
// their arrival, on the writer's goroutine, each within a savepoint: one that fails takes only its own changes back.
type writer struct {
	db       *sql.DB
	guard    *guard
	options  Options
	requests chan request // unbuffered: what has been sent will be answered
	quit     chan struct{}
	done     chan struct{}

	// The rest belongs to the writer's goroutine.
	tx     *tx
	since  int         // requests since the last checkpoint
	due    *time.Timer // for the checkpoint of what has been written since the last one
	broken error       // set for good when a sync has failed, or the file is not there any more
}

type request struct {
	run   func(*tx) error
	reply chan error // of capacity one
}

// Group is what the writer did in one transaction.
type Group struct {
	Requests int           // how many were waiting and were written together
	Took     time.Duration // from the beginning to the end of the transaction
	Err      error         // why none of them was written
}

// tx is the transaction of a group, for functions that run on the writer's goroutine. Statements are prepared once.
type tx struct {
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
	forms map[formKey]*form // see keepForms; nil: rows of the standings are written at once
}

func newWriter(db *sql.DB, g *guard, o Options) *writer {
	w := &writer{db: db, guard: g, options: o, requests: make(chan request), quit: make(chan struct{}), done: make(chan struct{}), due: time.NewTimer(0)}
	w.due.Stop()
	go w.run()
	return w
}

// do hands run to the writer and returns when what it did is on the disk. The error is that of run, or tells that nothing
// of it was written; it is the context's only if run was not begun. After a commit has begun there is no way out before
// its end, because nobody could say what became of it.
func (w *writer) do(ctx context.Context, run func(*tx) error) error {
	r := request{run: run, reply: make(chan error, 1)}
	select {
	case w.requests <- r:
		return <-r.reply
	case <-ctx.Done():
		return ctx.Err()
	case <-w.quit:
		return ErrClosed
	}
}

// close lets the writer finish the group that it is writing, and ends it. Nothing may be handed to it afterwards.
func (w *writer) close() {
	close(w.quit)
	<-w.done
}

func (w *writer) run() {
	defer close(w.done)
	defer w.drop()
	defer w.due.Stop()
	for {
		select {
		case r := <-w.requests:
			w.serve(w.gather(r))
		case <-w.due.C:
			w.checkpoint()
		case <-w.quit:
			return
		}
	}
}

// gather takes along whatever else is waiting now.
func (w *writer) gather(first request) []request {
	group := []request{first}
	for len(group) < w.options.MaxGroup {
		select {
		case r := <-w.requests:
			group = append(group, r)
		default:
			return group
		}
	}
	return group
}

func (w *writer) serve(group []request) {
	start := time.Now()
	errs := make([]error, len(group))
	err := w.commit(group, errs)
	if lostSync(err) {
		w.lost(fmt.Errorf("the disk has not confirmed a write: %w", err))
	}
	if errors.Is(err, ErrSwapped) {
		w.lost(err)
		err = w.broken
	}
	w.options.observe(Group{Requests: len(group), Took: time.Since(start), Err: err})
	for i, r := range group {
		if err != nil {
			errs[i] = err
		}
		r.reply <- translate(errs[i])
	}
	if err != nil {
		return
	}
	if w.since == 0 {
		w.due.Reset(w.options.CheckpointAfter)
	}
	if w.since += len(group); w.since >= w.options.CheckpointEvery {
		w.checkpoint()
	}
}

// lost ends the process: a sync has failed, and going on would be lying. The kernel marks the pages that it could not
// write as clean and forgets them; a second sync succeeds without having written anything. So nobody can say any more
// which of the acknowledged moves the disk has: only reading the file again, after a restart, tells. Should Fatal return,
// the store stays shut. The same goes for files that are not there any more.
func (w *writer) lost(err error) {
	if w.broken != nil {
		return
	}
	w.broken = fmt.Errorf("%w (%w)", err, table.ErrUnavailable)
	w.options.Fatal(w.broken)
}

// commit runs a group in one transaction. An error concerns all of it, and nothing of it is on the disk; otherwise errs
// tells of each request.
func (w *writer) commit(group []request, errs []error) error {
	if w.broken != nil {
		return w.broken
	}
	if err := w.guard.look(); err != nil {
		return err
	}
	if err := w.begin(); err != nil {
		w.drop()
		return err
	}
	for i, r := range group {
		err := w.apply(r, len(group) > 1)
		if err != nil && (len(group) == 1 || !ownFault(err)) {
			w.rollback()
			return err
		}
		errs[i] = err
	}
	if err := w.tx.change(`UPDATE mark SET value = ? WHERE id = 1`, mark{file: w.guard.mark.file, commits: w.guard.mark.commits + 1}.blob()); err != nil {
		w.rollback()
		return err
	}
	if _, err := w.tx.exec(`COMMIT`); err != nil {
		w.rollback()
		return err
	}
	w.guard.committed()
	return w.guard.look() // what was committed to a file that is gone is not there
}

func (w *writer) begin() error {
	if w.tx == nil {
		conn, err := w.db.Conn(context.Background())
		if err != nil {
			return err
		}
		w.tx = &tx{conn: conn, stmts: make(map[string]*sql.Stmt)}
	}
	_, err := w.tx.exec(`BEGIN IMMEDIATE`)
	return err
}

// apply runs one request. If it fails by its own fault, its changes are undone and the transaction goes on.
func (w *writer) apply(r request, shared bool) error {
	if !shared {
		return r.run(w.tx)
	}
	if _, err := w.tx.exec(`SAVEPOINT request`); err != nil {
		return err
	}
	failed := r.run(w.tx)
	if failed != nil && !ownFault(failed) {
		return failed
	}
	if failed != nil {
		if _, err := w.tx.exec(`ROLLBACK TO request`); err != nil {
			return err
		}
	}
	if _, err := w.tx.exec(`RELEASE request`); err != nil {
		return err
	}
	return failed
}

// rollback undoes the transaction. Some errors have undone it already; if the connection is in doubt, it is dropped.
func (w *writer) rollback() {
	if _, err := w.tx.exec(`ROLLBACK`); err != nil {
		w.drop()
	}
}

// drop closes the connection; the next group gets a new one.
func (w *writer) drop() {
	if w.tx == nil {
		return
	}
	for _, s := range w.tx.stmts {
		s.Close()
	}
	w.tx.conn.Raw(func(any) error { return driver.ErrBadConn }) // out of the pool, whatever state it is in
	w.tx.conn.Close()
	w.tx = nil
}

// checkpoint copies the log into the database, so that the log can begin anew. SQLite would do it by itself in a commit,
// but keeps the errors to itself. Other errors than a lost sync are of no consequence: the log keeps everything, and
// the next attempt is due after as many requests again.
func (w *writer) checkpoint() {
	w.since = 0
	w.due.Stop()
	if err := errors.Join(w.guard.look(), w.guard.scan()); err != nil {
		w.lost(err)
		return
	}
	var busy, pages, moved int
	err := w.tx.queryRow(`PRAGMA wal_checkpoint(PASSIVE)`).Scan(&busy, &pages, &moved)
	if lostSync(err) {
		w.lost(fmt.Errorf("the disk has not confirmed a checkpoint: %w", err))
	}
	if err == nil && busy == 0 && moved == pages {
		w.guard.copied()
	}
}

func (t *tx) prepare(query string) (*sql.Stmt, error) {
	if s := t.stmts[query]; s != nil {
		return s, nil
	}
	s, err := t.conn.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	t.stmts[query] = s
	return s, nil
}

func (t *tx) exec(query string, args ...any) (sql.Result, error) {
	s, err := t.prepare(query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(context.Background(), args...)
}

// change is exec for statements that must find their row: ErrNoRows if none was changed.
func (t *tx) change(query string, args ...any) error {
	res, err := t.exec(query, args...)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return sql.ErrNoRows
}

// queryRow runs a query of one row.
func (t *tx) queryRow(query string, args ...any) row {
	s, err := t.prepare(query)
	if err != nil {
		return row{err: err}
	}
	return row{Row: s.QueryRowContext(context.Background(), args...)}
}

// QueryContext and QueryRowContext make the transaction a queryer.
func (t *tx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return t.conn.QueryContext(ctx, query, args...)
}

func (t *tx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return t.conn.QueryRowContext(ctx, query, args...)
}

// row is a sql.Row whose statement may not have been prepared.
type row struct {
	*sql.Row
	err error
}

// Scan is sql.Row's.
func (r row) Scan(to ...any) error {
	if r.err != nil {
		return r.err
	}
	return r.Row.Scan(to...)
}

// isNone reports whether a query found no row.
func isNone(err error) bool { return errors.Is(err, sql.ErrNoRows) }
