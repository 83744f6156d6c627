package server

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A load on another machine is refused.
func TestOnlyThisMachine(t *testing.T) {
	for _, addr := range []string{
		"example.org:22", "192.0.2.1:22", "0.0.0.0:22", "[::]:22", "[2001:db8::1]:22", "10.0.0.1:2222", ":2222", "127.0.0.1",
		"localhost.example.org:22",
	} {
		_, err := Loopback(addr)
		require.Error(t, err, addr)
		_, err = Attach("127.0.0.1:1", addr, 0)
		require.Error(t, err, addr)
	}
	for given, want := range map[string]string{
		"localhost:2222": "127.0.0.1:2222", "127.0.0.7:1": "127.0.0.7:1", "[::1]:22": "[::1]:22",
	} {
		addr, err := Loopback(given)
		require.NoError(t, err)
		require.Equal(t, want, addr)
	}
}

func TestUsage(t *testing.T) {
	before, err := usageOf(os.Getpid())
	if err == errNoFigures {
		t.Skip(err)
	}
	require.NoError(t, err)
	require.Greater(t, before.RSS, int64(1<<20))
	for sum := 0; time.Since(before.At) < 50*time.Millisecond; sum++ { // spend some
	}
	after, err := usageOf(os.Getpid())
	require.NoError(t, err)
	require.Greater(t, after.CPU, before.CPU)
	_, err = usageOf(1 << 30)
	require.Error(t, err)

	ticks, err := ticksCPU("/proc/self")
	require.NoError(t, err)
	require.InDelta(t, after.CPU.Seconds(), ticks.Seconds(), 1)
}

func TestOpenFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "open")
	f, err := os.Create(name)
	require.NoError(t, err)
	names, err := OpenFiles(os.Getpid())
	if err != nil && runtime.GOOS != "linux" {
		t.Skip(err)
	}
	require.NoError(t, err)
	require.Contains(t, names, name)
	require.NoError(t, f.Close())
	names, err = OpenFiles(os.Getpid())
	require.NoError(t, err)
	require.NotContains(t, names, name)
}

// TestAServerThatEnds has a server end by itself: it is said how, with what it logged last.
func TestAServerThatEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the server is a script")
	}
	program := filepath.Join(t.TempDir(), "server")
	script := "#!/bin/sh\necho '{\"msg\":\"the club is open\",\"addr\":\"127.0.0.1:1\"}' >&2\necho 'the disk is gone' >&2\nexit 3\n"
	require.NoError(t, os.WriteFile(program, []byte(script), 0o700))
	s, err := StartClub(program, t.TempDir(), io.Discard)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return s.Ended() != nil }, time.Minute, time.Millisecond)
	require.ErrorContains(t, s.Ended(), "exit status 3")
	require.ErrorContains(t, s.Ended(), "the disk is gone")
	require.ErrorContains(t, s.Stop(), "status 3")
}
