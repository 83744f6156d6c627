package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"boneyard/lobby"
	"boneyard/table"
)

// A club on several machines has one log of operations, and each machine applies all of it, in order, to its own file. The log
// decides what happened: an operation that the file refuses, such as a name that is taken, is refused on every machine.
//
// One node at a time writes. It becomes the owner by a claim, which is itself a log entry and begins an epoch; entries of an
// earlier epoch that come after the claim are refused. So a node that was cut off, or stopped and resumed, cannot add anything to
// a club that now runs elsewhere, whatever it believes.

// Entry is one operation in the log.
type Entry struct {
	Position uint64          `json:"-"`     // in the log, from 1
	ID       string          `json:"id"`    // of the attempt: an ID that is in the log twice is applied once
	Epoch    uint64          `json:"epoch"` // in which its writer was the owner
	Kind     string          `json:"kind"`
	Data     json.RawMessage `json:"data"`
}

// Log is what the nodes of a club share: a list of entries, in the same order for all, that never loses one.
type Log interface {
	// Append adds an entry. It returns nil once the entry is certain to be in the log, possibly more than once. While that is
	// uncertain it retries until ctx ends; the entry may then be in the log or not.
	Append(ctx context.Context, e Entry) error
	// Follow calls apply with the entries after a position, in batches, in order and without gaps, until ctx ends or apply fails.
	Follow(ctx context.Context, after uint64, apply func([]Entry) error) error
	// Reachable reports whether a majority of the nodes can be reached; if not, Append would wait for them.
	Reachable() bool
	// Knows reports whether all nodes know a kind of operation, as each of them last said: while nodes are being upgraded, some may not.
	Knows(kind string) bool
}

var (
	// ErrNotOwner is returned for a write on a node that does not own the club. It is also table.ErrUnavailable.
	ErrNotOwner = fmt.Errorf("another node owns the club: %w", table.ErrUnavailable)
	// ErrAlone is returned for a write on a node that cannot reach a majority. It is also lobby.ErrApart, which people read, and
	// table.ErrUnavailable: tables and their clocks stop, and resume when the nodes reach each other again.
	ErrAlone = fmt.Errorf("%w (%w)", lobby.ErrApart, table.ErrUnavailable)
	// ErrTooNew is returned for a write that not all nodes could apply, because some run an older version of the program. It is also
	// lobby.ErrUpgrading and table.ErrUnavailable.
	ErrTooNew = fmt.Errorf("%w (%w)", lobby.ErrUpgrading, table.ErrUnavailable)
	// ErrUnknownEntry is returned when the log has an operation that this program does not know, because another node runs a newer version.
	ErrUnknownEntry = errors.New("the log has an operation that this version of the program does not know; run the same version as the other nodes")
)

// Replica is a store's position in its log.
type Replica struct {
	Position uint64
	Epoch    uint64
	Owner    string    // empty before the first claim
	Base     string    // the Sum of the digest before the first entry
	Digest   Digest    // the latest
	Applied  time.Time // when an entry was last applied; zero if none was since the store was opened
}

// replica applies a log to a store. It is safe for concurrent use.
type replica struct {
	store *Store
	log   Log
	node  string
	end   context.CancelFunc
	ended chan struct{}

	summing sync.WaitGroup // only added to while the log is followed

	mu      sync.Mutex
	at      Replica
	epoch   uint64 // in which this node is the owner, 0 if it is not
	waiting map[string]*waiting
	changed chan struct{} // closed and replaced when the owner changes or a digest is ready
	failed  error         // why following ended
}

// waiting is an operation of this node whose entry has not been applied yet.
type waiting struct {
	operation
	answer func(error) // called once, without the lock
	stop   func()      // stops sending
}

// claim makes a node the owner of the club, unless somebody else has claimed the epoch.
type claim struct {
	Node  string
	Epoch uint64
}

func (o *claim) apply(t *tx) error {
	err := t.change(`UPDATE replica SET epoch = ?1, owner = ?2 WHERE id = 1 AND epoch = ?1 - 1`, o.Epoch, o.Node)
	if isNone(err) {
		return ErrNotOwner
	}
	return err
}

// operations maps the kinds of entries to their types.
var operations = func() map[string]reflect.Type {
	all := make(map[string]reflect.Type)
	for _, o := range []operation{
		(*addAudit)(nil), (*addNews)(nil), (*addReport)(nil), (*addSanction)(nil), (*acceptInvitation)(nil), (*beginGame)(nil), (*claim)(nil), (*commitBatch)(nil),
		(*appendEvent)(nil), (*createAccount)(nil), (*createEvent)(nil), (*createTeam)(nil), (*declineInvitation)(nil), (*fileReport)(nil), (*handOver)(nil), (*invite)(nil), (*keepReview)(nil), (*keepTell)(nil), (*keepTime)(nil),
		(*leaveTeam)(nil), (*liftSanction)(nil), (*nextNumber)(nil), (*quitTeam)(nil), (*saveSettings)(nil), (*say)(nil), (*seeMember)(nil), (*takeTells)(nil),
	} {
		all[kindOf(o)] = reflect.TypeOf(o).Elem()
	}
	return all
}()

