package table

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"boneyard/rules"
)

// mailboxSize is how many requests may wait for a table before their senders do.
const mailboxSize = 16

// Table is one table. Its methods may be called by any goroutine; all but the goroutine's own wait for its answer.
type Table struct {
	made
	deps Deps

	mailbox  chan func()  // carried out on the table's goroutine
	looks    chan func()  // likewise, and also while the table waits for the journal: watchers who come and go
	written  chan written // of capacity one: the journal's answer to the one thing that it is asked
	answer   func([]Delta, error)
	quit     chan struct{}          // closed to have it drain and end
	why      atomic.Pointer[string] // it is suspended; nil or empty if it is not
	suspends chan struct{}          // of capacity one: why has changed
	done     chan struct{}          // closed when it has ended
	lastErr  error                  // of draining at the end; set before done is closed
	summary  atomic.Pointer[Summary]

	quitOnce sync.Once

	// What follows belongs to the table's goroutine.
	rng    *rand.Rand
	state  state
	disk   kept // as it is on disk
	recent recent
	chat   chatLog
	subs   subscribers

	headStart *time.Timer // of those who sit at the table before the gallery, in being told of a newer view
	spareGame GameID      // a number that was given out and not used, since the batch could not be written
	retryAt   time.Time
	retryIn   time.Duration
	trouble   Seldom        // with the journal
	frets     bool          // the log has been told of the present trouble
	last      func(*draft)  // what ends the table as soon as the journal can be written; nil as long as it goes on
	thought   *thought      // of the bot whose turn it is, nil if it is nobody's
	found     chan struct{} // signalled when there is a choice
	stirred   bool          // the first watcher has come, or the last has gone
	draining  bool
	ended     bool // the goroutine is to end
}

// made is what a table was made with. It never changes.
type made struct {
	id         ID
	cfg        Config
	code       string
	maker      Player // without an ID: nobody
	oneNetwork bool   // opponents from one network may be rated
	clubNight  func(PlayerID) EventID
}

// Make opens a table: it gets its number, puts itself on disk and starts its goroutine, which ends with the table. The
// maker does not sit yet, but needs no code to. The error wraps [ErrConfig], or is the journal's.
func Make(ctx context.Context, deps Deps, cfg Config, maker Player) (*Table, error) {
	return open(ctx, deps, cfg, maker, func(*state) {})
}

// open does what Make says; prepare may change the state before anybody sees it.
func open(ctx context.Context, deps Deps, cfg Config, maker Player, prepare func(*state)) (*Table, error) {
	if err := deps.complete(); err != nil {
		return nil, err
	}
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	id, err := deps.Journal.NextTable(ctx)
	if err != nil {
		return nil, fmt.Errorf("number of a new table: %w", err)
	}
	code := ""
	if cfg.Access == AccessCode {
		code = deps.NewCode()
	}
	t := newTable(deps, id, cfg, code, maker)
	s := &t.state
	s.version, s.Phase, s.Teams = 1, Gathering, cfg.Teams
	s.Seed, s.Nobody = deps.NewSeed().String(), deps.Now()
	prepare(s)
	setSince(&s.Nobody, s.Nobody, s.nobody())
	s.raiseMark()
	state, err := t.saved(s, 0)
	if err != nil {
		return nil, err
	}
	if _, err := Commit(deps.Journal, &Batch{Table: id, State: state}); err != nil { // nobody looks at it yet
		return nil, fmt.Errorf("save table %d: %w", id, err)
	}
	t.disk = s.kept
	t.begin()
	return t, nil
}

// newTable is a table whose state is not kept yet. The configuration has been checked.
func newTable(deps Deps, id ID, cfg Config, code string, maker Player) *Table {
	t := &Table{
		made: made{id: id, cfg: cfg, code: code, maker: maker, oneNetwork: deps.OneNetwork, clubNight: deps.ClubNight},
		deps: deps, rng: deps.Rand(),
		mailbox: make(chan func(), mailboxSize), looks: make(chan func(), mailboxSize),
		written: make(chan written, 1), quit: make(chan struct{}), done: make(chan struct{}), found: make(chan struct{}, 1),
		suspends: make(chan struct{}, 1), headStart: time.NewTimer(time.Hour),
	}
	t.state.made = &t.made
	t.state.game.play, _ = rules.New(cfg.Rules, cfg.Seats)
	t.headStart.Stop()
	t.answer = func(changes []Delta, err error) { t.written <- written{changes: changes, err: err} }
	t.subs.init(cfg.Seats)
	return t
}

// begin starts the goroutine of a table whose state is complete.
func (t *Table) begin() {
	t.arm(t.deps.Now())
	t.summary.Store(t.summarize())
	go t.run()
}

// ID is the table's number.
func (t *Table) ID() ID { return t.id }

