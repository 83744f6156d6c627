package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// process is the program in its own process, on data that outlives it.
type process struct {
	*Main  // knows the address and nothing else, for those who dial
	cmd    *exec.Cmd
	stdin  io.Closer     // the program ends with it
	log    syncBuffer    // what the program has to complain of
	open   chan net.Addr // where it listens, each time it runs the club; closed when the log ends
	joined chan struct{} // closed when it is a node of a cluster
	exited chan struct{}
	err    error // of the exit, once exited is closed
}

// start starts the command, which ends with the test.
func (p *process) start(t testing.TB) {
	t.Helper()
	var err error
	p.stdin, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	log, err := p.cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	go p.follow(log)
	t.Cleanup(func() {
		_ = p.stdin.Close()
		p.kill()
		require.NotContains(t, p.log.String(), "DATA RACE") // what the race detector says of a process that is killed
	})
}

// launch starts a program of TestMain's on the data and host keys in a folder and does not wait for it.
func launch(t testing.TB, program, dir string, args ...string) *process {
	t.Helper()
	return launchBy(t, program, nil, dir, args...)
}

// launchBy is launch of a program that another one, such as a shell, starts.
func launchBy(t testing.TB, program string, before []string, dir string, args ...string) *process {
	t.Helper()
	p := &process{open: make(chan net.Addr, 16), joined: make(chan struct{}), exited: make(chan struct{})}
	p.cmd = exec.Command(program, slices.Concat(before, []string{
		"--listen", "127.0.0.1:0", "--data", filepath.Join(dir, "club.db"), "--host-keys", filepath.Join(dir, "keys"),
		"--log-format", "json", "--exempt-networks", "127.0.0.0/8", "--exhibition", "off",
	}, args)...)
	p.start(t)
	return p
}

// follow reads the log to its end, then notes how the process has ended.
func (p *process) follow(log io.Reader) {
	defer close(p.exited)
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct{ Level, Msg, Addr string }
		if json.Unmarshal(lines.Bytes(), &line) != nil || line.Level != "INFO" {
			_, _ = p.log.Write(append(lines.Bytes(), '\n'))
		}
		if line.Msg == "this is a node of a cluster" {
			close(p.joined)
		}
		if line.Msg == "the club is open" {
			if addr, err := net.ResolveTCPAddr("tcp", line.Addr); err == nil {
				p.open <- addr
			}
		}
	}
	close(p.open)
	p.err = p.cmd.Wait()
}

// opened waits until the program listens.
func (p *process) opened(t testing.TB) {
	t.Helper()
	select {
	case addr, ok := <-p.open:
		require.True(t, ok, "the program has ended:\n%s", &p.log)
		p.Main = &Main{addr: addr}
	case <-time.After(patience):
		t.Fatalf("the program does not open:\n%s", &p.log)
	}
}

// serveIn starts the fast program on the data in a folder and waits until it listens.
func serveIn(t testing.TB, dir string, args ...string) *process {
	t.Helper()
	p := launch(t, "fastsshd", dir, args...)
	p.opened(t)
	return p
}

// kill ends the process as kill -9 does, and returns when it is gone.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.exited
}

// stacks ends the process so that it prints the stacks of all its goroutines, and returns its log.
func (p *process) stacks() string {
	_ = p.cmd.Process.Signal(syscall.SIGQUIT)
	<-p.exited
	return p.log.String()
}

// terminate ends the process by SIGTERM, which must succeed.
func (p *process) terminate(t testing.TB) {
	t.Helper()
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	p.ends(t, exitOK)
}

// ends waits for the process to end with a status.
func (p *process) ends(t testing.TB, status int) {
	t.Helper()
	select {
	case <-p.exited:
	case <-time.After(patience):
		t.Fatalf("the program does not end:\n%s", p.stacks())
	}
	var exit *exec.ExitError
	if p.err != nil && !errors.As(p.err, &exit) {
		t.Fatal(p.err)
	}
	require.Equal(t, status, p.cmd.ProcessState.ExitCode(), "%s", &p.log)
}

// tell runs a command of the program on the data in a folder, in a process of its own, and returns all that it says.
func tell(t testing.TB, dir, command string, args ...string) (said string, status int) {
	t.Helper()
	cmd := exec.Command("sshd", append([]string{command, "--data", filepath.Join(dir, "club.db")}, args...)...)
	cmd.Env = os.Environ()
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// told is what a command says that must succeed; see tell.
func told(t testing.TB, dir, command string, args ...string) string {
	t.Helper()
	said, status := tell(t, dir, command, args...)
	require.Equal(t, exitOK, status, said)
	return said
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b
}