func kindOf(o operation) string { return reflect.TypeOf(o).Elem().Name() }

// Kinds are the kinds of entries that this program knows, in order. What is not there is written only once
// all nodes know it, see [Log]. So an operation that does something else than in a version before is another
// kind.
func Kinds() []string { return slices.Sorted(maps.Keys(operations)) }

// Follow makes the store a replica of a log: from now on only the log's entries change it. A write through this store is appended
// to the log, and is done when its entry has been applied here; it fails with ErrNotOwner until Claim has made this node the
// owner. Call Follow once, before anything is written.
func (s *Store) Follow(node string, log Log) error {
	r := &replica{store: s, log: log, node: node, ended: make(chan struct{}), waiting: make(map[string]*waiting), changed: make(chan struct{})}
	var err error
	r.at, err = readReplica(context.Background(), s.keep)
	if err == nil && r.at.Position == 0 && r.at.Base == "" {
		r.at.Base, err = s.keepBase()
	}
	if err != nil {
		return fmt.Errorf("position in the log: %w", translate(err))
	}
	var ctx context.Context
	ctx, r.end = context.WithCancel(context.Background())
	s.replica = r
	go r.follow(ctx)
	return nil
}

func readReplica(ctx context.Context, db queryer) (at Replica, err error) {
	err = scanRow(ctx, db, []any{&at.Position, &at.Epoch, &at.Owner, &at.Base}, `SELECT position, epoch, owner, base FROM replica WHERE id = 1`)
	return at, err
}

// Replica returns the store's position in its log, and a channel that is closed when the owner or the digest changes, or when
// following has failed; the error then says why.
func (s *Store) Replica() (Replica, <-chan struct{}, error) {
	r := s.replica
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.at, r.changed, r.failed
}

// Claim makes this node the owner of the club, in the epoch after the one it knows. It returns ErrNotOwner if another node was faster.
func (s *Store) Claim(ctx context.Context) error {
	r := s.replica
	r.mu.Lock()
	next := r.at.Epoch + 1
	r.mu.Unlock()
	err := await(ctx, func(answer func(error)) func() { return r.send(&claim{Node: r.node, Epoch: next}, next, answer) })
	if err != nil {
		return fmt.Errorf("claim the club: %w", err)
	}
	return nil
}

// run appends an operation of this node and waits until its entry has been applied. The error is the context's if that ended first: then
// nobody knows yet whether the entry will be.
func (r *replica) run(ctx context.Context, o operation) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return await(ctx, func(answer func(error)) func() { return r.begin(o, answer) })
}

// await waits for the answer to what send sends, or for the end of ctx.
func await(ctx context.Context, send func(answer func(error)) (giveUp func())) error {
	done := make(chan error, 1)
	giveUp := send(func(err error) { done <- err })
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		giveUp()
		return ctx.Err()
	}
}

// begin appends an operation of this node. It is answered when its entry is applied, or when following fails. giveUp is as for send.
func (r *replica) begin(o operation, answer func(error)) (giveUp func()) {
	giveUp = func() {}
	r.mu.Lock()
	epoch := r.epoch
	r.mu.Unlock()
	switch {
	case epoch == 0:
		answer(ErrNotOwner)
		return giveUp
	case !r.log.Reachable():
		answer(ErrAlone)
		return giveUp
	case !r.log.Knows(kindOf(o)):
		answer(ErrTooNew)
		return giveUp
	}
	return r.send(o, epoch, answer)
}

// send appends an operation. giveUp stops waiting for it, and leaves open whether it is applied.
func (r *replica) send(o operation, epoch uint64, answer func(error)) (giveUp func()) {
	data, err := json.Marshal(o)
	if err != nil {
		answer(err)
		return func() {}
	}
	e := Entry{ID: rand.Text(), Epoch: epoch, Kind: kindOf(o), Data: data}
	sending, stop := context.WithCancel(context.Background())
	r.mu.Lock()
	failed := r.failed
	if failed == nil {
		r.waiting[e.ID] = &waiting{operation: o, answer: answer, stop: stop}
	}
	r.mu.Unlock()
	if failed != nil {
		stop()
		answer(fmt.Errorf("%w (%w)", table.ErrUnavailable, failed))
		return func() {}
	}
	go r.log.Append(sending, e) // the result does not matter: what counts is that the entry is applied
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.waiting, e.ID)
		stop()
	}
}

const (
	retry = time.Second      // how long the replica waits after a disk error before it applies entries again
	stuck = 10 * time.Second // after which the owner of the club gives up, so that another node takes over whose disk works
)

func (r *replica) follow(ctx context.Context) {
	defer close(r.ended)
	var fails time.Time // since when; zero if the last entries were applied
	var trouble table.Seldom
	for {
		r.mu.Lock()
		after := r.at.Position
		r.mu.Unlock()
		err := r.log.Follow(ctx, after, func(entries []Entry) error {
			err := r.apply(ctx, entries)
			if err == nil {
				fails = time.Time{}
			}
			return err
		})
		if ctx.Err() != nil {
			r.fail(ErrClosed)
			return
		}
		if !errors.Is(err, table.ErrUnavailable) || errors.Is(err, ErrDamaged) {
			r.fail(err)
			return
		}
		if fails.IsZero() {
			fails = time.Now()
		}
		if trouble.Due(time.Now()) {
			r.store.warn(err)
		}
		if r.owns() && time.Since(fails) >= stuck {
			r.fail(fmt.Errorf("this node owned the club, but could write nothing for %v: %w", stuck, err))
			return
		}
		select {
		case <-time.After(retry):
		case <-ctx.Done():
		}
	}
}

