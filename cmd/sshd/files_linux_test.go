package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/store"
)

// files returns how many files the process has open.
func (p *process) files(t *testing.T) int {
	t.Helper()
	open, err := os.ReadDir(filepath.Join("/proc", fmt.Sprint(p.cmd.Process.Pid), "fd"))
	require.NoError(t, err)
	return len(open)
}

// More idle connections than the process may have files open neither end the club nor keep anybody out, and the data can be written.
func TestIdleConnectionsLeaveFilesToTheClub(t *testing.T) {
	t.Parallel()
	for _, exempt := range []string{"", "127.0.0.0/8"} {
		server := launchBy(t, "sh", []string{"-c", `ulimit -n 256; exec "$0" "$@"`, "fastsshd"}, t.TempDir(), "--exempt-networks", exempt)
		server.opened(t)
		var idle []net.Conn
		t.Cleanup(func() {
			for _, conn := range idle {
				_ = conn.Close()
			}
		})
		for i := range 380 {
			from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 1, byte(i), 1)}}
			if i >= 256 {
				from.LocalAddr = &net.TCPAddr{IP: net.IPv4(127, 2, byte(i), 1)}
			}
			conn, err := from.Dial("tcp", server.addr.String())
			require.NoError(t, err)
			idle = append(idle, conn)
		}
		require.Less(t, server.files(t), 256-32)
		if exempt != "" { // nobody limits those, but for the files
			for _, conn := range idle {
				_ = conn.Close()
			}
			idle = nil
		}
		key := newKey(t)
		until(t, "somebody to get in", func() bool {
			cl, err := dialQuietly(server.Main, key, "ben")
			if err != nil {
				return false
			}
			defer cl.Close()
			sess, err := cl.NewSession()
			return err == nil && sess.Run("register ben") == nil
		})
		server.terminate(t)
	}
}

// Silent connections to the port for other nodes take few files from callers, and keep no node out.
func TestClusterSilentConnections(t *testing.T) {
	faults(t)
	t.Parallel()
	m := newMachines(t)
	m.startAll()
	before := m.nodes[0].files(t)
	for range 1200 {
		conn, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 1, 1, 1)}}).Dial("tcp", m.log[0])
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		require.Less(t, m.nodes[0].files(t), before+400) // some are still closing
	}
	m.nodes[1].kill()
	m.start(1)
	m.whole()
}

// Who may not look into the data file's folder reads so, and nothing about clusters.
func TestAFolderWithoutPermission(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0))
	refused := make(chan error)
	go func() {
		runtime.LockOSThread() // and the thread ends with the goroutine
		if os.Getuid() == 0 {
			_ = syscall.Setfsuid(65534) // else everything is permitted
		}
		refused <- refuseNodeFile(filepath.Join(dir, "boneyard.db"), "start it elsewhere")
	}()
	err := <-refused
	require.ErrorIs(t, err, store.ErrNoPermission)
	require.Equal(t, exitFailed, statusOf(err))
}
