package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

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
		files := func() int {
			open, err := os.ReadDir(filepath.Join("/proc", fmt.Sprint(server.cmd.Process.Pid), "fd"))
			require.NoError(t, err)
			return len(open)
		}
		require.Less(t, files(), 256-32)
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
