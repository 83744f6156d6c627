package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"boneyard/lobby"
	"boneyard/table"
)

// A club on several machines has one log of operations, and each machine applies all of it, in order, to its
// own file. The log decides what happened: an operation that the file rejects, such as a name that is taken,
// is rejected on every machine.
//
// One node at a time writes. It becomes the owner by a claim, which is itself a log entry and begins an
// epoch; entries of an earlier epoch that come after the claim are rejected. So a node that was cut off, or
// stopped and resumed, cannot add anything to a club that now runs elsewhere, whatever it believes.

// Log is what the nodes of a club share: a list of entries, in the same order for all, that never loses one.
type Log interface {
	// Append adds entries, and returns nil once all of them are certain to be in the log, in this order.
	// After an error each may be in the log or not, or get there later: only appending them again tells.
	Append(ctx context.Context, entries []Entry) error
	// Follow calls apply with the entries after a position, in batches, in order and without gaps, until ctx
	// ends or apply fails. Entries that share a position are in one batch.
	Follow(ctx context.Context, after uint64, apply func([]Entry) error) error
	// Reachable reports whether a majority of the nodes can be reached; if not, Append would wait for them.
	Reachable() bool
	// Knows reports whether all nodes know a kind of operation, or Grouped, as each of them last reported:
	// during an upgrade some may not.
	Knows(kind string) bool
}

var (
	// ErrNotOwner is returned for a write on a node that does not own the club. It is also
	// table.ErrUnavailable.
	ErrNotOwner = fmt.Errorf("another node owns the club: %w", table.ErrUnavailable)
	// ErrAlone is returned for a write on a node that cannot reach a majority. It is also lobby.ErrApart,
	// which people read, and table.ErrUnavailable: tables and their clocks stop, and resume when the nodes
	// reach each other again.
	ErrAlone = fmt.Errorf("%w (%w)", lobby.ErrApart, table.ErrUnavailable)
	// ErrUnsure is returned to a caller with a deadline if the node was cut off before it knew whether the
	// write is in the log. It is also lobby.ErrUnsure, which people read, and context.DeadlineExceeded.
	ErrUnsure = fmt.Errorf("%w (%w)", lobby.ErrUnsure, context.DeadlineExceeded)
	// ErrDiffers is returned by Follow for a file that is known to differ from those of the other nodes.
	ErrDiffers = errors.New("this node's data file differs from those of most other nodes at the same entry of the log: it was " +
		"changed outside the log, or is damaged; move it away, with what is beside it, and restart: the node copies another's")
	// ErrTooNew is returned for a write that some node could not apply, because it runs an older version of
	// the program. It is also lobby.ErrUpgrading and table.ErrUnavailable.
	ErrTooNew = fmt.Errorf("%w (%w)", lobby.ErrUpgrading, table.ErrUnavailable)
	// ErrUnknownEntry is returned when the log has an operation that this program does not know, because
	// another node runs a newer version.
	ErrUnknownEntry = errors.New("the log has an operation that this version of the program does not know; " +
		"run the same version as the other nodes")
)

// Replica is a store's position in its log.
type Replica struct {
	Position uint64
	Epoch    uint64
	Seq      uint64    // of the owner's last entry
	Owner    string    // empty before the first claim
	Base     string    // a sum of the file before the first entry
	Digest   Digest    // the latest
	Applied  time.Time // when an entry was last applied; zero if none was since Open
}

// replica applies a log to a store. It is safe for concurrent use.
type replica struct {
	store *Store
	log   Log
	node  string
	end   context.CancelFunc
	ended chan struct{}

	sums   chan summing // of capacity one: the digest to compute next
	wholes atomic.Int32 // digests of the whole file that are pending

	running sync.WaitGroup // send and sum
	wake    chan struct{}  // of capacity one: there is something to send

	mu      sync.Mutex
	unsure  chan struct{} // closed and replaced when entries have waited for unsureAfter while the node is cut off
	at      Replica
	timed   time.Time     // when the last entry that keeps the time was applied; zero if none was since Open
	epoch   uint64        // in which this node is the owner, 0 if it is not
	queue   []*waiting    // its entries in that epoch that have not been applied, by Seq without gaps
	last    uint64        // Seq of the last one in queue
	claims  []*waiting    // for the epoch after the file's
	changed chan struct{} // closed and replaced when the owner changes or a digest is ready
	failed  error         // why following ended
}

// waiting is an entry of this node that has not been applied yet.
type waiting struct {
	operation
	entry  Entry
	sent   bool        // it is certain to be in the log
	answer func(error) // called once, without the lock; nil: nobody waits any more
}

