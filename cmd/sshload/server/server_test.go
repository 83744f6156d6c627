package server

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshload/client"
)

// A load on another machine is refused.
func TestOnlyThisMachine(t *testing.T) {
	for _, addr := range []string{
		"example.org:22", "192.0.2.1:22", "0.0.0.0:22", "[::]:22", "[2001:db8::1]:22", "10.0.0.1:2222", ":2222", "127.0.0.1",
		"localhost.example.org:22",
	} {
		require.Error(t, Loopback(addr), addr)
	}
	for _, addr := range []string{"127.0.0.7:1", "[::1]:22"} {
		require.NoError(t, Loopback(addr))
	}
}

func TestUsage(t *testing.T) {
	self := &Server{PID: os.Getpid()}
	before, err := self.Usage()
	if err != nil && runtime.GOOS != "linux" {
		t.Skip(err)
	}
	require.NoError(t, err)
	require.Greater(t, before.RSS, int64(1<<20))
	require.GreaterOrEqual(t, before.Top, before.RSS)
	require.Eventually(t, func() bool { // asking takes some, too
		after, err := self.Usage()
		return err == nil && after.CPU > before.CPU
	}, time.Minute, time.Millisecond)
	_, err = (&Server{PID: 1 << 30}).Usage()
	require.Error(t, err)

	dir := t.TempDir()
	for i := range 50 { // many more than may be opened and closed meanwhile
		f, err := os.Create(filepath.Join(dir, fmt.Sprint("open", i)))
		require.NoError(t, err)
		defer f.Close()
	}
	all, err := self.Files(filepath.Join(dir, "none"))
	require.NoError(t, err)
	besides, err := self.Files(dir)
	require.NoError(t, err)
	require.Less(t, besides, all-25)
	require.Positive(t, besides)
}

// TestAServerThatEnds has a server end by itself: it is said how, with what it logged last.
func TestAServerThatEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the server is a script")
	}
	program := filepath.Join(t.TempDir(), "server")
	script := "#!/bin/sh\necho '{\"msg\":\"the club is open\",\"addr\":\"127.0.0.1:1\"}' >&2\necho 'the disk is gone' >&2\nexit 3\n"
	require.NoError(t, os.WriteFile(program, []byte(script), 0o700))
	s, err := StartClub(t.Context(), program, t.TempDir())
	require.NoError(t, err)
	require.Eventually(t, func() bool { return s.Ended() != nil }, time.Minute, time.Millisecond)
	require.ErrorContains(t, s.Ended(), "exit status 3")
	require.ErrorContains(t, s.Ended(), "the disk is gone")
	require.ErrorContains(t, s.Stop(), "status 3")
}

func TestErrorsOfTheLogAreKept(t *testing.T) {
	l := Log{first: make(chan entry, 1)}
	l.follow(strings.NewReader(`{"level":"INFO","msg":"a"}` + "\n" + `{"level":"ERROR","msg":"b"}` + "\n" +
		"no object\n" + `{"level":"ERROR","msg":"c"}`))
	first, written := l.Errors()
	require.Equal(t, []string{`{"level":"ERROR","msg":"b"}`, `{"level":"ERROR","msg":"c"}`}, first)
	require.Equal(t, int64(len(l.end)), written)
}

func TestRefusalsAreCountedByReason(t *testing.T) {
	scraped := func(source, full, penalty int) Metrics {
		m, err := read(fmt.Sprintf(`# TYPE boneyard_refused_total counter
boneyard_refused_total{reason="source"} %d
boneyard_refused_total{reason="full"} %d
boneyard_refused_total{reason="penalty"} %d
# TYPE go_goroutines gauge
go_goroutines %d
# TYPE boneyard_journal_append_seconds histogram
boneyard_journal_append_seconds_bucket{le="0.001"} %d
boneyard_journal_append_seconds_bucket{le="0.01"} %d
boneyard_journal_append_seconds_bucket{le="+Inf"} %d
`, source, full, penalty, source, source, source+penalty, source+penalty))
		require.NoError(t, err)
		return m
	}
	before, after := scraped(2, 1, 0), scraped(7, 1, 3)
	require.Equal(t, map[string]float64{"source": 5, "penalty": 3}, Growth(before, after, "boneyard_refused_total", "reason"))
	require.Equal(t, map[string]float64{"": 5}, Growth(before, after, "go_goroutines", ""))
	require.Equal(t, 7.0, after.Value("go_goroutines"))
	require.Zero(t, after.Value("nothing"))
	const waits = "boneyard_journal_append_seconds"
	require.Nil(t, Waited(waits, before, before))
	require.Equal(t, &client.Latency{N: 8, P50: 1, P99: 10, Worst: 10}, Waited(waits, before, after))
}