// owns reports whether this node owns the club, as far as it knows.
func (r *replica) owns() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.epoch > 0
}

// fail answers all waiting operations with an error. Applied entries stay.
func (r *replica) fail(err error) {
	r.mu.Lock()
	r.failed, r.epoch = err, 0
	left := r.waiting
	r.waiting = make(map[string]*waiting)
	r.tell()
	r.mu.Unlock()
	for _, w := range left {
		w.stop()
		w.answer(fmt.Errorf("%w (%w)", table.ErrUnavailable, err))
	}
}

// tell wakes everybody who waits for a change. Call it with mu held.
func (r *replica) tell() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// apply applies entries and answers those who wait for them. It pauses where a digest is due, so that all
// nodes take it at the same position.
func (r *replica) apply(ctx context.Context, entries []Entry) error {
	for len(entries) > 0 {
		n := min(len(entries), int(digestEvery-(entries[0].Position-1)%digestEvery))
		if err := r.applySome(entries[:n]); err != nil {
			return err
		}
		if last := entries[n-1].Position; last%digestEvery == 0 {
			r.digest(ctx, last)
		}
		entries = entries[n:]
	}
	return nil
}

// applySome applies entries in one transaction.
func (r *replica) applySome(entries []Entry) error {
	all := make([]operation, len(entries))
	errs := make([]error, len(entries))
	for i, e := range entries {
		t, known := operations[e.Kind]
		if !known {
			return fmt.Errorf("%w (%q at %d)", ErrUnknownEntry, e.Kind, e.Position)
		}
		all[i] = reflect.New(t).Interface().(operation)
		if err := json.Unmarshal(e.Data, all[i]); err != nil {
			return fmt.Errorf("entry %d of the log, %q: %w", e.Position, e.Kind, err)
		}
	}
	var at Replica
	err := r.store.writer.do(context.Background(), func(t *tx) (err error) {
		at, err = t.applyEntries(entries, all, errs)
		return err
	})
	if err != nil {
		return err
	}
	for i, w := range r.applied(at, entries) {
		if w == nil {
			continue
		}
		w.stop()
		reflect.ValueOf(w.operation).Elem().Set(reflect.ValueOf(all[i]).Elem()) // with its answers
		w.answer(translate(errs[i]))
	}
	return nil
}

// applied records the store's position, and removes the operations that waited for the entries: one per entry, or nil.
func (r *replica) applied(at Replica, entries []Entry) []*waiting {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at.Epoch != r.at.Epoch {
		r.epoch = 0
		if at.Owner == r.node {
			r.epoch = at.Epoch
		}
		r.tell()
	}
	at.Base, at.Digest, at.Applied = r.at.Base, r.at.Digest, time.Now()
	r.at = at
	answered := make([]*waiting, len(entries))
	for i, e := range entries {
		answered[i] = r.waiting[e.ID]
		delete(r.waiting, e.ID)
	}
	return answered
}

// entriesKept is how many entries are remembered so that one that is in the log twice is applied once.
const entriesKept = 100_000

// applyEntries applies entries and returns the file's new position. errs receives the error of each entry; err concerns all of them.
func (t *tx) applyEntries(entries []Entry, all []operation, errs []error) (at Replica, err error) {
	if at, err = readReplica(context.Background(), t); err != nil {
		return at, err
	}
	for i, e := range entries {
		if e.Position != at.Position+1 {
			return at, fmt.Errorf("entry %d of the log comes after entry %d", e.Position, at.Position)
		}
		at.Position = e.Position
		c, isClaim := all[i].(*claim)
		switch err := t.rememberEntry(e); {
		case taken(err):
			continue // already applied, and whoever waited has been answered
		case err != nil:
			return at, err
		case e.Epoch != at.Epoch && !isClaim:
			errs[i] = ErrNotOwner
			continue
		}
		if errs[i], err = t.alone(all[i].apply); err != nil {
			return at, err
		}
		if isClaim && errs[i] == nil {
			at.Epoch, at.Owner = c.Epoch, c.Node
		}
	}
	if err := t.change(`UPDATE replica SET position = ? WHERE id = 1`, at.Position); err != nil {
		return at, err
	}
	_, err = t.exec(`DELETE FROM replica_entries WHERE position <= ?`, int64(at.Position)-entriesKept)
	return at, err
}

func (t *tx) rememberEntry(e Entry) error {
	_, err := t.exec(`INSERT INTO replica_entries (id, position) VALUES (?, ?)`, e.ID, e.Position)
	return err
}

// close stops following the log.
func (r *replica) close() {
	r.end()
	<-r.ended
	r.summing.Wait()
}
