//go:build unix

package ui_test

import (
	"context"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui"
	"boneyard/ui/feature"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

// counter is a terminal at which nothing is typed, and which reports each write.
type counter struct{ wrote chan<- struct{} }

func (counter) Ready() <-chan struct{} { return nil }

func (counter) Read([]byte) (int, error) { panic("nothing is typed") }

func (c counter) Write(p []byte) (int, error) {
	c.wrote <- struct{}{}
	return len(p), nil
}

// cpu is the processor time this process has used, in nanoseconds.
func cpu(b *testing.B) int64 {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u.Utime.Nano() + u.Stime.Nano()
}

// BenchmarkWatchers shows to the watchers of a table that somebody is ready: all that an update takes from the table to the screen's write,
// which goes nowhere.
func BenchmarkWatchers(b *testing.B) {
	const n = 1000
	club := pagetest.Open(b)
	ana := club.Come("ana")
	cfg := table.DefaultConfig()
	cfg.Fill = table.FillNever
	made, err := ana.NewTable(b.Context(), cfg)
	require.NoError(b, err)
	do := func(c table.Command) {
		require.NoError(b, made.Do(b.Context(), table.Request{By: ana.Player(), Command: c}))
	}
	do(table.Sit{Seat: 1})
	ctx, hang := context.WithCancel(context.Background())
	var sessions sync.WaitGroup
	defer sessions.Wait()
	defer hang()
	wrote := make(chan struct{}, 8*n)
	for range n {
		sessions.Go(func() {
			c := counter{wrote}
			_ = ui.Run(ctx, &ui.Session{
				Caller: feature.Caller{Club: club.Lobby, Origin: lobby.Origin{Net: "10.1.1.1", Exempt: true},
					Start: page.Target{Kind: page.Table, Table: made.ID()}, Out: c},
				In: c, Term: "xterm-256color", Size: ui.Size{Width: 80, Height: 24},
			})
		})
	}
	all := func() {
		for range n {
			<-wrote
		}
	}
	all()
	b.ReportAllocs()
	b.ResetTimer()
	start := cpu(b)
	for i := range b.N {
		do(table.Ready{On: i%2 == 0})
		all()
	}
	b.ReportMetric(float64(cpu(b)-start)/float64(b.N)/n, "cpu-ns/watcher")
}
