// Package freeport finds ports for servers that are ended and started again at the same address. It takes none of those that systems
// give to outgoing connections (from 32768 on), which could have a server's port while the server is down.
package freeport

import (
	"errors"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
)

// Each process has a block of ports to itself. It listens at the first of them as long as it lives, so that
// no other process takes the block.
const (
	first   = 10_000
	ofBlock = 100
	blocks  = 200
)

var mu sync.Mutex // of all that follows
var (
	guard net.Listener // at the first port of the block
	block int          // that port
	taken [ofBlock]bool
	next  int // where to look first
)

// Take returns the first of n ports on loopback that follow each other and that nobody listens at. No caller
// gets them until give is called.
func Take(n int) (port int, give func(), err error) {
	mu.Lock()
	defer mu.Unlock()
	for i := 0; guard == nil && i < blocks; i++ {
		block = first + (os.Getpid()+i)%blocks*ofBlock
		guard, _ = listen(block) // another process may have that block
	}
	if guard == nil {
		return 0, nil, errors.New("no block of ports is free")
	}
	for range ofBlock {
		at := 1 + next%(ofBlock-n)
		next++
		if some := taken[at : at+n]; !slices.Contains(some, true) && free(block+at, n) {
			mark(some, true)
			next += n - 1
			return block + at, func() {
				mu.Lock()
				defer mu.Unlock()
				mark(some, false)
			}, nil
		}
	}
	return 0, nil, errors.New("no ports are free")
}

func mark(ports []bool, as bool) {
	for i := range ports {
		ports[i] = as
	}
}

func free(port, n int) bool {
	for i := range n {
		ln, err := listen(port + i)
		if err != nil || ln.Close() != nil {
			return false
		}
	}
	return true
}

func listen(port int) (net.Listener, error) {
	return net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// Pair returns the first of two ports that follow each other, which a test has until it ends.
func Pair(t interface {
	Helper()
	Cleanup(func())
	Fatal(args ...any)
}) int {
	t.Helper()
	port, give, err := Take(2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(give)
	return port
}
