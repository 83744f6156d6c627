package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// build builds the programs as they are used, also where the tests have the race detector in them: a bare server that is
// slowed down would make the club look fast.
func build(t *testing.T) (sshload, sshd string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"sshload", "sshd"} {
		cmd := exec.Command("go", "build", "-race=false", "-o", filepath.Join(dir, name), "boneyard/cmd/"+name)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return filepath.Join(dir, "sshload"), filepath.Join(dir, "sshd")
}

// TestSmallLoad puts a small load on the real club beside a bare server. It fails where a ratio is three times the goal: the
// machine it runs on may have other things to do, so it says nothing of times.
func TestSmallLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	if runtime.GOOS != "linux" {
		t.Skip("figures of processes come from /proc")
	}
	sshload, sshd := build(t)
	var out, errs bytes.Buffer
	cmd := exec.Command(sshload, "--server", sshd, "--baseline", "--json", "small")
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	require.NoError(t, cmd.Run(), "%s", errs.String())
	t.Logf("took %v\n%s", time.Since(began).Round(time.Second), out.String())

	var r Report
	require.NoError(t, json.Unmarshal(out.Bytes(), &r))
	require.Less(t, r.Play.CPU.Ratio, 3*2.0, "processor time for a watcher and update, against a bare server")
	require.Less(t, r.Enter.Both.Ratio, 3*2.0, "processor time to come in, against a bare server")
	require.Less(t, r.Idle.RSS.Ratio, 3*2.5, "memory of an idle session, against a bare server")
	require.Less(t, r.Play.MoveBytes, 3*100.0, "bytes for a watcher and an ordinary move")
	require.Zero(t, r.Idle.Frames, "frames for sessions to which nothing happens")
	require.Less(t, r.Arrivals.Frames, 3*20.0, "frames for each of those who arrive together")
	require.LessOrEqual(t, r.Left.Goroutines, 0.0, "goroutines that stay behind")
	// What makes the ratios mean something: there was play, everybody saw it, and the bare server had as much to say.
	require.Positive(t, r.Play.Moves)
	require.Positive(t, r.Play.CPU.Ratio)
	require.GreaterOrEqual(t, r.Play.Delay.N, 400*(r.Play.Moves-2), "each watcher saw each move; the last of a round may be cut off")
	require.Positive(t, r.Play.BareDelay.N)
	require.Equal(t, int64(50), r.Arrivals.Screen.N)
}

func TestProfilesAreValid(t *testing.T) {
	help := newRoot().Long
	for _, l := range profiles() {
		require.NoError(t, l.Validate(), l.Name)
		require.Contains(t, help, l.Name+" ")
		require.Contains(t, help, l.About)
	}
}

func TestBounds(t *testing.T) {
	for what, change := range map[string]func(*Load){
		"too many":   func(l *Load) { l.Watchers = maxClients + 1 },
		"below 0":    func(l *Load) { l.Lobby = -1 },
		"nobody":     func(l *Load) { *l = Load{} },
		"seats":      func(l *Load) { l.Seats = 5 },
		"cannot":     func(l *Load) { l.People = 4 },
		"table":      func(l *Load) { l.Tables = 0 },
		"slow":       func(l *Load) { l.Slow = l.Watchers + 1 },
		"at most":    func(l *Load) { l.Play = maxPhase + 1 },
		"some time":  func(l *Load) { l.Play = 0 },
		"columns":    func(l *Load) { l.Width = 1000 },
		"1000 a sec": func(l *Load) { l.Chat = 5000 },
	} {
		l, err := profile("small")
		require.NoError(t, err)
		change(&l)
		require.ErrorContains(t, l.Validate(), what)
	}
}

// A load is never sent to another machine.
func TestOnlyThisMachine(t *testing.T) {
	for _, addr := range []string{
		"example.org:22", "192.0.2.1:22", "0.0.0.0:22", "[::]:22", "[2001:db8::1]:22", "10.0.0.1:2222", ":2222", "127.0.0.1",
		"localhost.example.org:22",
	} {
		_, err := loopback(addr)
		require.Error(t, err, addr)
		_, err = attach("127.0.0.1:1", addr, 0)
		require.Error(t, err, addr)
	}
	for given, want := range map[string]string{
		"localhost:2222": "127.0.0.1:2222", "127.0.0.7:1": "127.0.0.7:1", "[::1]:22": "[::1]:22",
	} {
		addr, err := loopback(given)
		require.NoError(t, err)
		require.Equal(t, want, addr)
	}
}

func TestCommandLine(t *testing.T) {
	run := func(args ...string) string {
		cmd := newRoot()
		var out bytes.Buffer
		cmd.SetArgs(args)
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		err := cmd.Execute()
		require.Error(t, err)
		return err.Error()
	}
	require.Contains(t, run("nothing"), "no profile")
	require.Contains(t, run("watch500", "--addr", "192.0.2.1:22"), "not on this machine")
	require.Contains(t, run("watch500", "--pid", "1"), "--addr")
	require.Contains(t, run("watch500", "--watchers", "100000"), "too many")
	require.Contains(t, run("watch500", "--server", filepath.Join(t.TempDir(), "none")), "start the club")
	require.Contains(t, run("watch500"), "--server") // there is no club's program beside that of a test
}

func TestUsage(t *testing.T) {
	before, err := usageOf(os.Getpid())
	if err == errNoFigures {
		t.Skip(err)
	}
	require.NoError(t, err)
	require.Greater(t, before.rss, int64(1<<20))
	for sum := 0; time.Since(before.at) < 50*time.Millisecond; sum++ { // spend some
	}
	after, err := usageOf(os.Getpid())
	require.NoError(t, err)
	require.Greater(t, after.cpu, before.cpu)
	_, err = usageOf(1 << 30)
	require.Error(t, err)

	ticks, err := ticksCPU("/proc/self")
	require.NoError(t, err)
	require.InDelta(t, after.cpu.Seconds(), ticks.Seconds(), 1)
}