// claim makes a node the owner of the club, unless another has claimed the epoch.
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
		(*acceptInvitation)(nil), (*addAudit)(nil), (*addNews)(nil), (*addReport)(nil), (*addRows)(nil), (*addSanction)(nil), (*appendEvent)(nil),
		(*beginGame)(nil), (*beginSealed)(nil), (*claim)(nil), (*commitBatch)(nil), (*compareFiles)(nil), (*createAccount)(nil),
		(*createEvent)(nil), (*createTeam)(nil),
		(*declineInvitation)(nil), (*fileReport)(nil), (*handOver)(nil), (*invite)(nil), (*inviteMember)(nil), (*keepClubID)(nil),
		(*keepNote)(nil), (*keepReview)(nil), (*keepTell)(nil), (*keepTime)(nil), (*leaveTeam)(nil), (*liftSanction)(nil),
		(*nextNumber)(nil), (*quitTeam)(nil), (*saveSettings)(nil),
		(*say)(nil), (*sayAt)(nil), (*seeMember)(nil), (*takeTells)(nil),
	} {
		all[kindOf(o)] = reflect.TypeOf(o).Elem()
	}
	return all
}()

func kindOf(o operation) string { return reflect.TypeOf(o).Elem().Name() }

// Kinds returns the kinds of entries that this program knows, sorted. A kind is written only once all nodes
// know it, see [Log]. So an operation whose effect changes between versions needs a new kind.
func Kinds() []string { return slices.Sorted(maps.Keys(operations)) }

// Follow makes the store a replica of a log: from now on only the log's entries change it. A write through
// this store is appended to the log, and is done when its entry has been applied here; it fails with
// ErrNotOwner until Claim has made this node the owner. Call Follow once, before anything is written.
func (s *Store) Follow(node string, log Log) error {
	r := &replica{store: s, log: log, node: node, ended: make(chan struct{}), wake: make(chan struct{}, 1),
		unsure: make(chan struct{}), changed: make(chan struct{}), sums: make(chan summing, 1)}
	var err error
	r.at, err = readReplica(context.Background(), s.keep)
	if err == nil && r.at.Position == 0 && r.at.Base == "" {
		r.at.Base, err = s.keepBase()
	}
	if err != nil {
		return fmt.Errorf("position in the log: %w", translate(err))
	}
	if r.at.Base == distrusted {
		return ErrDiffers
	}
	var ctx context.Context
	ctx, r.end = context.WithCancel(context.Background())
	s.replica = r
	r.running.Go(func() { r.send(ctx) })
	r.running.Go(func() { r.sum(ctx) })
	go r.follow(ctx)
	return nil
}

func readReplica(ctx context.Context, db queryer) (at Replica, err error) {
	err = scanRow(ctx, db, []any{&at.Position, &at.Epoch, &at.Seq, &at.Owner, &at.Base},
		`SELECT position, epoch, seq, owner, base FROM replica WHERE id = 1`)
	return at, err
}

