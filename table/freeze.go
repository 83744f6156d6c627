package table

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// lastWords returns how a table ends when nothing else can be written: its game ends without a result, in the
// plainest form. A game that could not begin first begins in that form, so that its event hears that it is
// over.
func lastWords(begins bool) func(*draft) {
	return func(d *draft) {
		d.plain = true
		if before := *d; begins && d.start() != nil {
			*d = before
		}
		d.close(noticeLost)
	}
}

// shut closes the table for good, as t.last says, as soon as the journal can be written. If that can never be
// written, the game on disk stays as it is.
func (t *Table) shut() {
	d := t.draft()
	d.frozen, d.notice = false, ""
	t.last(d)
	err := t.commit(d)
	switch {
	case err == nil:
	case errors.Is(err, ErrUnavailable), errors.Is(err, ErrConflict):
		_ = t.unwritten(d, false, err)
	default:
		_, gone := t.write(&Batch{Table: t.id, Final: true})
		t.deps.Log.Error("table: its game cannot be ended on disk", "table", t.id, "game", t.state.game.id, "err", errors.Join(err, gone))
		t.stop(noticeLost)
	}
}

// closeFrozen makes a frozen table close as soon as that can be written. Unless suspended, it tries at once.
func (t *Table) closeFrozen() error {
	t.last = func(d *draft) { d.close(noticeClosed) }
	if t.reason() == "" {
		t.shut()
	}
	if !t.ended {
		return ErrClosing
	}
	return nil
}

// stop ends the table without touching what is on disk.
func (t *Table) stop(notice string) {
	t.state.Phase, t.state.notice = Closed, notice
	t.state.version++
	t.ended = true
	t.publish()
}

// freeze stops the table as of now. It will try the journal again later, or, if suspended, when that is over.
func (t *Table) freeze(now time.Time) {
	if t.state.Phase == Closed {
		return
	}
	news := !t.state.frozen || t.state.notice != t.standstill()
	t.state.frozen, t.state.notice = true, t.standstill()
	t.state.setClock(now)
	t.arm(now)
	if t.reason() != "" {
		t.retryIn, t.retryAt = 0, time.Time{}
	} else {
		t.retryIn = min(max(2*t.retryIn, t.deps.Times.Retry), t.deps.Times.RetryMost)
		t.retryAt = t.deps.Now().Add(t.retryIn)
	}
	if news {
		t.state.version++
		t.publish()
	}
}

// reason returns why the table is suspended; empty if it is not.
func (t *Table) reason() string {
	if why := t.why.Load(); why != nil {
		return *why
	}
	return ""
}

// standstill returns the notice of a frozen table.
func (t *Table) standstill() string { return cmp.Or(t.reason(), noticeFrozen) }

// suspend carries out the last call of [Table.Suspend].
func (t *Table) suspend() {
	switch {
	case t.draining || t.state.Phase == Closed:
	case t.reason() != "":
		t.freeze(t.deps.Now())
	case t.state.frozen:
		t.thaw()
	}
}

// awaken makes the table's goroutine check whether the table is suspended.
func (t *Table) awaken() { Signal(t.suspends) }

// thaw tries the journal by writing the state as it is, with extra time for the seat whose clock had to stop.
func (t *Table) thaw() {
	if t.last != nil {
		t.shut()
		return
	}
	d := t.draft()
	d.frozen, d.notice = false, ""
	if d.onClock() == d.Clock.Seat && d.Clock.Seat != 0 {
		d.Clock.Left += d.times.Restart
	}
	d.version++
	d.raiseMark()
	state, err := t.saved(&d.state, d.game.rows)
	if err == nil {
		_, err = t.write(&Batch{Table: t.id, State: state})
	}
	if err != nil {
		_ = t.unwritten(d, false, err)
		return
	}
	t.disk, t.retryAt = d.kept, time.Time{}
	t.install(d)
	t.tick()
}

// drain stops the table for the end of the server. Watchers read the notice even if the state cannot be
// written; then drain returns the error, and the next call tries again.
func (t *Table) drain() error {
	if t.state.Phase == Closed {
		return nil
	}
	s := &t.state
	if !t.draining {
		t.draining = true
		t.forget()
		now := t.deps.Now()
		s.stopClock(now)
		if !s.deadline.IsZero() {
			s.Left = max(s.deadline.Sub(now), 0)
		}
		s.notice = noticeDraining
		s.version++
		defer t.show() // as a new version: people who came while the journal was writing have seen this one
	}
	s.raiseMark()
	state, err := t.unsaved(s, s.game.rows)
	if state == nil {
		return err
	}
	if _, err := t.write(&Batch{Table: t.id, State: state}); err != nil {
		return fmt.Errorf("save table %d: %w", t.id, err)
	}
	t.disk = s.kept
	return nil
}
