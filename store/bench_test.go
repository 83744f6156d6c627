package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/store"
	"boneyard/table"
)

// BenchmarkCommit is moves at so many tables at once, written in groups or each in a transaction of its own. A move is a
// line of the journal and a state of 2 kB.
func BenchmarkCommit(b *testing.B) {
	for _, tables := range []int{1, 64, 256} {
		for name, group := range map[string]int{"grouped": 256, "alone": 1} {
			b.Run(fmt.Sprintf("tables=%d/%s", tables, name), func(b *testing.B) { benchCommit(b, tables, group) })
		}
	}
}

// BenchmarkScanLog verifies a log of 1,000 moves as each checkpoint does, while the next moves wait.
func BenchmarkScanLog(b *testing.B) {
	path, o := newPath(b), options(b)
	o.CheckpointEvery = 1 << 30
	s := mustOpen(b, path, o)
	for id := range table.ID(1000) {
		require.NoError(b, commit(s, &table.Batch{Table: id + 1, State: []byte(strings.Repeat("x", 2000)), Game: table.GameID(id + 1),
			Start: &table.Start{Rules: "classic", Seats: []table.Player{{Name: "a"}, {Name: "b"}}},
			Rows:  []table.Row{{Line: "2 5-5 R = 10 +10", At: noon, Command: "0123456789abcdef", By: 12}}}))
	}
	for b.Loop() {
		frames, size, err := store.ScanLog(path)
		require.NoError(b, err)
		require.Positive(b, frames)
		b.SetBytes(size)
	}
}

func benchCommit(b *testing.B, tables, group int) {
	o := options(b)
	o.MaxGroup = group
	var groups, changes int // on the writer's goroutine, and after it has ended
	o.Committed = func(g store.Group) { groups, changes = groups+1, changes+g.Changes }
	s := mustOpen(b, newPath(b), o)
	state := []byte(`{"state":"` + strings.Repeat("x", 2000) + `"}`)
	step := func(id table.ID, seq int) *table.Batch {
		return &table.Batch{Table: id, State: state, Game: table.GameID(id), Seq: seq,
			Rows: []table.Row{{Line: "2 5-5 R = 10 +10", At: noon, Command: "0123456789abcdef", By: 12}}}
	}
	for id := table.ID(1); id <= table.ID(tables); id++ {
		first := step(id, 0)
		first.Start = &table.Start{Rules: "classic", Seats: []table.Player{{Name: "a"}, {Name: "b"}}}
		require.NoError(b, commit(s, first))
	}
	var next atomic.Int64
	took := make([][]time.Duration, tables)
	b.ResetTimer()
	var all sync.WaitGroup
	for i := range tables {
		all.Go(func() {
			for seq := 1; next.Add(1) <= int64(b.N); seq++ {
				start := time.Now()
				if err := commit(s, step(table.ID(i+1), seq)); err != nil {
					b.Error(err)
					return
				}
				took[i] = append(took[i], time.Since(start))
			}
		})
	}
	all.Wait()
	b.StopTimer()
	mustClose(b, s)
	b.ReportMetric(float64(changes)/float64(groups), "commits/group")
	sorted := slices.Concat(took...)
	slices.Sort(sorted)
	b.ReportMetric(float64(len(sorted))/b.Elapsed().Seconds(), "commits/s")
	b.ReportMetric(float64(sorted[len(sorted)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(sorted[len(sorted)*99/100].Microseconds())/1000, "p99-ms")
}

// manyGames fills a store with members and with short games between them.
func manyGames(b *testing.B, s *store.Store, members, games int, rated bool) []table.Player {
	b.Helper()
	who := make([]table.Player, members)
	inParallel(members, func(i int) {
		name := fmt.Sprintf("%c%c%d", 'a'+i%26, 'a'+i/26%26, i)
		a, err := s.Create(ctx, keyOf(name), name, text.Skeleton(name), noon)
		if err != nil {
			b.Error(err)
			return
		}
		who[i] = table.Player{ID: a.ID, Name: name}
	})
	inParallel(games, func(i int) {
		rng := rand.New(rand.NewPCG(uint64(i), 0))
		p := rng.Perm(members)
		at := noon.Add(time.Duration(i) * 10 * time.Minute)
		batch := &table.Batch{
			Table: 1, Game: table.GameID(i + 1), Rows: []table.Row{{Line: "domino 1", At: at}, {Line: "# forfeit", At: at.Add(time.Minute)}},
			Start: &table.Start{Rules: []string{"classic", "azneef", "sniff", "spruce"}[i%4], Seats: []table.Player{who[p[0]], who[p[1]]},
				Rated: rated},
			End: &table.Result{Ending: table.EndForfeit, Winner: 1, Scores: []int{rng.IntN(200), rng.IntN(200)}, Rated: rated},
		}
		batch.State = []byte("{}")
		if err := commit(s, batch); err != nil {
			b.Error(err)
		}
	})
	return who
}

// inParallel calls do for 0 to n-1, some at a time.
func inParallel(n int, do func(int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				do(int(i - 1))
			}
		})
	}
	all.Wait()
}

func BenchmarkSearch(b *testing.B) {
	s := newBenchStore(b)
	who := manyGames(b, s, 2000, 100_000, false)
	for _, q := range []struct {
		name  string
		query lobby.GamesQuery
	}{
		{"newest", lobby.GamesQuery{}},
		{"deep page", lobby.GamesQuery{Before: 1000}},
		{"first letter", lobby.GamesQuery{Text: "a"}},
		{"name", lobby.GamesQuery{Text: who[77].Name}},
		{"game", lobby.GamesQuery{Text: "classic"}},
		{"game and name", lobby.GamesQuery{Text: "classic " + who[77].Name}},
		{"month", lobby.GamesQuery{Text: "2027-03"}},
		{"nothing", lobby.GamesQuery{Text: "zzzz"}},
		{"player", lobby.GamesQuery{Player: who[77].ID}},
		{"player and word", lobby.GamesQuery{Player: who[77].ID, Text: "classic"}},
		{"mine", lobby.GamesQuery{Mine: who[77].ID}},
	} {
		q.query.Limit = 50
		b.Run(q.name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, errOf(s.Games(ctx, q.query)))
			}
		})
	}
}

func newBenchStore(b *testing.B) *store.Store {
	b.Helper()
	return mustOpen(b, newPath(b), options(b))
}

func BenchmarkStandings(b *testing.B) {
	s := newBenchStore(b)
	manyGames(b, s, 2000, 10_000, true)
	for name, q := range map[string]lobby.StandingsQuery{
		"top 50 of all": {Kind: lobby.KindPlayer, Limit: 50},
		"a month":       {Kind: lobby.KindPlayer, Month: "2026-12", Game: "classic", Limit: 50},
		"all of 2000":   {Kind: lobby.KindPlayer},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, errOf(s.Standings(ctx, q)))
			}
		})
	}
	b.Run("rebuild of 10000 games", func(b *testing.B) {
		for b.Loop() {
			require.Zero(b, mustRebuild(b, s).Changed)
		}
	})
}
