package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/load"
	"boneyard/store/ramdir"
)

// programs are those of this folder and of the club, as they are used, also where the tests have the race
// detector in them: a bare server that is slowed down would make the club look fast. They are built once, for
// all tests that ask.
var programs = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "sshload-test"); err != nil {
		return "", err
	}
	cmd := exec.Command("go", "build", "-race=false", "-ldflags=-w", "-o", dir, "boneyard/cmd/sshload", "boneyard/cmd/sshd")
	if out, err := cmd.CombinedOutput(); err != nil {
		return dir, fmt.Errorf("%w\n%s", err, out)
	}
	return dir, nil
})

var built atomic.Bool // whether anybody has asked for programs

func TestMain(m *testing.M) {
	if err := ramdir.Use(); err != nil {
		panic(err)
	}
	// Each test runs programs that mostly wait for each other, so all run at once, but for the long forms.
	if err := flag.Set("test.parallel", "6"); err != nil { // the command line has the last word
		panic(err)
	}
	status := m.Run()
	if built.Load() {
		if dir, _ := programs(); dir != "" {
			_ = os.RemoveAll(dir)
		}
	}
	os.Exit(status)
}

// report is what a load found, in a test.
type report struct {
	load.Report
	t *testing.T
}

// figure must be there.
func (r *report) figure(part, name string) load.Figure {
	r.t.Helper()
	found := r.Get(part, name)
	require.NotNil(r.t, found, "no figure %s: %s", part, name)
	f := *found
	if f.Latency == nil {
		f.Latency = &client.Latency{}
	}
	return f
}

var asked = flag.Bool("load", false, "run the tests that put a load on a club; they are skipped otherwise")

// loads is sshload with the club's program, ready to be started.
func loads(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	if !*asked {
		t.Skip("is asked for by -load, as in .ci/run")
	}
	if runtime.GOOS != "linux" {
		t.Skip("figures of processes come from /proc, and callers have addresses of their own in 127.0.0.0/8")
	}
	built.Store(true)
	dir, err := programs()
	require.NoError(t, err)
	return exec.Command(filepath.Join(dir, "sshload"), append(args, "--server", filepath.Join(dir, "sshd"), "--json")...)
}

// TestALoadEndsWhenItIsTold sends the signal that ends a load in the middle of it.
func TestALoadEndsWhenItIsTold(t *testing.T) {
	t.Parallel()
	cmd := loads(t, "idle", "--lobby", "20", "--rest", "5m")
	progress, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	said := ""
	for lines := bufio.NewScanner(progress); lines.Scan(); {
		said += lines.Text() + "\n"
		if strings.Contains(lines.Text(), "be idle") {
			require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		}
	}
	require.Error(t, cmd.Wait(), "it was not done")
	require.Contains(t, said, "terminated")
}

// carryOut runs sshload with the club's program, and returns its report and the error that it ended with.
func carryOut(t *testing.T, args ...string) (r *report, err error) {
	t.Helper()
	cmd := loads(t, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	err = cmd.Run()
	t.Logf("took %v\n%s\n%s", time.Since(began).Round(time.Second), errs.String(), out.String())
	r = &report{t: t}
	require.NoError(t, json.Unmarshal(out.Bytes(), &r.Report))
	return r, err
}

// TestSmallLoad puts a small load on the real club beside a bare server. It fails if a ratio is three times
// its goal, but checks no times, since the machine may be busy.
func TestSmallLoad(t *testing.T) {
	const watchers = 400
	r, err := carryOut(t, "small", "--baseline")
	require.NoError(t, err)
	play := func(name string) load.Figure { return r.figure("in play", name) }
	require.Less(t, play("CPU of an update").Ratio, 3*2.0, "processor time for a watcher and update, against a bare server")
	require.Less(t, r.figure("entering", "both").Ratio, 3*2.0, "processor time to come in, against a bare server")
	require.Less(t, r.figure("idle", "resident memory").Ratio, 3*2.5, "memory of an idle session, against a bare server")
	require.Positive(t, play("bytes of a move").Value, "the screens were read")
	require.Less(t, play("bytes of a move").Value, 3*150.0, "bytes for a watcher and a move")
	require.Zero(t, r.figure("idle", "frames").Value, "frames for sessions to which nothing happens")
	require.Less(t, r.figure("arrivals", "frames").Value, 3*20.0, "frames for each of those who arrive together")
	require.LessOrEqual(t, r.figure("afterwards", "goroutines left behind").Value, 0.0)
	// What makes the ratios mean something: there was play, everybody saw it, and the bare server had as much
	// to say.
	moves := int64(play("moves").Value)
	require.Positive(t, moves)
	require.Positive(t, play("CPU of an update").Ratio)
	require.GreaterOrEqual(t, play("key to watchers").N, watchers*(moves-2), "each watcher saw each move; the last of a round may be cut off")
	require.Positive(t, play("bare server to its clients").N)
	require.Equal(t, int64(50), r.figure("arrivals", "to the first screen").N)
}

// TestTablesOfPrograms has programs play.
func TestTablesOfPrograms(t *testing.T) {
	t.Parallel()
	r, err := carryOut(t, "tables500", "--tables", "12", "--pace", "50ms", "--play", "2s") // at some of so many tables nobody draws
	require.NoError(t, err)
	require.Positive(t, r.figure("in play", "move acknowledged").N)
	require.Positive(t, r.figure("in play", "CPU of a move").Value)
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
	require.Contains(t, run("nothing"), "unknown command")
	require.Contains(t, run("watch1000", "--watchers", "100000"), "too many")
	require.Contains(t, run("watch1000", "--server", filepath.Join(t.TempDir(), "none")), "start the club (see --server)")
	require.Contains(t, run("watch1000"), "--server") // there is no club's program beside that of a test
}
