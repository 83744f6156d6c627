package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/store"
	"boneyard/store/grow"
	"boneyard/store/storetest"
	"boneyard/table"
)

// memoryLog is a log in memory. It has some entries twice, as if an answer was lost and the entry was sent
// again. A node that is cut off can neither append nor read.
type memoryLog struct {
	mu      sync.Mutex
	changed *sync.Cond
	rng     *rand.Rand
	entries [][]store.Entry // by their positions
	cut     map[string]bool
	alone   map[string]bool // and knows it
	once    bool            // has no entry twice
	unknown []string        // kinds of entries that some node does not know
}

func newMemoryLog(seed uint64) *memoryLog {
	l := &memoryLog{rng: rand.New(rand.NewPCG(seed, 3)), cut: make(map[string]bool), alone: make(map[string]bool)}
	l.changed = sync.NewCond(&l.mu)
	return l
}

func (l *memoryLog) setCut(node string, cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut[node] = cut
	l.changed.Broadcast()
}

func (l *memoryLog) length() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return uint64(len(l.entries))
}

func (l *memoryLog) setAlone(node string, alone bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.alone[node] = alone
}

func (l *memoryLog) setOnce() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.once = true
}

// of is one node's view of the log.
func (l *memoryLog) of(node string) store.Log { return &nodeLog{l, node} }

type nodeLog struct {
	*memoryLog
	node string
}

func (l *nodeLog) wait(ctx context.Context, until func() bool) error {
	stop := context.AfterFunc(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.changed.Broadcast()
	})
	defer stop()
	for (l.cut[l.node] || !until()) && ctx.Err() == nil {
		l.changed.Wait()
	}
	return ctx.Err()
}

func (l *nodeLog) Append(ctx context.Context, entries []store.Entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.wait(ctx, func() bool { return true }); err != nil {
		return err
	}
	if l.alone[l.node] {
		return errors.New("no node leads the log")
	}
	times := 1 + l.rng.IntN(4)/3
	if l.once {
		times = 1
	}
	for range times {
		packed, err := store.Pack(entries, !slices.Contains(l.unknown, store.Grouped))
		if err != nil {
			return err
		}
		for _, b := range packed {
			some, err := store.Unpack(nil, uint64(len(l.entries)+1), b)
			if err != nil {
				return err
			}
			l.entries = append(l.entries, some)
		}
	}
	l.changed.Broadcast()
	return nil
}

func (l *nodeLog) Reachable() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.alone[l.node]
}

func (l *nodeLog) Knows(kind string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !slices.Contains(l.unknown, kind)
}

func (l *nodeLog) Follow(ctx context.Context, after uint64, apply func([]store.Entry) error) error {
	for {
		l.mu.Lock()
		if err := l.wait(ctx, func() bool { return len(l.entries) > int(after) }); err != nil {
			l.mu.Unlock()
			return err
		}
		some := slices.Concat(l.entries[after:min(len(l.entries), int(after)+1+l.rng.IntN(8))]...)
		l.mu.Unlock()
		if err := apply(some); err != nil {
			return err
		}
		after = some[len(some)-1].Position
	}
}

// reached waits until a store has applied its log up to a position.
func reached(t *testing.T, s *store.Store, l *memoryLog) {
	t.Helper()
	require.Eventually(t, func() bool {
		at, _, err := s.Replica()
		require.NoError(t, err)
		return at.Position == l.length()
	}, patience, time.Millisecond)
}

// digest waits until a store has computed its digest at a position.
func digest(t *testing.T, s *store.Store, at uint64) store.Digest {
	t.Helper()
	for {
		r, changed, err := s.Replica()
		require.NoError(t, err)
		if r.Digest.Position == at {
			require.NotEmpty(t, r.Digest.Tables)
			return r.Digest
		}
		select {
		case <-changed:
		case <-time.After(patience):
			t.Fatalf("no digest at %d, but %+v", at, r.Digest)
		}
	}
}

func base(t *testing.T, s *store.Store) string {
	r, _, err := s.Replica()
	require.NoError(t, err)
	require.NotEmpty(t, r.Base)
	return r.Base
}

