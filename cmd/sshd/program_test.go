package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby/limit"
	"boneyard/store/cluster/freeport"
)

// syncBuffer is a log that is read while it is written.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// Addr is where the server listens, once Run has returned.
func (m *Main) Addr() net.Addr { return m.addr }

// mustRun starts the server in this process, with its files in a folder of the test.
func mustRun(t *testing.T, alter func(*Settings)) (*Main, *syncBuffer) {
	t.Helper()
	dir := t.TempDir()
	log := &syncBuffer{}
	m := NewMain(log)
	m.Settings.Listen = "127.0.0.1:0"
	m.Settings.Data = filepath.Join(dir, "boneyard.db")
	m.Settings.HostKeys = filepath.Join(dir, "host_keys")
	if alter != nil {
		alter(&m.Settings)
	}
	before := goleak.IgnoreCurrent()
	require.NoError(t, m.Run())
	t.Cleanup(func() {
		require.NoError(t, m.Close())
		awaitGoroutines(t, before)
	})
	return m, log
}

// awaitGoroutines waits until all new goroutines have ended.
func awaitGoroutines(t *testing.T, before goleak.Option) {
	t.Helper()
	require.EventuallyWithT(t, func(c *assert.CollectT) { assert.NoError(c, goleak.Find(before)) }, patience, time.Millisecond)
}

// until waits for a condition that nothing reports.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	late := time.Now().Add(patience)
	for !ok() {
		if time.Now().After(late) {
			buf := make([]byte, 1<<20)
			t.Fatalf("waited in vain for %s:\n%s", what, buf[:runtime.Stack(buf, true)])
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// call opens a session as a guest and waits until the server has begun to answer it.
func call(t *testing.T, addr string) {
	t.Helper()
	cl, err := gossh.Dial("tcp", addr, &gossh.ClientConfig{
		User: "someone",
		Auth: []gossh.AuthMethod{gossh.KeyboardInteractive(func(_, _ string, _ []string, _ []bool) ([]string, error) {
			return nil, nil
		})},
		HostKeyCallback: gossh.InsecureIgnoreHostKey(),
		Timeout:         patience,
	})
	require.NoError(t, err)
	defer func() { _ = cl.Close() }()
	s, err := cl.NewSession()
	require.NoError(t, err)
	_, err = s.StdinPipe() // without one the session begins with the end of its input, and may end before it says anything
	require.NoError(t, err)
	out, err := s.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, s.RequestPty("xterm", 24, 80, nil))
	require.NoError(t, s.Shell())
	_, err = io.ReadFull(out, make([]byte, 1))
	require.NoError(t, err)
}

func TestHealth(t *testing.T) {
	m, log := mustRun(t, nil)
	status, out, _ := command(t, nil, "health", "--listen", m.Addr().String())
	require.Equal(t, 0, status)
	require.Equal(t, fmt.Sprintf("ok: %s answers SSH-2.0-Boneyard\n", m.Addr()), out)

	_, port, err := net.SplitHostPort(m.Addr().String())
	require.NoError(t, err)
	status, out, stderr := command(t, []string{"BONEYARD_LISTEN=0.0.0.0:" + port}, "health")
	require.Equal(t, 0, status, stderr)
	require.Contains(t, out, "127.0.0.1:"+port, "no name is looked up: an image may have no list of hosts")
	status, _, _ = command(t, nil, "health", "--listen", "nowhere")
	require.Equal(t, 2, status)

	require.NoError(t, m.Close())
	require.Regexp(t, `(?s)the club is open.*the club is closing.*the club is closed`, log.String())
	status, out, stderr = command(t, nil, "health", "--listen", m.Addr().String())
	require.Equal(t, 1, status)
	require.Empty(t, out)
	require.Equal(t, 1, strings.Count(stderr, "\n"))
}

// A server that turns us away defends itself, and is healthy.
func TestHealthOfABusyServer(t *testing.T) {
	m := openClub(t, func(m *Main) {
		m.Settings.ExemptNetworks = nil
		m.tune = func(c *gate.Config) { c.Connections.Addr = limit.Rate{Burst: 1, Every: time.Hour} }
	})
	for _, want := range []string{" answers SSH-2.0-Boneyard\n", " is busy: Not allowed at this time\n"} {
		status, out, stderr := command(t, nil, "health", "--listen", m.Addr().String())
		require.Equal(t, 0, status, stderr)
		require.Equal(t, fmt.Sprint("ok: ", m.Addr(), want), out)
	}
}

func TestHealthOfSomethingElse(t *testing.T) {
	for says, want := range map[string]string{"220 mail.example.org\r\n": "is not an SSH server", "": "no SSH greeting from"} {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer func() { _ = ln.Close() }()
		go func() {
			if conn, err := ln.Accept(); err == nil {
				_, _ = io.WriteString(conn, says)
				_ = conn.Close()
			}
		}()
		status, _, stderr := command(t, nil, "health", "--listen", ln.Addr().String())
		require.Equal(t, 1, status)
		require.Contains(t, stderr, want)
	}
}

// The health check also finds a server that listens on all addresses of a machine without IPv4.
func TestHealthOverIPv6(t *testing.T) {
	port := strconv.Itoa(freeport.Pair(t)) // the same port of 127.0.0.1 is asked first: nobody may answer there
	ln, err := net.Listen("tcp6", net.JoinHostPort("::1", port))
	if err != nil {
		t.Skip("there is no IPv6 here")
	}
	defer func() { _ = ln.Close() }()
	go func() {
		if conn, err := ln.Accept(); err == nil {
			_, _ = io.WriteString(conn, "SSH-2.0-Boneyard\r\n")
			_ = conn.Close()
		}
	}()
	status, out, stderr := command(t, nil, "health", "--listen", ":"+port)
	require.Equal(t, 0, status, stderr)
	require.Contains(t, out, "[::1]:"+port)
}

func TestHealthBehindAProxy(t *testing.T) {
	m, _ := mustRun(t, func(s *Settings) { s.ProxyProtocolFrom = []string{"127.0.0.0/8"} })
	status, _, stderr := command(t, []string{"BONEYARD_PROXY_PROTOCOL_FROM=127.0.0.0/8"}, "health", "--listen", m.Addr().String())
	require.Equal(t, 0, status, stderr)
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	c := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}
	resp, err := c.Get(url)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(body)
}

