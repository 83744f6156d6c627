package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"boneyard/table"
)

// writer owns the one connection that writes. Callers put functions into its queue; it runs all that are
// waiting in one transaction and acknowledges them after the commit. Functions run in the order of their
// arrival, on the writer's goroutine, each within a savepoint: one that fails undoes only its own changes.
type writer struct {
	db      *sql.DB
	guard   *guard
	looker  *looker // nil: the file is sound
	options Options
	quit    chan struct{}
	done    chan struct{}

	mu     sync.Mutex
	queue  []*request // each is answered, or withdrawn by its caller
	closed bool
	wake   chan struct{} // of capacity one: there is something in the queue

	// The rest belongs to the writer's goroutine.
	tx     *tx
	since  int         // changes since the last checkpoint
	due    *time.Timer // for the next checkpoint
	broken error       // set for good when a sync has failed, or the file is gone
	fails  bool        // the last group could not be written
}

type request struct {
	run     func(*tx) error
	changes int         // made by run: a replica applies many entries in one request
	answer  func(error) // called once, on the writer's goroutine; it must not block
}

// Group is what the writer did in one transaction.
type Group struct {
	Changes int           // that were written together
	Took    time.Duration // from the beginning to the end of the transaction
}

// tx is the transaction of a group, for functions on the writer's goroutine.
type tx struct {
	*statements
	conn *sql.Conn
	kept *keptStandings // see keepStandings; nil: rows of the standings are written at once
}

func newWriter(db *sql.DB, g *guard, l *looker, o Options) *writer {
	w := &writer{db: db, guard: g, looker: l, options: o, wake: make(chan struct{}, 1), quit: make(chan struct{}),
		done: make(chan struct{}), due: time.NewTimer(0)}
	w.due.Stop()
	go w.run()
	return w
}

// do has the writer call run, and returns when its changes are on disk. The error is that of run, or says
// that nothing was written; it is the context's only if run was not begun. A commit that has begun is waited
// for, because nobody could say what became of it.
func (w *writer) do(ctx context.Context, run func(*tx) error) error { return w.doAll(ctx, 1, run) }

// doAll is do for several changes, which count towards the next checkpoint.
func (w *writer) doAll(ctx context.Context, changes int, run func(*tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	answer := make(chan error, 1)
	r := &request{run: run, changes: changes, answer: func(err error) { answer <- err }}
	w.enqueue(r)
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		if w.withdraw(r) {
			return ctx.Err()
		}
		return <-answer
	}
}

// enqueue hands a request to the writer without waiting. Once closed, it answers ErrClosed at once.
func (w *writer) enqueue(r *request) {
	w.mu.Lock()
	closed := w.closed
	if !closed {
		w.queue = append(w.queue, r)
	}
	w.mu.Unlock()
	if closed {
		r.answer(ErrClosed)
		return
	}
	table.Signal(w.wake)
}

// withdraw removes a request that has not been started, and reports whether it could.
func (w *writer) withdraw(r *request) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := slices.Index(w.queue, r)
	if at >= 0 {
		w.queue = slices.Delete(w.queue, at, at+1)
	}
	return at >= 0
}

// close lets the writer finish its current group, and ends it. Waiting and later requests get ErrClosed.
func (w *writer) close() {
	w.mu.Lock()
	waiting := w.queue
	w.queue, w.closed = nil, true
	w.mu.Unlock()
	for _, r := range waiting {
		r.answer(ErrClosed)
	}
	close(w.quit)
	<-w.done
}

func (w *writer) run() {
	defer close(w.done)
	defer w.drop()
	defer w.due.Stop()
	var looked <-chan struct{}
	if w.looker != nil {
		looked = w.looker.done
	}
	for {
		select {
		case <-w.wake:
			w.serve(w.gather())
		case <-w.due.C:
			w.checkpoint()
		case <-looked:
			looked = nil
			if _, err := w.looker.end(); err != nil {
				w.lost(err)
			}
		case <-w.quit:
			return
		}
	}
}

// gather takes the requests that are waiting now, as many as fit into a group.
func (w *writer) gather() []*request {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(len(w.queue), w.options.MaxGroup)
	group := slices.Clone(w.queue[:n])
	w.queue = slices.Delete(w.queue, 0, n)
	if len(w.queue) > 0 {
		table.Signal(w.wake)
	}
	return group
}

func (w *writer) serve(group []*request) {
	if len(group) == 0 { // all were withdrawn
		return
	}
	start := time.Now()
	errs := make([]error, len(group))
	err := w.commit(group, errs)
	if damaged(err) { // or read halfway: nothing is written yet, and the second try decides
		w.drop()
		clear(errs)
		err = judge(w.commit(group, errs))
	}
	if lostSync(err) {
		w.lost(fmt.Errorf("the disk has not confirmed a write: %w", err))
	}
	if errors.Is(err, ErrSwapped) || errors.Is(err, errUnconfirmed) {
		w.lost(err)
		err = w.broken
	}
	changes := 0
	for _, r := range group {
		changes += r.changes
	}
	if w.options.Committed != nil {
		w.options.Committed(Group{Changes: changes, Took: time.Since(start)})
	}
	if err != nil {
		err = again(err)
	}
	if fails := err != nil; fails != w.fails {
		if w.fails = fails; w.options.Trouble != nil {
			w.options.Trouble(err)
		}
	}
	for i, r := range group {
		if err != nil {
			errs[i] = err
		}
		r.answer(translate(errs[i]))
	}
	if err != nil {
		return
	}
	if w.since == 0 {
		w.due.Reset(w.options.CheckpointAfter)
	}
	if w.since += changes; w.since >= w.options.CheckpointEvery {
		w.checkpoint()
	}
}

