package event

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"boneyard/table"
)

// Room holds one event, whose state a goroutine owns. Its methods may be called by any goroutine.
type Room struct {
	event Event
	deps  *Deps
	log   *slog.Logger

	view   atomic.Pointer[View]
	tables atomic.Pointer[map[int64]table.ID] // the open ones, by pairing
	ctx    context.Context                    // ends when the room must end
	cancel context.CancelFunc
	done   chan struct{}
	wake   chan struct{}
	here   atomic.Pointer[time.Time] // until then (monotonic) nobody counts as absent: the server has just started, or stood still

	mu      sync.Mutex
	inbox   []func() // work for the goroutine
	pending []Played // games that have ended and were not taken yet

	// The fields below belong to the goroutine.
	rules   Rules
	seq     int
	spare   []table.ID    // second tables of games, to be closed
	retryAt time.Time     // when to retry a failed write or opening; zero if nothing failed
	retryIn time.Duration // grows with each failure
	trouble table.Seldom  // limits how often failures are logged
	looked  time.Time     // when remind last checked; zero at first
	gone    []int64       // games whose tables have closed since the last look
	lost    map[int64]lost
	broken  bool // the journal holds entries that the state does not, or will never accept what follows
}

// lost is a game that still has to be played and whose table is gone.
type lost struct {
	times int
	until time.Time // when it may get another table
}

// Failures are retried, soon at first and then less often.
const (
	retryFirst = 250 * time.Millisecond
	retryMost  = 10 * time.Second
)

// A game whose table closed before the game ended gets another one, soon at first and then less often.
const (
	reopenFirst = time.Second
	reopenMost  = time.Hour
)

// lookAgain is how long a room waits at most before it reads the clock again: a timer does not notice that
// the clock was set, or that the machine slept.
const lookAgain = time.Minute

// ErrOver is returned for requests to an event that is over, or whose server is stopping.
var ErrOver = errors.New("the event is over")

// restore makes a room from its journal, without its goroutine.
func restore(ctx context.Context, deps *Deps, e Event) (*Room, error) {
	rules, seq, err := Replay(ctx, deps.Journal, deps.Kinds, e)
	if err != nil {
		return nil, err
	}
	r := &Room{
		event: e, deps: deps, log: deps.Log.With("event", e.ID), rules: rules, seq: seq,
		lost: map[int64]lost{}, done: make(chan struct{}), wake: make(chan struct{}, 1),
	}
	r.tables.Store(&map[int64]table.ID{})
	r.ctx, r.cancel = context.WithCancel(context.Background())
	r.view.Store(new(rules.View(nil)))
	return r, nil
}

// findGames finds the games that have ended and that were not taken. From before it is called, the room hears
// of games that end.
func (r *Room) findGames(ctx context.Context) error {
	played, err := r.deps.Journal.EventGames(ctx, r.event.ID)
	if err != nil {
		return fmt.Errorf("games of event %d: %w", r.event.ID, err)
	}
	played = slices.DeleteFunc(played, func(p Played) bool { return r.rules.HasResult(p.Game) })
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pending = append(played, r.pending...)
	return nil
}

// ended reports a game of the event that is over and on disk.
func (r *Room) ended(p Played) {
	r.mu.Lock()
	r.pending = append(r.pending, p)
	r.mu.Unlock()
	table.Signal(r.wake)
}

// untaken returns the games that have ended and were not taken yet.
func (r *Room) untaken() []Played {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pending
}

// findTables finds the event's tables after a restart, the older of two if a game's first did not close.
func (r *Room) findTables() {
	tables := map[int64]table.ID{}
	for id, of := range r.deps.Club.EventTables() {
		if of.ID != r.event.ID {
			continue
		}
		if other, twice := tables[of.Pairing]; twice {
			r.spare = append(r.spare, max(id, other))
			id = min(id, other)
		}
		tables[of.Pairing] = id
	}
	r.tables.Store(&tables)
	r.view.Store(new(r.rules.View(tables)))
}

// Replay returns an event's state, made from its journal, and the number of entries.
func Replay(ctx context.Context, j Journal, kinds Kinds, e Event) (Rules, int, error) {
	entries, err := j.EventLog(ctx, e.ID)
	if err != nil {
		return nil, 0, fmt.Errorf("journal of event %d: %w", e.ID, err)
	}
	rules, err := kinds.Fold(e, entries)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", errSenseless, err)
	}
	return rules, len(entries), nil
}

// errSenseless is returned for an event whose entries or kind this program cannot make sense of, but not for
// a failure to read them.
var errSenseless = errors.New("nothing can be made of what is on disk")

