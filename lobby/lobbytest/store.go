// Package lobbytest opens clubs for tests, each on the real store in a file of its own. It knows how to make
// a store slow, broken, or full of standings that nobody played for, and must not know how a store works.
package lobbytest

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/store"
	"boneyard/store/storetest"
	"boneyard/table"
)

// Store is a store whose disk obeys the test. Get one from [New].
type Store struct {
	*store.Store
	asked   atomic.Int64
	commits atomic.Int64

	mu        sync.Mutex
	fault     error
	stalled   chan struct{} // nil: never stalled; closed: released
	slow      time.Duration
	slowReads time.Duration

	// Table, if not nil, computes the answers of Standings. Set it before using the store.
	Table func(lobby.StandingsQuery) []lobby.Standing
	// Replace, if not nil, replaces some of what Stores returns.
	Replace func(*lobby.Stores)
}

// New opens an empty store that is closed with the test. In a synctest bubble, call it inside.
func New(tb testing.TB) *Store {
	s, o := &Store{}, store.DefaultOptions()
	o.Readers, o.Entrance, o.CheckpointEvery, o.CheckpointAfter, o.Asked = 1, 1, 1<<40, 1<<40*time.Millisecond, s.ask
	o.Fatal = func(err error) { tb.Errorf("the store wants to end the process: %v", err) }
	var err error
	s.Store, err = store.Open(context.Background(), storetest.EmptyClub(tb), o)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, s.Close()) })
	return s
}

// Stores returns the store as each of the lobby's stores.
func (s *Store) Stores() lobby.Stores {
	all := s.Store.Stores()
	all.Tables, all.Standings = s, s
	if s.Replace != nil {
		s.Replace(&all)
	}
	return all
}

func (s *Store) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// Fail makes all writes fail with err from now on, or work again if err is nil.
func (s *Store) Fail(err error) { s.set(func() { s.fault = err }) }

// Slow makes all writes take a while from now on, as on disks.
func (s *Store) Slow(by time.Duration) { s.set(func() { s.slow = by }) }

// SlowReads makes all reads take a while from now on, and fail if that is longer than a query may take.
func (s *Store) SlowReads(by time.Duration) { s.set(func() { s.slowReads = by }) }

// Stall makes all writes wait until release is called, or their context ends, as on a stuck disk.
func (s *Store) Stall() (release func()) {
	stalled := make(chan struct{})
	s.set(func() { s.stalled = stalled })
	return func() { close(stalled) }
}

// ask applies the test's orders before a query or a change.
func (s *Store) ask(ctx context.Context, change bool) error {
	s.asked.Add(1)
	s.mu.Lock()
	stalled, slow := s.stalled, s.slow
	if !change {
		stalled, slow = nil, s.slowReads
	}
	s.mu.Unlock()
	time.Sleep(slow)
	if stalled != nil {
		select {
		case <-stalled:
		case <-ctx.Done():
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case change:
		return s.fault
	case slow > store.DefaultOptions().QueryTime:
		return lobby.ErrSlow
	}
	return nil
}

// Asked returns the number of queries and changes so far.
func (s *Store) Asked() int { return int(s.asked.Load()) }

// Commits returns the number of batches committed so far.
func (s *Store) Commits() int { return int(s.commits.Load()) }

func (s *Store) Commit(b *table.Batch, done func([]table.Delta, error)) {
	go func() {
		if err := s.ask(context.Background(), true); err != nil {
			done(nil, err)
			return
		}
		s.commits.Add(1)
		s.Store.Commit(b, done)
	}()
}

// Standings implements lobby.Standings; see Table.
func (s *Store) Standings(ctx context.Context, q lobby.StandingsQuery) ([]lobby.Standing, error) {
	if s.Table == nil {
		return s.Store.Standings(ctx, q)
	}
	return s.Table(q), s.ask(ctx, false)
}

// Standing implements lobby.Standings; see Table.
func (s *Store) Standing(ctx context.Context, kind lobby.Kind, id int64) (*lobby.Standing, error) {
	if s.Table == nil {
		return s.Store.Standing(ctx, kind, id)
	}
	list, err := s.Standings(ctx, lobby.StandingsQuery{Kind: kind})
	for i := range list {
		if list[i].ID == id {
			return &list[i], err
		}
	}
	return nil, err
}

// Ratings implements lobby.Standings; see Table.
func (s *Store) Ratings(ctx context.Context, limit int) (map[table.PlayerID]int, error) {
	if s.Table == nil {
		return s.Store.Ratings(ctx, limit)
	}
	all := map[table.PlayerID]int{}
	rows, err := s.Standings(ctx, lobby.StandingsQuery{Kind: lobby.KindPlayer, Limit: limit})
	for i := range rows {
		all[table.PlayerID(rows[i].ID)] = rows[i].Rating
	}
	return all, err
}

// AddGame stores a game at a table that has closed, with the lines of its record, all at the same time. end
// is nil for an unfinished game.
func (s *Store) AddGame(tb testing.TB, at time.Time, start table.Start, end *table.Result, lines ...string) table.GameID {
	tb.Helper()
	ctx := context.Background()
	number, err := s.NextTable(ctx)
	require.NoError(tb, err)
	id, err := s.NextGame(ctx)
	require.NoError(tb, err)
	b := &table.Batch{Table: number, Final: true, Game: id, Start: &start, End: end}
	for _, l := range lines {
		b.Rows = append(b.Rows, table.Row{Line: l, At: at})
	}
	_, err = table.Commit(s, b)
	require.NoError(tb, err)
	return id
}

// Club is a lobby on a store of its own.
type Club struct {
	*lobby.Lobby
	T     *testing.T
	Store *Store
	keys  int
}

// NewKey returns a key that nobody else has.
func (c *Club) NewKey() lobby.KeyID {
	c.keys++
	return lobby.KeyID{1, byte(c.keys), byte(c.keys >> 8)}
}

// Bubble runs a test with an empty club, in which time stands still while anybody works, and names and deals
// are always the same. There is no house table, unless change asks for one. The lobby closes with the test.
func Bubble(t *testing.T, test func(t *testing.T, c *Club), change ...func(*lobby.Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		cfg := lobby.DefaultConfig()
		cfg.Exhibition = false
		for _, f := range change {
			f(&cfg)
		}
		store := New(t)
		var seeds atomic.Uint32 // tables and events ask on different goroutines
		l, err := lobby.New(cfg, lobby.Deps{
			Stores: store.Stores(), Rand: func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) },
			Table: table.Deps{NewSeed: func() rules.Seed { return rules.Seed{7, byte(seeds.Add(1))} }},
		})
		require.NoError(t, err)
		require.NoError(t, l.Start(context.Background()))
		defer func() { require.NoError(t, l.Close(context.Background())) }()
		test(t, &Club{Lobby: l, T: t, Store: store})
	})
}