// Config is what the table was made with.
func (t *Table) Config() Config { return t.cfg }

// Code is the code of a private table, empty for others. It is for the lobby, which finds tables by it: nobody may be told
// who does not sit at the table.
func (t *Table) Code() string { return t.code }

// Made says who made the table, 0 for nobody, and from where, as [Deps] says.
func (t *Table) Made() (by PlayerID, from string) { return t.maker.ID, t.deps.From }

// Summary is the table as the lobby shows it, never nil. It is immutable.
func (t *Table) Summary() *Summary { return t.summary.Load() }

// Done is closed when the table has ended: closed, or stopped with the server.
func (t *Table) Done() <-chan struct{} { return t.done }

// Do carries out a request and returns when the journal has it. The error is a [Refusal], an error of package
// rules for a move that they forbid, or the context's: then the command may yet be carried out, and may be
// sent again with the same ID. A command that was carried out before, by its player and ID, is answered with
// nil and has no effect.
func (t *Table) Do(ctx context.Context, r Request) error {
	reply := make(chan error, 1)
	if err := t.post(ctx, t.mailbox, func() { reply <- t.request(r) }); err != nil {
		return err
	}
	return Await(ctx, reply, t.done, ErrClosed)
}

// Await waits for an answer. The error is that, the context's, or ended if who was asked is done without having answered.
func Await(ctx context.Context, answer <-chan error, done <-chan struct{}, ended error) error {
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-done:
	}
	select { // it may have answered before it ended
	case err := <-answer:
		return err
	default:
		return ended
	}
}

// Signal wakes whoever reads a channel that has room for one signal; one that waits there is enough. It never blocks.
func Signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Presence tells the table how somebody is there: Here, Disconnected or Left. Somebody who comes back takes the seat back.
// It returns when the table has heard it, or has ended.
func (t *Table) Presence(p PlayerID, how Presence) {
	_ = t.call(context.Background(), t.mailbox, func() { t.presence(p, how) })
}

// Introduce tells the table whether somebody who sits there is a program now, and that of an event, whose players were seated
// before they came, also from which network they come: as in [Request]. It is called before Presence says that they are here.
func (t *Table) Introduce(p Player, net string) {
	_ = t.call(context.Background(), t.mailbox, func() {
		n := t.state.seatOf(p.ID)
		if n == 0 {
			return
		}
		q := t.state.seat(n)
		if !t.state.cfg.Event.Wait || t.state.inGame() || !t.state.keepsSeats() {
			net = q.Player.Net
		}
		if q.Player.Net != net || q.Player.Bot != p.Bot {
			t.change(func() { q.Player.Net, q.Player.Bot = net, p.Bot })
		}
	})
}

// Rerate tells the table that a club night has begun or ended, so that it says anew whether its next game
// counts.
func (t *Table) Rerate() {
	_ = t.post(context.Background(), t.mailbox, func() {
		if t.state.Phase.Gathers() {
			t.change(func() {})
		}
	})
}

// Suspend stops the table and its clocks, because its journal is known to be out of reach, and shows
// everybody why, until it is called with an empty why: then the table goes on. It does not wait for the
// table.
func (t *Table) Suspend(why string) {
	t.why.Store(&why)
	t.awaken()
}

// Drain stops the table while the server goes down: the clock stops, the state is put on disk, no command is carried out
// any more, and watchers read a notice. The error is the journal's or the context's.
func (t *Table) Drain(ctx context.Context) error {
	var err error
	if e := t.call(ctx, t.mailbox, func() { err = t.drain() }); e != nil && e != error(ErrClosed) {
		return fmt.Errorf("drain table %d: %w", t.id, e)
	}
	return err
}

// Close drains the table and ends its goroutine. The table can be restored from the journal; to close it for good is the
// command [Close]. It may be called more than once. The error is the journal's, or the context's: then the
// goroutine ends as soon as the journal answers.
func (t *Table) Close(ctx context.Context) error {
	t.quitOnce.Do(func() { close(t.quit) })
	select {
	case <-t.done:
		return t.lastErr
	case <-ctx.Done():
		return fmt.Errorf("close table %d: %w", t.id, ctx.Err())
	}
}

// post hands f to the table's goroutine. The error is the context's or ErrClosed.
func (t *Table) post(ctx context.Context, box chan<- func(), f func()) error {
	select {
	case <-t.done:
		return ErrClosed
	default:
	}
	select {
	case box <- f:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-t.done:
		return ErrClosed
	}
}

// call has the table's goroutine carry out f and waits until it has. Only if the error is nil has it certainly been done.
func (t *Table) call(ctx context.Context, box chan<- func(), f func()) error {
	ran := make(chan error, 1)
	if err := t.post(ctx, box, func() { f(); ran <- nil }); err != nil {
		return err
	}
	return Await(ctx, ran, t.done, ErrClosed)
}
