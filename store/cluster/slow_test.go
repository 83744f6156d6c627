package cluster_test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// slowLine accepts connections and forwards them to an address, delaying all bytes. Now and then they pause
// for longer, as when a lost packet is sent again. It returns its address.
func slowLine(t *testing.T, to string, late, lost time.Duration) string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ln.Close()) })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				there, err := net.Dial("tcp", to)
				if err != nil {
					_ = conn.Close() // that node does not run
					return
				}
				go carry(there, conn, late, lost)
				carry(conn, there, late, lost)
			}()
		}
	}()
	return ln.Addr().String()
}

// carry copies one direction of a connection, and then closes both.
func carry(to, from net.Conn, late, lost time.Duration) {
	type chunk struct {
		data []byte
		due  time.Time
	}
	under := make(chan chunk, 1<<12)
	go func() {
		defer close(under)
		rng := rand.New(rand.NewPCG(1, 2))
		buf := make([]byte, 1<<14)
		var due time.Time
		for {
			n, err := from.Read(buf)
			if n > 0 {
				d := late
				if rng.IntN(100) == 0 {
					d += lost
				}
				if at := time.Now().Add(d); at.After(due) { // bytes stay in order
					due = at
				}
				under <- chunk{slices.Clone(buf[:n]), due}
			}
			if err != nil {
				return
			}
		}
	}()
	for c := range under {
		time.Sleep(time.Until(c.due)) // the line is slow, whatever happens
		if _, err := to.Write(c.data); err != nil {
			break
		}
	}
	_ = to.Close()
	_ = from.Close()
	for range under {
	}
}

// TestNodesFarApart has the nodes reach each other through lines that take 20 ms in each direction, and 300
// ms for one packet in a hundred.
func TestNodesFarApart(t *testing.T) {
	t.Parallel()
	c := newClubOver(t, func(to string) string { return slowLine(t, to, 20*time.Millisecond, 300*time.Millisecond) })
	c.claim(0)
	var took []time.Duration
	for i := range 30 {
		began := time.Now()
		require.NoError(t, c.create(0, fmt.Sprint("far", i)))
		took = append(took, time.Since(began))
	}
	require.NoError(t, c.create(0, "last"))
	for i := range c.nodes {
		c.knows(i, "last")
	}
	slices.Sort(took)
	t.Logf("half of the entries were acknowledged within %v, the slowest in %v", took[len(took)/2], took[len(took)-1])
}
