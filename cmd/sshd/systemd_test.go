//go:build unix

package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshd/gate"
)

// activated runs the program as systemd does: with sockets that are open already, and one to say how it is.
func activated(t *testing.T, dir, notify string, sockets ...*os.File) *process {
	t.Helper()
	p := &process{open: make(chan net.Addr, 1), exited: make(chan struct{})}
	// LISTEN_PID is the process's own number, which the shell knows.
	p.cmd = exec.Command("/bin/sh", "-c", `LISTEN_PID=$$ exec fastsshd "$@"`, "sh", "--data", filepath.Join(dir, "club.db"),
		"--host-keys", filepath.Join(dir, "keys"), "--log-format", "json", "--exempt-networks", "127.0.0.0/8", "--exhibition", "off")
	p.cmd.ExtraFiles = sockets
	p.cmd.Env = append(os.Environ(), fmt.Sprint("LISTEN_FDS=", len(sockets)), "NOTIFY_SOCKET="+notify)
	hangups := make(chan os.Signal, 1) // are not ignored by what starts now, though nohup may have started the tests
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	p.start(t)
	return p
}

// A restart refuses nobody whose socket systemd keeps: callers wait in its queue. A terminal that was
// connected is told by its exit status to reconnect.
func TestCallersWaitWhileAnActivatedServerRestarts(t *testing.T) {
	dir := t.TempDir()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer ln.Close()
	socket, err := ln.(*net.TCPListener).File()
	require.NoError(t, err)
	defer socket.Close()
	path := filepath.Join(dir, "notify")
	said, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	require.NoError(t, err)
	defer said.Close()
	hears := func(want string) {
		t.Helper()
		b := make([]byte, 256)
		require.NoError(t, said.SetReadDeadline(time.Now().Add(patience)))
		n, err := said.Read(b)
		require.NoError(t, err)
		require.Equal(t, want, string(b[:n]))
	}

	first := activated(t, dir, path, socket)
	first.opened(t)
	hears("READY=1")
	require.Equal(t, ln.Addr().String(), first.Addr().String(), "--listen does not count")
	at := sit(t, first.Main, nil, "someone", 80, 24)
	at.until("the lobby", inLobby)

	require.NoError(t, first.cmd.Process.Signal(syscall.SIGHUP), "drains like SIGTERM")
	first.ends(t, exitOK)
	hears("STOPPING=1")
	require.Equal(t, gate.ExitAgain, exitStatus(t, at.leaves()))

	waits, err := net.Dial("tcp", ln.Addr().String())
	require.NoError(t, err, "nobody is refused while the server is stopped")
	defer waits.Close()
	second := activated(t, dir, path, socket)
	second.opened(t)
	hears("READY=1")
	greeting := make([]byte, 7)
	require.NoError(t, waits.SetReadDeadline(time.Now().Add(patience)))
	_, err = waits.Read(greeting)
	require.NoError(t, err)
	require.Equal(t, "SSH-2.0", string(greeting))
	require.NotContains(t, strings.ToLower(second.log.String()), "error")
}

// One socket is served, and only one of TCP: nobody's address is known at another.
func TestSocketsThatCannotBeServed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(ln interface{ File() (*os.File, error) }) *os.File {
		f, err := ln.File()
		require.NoError(t, err)
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	tcp, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	defer tcp.Close()
	udp, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	defer udp.Close()
	path, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "socket"), Net: "unix"})
	require.NoError(t, err)
	defer path.Close()
	for _, sockets := range [][]*os.File{{file(tcp), file(tcp)}, {file(udp)}, {file(path)}} {
		p := activated(t, dir, "", sockets...)
		p.ends(t, exitFailed)
		require.Contains(t, p.log.String(), "name one ListenStream")
	}
}

// TestNohup: a server that nohup has started outlives the terminal.
func TestNohup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := launchBy(t, "nohup", []string{"fastsshd"}, dir)
	p.opened(t)
	ana := member(t, p.Main, "ana")
	for range 2 { // a second signal would end it at once
		require.NoError(t, p.cmd.Process.Signal(syscall.SIGHUP))
		require.Contains(t, ask(t, p.Main, ana, "ana", "whois ana"), "ana")
	}
	p.terminate(t)
}
