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

// Table is one table. Any goroutine may call its methods; they wait for the answer of the table's own.
type Table struct {
	made
	deps Deps

	mailbox  chan func()  // run on the table's goroutine
	looks    chan func()  // likewise, even while the table waits for the journal: watchers who come and go
	written  chan written // of capacity one: the journal's answer; one at a time is outstanding
	answer   func([]Delta, error)
	quit     chan struct{}          // closed to make it drain and end
	why      atomic.Pointer[string] // why it is suspended; nil or empty if it is not
	suspends chan struct{}          // of capacity one: why has changed
	done     chan struct{}          // closed when it has ended
	lastErr  error                  // of draining at the end; set before done is closed
	summary  atomic.Pointer[Summary]

	quitOnce sync.Once

	// What follows belongs to the table's goroutine.
	rng    *rand.Rand
	state  state
	disk   kept // the state on disk
	recent recent
	chat   chatLog
	subs   subscribers

	headStart *time.Timer // runs while seated readers know of a newer view and the gallery does not
	spareGame GameID      // a number that was assigned but not used, because the batch could not be written
	retryAt   time.Time
	retryIn   time.Duration
	trouble   Seldom        // with the journal
	last      func(*draft)  // ends the table once the journal can be written; nil while it goes on
	thought   *thought      // of the bot whose turn it is, else nil
	found     chan struct{} // signalled when there is a choice
	stirred   bool          // goOn is due: who looks on has changed, or a game has ended
	draining  bool
	ended     bool // the goroutine must end
}

// made is how a table was made. It never changes.
type made struct {
	id         ID
	cfg        Config
	code       string
	maker      Player // without an ID: nobody
	oneNetwork bool   // opponents from one network may be rated
	clubNight  func(PlayerID) EventID
}

// Make opens a table: it gets a number, writes it to disk and starts its goroutine, which ends with the
// table. The maker does not sit yet, but needs no code to. The error wraps [ErrConfig], or is the journal's.
func Make(ctx context.Context, deps Deps, cfg Config, maker Player) (*Table, error) {
	return open(ctx, deps, cfg, maker, func(*state) {})
}

// open is Make; prepare may change the state before anybody sees it.
func open(ctx context.Context, deps Deps, cfg Config, maker Player, prepare func(*state)) (*Table, error) {
	deps.complete()
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
	setSince(&s.Nobody, s.Nobody, s.unattended())
	s.raiseMark()
	state, err := t.saved(s, 0)
	if err != nil {
		return nil, err
	}
	if _, err := Commit(deps.Journal, &Batch{Table: id, State: state}); err != nil { // nobody sees it yet
		return nil, fmt.Errorf("save table %d: %w", id, err)
	}
	t.disk = s.kept
	t.begin()
	return t, nil
}

// newTable returns a table that is not on disk yet. The configuration must be valid.
func newTable(deps Deps, id ID, cfg Config, code string, maker Player) *Table {
	const mailboxSize = 16 // how many requests may wait before their senders do
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

// ID returns the table's number.
func (t *Table) ID() ID { return t.id }

// Config returns the table's configuration.
func (t *Table) Config() Config { return t.cfg }

// Code returns the code of a private table, empty for others. The lobby finds tables by it; nobody else may
// learn it but those who sit at the table.
func (t *Table) Code() string { return t.code }

// Made returns who made the table, 0 for nobody, and from where, see [Deps].
func (t *Table) Made() (by PlayerID, from string) { return t.maker.ID, t.deps.From }

// Summary returns the table as the lobby shows it, never nil. It is immutable.
func (t *Table) Summary() *Summary { return t.summary.Load() }

// Done returns a channel that is closed when the table has ended: closed, or stopped with the server.
func (t *Table) Done() <-chan struct{} { return t.done }

// Do carries out a request and returns when it is in the journal. The error is a [Refusal], an error of
// package rules for a forbidden move, or the context's: then the command may still be carried out, and may be
// sent again with the same ID. Sending again a command that was carried out returns nil and has no effect.
func (t *Table) Do(ctx context.Context, r Request) error {
	reply := make(chan error, 1)
	if err := t.post(ctx, t.mailbox, func() { reply <- t.request(r) }); err != nil {
		return err
	}
	return Await(ctx, reply, t.done, ErrClosed)
}

// Await returns an answer, or the context's error, or ended if done is closed without an answer.
func Await(ctx context.Context, answer <-chan error, done <-chan struct{}, ended error) error {
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-done:
	}
	select { // the answer may have come before done
	case err := <-answer:
		return err
	default:
		return ended
	}
}

// Signal wakes the reader of a channel with room for one signal; one is enough. It never blocks.
func Signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Presence tells the table about somebody's presence: Here, Disconnected or Left. Players who come back get
// their seats back. It returns when the table knows, or has ended.
func (t *Table) Presence(p PlayerID, how Presence) {
	_ = t.call(context.Background(), t.mailbox, func() { t.presence(p, how) })
}

// Introduce tells the table whether a player who is seated, or to whom a bot's seat is promised, is now a
// program. At an event's table, where players are seated before they come, it also sets their network, as in
// [Request]. Call it before Presence.
func (t *Table) Introduce(p Player, net string) {
	_ = t.call(context.Background(), t.mailbox, func() {
		s := &t.state
		var q *sender
		if n := s.seatOf(p.ID); n != 0 {
			q = &s.seat(n).Player
		} else if n := s.takes(p.ID); n != 0 {
			q = &s.seat(n).Next
		} else {
			return
		}
		if !s.cfg.Event.Wait || s.inGame() || !s.keepsSeats() {
			net = q.Net
		}
		if q.Net != net || q.Bot != p.Bot {
			t.change(func() { q.Net, q.Bot = net, p.Bot })
		}
	})
}

// Rerate tells the table that a club night begins or ends, which may change whether its next game is rated.
func (t *Table) Rerate() {
	_ = t.post(context.Background(), t.mailbox, func() {
		if t.state.Phase.Gathers() {
			t.change(func() {})
		}
	})
}

// Exhibit tells the exhibition table whether anybody looks at the club: for them it plays one game, too; were it to
// play on, its games, 250 a day, would be most of those in the records. It returns when the table knows, or has ended.
func (t *Table) Exhibit(looked bool) {
	_ = t.call(context.Background(), t.looks, func() { t.state.looked, t.stirred = looked, true })
}

// Suspend stops the table and its clocks, because its journal is known to be out of reach, and shows
// everybody why. Called with an empty why, it lets the table go on. It does not wait for the table.
func (t *Table) Suspend(why string) {
	t.why.Store(&why)
	t.awaken()
}

// Drain stops the table while the server goes down: the clock stops, the state is written to disk, commands
// are refused, and watchers read a notice. The error is the journal's or the context's.
func (t *Table) Drain(ctx context.Context) error {
	var err error
	if e := t.call(ctx, t.mailbox, func() { err = t.drain() }); e != nil && e != error(ErrClosed) {
		return fmt.Errorf("drain table %d: %w", t.id, e)
	}
	return err
}

// Close drains the table and ends its goroutine. The table can be restored from the journal; the command
// [Close] closes it for good. Close may be called more than once. The error is the journal's, or the
// context's: then the goroutine ends as soon as the journal answers.
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

// call runs f on the table's goroutine and waits for it. Only a nil error means that f has certainly run.
func (t *Table) call(ctx context.Context, box chan<- func(), f func()) error {
	ran := make(chan error, 1)
	if err := t.post(ctx, box, func() { f(); ran <- nil }); err != nil {
		return err
	}
	return Await(ctx, ran, t.done, ErrClosed)
}
