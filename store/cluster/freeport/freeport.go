// Package freeport finds ports for servers that tests end and start again at the same address. It takes none of those that systems
// give to outgoing connections (from 32768 on), which could have a server's port while the server is down.
package freeport

import (
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
)

// Each process has ports of its own, so that tests of two packages do not meet.
const (
	first     = 10_000
	ofProcess = 40
	processes = 500
)

var next atomic.Int64

// Pair returns the first of two ports on loopback that follow each other and are free.
func Pair(t testing.TB) int {
	t.Helper()
	for range ofProcess / 2 {
		p := first + os.Getpid()%processes*ofProcess + int(next.Add(2)-2)%ofProcess
		if free(p) && free(p+1) {
			return p
		}
	}
	t.Fatal("no two ports are free")
	return 0
}

func free(port int) bool {
	ln, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return false
	}
	return ln.Close() == nil
}
