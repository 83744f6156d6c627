// Package lobbytest opens clubs for tests, on the real store in a file of their own: it knows how to make a store slow, broken, or
// full of standings that nobody played for, and must not know how a store works.
package lobbytest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/store"
	"boneyard/store/ramdir"
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
	// Suspects is what Suspicions answers, if it is not nil; likewise.
	Suspects func(since time.Time, limit int) []lobby.Suspicion
	// TeamGames is what Team says of a team's games, if it is not nil; likewise.
	TeamGames func(table.TeamID) []lobby.GameInfo
}

// New opens an empty store, which is closed with the test; in a bubble of synctest it is called there.
func New(tb testing.TB) *Store {
	tb.Helper()
	s := &Store{}
	dir := tb.TempDir()
	for name, content := range empty(tb) {
		require.NoError(tb, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	s.Store = open(tb, dir, s.ask)
	tb.Cleanup(func() { require.NoError(tb, s.Close()) })
	return s
}

var template struct {
	sync.Mutex
	files map[string][]byte
}

// empty returns the files of an empty club, by name. They are made once for all tests of a package, since making the tables takes long.
func empty(tb testing.TB) map[string][]byte {
	template.Lock()
	defer template.Unlock()
	if template.files != nil {
		return template.files
	}
	require.NoError(tb, ramdir.Use())
	dir := tb.TempDir()
	require.NoError(tb, open(tb, dir, nil).Close())
	entries, err := os.ReadDir(dir)
	require.NoError(tb, err)
	files := map[string][]byte{}
	for _, e := range entries {
		files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(tb, err)
	}
	template.files = files
	return files
}

func open(tb testing.TB, dir string, asked func(context.Context, bool) error) *store.Store {
	tb.Helper()
	const never = 1 << 40
	o := store.DefaultOptions()
	o.Readers, o.Entrance, o.CheckpointEvery, o.CheckpointAfter, o.Asked = 1, 1, never, never*time.Millisecond, asked
	o.Fatal = func(err error) { tb.Errorf("the store wants to end the process: %v", err) }
	s, err := store.Open(context.Background(), filepath.Join(dir, "club.db"), o)
	require.NoError(tb, err)
	return s
}

// Stores is the store for each subject of the lobby.
func (s *Store) Stores() lobby.Stores {
	all := s.Store.Stores()
	all.Tables, all.Teams, all.Standings, all.Moderation = s, s, s, s
	return all
}

// Fail has everything that writes fail with err from now on, and work again if it is nil.
func (s *Store) Fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = err
}

// Stall has everything that writes wait until release is called, or its context ends, as on a disk that does not answer.
func (s *Store) Stall() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stalled := make(chan struct{})
	s.stalled = stalled
	return func() { close(stalled) }
}

// Slow has everything that writes take a while from now on, as disks do.
func (s *Store) Slow(by time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slow = by
}

// SlowReads has everything that only reads take a while from now on.
func (s *Store) SlowReads(by time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slowReads = by
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
	if change {
		return s.fault
	}
	return nil
}

// Asked is how many queries and changes there were.
func (s *Store) Asked() int { return int(s.asked.Load()) }

// Commits is the number of batches that were committed.
func (s *Store) Commits() int { return int(s.commits.Load()) }

// Commit implements table.Journal.
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

// Team implements lobby.Teams; see TeamGames.
func (s *Store) Team(ctx context.Context, id table.TeamID) (*lobby.Team, error) {
	t, err := s.Store.Team(ctx, id)
	if err == nil && s.TeamGames != nil {
		t.Recent = s.TeamGames(id)
	}
	return t, err
}

// Suspicions implements lobby.Moderation; see Suspects.
func (s *Store) Suspicions(ctx context.Context, since time.Time, limit int) ([]lobby.Suspicion, error) {
	if s.Suspects == nil {
		return s.Store.Suspicions(ctx, since, limit)
	}
	return s.Suspects(since, limit), nil
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

// AddGame keeps a game of a table that is closed by now, with the lines of its record, all of one moment. End is nil if the game is not over.
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
