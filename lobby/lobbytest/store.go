// Package lobbytest opens clubs for tests, on the real store in a file of their own: it knows how to make a
// store slow, broken, or full of standings that nobody played for, and must not know how a store works.
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
	stalled   chan struct{} // nil: never stalled; closed: not any more
	slow      time.Duration
	slowReads time.Duration

	// Table is what Standings answers, if it is not nil. It is set before the store is used.
	Table func(lobby.StandingsQuery) []lobby.Standing
	// Replace puts others in place of some of what Stores returns, if it is not nil.
	Replace func(*lobby.Stores)
}

// New opens an empty store, which is closed with the test; in a bubble of synctest it is called there.
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

// Stores is the store for each subject of the lobby.
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

// Fail has everything that writes fail with err from now on, and work again if it is nil.
func (s *Store) Fail(err error) { s.set(func() { s.fault = err }) }

// Slow has everything that writes take a while from now on, as disks do.
func (s *Store) Slow(by time.Duration) { s.set(func() { s.slow = by }) }

// SlowReads has everything that only reads take a while from now on; in the end it fails if a query may not take so long.
func (s *Store) SlowReads(by time.Duration) { s.set(func() { s.slowReads = by }) }

// Stall has everything that writes wait until release is called, or its context ends, as on a disk that does
// not answer.
func (s *Store) Stall() (release func()) {
	stalled := make(chan struct{})
	s.set(func() { s.stalled = stalled })
	return func() { close(stalled) }
}

// ask obeys the test before a query or a change.
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

// Asked is how many queries and changes there were.
func (s *Store) Asked() int { return int(s.asked.Load()) }

// Commits is the number of batches that were committed.
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

// AddGame keeps a game of a table that is closed by now, with the lines of its record, all of one moment. End
// is nil if the game is not over.
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

// NewKey makes a key that nobody else has.
func (c *Club) NewKey() lobby.KeyID {
	c.keys++
	return lobby.KeyID{1, byte(c.keys), byte(c.keys >> 8)}
}

// Bubble runs a test with a club that is empty, in which time stands still while anybody works and the same names and
// deals come each time. There is no table of the house, unless change says so. The lobby closes with the test.
func Bubble(t *testing.T, test func(t *testing.T, c *Club), change ...func(*lobby.Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		cfg := lobby.DefaultConfig()
		cfg.Exhibition = false
		for _, f := range change {
			f(&cfg)
		}
		store := New(t)
		var seeds atomic.Uint32 // tables and events ask on goroutines of their own
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