// TestDigests has three stores follow one log; one has different standings. The other two have the same
// digest at the same position, no matter how many entries they get at a time.
func TestDigests(t *testing.T) {
	o := options(t)
	o.DigestEvery = 25
	l := newMemoryLog(9)
	names := []string{"one", "two", "three"}
	stores := make(map[string]*store.Store)
	for _, n := range names {
		stores[n] = mustOpen(t, newPath(t), o)
	}
	for _, n := range names {
		require.NoError(t, stores[n].Follow(n, l.of(n)))
	}
	require.NoError(t, stores["one"].Claim(ctx))
	c := newClub(t, stores["one"], 12)
	c.play(3)
	reached(t, stores["three"], l)
	same := l.length()
	stores["three"].Tamper(t, `UPDATE standings SET mu = mu + 1`)
	for l.length() < same+25 { // a digest is due on the way, whatever is in the log twice
		c.play(1)
	}
	for _, n := range names {
		reached(t, stores[n], l)
	}
	digests := make(map[string]store.Digest)
	for _, n := range names {
		digests[n] = digest(t, stores[n], l.length()/25*25)
	}
	differ, ok := digests["one"].Differ(digests["two"])
	require.True(t, ok)
	require.Empty(t, differ)
	differ, ok = digests["one"].Differ(digests["three"])
	require.True(t, ok)
	require.Contains(t, differ, "standings")
	require.Equal(t, base(t, stores["one"]), base(t, stores["three"]), "it began as the others did")
	l.setOnce() // a second such entry moves the position on, and there is no digest for it
	require.NoError(t, stores["one"].CompareFiles(ctx))
	at, _, err := stores["one"].Replica()
	require.NoError(t, err)
	require.Equal(t, digest(t, stores["one"], at.Position), digest(t, stores["two"], at.Position))

	other := mustOpen(t, newPath(t), options(t))
	mustCreate(t, other, "zoe")
	require.NoError(t, other.Follow("four", l.of("four")))
	require.NotEqual(t, base(t, stores["one"]), base(t, other))
}

// TestTheLastComparisonIsMade asks for digests of the whole file while one is being computed, which takes
// longer than an entry: each node computes the last one requested.
func TestTheLastComparisonIsMade(t *testing.T) {
	l := newMemoryLog(12)
	l.setOnce()
	stores := []*store.Store{newStore(t), newStore(t)}
	for i, s := range stores {
		require.NoError(t, errOf(grow.Fill(ctx, s, grow.Plan{Games: 40, Members: 80, Teams: 4, Chat: 90, Seed: 1}, nil)))
		name := fmt.Sprint("node", i)
		require.NoError(t, s.Follow(name, l.of(name)))
	}
	require.NoError(t, stores[0].Claim(ctx))
	for range 20 {
		require.NoError(t, stores[0].CompareFiles(ctx))
	}
	require.Equal(t, digest(t, stores[0], l.length()), digest(t, stores[1], l.length()))
}

// TestAFileThatDiffersIsNotFollowedWith marks a file as one that differs: it follows the log after no
// restart, but may begin a new log. The same goes for a file on which a club went on alone.
func TestAFileThatDiffersIsNotFollowedWith(t *testing.T) {
	l, path := newMemoryLog(1), newPath(t)
	s := mustOpen(t, path, options(t))
	require.NoError(t, s.Follow("one", l.of("one")))
	require.NoError(t, s.Distrust())
	mustClose(t, s)
	s = mustOpen(t, path, options(t))
	require.ErrorIs(t, s.Follow("one", l.of("one")), store.ErrDiffers)
	mustClose(t, s)
	require.NoError(t, store.BeginLog(ctx, path))
	s = mustOpen(t, path, options(t))
	require.NoError(t, s.GoAlone(ctx))
	require.NoError(t, s.Follow("one", l.of("one")), "it has followed no log yet")
	require.NoError(t, s.Claim(ctx))
	mustClose(t, s)
	s = mustOpen(t, path, options(t))
	require.NoError(t, s.GoAlone(ctx))
	require.ErrorIs(t, s.Follow("one", l.of("one")), store.ErrDiffers, "a club may have gone on in it")
}

