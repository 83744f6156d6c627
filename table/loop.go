package table

import (
	"context"
	"errors"
	"time"
)

// Notices to all readers of a table in trouble.
const (
	noticeFrozen   = "The server can't save moves: clocks have stopped; play resumes by itself."
	noticeDraining = string(ErrDraining)
	noticeConflict = "This table has stopped: another server has written to its game. Please come back later."
	noticeClosed   = "The table has been closed."
	noticeOver     = "The event has closed this table: its game is no longer needed."
	noticeLineUp   = "The line-up has changed; a new table opens for this game."
	noticeLost     = "Game abandoned: the server can't save how it goes on. This table is closed."
)

// run is the table's goroutine: it carries out requests, and what is due, until the table ends.
func (t *Table) run() {
	defer close(t.done)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	defer t.headStart.Stop()
	t.deps.OnChange(t.summary.Load())
	if t.state.version >= t.state.Mark {
		t.show() // a restored table, which needs a mark before anybody sees its versions
	}
	t.tick() // what is due already
	for !t.ended {
		if t.stirred {
			t.stirred = false
			t.goOn()
			continue
		}
		var due <-chan time.Time
		at, now := t.due(), t.deps.Now()
		if !at.IsZero() {
			if at.Before(now) { // what is overdue already does not tell of a standstill
				at = now
			}
			timer.Reset(at.Sub(now))
			due = timer.C
		}
		var act func()
		select {
		case act = <-t.mailbox:
		case act = <-t.looks:
		case <-t.quit:
			act = func() { t.lastErr, t.ended = t.drain(), true }
		case <-due:
			act = t.tick
		case <-t.headStart.C:
			act = t.subs.signalGallery
		case <-t.suspends:
			act = t.suspend
		case <-t.found:
			act = t.listen
		}
		if t.woke(at); !t.ended {
			act()
		}
	}
	t.forget()
	for _, s := range t.subs.list { // last of all, so that all readers learn that the table has ended
		s.signal()
	}
}

func (t *Table) due() time.Time {
	if t.draining {
		return time.Time{}
	}
	at := t.retryAt
	if !t.state.frozen {
		at, _ = t.state.next(&t.deps.Times)
	}
	for _, w := range []time.Time{t.subs.tellAt, t.moreAt()} {
		if !w.IsZero() && (at.IsZero() || w.Before(at)) {
			at = w
		}
	}
	return at
}

// woke gives people a moment after the whole process stood still, as in a container that is paused: nobody could
// move or come back then. That is noticed by what was to happen long ago; by is when the table was to wake up, zero
// for never. On a machine that is late with everything people have more time, too.
func (t *Table) woke(by time.Time) {
	s, now := &t.state, t.deps.Now()
	late := now.Sub(by)
	if by.IsZero() || late <= t.deps.Times.Stalled {
		return
	}
	since := []*time.Time{&s.Clock.since, &s.turnAt, &s.Nobody}
	for _, q := range s.seats() {
		since = append(since, &q.since, &q.lateFrom)
	}
	for _, at := range since {
		if !at.IsZero() {
			*at = at.Add(min(late+t.deps.Times.Restart, now.Sub(*at)))
		}
	}
	t.show()
}

func (t *Table) tick() {
	now := t.deps.Now()
	if t.state.frozen {
		if !t.retryAt.IsZero() && !t.retryAt.After(now) {
			t.thaw()
		}
	} else {
		t.goOn()
	}
	if w := t.subs.tellAt; !w.IsZero() && !w.After(now) {
		t.change(func() {})
	}
	if w := t.moreAt(); !w.IsZero() && !w.After(now) {
		t.showGallery()
	}
}

// goOn carries out what follows from the state and what is due.
func (t *Table) goOn() { _ = t.step(nil) }