// lost ends the process: a sync has failed, and going on would be lying. The kernel marks pages that it could
// not write as clean and forgets them; a second sync succeeds without having written anything. So only
// reading the file again, after a restart, tells which acknowledged moves are on disk. Should Fatal return,
// the store stays shut. The same goes for files that are gone.
func (w *writer) lost(err error) {
	if w.broken != nil {
		return
	}
	w.broken = fmt.Errorf("%w (%w)", err, table.ErrUnavailable)
	w.options.Fatal(w.broken)
}

// commit runs a group in one transaction. An error concerns all of it and is the fault of no request: nothing
// is on disk. Otherwise errs has the error of each request.
func (w *writer) commit(group []*request, errs []error) error {
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
		switch errs[i] = err; {
		case err == nil:
		case !ownFault(err):
			w.rollback()
			return err
		case len(group) == 1:
			w.rollback()
			return nil
		}
	}
	next := w.guard.mark
	next.commits++
	if err := w.tx.change(`UPDATE mark SET value = ? WHERE id = 1`, next.blob()); err != nil {
		w.rollback()
		return err
	}
	if err := w.tx.exec(`COMMIT`); err != nil {
		w.rollback()
		return err
	}
	w.guard.committed()
	return w.guard.confirm() // a commit to a file that is gone is lost
}

func (w *writer) begin() error {
	if w.tx == nil {
		conn, err := w.db.Conn(context.Background())
		if err != nil {
			return err
		}
		w.tx = &tx{statements: newStatements(conn), conn: conn}
	}
	return w.tx.exec(`BEGIN IMMEDIATE`)
}

// apply runs one request. If it fails by its own fault, its changes are undone and the transaction goes on.
func (w *writer) apply(r *request, shared bool) error {
	if !shared {
		return r.run(w.tx)
	}
	failed, err := w.tx.alone(r.run)
	return errors.Join(failed, err)
}

// alone runs a function that shares the transaction with others. If it fails by its own fault, its changes
// are undone and failed says why; err concerns the whole transaction.
func (t *tx) alone(run func(*tx) error) (failed, err error) {
	if err := t.exec(`SAVEPOINT request`); err != nil {
		return nil, err
	}
	failed = run(t)
	if failed != nil && !ownFault(failed) {
		return nil, failed
	}
	if failed != nil {
		if err := t.exec(`ROLLBACK TO request`); err != nil {
			return nil, err
		}
	}
	return failed, t.exec(`RELEASE request`)
}

// rollback undoes the transaction. Some errors have undone it already; if the connection is in doubt, it is
// dropped.
func (w *writer) rollback() {
	if err := w.tx.exec(`ROLLBACK`); err != nil {
		w.drop()
	}
}

// drop closes the connection; the next group gets a new one.
func (w *writer) drop() {
	if w.tx == nil {
		return
	}
	for _, s := range w.tx.prepared {
		s.Close()
	}
	w.tx.conn.Raw(func(any) error { return driver.ErrBadConn }) // out of the pool, whatever state it is in
	w.tx.conn.Close()
	w.tx = nil
}

// checkpoint copies the log into the database, so that the log can start over. SQLite could do so in a
// commit, but would hide the errors. Errors other than a lost sync do not matter: the log keeps everything,
// and the next attempt is due after as many changes again.
func (w *writer) checkpoint() {
	w.since = 0
	w.due.Stop()
	if w.tx == nil || !w.looker.mayWrite() { // the connection was dropped for an error, and the next group gets a new one
		w.due.Reset(w.options.CheckpointAfter)
		return
	}
	if err := errors.Join(w.guard.look(), w.guard.scan()); errors.Is(err, ErrSwapped) {
		w.lost(err)
		return
	} else if err != nil { // the files could not be checked; the log has everything
		w.due.Reset(w.options.CheckpointAfter)
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

func (t *tx) exec(query string, args ...any) error {
	_, err := t.changes(query, args...)
	return err
}

// changes is exec that returns the number of changed rows.
func (t *tx) changes(query string, args ...any) (rows int64, err error) {
	s, err := t.prepare(context.Background(), query)
	if err != nil {
		return 0, err
	}
	res, err := s.ExecContext(context.Background(), args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// change is exec for a statement that must find its row. It returns sql.ErrNoRows if none was changed.
func (t *tx) change(query string, args ...any) error {
	if n, err := t.changes(query, args...); err != nil || n > 0 {
		return err
	}
	return sql.ErrNoRows
}

// queryRow runs a query of one row.
func (t *tx) queryRow(query string, args ...any) *sql.Row {
	return t.QueryRowContext(context.Background(), query, args...)
}

func isNone(err error) bool { return errors.Is(err, sql.ErrNoRows) }