// Fold returns the state that follows from a journal's entries.
func (kinds Kinds) Fold(e Event, entries []Entry) (Rules, error) {
	t, ok := kinds[e.Kind]
	if !ok {
		return nil, fmt.Errorf("event %d: nobody knows the kind %q", e.ID, e.Kind)
	}
	rules, err := t.New(e)
	if err != nil {
		return nil, fmt.Errorf("event %d: %w", e.ID, err)
	}
	for i, x := range entries {
		if x.Seq != i+1 {
			return nil, fmt.Errorf("event %d: entry %d follows on entry %d", e.ID, x.Seq, i)
		}
		if err := rules.Apply(x); err != nil {
			return nil, fmt.Errorf("event %d: entry %d: %w", e.ID, x.Seq, err)
		}
	}
	return rules, nil
}

// Event returns the part of the event that does not change.
func (r *Room) Event() Event { return r.event }

// View returns the event's current state as its kind shows it.
func (r *Room) View() View { return *r.view.Load() }

// Returning returns for how much longer nobody counts as absent because the server has just started, or stood
// still.
func (r *Room) Returning() time.Duration { return max(0, time.Until(*r.here.Load())) }

// Table returns the table of one of the event's games, which stays after the game until its players leave.
func (r *Room) Table(pairing int64) (table.ID, bool) {
	id, ok := (*r.tables.Load())[pairing]
	return id, ok
}

// Done returns a channel that is closed when the room has ended: the event is over, according to its View, or
// the server is stopping.
func (r *Room) Done() <-chan struct{} { return r.done }

// Do calls f, which returns what follows from a request, and returns when that is on disk, the resulting games
// have tables, and then, which may tell people, has been called on the event's goroutine. The error is f's, the
// journal's, ErrOver, or the context's: then the request may still succeed.
func (r *Room) Do(ctx context.Context, f func(rules Rules, now time.Time) ([]Entry, error), then ...func()) error {
	reply := make(chan error, 1)
	r.post(func() {
		if r.broken || r.over() {
			reply <- ErrOver
			return
		}
		entries, err := f(r.rules, r.deps.Now())
		if err == nil {
			err = r.append(entries)
		}
		if err == nil {
			r.follow()
			for _, tell := range then {
				tell()
			}
		}
		reply <- err
	})
	return table.Await(ctx, reply, r.done, ErrOver)
}

// Settle returns when the view includes everything reported so far, such as a game that has just ended,
// unless that could not be written. The error is ErrOver, or the context's.
func (r *Room) Settle(ctx context.Context) error {
	return r.Do(ctx, func(Rules, time.Time) ([]Entry, error) { return nil, nil })
}

// post queues work for the goroutine without waiting.
func (r *Room) post(f func()) {
	r.mu.Lock()
	r.inbox = append(r.inbox, f)
	r.mu.Unlock()
	table.Signal(r.wake)
}

// closed reports a table of the event that no longer exists.
func (r *Room) closed(pairing int64, id table.ID) {
	r.post(func() {
		if at, ok := r.Table(pairing); ok && at == id {
			tables := maps.Clone(*r.tables.Load())
			delete(tables, pairing)
			r.tables.Store(&tables)
			r.gone = append(r.gone, pairing)
			r.show()
		}
	})
}

// run is the room's goroutine.
func (r *Room) run() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	r.follow()
	for !r.broken && r.ctx.Err() == nil && !(r.over() && r.retryAt.IsZero()) { // until the event is over and its tables are closed
		r.remind()
		var due <-chan time.Time
		wait, ok := r.wait()
		wait = max(0, min(wait, lookAgain))
		if ok {
			timer.Reset(wait)
			due = timer.C
		}
		by := r.deps.Now().Add(wait)
		select {
		case <-r.wake:
		case <-due:
			r.retryAt = time.Time{}
		case <-r.ctx.Done():
			return
		}
		if ok && Overslept(by, r.deps.Now()) {
			r.here.Store(new(time.Now().Add(returning)))
		}
		r.mu.Lock()
		todo := r.inbox
		r.inbox = nil
		r.mu.Unlock()
		for _, f := range todo {
			f()
		}
		r.follow()
	}
}

// Overslept reports whether the whole process has stood still, as in a container that is paused, so that nobody
// could do anything in time: something happens long after it was due.
func Overslept(due, now time.Time) bool { return now.Sub(due) > 10*time.Second }

func (r *Room) over() bool { return r.View().Plan().Over }

// wait returns how long it is until the room has something to do by itself; ok is false if it never has.
// Retries go by the monotonic clock.
func (r *Room) wait() (wait time.Duration, ok bool) {
	if !r.retryAt.IsZero() {
		return time.Until(r.retryAt), true
	}
	if next := r.rules.Next(); !next.IsZero() {
		wait, ok = next.Sub(r.deps.Now()), true
	}
	if left := r.Returning(); ok && left > 0 && wait <= 0 {
		wait = left
	}
	for _, l := range r.lost {
		if again := time.Until(l.until); again > 0 && (!ok || again < wait) {
			wait, ok = again, true
		}
	}
	if !ok && len(*r.tables.Load()) > 0 { // what happens at the tables is polled
		return lookAgain, true
	}
	return wait, ok
}