// TestAloneNothingIsWritten checks that a node that knows it is cut off refuses writes at once, so that
// tables and their clocks stop.
func TestAloneNothingIsWritten(t *testing.T) {
	l := newMemoryLog(10)
	s := mustOpen(t, newPath(t), options(t))
	require.NoError(t, s.Follow("one", l.of("one")))
	require.NoError(t, s.Claim(ctx))
	before := l.length()
	l.setAlone("one", true)
	_, err := s.Create(ctx, keyOf("ana"), "ana", "ana", noon)
	require.ErrorIs(t, err, store.ErrAlone)
	require.ErrorIs(t, err, table.ErrUnavailable)
	require.Equal(t, before, l.length())
	l.setAlone("one", false)
	mustCreate(t, s, "ana")
}

// TestWhatANodeDoesNotKnowIsNotWritten checks that during an upgrade only what all nodes know gets into the
// log.
func TestWhatANodeDoesNotKnowIsNotWritten(t *testing.T) {
	l := newMemoryLog(11)
	s := mustOpen(t, newPath(t), options(t))
	require.NoError(t, s.Follow("one", l.of("one")))
	require.NoError(t, s.Claim(ctx))
	mustCreate(t, s, "ana")
	before := l.length()
	require.Contains(t, store.Kinds(), "createAccount")
	l.mu.Lock()
	l.unknown = []string{"createAccount"}
	l.mu.Unlock()
	_, err := s.Create(ctx, keyOf("ben"), "ben", "ben", noon)
	require.ErrorIs(t, err, store.ErrTooNew)
	require.ErrorIs(t, err, lobby.ErrUpgrading)
	require.Equal(t, before, l.length())
	l.mu.Lock()
	l.unknown = nil
	l.mu.Unlock()
	mustCreate(t, s, "ben")
}

// TestThreeStoresAreOne has three stores follow one log. Each owns the club for a time, while another is cut
// off and still believes that it is the owner. In the end all files are the same, and the standings follow
// from the games.
func TestThreeStoresAreOne(t *testing.T) {
	l := newMemoryLog(7)
	names := []string{"one", "two", "three"}
	paths := make(map[string]string)
	stores := make(map[string]*store.Store)
	for _, n := range names {
		paths[n] = newPath(t)
		stores[n] = mustOpen(t, paths[n], options(t))
		require.NoError(t, stores[n].Follow(n, l.of(n)))
	}
	require.ErrorIs(t, errOf(stores["one"].NextTable(ctx)), store.ErrNotOwner)

	require.NoError(t, stores["one"].Claim(ctx))
	c := newClub(t, stores["one"], 11)
	c.play(6)
	var late []chan error
	for i, n := range []string{"two", "three", "one"} {
		before := names[(i)%3]
		l.setCut(before, true)
		// It does not know this yet, and writes; the entry arrives in the log when the connection is back,
		// too late.
		was := stores[before]
		done := make(chan error, 1)
		late = append(late, done)
		go func() {
			_, err := was.Create(ctx, keyOf(fmt.Sprint("late", i)), "late", "late", noon)
			done <- err
		}()
		reached(t, stores[n], l)
		require.NoError(t, stores[n].Claim(ctx))
		c.store = stores[n]
		c.play(4)
		require.ErrorIs(t, errOf(stores[n].Create(ctx, keyOf("ana"), "ana", "ana", noon)), lobby.ErrTaken)
		l.setCut(before, false)
	}
	for _, done := range late {
		require.ErrorIs(t, <-done, table.ErrUnavailable)
	}
	for _, n := range names {
		mustClose(t, stores[n]) // entries of answered writes may still be on their way to the log
	}
	first := []string(nil)
	for _, n := range names {
		s := mustOpen(t, paths[n], options(t))
		require.NoError(t, s.Follow(n, l.of(n)))
		reached(t, s, l)
		mustClose(t, s)
		mustBeSound(t, paths[n])
		if first == nil {
			first = storetest.Contents(t, paths[n])
		}
		require.Equal(t, first, storetest.Contents(t, paths[n]))
	}
}