// BeginLog makes a data file that no server has open the beginning of a new log.
func BeginLog(ctx context.Context, path string) (err error) {
	o := DefaultOptions()
	o.Existing = true
	s, err := Open(ctx, path, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return s.writer.do(ctx, func(t *tx) error {
		return t.change(`UPDATE replica SET position = 0, epoch = 0, seq = 0, owner = '', base = '' WHERE id = 1`)
	})
}

// Replica returns the store's position in its log, and a channel that is closed when the owner or the digest
// changes, or when following has failed; the error then says why.
func (s *Store) Replica() (Replica, <-chan struct{}, error) {
	r := s.replica
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.at, r.changed, r.failed
}

// Claim makes this node the owner of the club, in the epoch after the one it knows. It returns ErrNotOwner if
// another node was faster.
func (s *Store) Claim(ctx context.Context) error {
	r := s.replica
	r.mu.Lock()
	next := r.at.Epoch + 1
	r.mu.Unlock()
	o := &claim{Node: r.node, Epoch: next}
	err := r.await(ctx, func(answer func(error)) (giveUp func()) { return r.put(o, next, answer) })
	if err != nil {
		return fmt.Errorf("claim the club: %w", err)
	}
	return nil
}

const (
	retry = time.Second     // pause after a disk error before entries are applied again
	stuck = 3 * time.Second // after which the owner of the club gives up, so that a node with a working disk takes over
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
	left := slices.Concat(r.claims, r.queue)
	r.claims, r.queue = nil, nil
	r.tell()
	r.mu.Unlock()
	for _, w := range left {
		r.reply(w, nil, fmt.Errorf("%w (%w)", table.ErrUnavailable, err))
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
		some := r.upToDigest(entries)
		entries = entries[len(some):]
		counts, err := r.applySome(some)
		if err != nil {
			return err
		}
		whole := false
		for i, e := range some {
			whole = whole || e.Kind == comparesFiles && counts[i]
		}
		if last := some[len(some)-1].Position; whole || last%r.store.digestEvery == 0 {
			r.digest(ctx, last, whole)
		}
	}
	return nil
}

// upToDigest returns the first entries, up to a position after which a digest may be due.
func (r *replica) upToDigest(entries []Entry) []Entry {
	n := slices.IndexFunc(entries, func(e Entry) bool { return e.Position%r.store.digestEvery == 0 || e.Kind == comparesFiles })
	if n < 0 {
		return entries
	}
	for at := entries[n].Position; n < len(entries) && entries[n].Position == at; {
		n++
	}
	return entries[:n]
}

// applySome applies entries in one transaction. It returns which of them count, see applyEntries.
func (r *replica) applySome(entries []Entry) (counts []bool, err error) {
	all := make([]operation, len(entries))
	errs := make([]error, len(entries))
	counts = make([]bool, len(entries))
	for i := range entries {
		if all[i], err = entries[i].operation(); err != nil {
			return nil, err
		}
	}
	var at Replica
	err = r.store.writer.doAll(context.Background(), len(entries), func(t *tx) (err error) {
		at, err = t.applyEntries(entries, all, counts, errs)
		return err
	})
	if err != nil {
		return nil, err
	}
	answered, late := r.applied(at, entries, counts)
	for _, w := range late {
		r.reply(w, nil, ErrNotOwner)
	}
	for i, w := range answered {
		switch {
		case w == nil:
		case i >= len(entries): // a claim
			r.reply(w, nil, nil)
		default:
			r.reply(w, all[i], translate(errs[i]))
		}
	}
	return counts, nil
}

// reply answers an operation, with the answers of its applied copy if there is one. A caller that no longer
// waits may be reading the operation, so that it is left alone.
func (r *replica) reply(w *waiting, applied operation, err error) {
	r.mu.Lock()
	answer := w.answer
	w.answer = nil
	if answer != nil && applied != nil {
		reflect.ValueOf(w.operation).Elem().Set(reflect.ValueOf(applied).Elem())
	}
	r.mu.Unlock()
	if answer != nil {
		answer(err)
	}
}

// applied records the store's position, and removes the operations that waited for the entries that count:
// one per entry, or nil, and then successful claims. Those of an epoch that is over are late: their entries,
// if they ever come, are rejected.
func (r *replica) applied(at Replica, entries []Entry, counts []bool) (answered, late []*waiting) {
	r.mu.Lock()
	defer r.mu.Unlock()
	answered = make([]*waiting, len(entries))
	for i, e := range entries {
		if counts[i] && e.Kind == keepsTime {
			r.timed = time.Now()
		}
		if counts[i] && e.Seq > 0 && len(r.queue) > 0 && e.Epoch == r.queue[0].entry.Epoch {
			answered[i], r.queue = r.queue[0], r.queue[1:]
		}
	}
	if at.Epoch != r.at.Epoch {
		late, r.queue, r.last, r.epoch = r.queue, nil, 0, 0
		if at.Owner == r.node {
			r.epoch = at.Epoch
		}
		for _, w := range r.claims {
			if w.entry.Epoch == r.epoch {
				answered = append(answered, w)
			} else {
				late = append(late, w)
			}
		}
		r.claims = nil
		r.tell()
	}
	at.Base, at.Digest, at.Applied = r.at.Base, r.at.Digest, time.Now()
	r.at = at
	return answered, late
}

// sinceTime returns how long ago the time was kept, as far as this process knows: an entry comes within a moment,
// but for those that the node has missed.
func (r *replica) sinceTime() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.timed.IsZero() {
		return 0
	}
	return time.Since(r.timed)
}

// applyEntries applies entries and returns the file's new position. counts tells which of them are neither
// duplicates nor of a former owner. errs receives the error of each entry; err concerns all of them.
func (t *tx) applyEntries(entries []Entry, all []operation, counts []bool, errs []error) (at Replica, err error) {
	if at, err = readReplica(context.Background(), t); err != nil {
		return at, err
	}
	for i, e := range entries {
		if e.Position != at.Position+1 && (i == 0 || e.Position != at.Position) {
			return at, fmt.Errorf("entry %d of the log comes after entry %d", e.Position, at.Position)
		}
		at.Position = e.Position
		c, isClaim := all[i].(*claim)
		counts[i] = isClaim || e.Epoch == at.Epoch && e.Seq == at.Seq+1
		if !counts[i] {
			continue
		}
		if !isClaim {
			at.Seq = e.Seq
		}
		if all[i] == nil {
			continue
		}
		if errs[i], err = t.alone(all[i].apply); err != nil {
			return at, err
		}
		if isClaim && errs[i] == nil {
			at.Epoch, at.Owner, at.Seq = c.Epoch, c.Node, 0
		}
	}
	return at, t.change(`UPDATE replica SET position = ?, seq = ? WHERE id = 1`, at.Position, at.Seq)
}

func (r *replica) close() {
	r.end()
	<-r.ended
	r.running.Wait()
	select {
	case d := <-r.sums:
		_ = d.snapshot.Rollback() // nothing was written
	default:
	}
}
