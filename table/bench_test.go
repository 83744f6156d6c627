package table_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
)

// null is a journal that takes everything at once.
type null struct{ memory }

func (*null) Commit(_ *table.Batch, done func([]table.Delta, error)) { done(nil, nil) }

// benchTable is a table where two play without clocks, pauses or a target that ends the game soon.
func benchTable(b *testing.B, watchers int) (*table.Table, [2]*table.Subscription) {
	cfg := table.DefaultConfig()
	setRules(&cfg, "classic target=1000000", 2)
	cfg.Pace, cfg.Fill = table.PaceRelaxed, table.FillNever
	times := table.DefaultTimes()
	times.Forced, times.Countdown = 0, 0
	t, err := table.Make(context.Background(), table.Deps{
		Journal: &null{*newMemory()}, Times: times,
		Rand: func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) },
	}, cfg, ana)
	require.NoError(b, err)
	b.Cleanup(func() { _ = t.Close(context.Background()) })
	var subs [2]*table.Subscription
	for i, p := range []table.Player{ana, ben} {
		require.NoError(b, t.Do(context.Background(), table.Request{By: p, Command: table.Sit{Seat: rules.Seat(i + 1)}}))
		subs[i], err = t.Subscribe(p, "")
		require.NoError(b, err)
	}
	for i := range watchers {
		s, err := t.Subscribe(player(100+i, "w"+strconv.Itoa(i)), "")
		require.NoError(b, err)
		done := make(chan struct{})
		b.Cleanup(func() { close(done) })
		go func() {
			for {
				select {
				case <-s.C():
					s.View()
				case <-done:
					return
				}
			}
		}()
	}
	for _, p := range []table.Player{ana, ben} {
		require.NoError(b, t.Do(context.Background(), table.Request{By: p, Command: table.Ready{On: true}}))
	}
	return t, subs
}

// BenchmarkMove makes moves, with the draws and rounds between them, at a table with watchers who all take each view.
func BenchmarkMove(b *testing.B) {
	for _, watchers := range []int{0, 1000, 10_000} {
		b.Run(fmt.Sprintf("watchers=%d", watchers), func(b *testing.B) {
			t, subs := benchTable(b, watchers)
			players := []table.Player{ana, ben}
			b.ReportAllocs()
			b.ResetTimer()
			for n := 0; n < b.N; {
				moved := false
				for i, s := range subs {
					v := s.View()
					switch {
					case v.State == table.Scoring:
						_ = t.Do(context.Background(), table.Request{By: players[i], Command: table.Continue{}})
					case len(v.Play.Options) > 0:
						r := table.Request{ID: strconv.Itoa(n), By: players[i], Command: moveOf(v)}
						if err := t.Do(context.Background(), r); err != nil {
							b.Fatal(err)
						}
						n++
						moved = true
					}
				}
				if !moved {
					runtime.Gosched()
				}
			}
			if watchers > 0 {
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(watchers), "ns/watcher")
			}
		})
	}
}

// BenchmarkPublish changes what is not kept on disk, at a table with watchers who do not read: the cost of a
// publication alone.
func BenchmarkPublish(b *testing.B) {
	for _, watchers := range []int{1, 1000, 10_000} {
		b.Run(fmt.Sprintf("watchers=%d", watchers), func(b *testing.B) {
			t, _ := benchTable(b, 0)
			for i := range watchers {
				_, err := t.Subscribe(player(100+i, "w"+strconv.Itoa(i)), "")
				require.NoError(b, err)
			}
			how := []table.Presence{table.Disconnected, table.Here}
			b.ReportAllocs()
			b.ResetTimer()
			for n := range b.N {
				t.Presence(ana.ID, how[n%2])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(watchers), "ns/watcher")
		})
	}
}

// BenchmarkCommit sends a line of chat to a table that nobody watches: the path of a command with a journal
// that costs nothing.
func BenchmarkCommit(b *testing.B) {
	t, _ := benchTable(b, 0)
	b.ReportAllocs()
	for n := range b.N {
		if err := t.Do(context.Background(), table.Request{ID: strconv.Itoa(n), By: ana, Command: table.Say{Text: "hello"}}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkIdle reports the cost of a table where two sit and nobody plays.
func BenchmarkIdle(b *testing.B) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range b.N {
		cfg := table.DefaultConfig()
		t, err := table.Make(context.Background(), table.Deps{Journal: &null{*newMemory()}}, cfg, ana)
		require.NoError(b, err)
		require.NoError(b, t.Do(context.Background(), table.Request{By: ana, Command: table.Sit{}}))
		b.Cleanup(func() { _ = t.Close(context.Background()) })
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc+after.StackInuse-before.HeapAlloc-before.StackInuse)/float64(b.N), "B/table")
}