// TestANodeKnowsWhenTheTimeWasKept: a node that was there when another kept the time says how long ago that
// was, and one that has just started does not know.
func TestANodeKnowsWhenTheTimeWasKept(t *testing.T) {
	l, path := newMemoryLog(7), newPath(t)
	one, two := newStore(t), mustOpen(t, path, options(t))
	require.NoError(t, one.Follow("one", l.of("one")))
	require.NoError(t, two.Follow("two", l.of("two")))
	require.NoError(t, one.Claim(ctx))
	began := time.Now()
	require.NoError(t, one.KeepTime(ctx, noon, noon))
	reached(t, two, l)
	for _, s := range []*store.Store{one, two} {
		_, _, ago, err := s.LastTime(ctx)
		require.NoError(t, err)
		require.Positive(t, ago)
		require.LessOrEqual(t, ago, time.Since(began))
	}
	mustClose(t, two)
	two = mustOpen(t, path, options(t))
	require.NoError(t, two.Follow("two", l.of("two")))
	now, _, ago, err := two.LastTime(ctx)
	require.NoError(t, err)
	require.True(t, noon.Equal(now))
	require.Zero(t, ago)
}

// TestWhoIsCutOffIsToldSoon cuts a node off after a write was begun. A caller with a deadline gets ErrUnsure
// long before that; a background job waits. When the node is back, the job's write is done once, and the
// caller's once or never.
func TestWhoIsCutOffIsToldSoon(t *testing.T) {
	path := newPath(t)
	synctest.Test(t, func(t *testing.T) {
		l := newMemoryLog(12)
		s := mustOpen(t, path, options(t))
		require.NoError(t, s.Follow("one", l.of("one")))
		require.NoError(t, s.Claim(ctx))
		l.setCut("one", true) // from now on appending waits
		asks, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		told, done := make(chan error, 1), make(chan error, 1)
		go func() {
			_, err := s.Create(asks, keyOf("ana"), "ana", "ana", noon)
			told <- err
		}()
		go func() {
			_, err := s.Create(ctx, keyOf("ben"), "ben", "ben", noon)
			done <- err
		}()
		synctest.Wait()
		l.setAlone("one", true) // and now fails
		l.setCut("one", false)
		began := time.Now()
		err := <-told
		require.ErrorIs(t, err, lobby.ErrUnsure)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, table.ErrUnavailable, "which means that it was not done")
		require.Less(t, time.Since(began), 3*time.Second)
		l.setAlone("one", false)
		require.NoError(t, <-done)
		mustClose(t, s)
	})
}

// A caller that gives up is not kept until the log answers. Its write may still arrive.
func TestAWriteThatNobodyWaitsFor(t *testing.T) {
	l := newMemoryLog(1)
	s := mustOpen(t, newPath(t), options(t))
	require.NoError(t, s.Follow("a", l.of("a")))
	require.NoError(t, s.Claim(ctx))
	l.setCut("a", true)
	given, giveUp := context.WithCancel(ctx)
	answer := make(chan error)
	go func() {
		_, err := s.NextGame(given)
		answer <- err
	}()
	giveUp()
	require.ErrorIs(t, <-answer, context.Canceled)
	l.setCut("a", false)
	require.NoError(t, errOf(s.NextGame(ctx)))
	mustClose(t, s)
}

// askedLog signals calls of Append.
type askedLog struct {
	store.Log
	asked chan struct{} // of capacity one
}

func (l askedLog) Append(ctx context.Context, entries []store.Entry) error {
	table.Signal(l.asked)
	return l.Log.Append(ctx, entries)
}

// A caller that gave up may read its operation while that is applied: nothing else writes to it.
func TestAnAnswerIsForWhoWaits(t *testing.T) {
	l := newMemoryLog(2)
	s := mustOpen(t, newPath(t), options(t))
	log := askedLog{l.of("a"), make(chan struct{}, 1)}
	require.NoError(t, s.Follow("a", log))
	require.NoError(t, s.Claim(ctx))
	<-log.asked
	for range 50 {
		require.NoError(t, errOf(s.NextGame(ctx)))
		<-log.asked
		l.setCut("a", true)
		given, giveUp := context.WithCancel(ctx)
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = s.NextGame(given)
		}()
		<-log.asked
		giveUp()
		l.setCut("a", false)
		<-done
	}
	mustClose(t, s)
}