func TestMetrics(t *testing.T) {
	m, _ := mustRun(t, func(s *Settings) { s.Metrics = "127.0.0.1:0" })
	call(t, m.Addr().String())
	base := fmt.Sprintf("http://%s", m.MetricsAddr())
	_, text := get(t, base+"/metrics")
	for _, line := range []string{
		"boneyard_connections_total 1", `boneyard_logins_total{with="none"} 1`, "boneyard_sessions_total 1",
		"boneyard_write_stalls_total 0", `boneyard_sessions_closed_total{reason="panic"} 0`, "\ngo_goroutines ",
		"\nprocess_resident_memory_bytes ", "\nboneyard_sessions ",
	} {
		require.Contains(t, text, line)
	}
	status, _ := get(t, base+"/debug/pprof/")
	require.Equal(t, http.StatusNotFound, status, "profiles only when asked for")
}

func TestProfiles(t *testing.T) {
	m, _ := mustRun(t, func(s *Settings) { s.Metrics, s.Pprof = "127.0.0.1:0", true })
	status, text := get(t, fmt.Sprintf("http://%s/debug/pprof/goroutine?debug=1", m.MetricsAddr()))
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, "gate.(*Server).Serve")
}

func TestNothingStaysWhenTheStartFails(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	before := goleak.IgnoreCurrent()
	for _, ports := range [][2]string{{taken.Addr().String(), "127.0.0.1:0"}, {"127.0.0.1:0", taken.Addr().String()}} {
		dir := t.TempDir()
		m := NewMain(io.Discard)
		m.Settings.Data = filepath.Join(dir, "boneyard.db")
		m.Settings.HostKeys = filepath.Join(dir, "host_keys")
		m.Settings.Listen, m.Settings.Metrics = ports[0], ports[1]
		require.ErrorContains(t, m.Run(), "address already in use")
		require.Nil(t, m.MetricsAddr())
		awaitGoroutines(t, before)
	}
}

// start starts the program as a process and returns where it listens and where its metrics are.
func start(t *testing.T, args ...string) (cmd *exec.Cmd, addr, metrics string) {
	t.Helper()
	dir := t.TempDir()
	cmd = exec.Command("sshd", append([]string{ // which TestMain has put on the path
		"--listen", "127.0.0.1:0", "--data", filepath.Join(dir, "boneyard.db"), "--host-keys", filepath.Join(dir, "keys"),
		"--log-format", "json",
	}, args...)...)
	log, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_, _ = cmd.Process.Wait()
	})
	lines := bufio.NewScanner(log)
	for addr == "" && lines.Scan() {
		var line struct{ Msg, Addr string }
		require.NoError(t, json.Unmarshal(lines.Bytes(), &line), "%s", lines.Text())
		switch line.Msg {
		case "metrics":
			metrics = line.Addr
		case "the club is open":
			addr = line.Addr
		}
	}
	require.NotEmpty(t, addr, "the program does not say that it is open")
	go func() { _, _ = io.Copy(io.Discard, log) }()
	return cmd, addr, metrics
}

func TestSignalsDrain(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		cmd, addr, _ := start(t)
		call(t, addr)
		began := time.Now()
		require.NoError(t, cmd.Process.Signal(sig))
		state, err := cmd.Process.Wait()
		require.NoError(t, err)
		require.Equal(t, 0, state.ExitCode(), "%s", sig)
		require.Less(t, time.Since(began), patience)
	}
}

func TestASecondSignalEndsAtOnce(t *testing.T) {
	cmd, addr, metrics := start(t, "--metrics", "127.0.0.1:0", "--pprof")
	// A profile that takes long keeps the drain waiting.
	profile := make(chan struct{})
	go func() {
		defer close(profile)
		resp, err := http.Get("http://" + metrics + "/debug/pprof/profile?seconds=600")
		if err == nil {
			_ = resp.Body.Close()
		}
	}()
	until(t, "the profile to begin", func() bool {
		_, stacks := get(t, "http://"+metrics+"/debug/pprof/goroutine?debug=1")
		return strings.Contains(stacks, "net/http/pprof.Profile")
	})
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	until(t, "the first signal to have its effect", func() bool {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	})
	began := time.Now()
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	state, err := cmd.Process.Wait()
	require.NoError(t, err)
	require.Equal(t, syscall.SIGTERM, state.Sys().(syscall.WaitStatus).Signal())
	require.Less(t, time.Since(began), patience, "not when the profile is done")
	<-profile
}
