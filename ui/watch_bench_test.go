//go:build unix

package ui_test

import (
	"context"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui"
	"boneyard/ui/feature"
	"boneyard/ui/page"
	"boneyard/ui/page/clubtest"
)

// counter is a terminal at which nothing is typed, and which reports each write.
type counter struct{ wrote chan<- struct{} }

func (counter) Ready() <-chan struct{} { return nil }

func (counter) Read([]byte) (int, error) { panic("nothing is typed") }

func (c counter) Write(p []byte) (int, error) {
	c.wrote <- struct{}{}
	return len(p), nil
}

// cpu returns the processor time this process has used, in nanoseconds.
func cpu(b *testing.B) int64 {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u.Utime.Nano() + u.Stime.Nano()
}

// session shows a page of a club on a terminal until ctx ends.
func session(ctx context.Context, club *clubtest.Club, at page.Target, c counter) {
	_ = ui.Run(ctx, &ui.Session{
		Caller: feature.Caller{Club: club.Lobby, Origin: lobby.Origin{Net: "10.1.1.1", Exempt: true}, Start: at, Out: c},
		In:     c, Term: "xterm-256color", Size: ui.Size{Width: 80, Height: 24},
	})
}

// crowd is many sessions that watch a table or are in the lobby; it yields a value for each of their writes.
type crowd <-chan struct{}

const many = 1000

func gather(b *testing.B, club *clubtest.Club, at page.Target) crowd {
	ctx, hang := context.WithCancel(context.Background())
	var running sync.WaitGroup
	b.Cleanup(func() {
		hang()
		running.Wait()
	})
	wrote := make(chan struct{}, 8*many)
	for range many {
		running.Go(func() { session(ctx, club, at, counter{wrote}) })
	}
	return wrote
}

// see waits for as many writes as there are sessions.
func (c crowd) see() {
	for range many {
		<-c
	}
}

// measure calls happens b.N times, and each time waits until all sessions have drawn it.
func (c crowd) measure(b *testing.B, happens func(i int)) {
	b.ReportAllocs()
	b.ResetTimer()
	start := cpu(b)
	for i := range b.N {
		happens(i)
		c.see()
	}
	b.ReportMetric(float64(cpu(b)-start)/float64(b.N)/many, "cpu-ns/session")
}

// BenchmarkWatchers shows the watchers of a table that a player is ready: all the work from the table to the
// screen's write, which goes nowhere.
func BenchmarkWatchers(b *testing.B) {
	club := clubtest.Open(b)
	ana := club.Come("ana")
	cfg := table.DefaultConfig()
	cfg.Fill = table.FillNever
	made, err := ana.NewTable(b.Context(), cfg)
	require.NoError(b, err)
	do := func(c table.Command) {
		require.NoError(b, made.Do(b.Context(), table.Request{By: ana.Player(), Command: c}))
	}
	do(table.Sit{Seat: 1})
	watchers := gather(b, club, page.Target{Kind: page.Table, Table: made.ID()})
	watchers.see()
	watchers.measure(b, func(i int) { do(table.Ready{On: i%2 == 0}) })
}

// BenchmarkArrivals shows the people in the lobby that a person has come or gone. Each iteration takes the
// second that the club leaves between two such snapshots; -benchtime 20x is enough.
func BenchmarkArrivals(b *testing.B) {
	club := clubtest.Open(b)
	all := gather(b, club, page.Target{})
	for quiet := 2 * time.Second; quiet > 0; { // until the last snapshot of their own arrival
		select {
		case <-all:
		case <-time.After(quiet):
			quiet = 0
		}
	}
	var other *lobby.Visit
	all.measure(b, func(int) {
		if other != nil {
			other.Close(table.Left)
			other = nil
			return
		}
		var err error
		other, err = club.Enter(b.Context(), nil, lobby.Origin{Net: "10.1.1.1", Exempt: true})
		require.NoError(b, err)
	})
}

// BenchmarkEntering lets people into the lobby one after another; each leaves on seeing it.
func BenchmarkEntering(b *testing.B) {
	club := clubtest.Open(b)
	for range 200 {
		club.Guest()
	}
	b.ReportAllocs()
	b.ResetTimer()
	start := cpu(b)
	for range b.N {
		ctx, hang := context.WithCancel(context.Background())
		wrote := make(chan struct{}, 8)
		var running sync.WaitGroup
		running.Go(func() { session(ctx, club, page.Target{}, counter{wrote}) })
		<-wrote
		hang()
		running.Wait()
	}
	b.ReportMetric(float64(cpu(b)-start)/float64(b.N), "cpu-ns/session")
}