// TestStoreGoesOnInItsLog closes a store that follows a log, and reopens it at the same position.
func TestStoreGoesOnInItsLog(t *testing.T) {
	l := newMemoryLog(8)
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	require.NoError(t, s.Follow("one", l.of("one")))
	require.NoError(t, s.Claim(ctx))
	mustCreate(t, s, "ana")
	l.setCut("one", true)
	done := make(chan error, 1)
	go func() {
		_, err := s.Create(ctx, keyOf("ben"), "ben", "ben", noon)
		done <- err
	}()
	mustClose(t, s)
	require.ErrorIs(t, <-done, table.ErrUnavailable)
	l.setCut("one", false)

	s = mustOpen(t, path, options(t))
	require.NoError(t, s.Follow("one", l.of("one")))
	require.ErrorIs(t, errOf(s.Create(ctx, keyOf("cleo"), "cleo", "cleo", noon)), store.ErrNotOwner, "what a process owned ends with it")
	require.NoError(t, s.Claim(ctx))
	mustCreate(t, s, "cleo")
	require.NoError(t, errOf(s.ByName(ctx, "ana")))
	require.NoError(t, errOf(s.ByName(ctx, "cleo")))
}

// TestAReplicaCopiesItsLogAsOften has a store apply entries a few at a time: the next checkpoint counts
// entries, not transactions, or the log would grow many times larger than without a cluster.
func TestAReplicaCopiesItsLogAsOften(t *testing.T) {
	l := newMemoryLog(8)
	l.setOnce()
	one := newStore(t)
	require.NoError(t, one.Follow("one", l.of("one")))
	require.NoError(t, one.Claim(ctx))
	o := options(t)
	o.CheckpointEvery, o.CheckpointAfter = 150, time.Hour
	for i := range o.CheckpointEvery {
		mustCreate(t, one, fmt.Sprint("name", i))
	}
	path, groups := newPath(t), 0
	o.Committed = func(store.Group) { groups++ }
	two := mustOpen(t, path, o)
	require.NoError(t, two.Follow("two", l.of("two")))
	reached(t, two, l)
	require.Eventually(t, func() bool { return countIn(t, path, "accounts") > 0 }, patience, time.Millisecond)
	mustClose(t, two)
	require.Less(t, groups, o.CheckpointEvery)
}

// TestAnOwnerWithAFullDiskGivesUp fills the disks of two of three nodes, one of which owns the club: that one
// gives up, and the third takes the club over. The other waits for room, and then catches up.
func TestAnOwnerWithAFullDiskGivesUp(t *testing.T) {
	paths := map[string]string{"one": newPath(t), "two": newPath(t), "three": newPath(t)}
	synctest.Test(t, func(t *testing.T) {
		net := storetest.NewNetwork(1, 3)
		stores := make(map[string]*store.Store)
		for n, path := range paths {
			stores[n] = mustOpen(t, path, options(t))
			require.NoError(t, stores[n].Follow(n, net.Join(n, nil)))
		}
		require.NoError(t, stores["one"].Claim(ctx))
		for _, n := range []string{"one", "two"} {
			require.NoError(t, stores[n].LimitPages(0))
		}
		var err error
		for i := 0; err == nil; i++ { // there is room in the last pages
			name := fmt.Sprint("name", i)
			_, err = stores["one"].Create(ctx, keyOf(name), name, name, noon)
		}
		require.ErrorIs(t, err, table.ErrUnavailable)
		_, _, err = stores["one"].Replica()
		require.ErrorIs(t, err, table.ErrUnavailable)

		require.NoError(t, stores["three"].Claim(ctx))
		mustCreate(t, stores["three"], "ana")
		time.Sleep(time.Minute)
		at, _, err := stores["two"].Replica()
		require.NoError(t, err, "it does not own the club, and waits")
		require.Less(t, at.Position, uint64(len(net.Entries())))
		require.NoError(t, stores["two"].LimitPages(1000))
		time.Sleep(time.Minute)
		require.NoError(t, errOf(stores["two"].ByName(ctx, "ana")))
		net.Wait()
		for _, s := range stores {
			mustClose(t, s)
		}
	})
}