// follow carries out what follows from the state, from games that have ended, and from the time.
func (r *Room) follow() {
	if time.Until(r.retryAt) > 0 || r.ctx.Err() != nil {
		return
	}
	err := r.settle()
	if err == nil {
		err = r.attend()
	}
	switch {
	case err == nil:
		r.retryAt, r.retryIn = time.Time{}, 0
	case r.broken:
	case errors.Is(err, ErrConflict):
		r.broken = true
		r.log.Error("event: its journal was continued elsewhere; the event stops", "err", err)
	case r.ctx.Err() != nil:
	default:
		r.retryIn = min(max(2*r.retryIn, retryFirst), retryMost)
		now := time.Now()
		r.retryAt = now.Add(r.retryIn)
		if r.trouble.Due(now) {
			r.log.Error("event: cannot continue; trying again", "err", err)
		}
	}
}

// settle takes the games that have ended, and carries out what is due.
func (r *Room) settle() error {
	const mostAtOnce = 10_000 // exceeds what can ever follow at one moment
	for range mostAtOnce {
		if r.over() {
			return nil
		}
		if games := r.untaken(); len(games) > 0 { // also those that ended meanwhile, before what is due ends the event
			if p := games[0]; !r.rules.HasResult(p.Game) {
				if err := r.must(r.rules.Ended(r.deps.Now(), p)); err != nil {
					return err
				}
			}
			r.mu.Lock()
			r.pending = r.pending[1:]
			r.mu.Unlock()
			continue
		}
		due, err := r.due()
		if err != nil || len(due) == 0 {
			return err
		}
		if err := r.must(due); err != nil {
			return err
		}
		if r.over() { // whoever calls an event off announces it
			r.deps.tellOff(&r.event, r.View(), r.deps.Now())
		}
	}
	return errors.New("it does not come to rest")
}

// must appends what has to follow. If it can never be written, the event stops.
func (r *Room) must(entries []Entry) error {
	err := r.append(entries)
	if err != nil && !r.broken && r.ctx.Err() == nil && !errors.Is(err, table.ErrUnavailable) && !errors.Is(err, ErrConflict) {
		r.broken = true
		r.log.Error("event: what has to follow can never be written; the event stops", "err", err)
	}
	return err
}

// due returns what is to happen by now, according to the state or else the club.
func (r *Room) due() ([]Entry, error) {
	due := r.rules.Due(r.deps.Now())
	if asker, ok := r.rules.(Asker); ok && len(due) == 0 {
		return asker.Ask(r.ctx, r.deps.Now(), facts{r.deps.Club, r})
	}
	return due, nil
}

// facts are the club's answers to the event of a room.
type facts struct {
	Club
	room *Room
}

func (f facts) Returning() bool { return f.room.Returning() > 0 }

func (f facts) Busy(id table.PlayerID) bool { return f.Club.Busy(id, f.room.event.ID) }

func (f facts) Came(pairing int64) (begun bool, here []table.PlayerID) {
	if id, ok := f.room.Table(pairing); ok {
		return f.Club.Came(id)
	}
	return false, nil
}

// append writes entries to disk, applies them, and shows the result.
func (r *Room) append(entries []Entry) error {
	if len(entries) == 0 {
		return nil
	}
	now := r.deps.Now().Round(0)
	for i := range entries {
		entries[i].Seq, entries[i].At = r.seq+i+1, now
	}
	over := slices.ContainsFunc(entries, func(x Entry) bool { return x.Kind == KindOver })
	// Not r.ctx, or what is decided while the server stops might be written and not told.
	if err := r.deps.Journal.AppendEvent(r.deps.Context, r.event.ID, r.seq, entries, over); err != nil {
		return fmt.Errorf("journal of event %d: %w", r.event.ID, err)
	}
	r.seq += len(entries)
	for _, x := range entries {
		if err := r.rules.Apply(x); err != nil { // only a bug leads here, and a restart would hit it too
			r.broken = true
			r.log.Error("event: the journal cannot be read; the event stops", "entry", x.Seq, "err", err)
			return fmt.Errorf("event %d: entry %d: %w", r.event.ID, x.Seq, err)
		}
	}
	r.show()
	return nil
}

// show publishes the state.
func (r *Room) show() {
	before := r.view.Swap(new(r.rules.View(*r.tables.Load())))
	r.deps.Club.Changed(r)
	if before != nil {
		r.call(*before)
	}
}