// step carries out one step: f makes a draft of it, then settle adds what follows. On an error, a refusal or
// that of f, nothing has happened, except that the table may be frozen or ended.
func (t *Table) step(f func(*draft) error) error {
	switch {
	case t.state.Phase == Closed || t.ended:
		return ErrClosed
	case t.draining:
		return ErrDraining
	case t.state.frozen:
		return ErrFrozen
	}
	d := t.draft()
	if f != nil {
		d.changed = true
		if err := f(d); err != nil {
			return err
		}
	}
	if err := d.settle(); err != nil {
		return t.unwritten(d, f != nil, err)
	}
	if d.Clock != t.state.Clock {
		d.changed = true
	}
	if d.Nobody != t.state.Nobody {
		if d.inGame() || t.state.inGame() || d.cfg.Pace == PaceSlow { // so that a restart does not begin to count again
			d.changed = true
		}
		t.state.Nobody = d.Nobody
	}
	if !d.changed {
		t.arm(t.deps.Now())
		return nil
	}
	if err := t.commit(d); err != nil {
		return t.unwritten(d, f != nil, err)
	}
	return nil
}

// draft begins a step.
func (t *Table) draft() *draft {
	return &draft{
		state: t.state, now: t.deps.Now(), times: &t.deps.Times, rng: t.rng,
		newSeed: t.deps.NewSeed, nextGame: t.nextGame, thought: t.thought,
	}
}

// nextGame returns a number for a game. One that could not be used is kept for the next.
func (t *Table) nextGame() (GameID, error) {
	if t.spareGame == 0 {
		go func() {
			id, err := t.deps.Journal.NextGame(context.Background())
			t.written <- written{game: id, err: err}
		}()
		w := t.await()
		if w.err != nil {
			return 0, w.err
		}
		t.spareGame = w.game
	}
	return t.spareGame, nil
}

// commit writes a draft to disk, installs and publishes it. The error is the journal's.
func (t *Table) commit(d *draft) error {
	t.remember(d)
	d.version++
	d.raiseMark()
	state, err := t.unsaved(&d.state, d.game.rows+len(d.rows))
	if err != nil {
		return err
	}
	if b := d.batch(&t.state, state); b != nil {
		changes, err := t.write(b)
		if err != nil {
			return err
		}
		if d.ended != nil {
			d.ended.Changes = changes
		}
		if b.State != nil {
			t.disk = d.kept
		}
		t.retryIn = 0
	}
	t.install(d)
	return nil
}

// remember keeps a command that leaves no row with the state. The rows of a game that has ended are not read
// again, so at its end the commands in them are kept, too.
func (t *Table) remember(d *draft) {
	sits := func(id PlayerID) bool { return t.sits(id) || d.seatOf(id) != 0 }
	switch {
	case d.ended != nil && !d.final:
		var last []commandID
		for _, q := range d.game.start.Seats {
			if q.ID != 0 {
				last = append(last, t.recent.newest(q.ID)...)
			}
		}
		if d.command.ID != "" {
			last = append(last, d.command)
		}
		d.Recent = keepDone(d.Recent, sits, last...)
	case d.keep && d.command.ID != "":
		d.Recent = keepDone(d.Recent, sits, d.command)
	}
}

func (t *Table) sits(id PlayerID) bool { return t.state.seatOf(id) != 0 }

func (t *Table) write(b *Batch) ([]Delta, error) {
	t.deps.Journal.Commit(b, t.answer)
	w := t.await()
	return w.changes, w.err
}

// await waits for the journal's answer; meanwhile people may look at the table as it is. If that takes long
// they read that the table has stopped. Callers still wait, as nobody knows yet what is on disk.
func (t *Table) await() written {
	stalled := time.NewTimer(t.deps.Times.Stalled)
	defer stalled.Stop()
	for {
		select {
		case w := <-t.written:
			return w
		case f := <-t.looks:
			f()
		case <-t.headStart.C:
			t.subs.signalGallery()
		case <-t.suspends:
			defer t.awaken() // the state that is about to be installed does not know of it
			if t.reason() != "" {
				t.stall()
			}
		case <-stalled.C:
			t.stall()
		}
	}
}

// stall shows the table as frozen while the journal does not answer. The next install ends that.
func (t *Table) stall() {
	s := &t.state
	if s.frozen && s.notice == t.standstill() || t.draining || s.Phase == Closed || s.version+1 >= s.Mark {
		return
	}
	s.frozen, s.notice = true, t.standstill()
	s.setClock(t.deps.Now())
	s.version++
	t.publish()
}

func (t *Table) install(d *draft) {
	d.game.rows += len(d.rows)
	if d.begun != nil {
		t.spareGame = 0
	}
	if d.gameMoved(&t.state) {
		d.position = d.version
	}
	d.watchers, d.looked = t.state.watchers, t.state.looked // as some came while the journal was writing
	if d.Phase == Finished && t.state.Phase != Finished {
		d.looked = false
	}
	if t.state.frozen { // nobody could get ready meanwhile
		for _, q := range d.seats() {
			if !q.lateFrom.IsZero() {
				q.lateFrom = t.deps.Now()
			}
		}
	}
	d.version = max(d.version, t.state.version+1)
	t.state = d.state
	t.chat.add(d.chat, &t.state)
	t.recent.add(d.command, t.sits)
	t.arm(t.deps.Now())
	for _, s := range d.stoodUp {
		t.deps.OnUnseat(t.id, s.player, s.why)
	}
	if d.ended != nil {
		t.stirred = true // players who have taken over a bot's seat may be ready for another game
		t.deps.OnEnd(t.state.game.id, t.state.game.start, *d.ended)
	}
	t.publish()
	if t.state.Phase == Closed {
		t.ended = true
	}
}

// gameMoved reports whether moves chosen before this step are stale after it.
func (d *draft) gameMoved(before *state) bool {
	return d.game.id != before.game.id || d.game.number != before.game.number || d.game.play.Round() != before.game.play.Round()
}

// change makes a change that is not kept on disk, such as of presence, and then carries out what follows.
func (t *Table) change(f func()) {
	f()
	t.state.version++ // people who look while the journal is writing already see the change
	before := t.state.version
	t.goOn()
	if t.state.version == before {
		t.showNow()
	}
}

// show publishes changes that are not kept on disk, as a new version.
func (t *Table) show() {
	t.state.version++
	t.showNow()
}

// showNow publishes a version that nobody has seen, or only those who came while the journal was writing.
func (t *Table) showNow() {
	if t.state.version >= t.state.Mark && !t.state.frozen && !t.draining {
		d := t.draft()
		d.version--
		if err := t.commit(d); err != nil {
			_ = t.unwritten(d, false, err)
		}
		return
	}
	t.publish()
}

// unwritten handles a step that could not be written, and returns the answer to its sender, if it was asked
// for. A request that the game does not need is refused, and the table goes on; if a necessary step can never
// be written, the table ends.
func (t *Table) unwritten(d *draft, asked bool, err error) error {
	now := t.deps.Now()
	switch {
	case errors.Is(err, ErrUnavailable):
		if t.trouble.Due(now) {
			t.deps.Log.Error("table: a step could not be written; the table is frozen", "table", t.id, "game", t.state.game.id, "err", err)
		}
		t.freeze(d.now)
		return ErrFrozen
	case errors.Is(err, ErrConflict):
		t.deps.Log.Error("table: the journal was continued by another writer; the table stops", "table", t.id, "game",
			t.state.game.id, "err", err)
		t.stop(noticeConflict)
	case asked && len(d.rows) == 0:
		if t.trouble.Due(now) {
			t.deps.Log.Error("table: a command cannot be written, and is refused", "table", t.id, "err", err)
		}
		if t.state.frozen { // it was shown as frozen while the journal did not answer
			t.freeze(d.now)
		}
		return ErrUnsaved
	default:
		t.deps.Log.Error("table: what has to follow can never be written; the table closes", "table", t.id, "game", t.state.game.id, "err", err)
		t.last = lastWords(d.begun != nil)
		t.shut()
	}
	return ErrClosed
}
