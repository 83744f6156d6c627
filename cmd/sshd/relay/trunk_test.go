package relay

import (
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// trunkOf makes a trunk of two ends of a connection.
func trunkOf(tb testing.TB, from, to net.Conn) (here, there Trunk) {
	tb.Helper()
	quiet := slog.New(slog.DiscardHandler)
	here, err := OpenTrunk(from, true, quiet)
	require.NoError(tb, err)
	there, err = OpenTrunk(to, false, quiet)
	require.NoError(tb, err)
	return here, there
}

// pipedTrunk makes a trunk within the process.
func pipedTrunk(tb testing.TB) (here, there Trunk) {
	tb.Helper()
	from, to := net.Pipe()
	return trunkOf(tb, from, to)
}

// call opens a stream and accepts it.
func (t Trunk) call(tb testing.TB, other Trunk) (here, there net.Conn) {
	tb.Helper()
	here, err := t.Open()
	require.NoError(tb, err)
	there, err = other.Accept()
	require.NoError(tb, err)
	return here, there
}

// What is written while a write is on its way goes out in one piece after it, in order, and so do the last words.
func TestWritesAreBatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from, to := net.Pipe()
		b := newBatchConn(from)
		write := func(text string) {
			_, err := io.WriteString(b, text)
			require.NoError(t, err)
		}
		var p [100]byte
		reads := func(text string) {
			n, err := to.Read(p[:])
			require.NoError(t, err)
			require.Equal(t, text, string(p[:n]))
		}
		write("a")
		synctest.Wait() // it is on its way
		write("b")
		write("c")
		reads("a")
		synctest.Wait()
		write("d")
		write("e")
		require.NoError(t, b.Close())
		_, err := b.Write([]byte("f"))
		require.ErrorIs(t, err, net.ErrClosed)
		reads("bc")
		reads("de")
		_, err = to.Read(p[:])
		require.ErrorIs(t, err, io.EOF)
	})
}

// A writer of more than is read waits, and learns when the connection breaks. Last messages do not take long.
func TestBatchesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, end := range map[string]func(b *batchConn, to net.Conn){
			"broken": func(_ *batchConn, to net.Conn) { _ = to.Close() },
			"closed": func(b *batchConn, _ net.Conn) { _ = b.Close() },
		} {
			from, to := net.Pipe()
			b := newBatchConn(from)
			written, ended := 0, make(chan error)
			go func() {
				for {
					n, err := b.Write(make([]byte, 1000))
					if written += n; err != nil {
						ended <- err
						return
					}
				}
			}()
			synctest.Wait()
			require.InDelta(t, 2*trunkBatch, written, trunkBatch, name)
			end(b, to)
			require.Error(t, <-ended, name)
			_, err := b.Write([]byte("x"))
			require.Error(t, err, name)
			time.Sleep(lastWords)
			synctest.Wait()
			_, err = from.Read(make([]byte, 1))
			require.ErrorIs(t, err, io.ErrClosedPipe, name)
		}
	})
}

// A closed stream ends for readers and writers on both sides, and no other stream does.
func TestAStreamEndsBothWays(t *testing.T) {
	here, there := pipedTrunk(t)
	defer here.Close()
	a, b := here.call(t, there)
	other, otherEnd := here.call(t, there)
	ends := make(chan error, 4)
	fill := func(c net.Conn) { _, err := c.Write(make([]byte, 10<<20)); ends <- err }
	drain := func(c net.Conn) { _, err := c.Read(make([]byte, 1)); ends <- err }
	go fill(a)
	go drain(a)
	require.NoError(t, a.Close())
	require.Error(t, <-ends)
	require.Error(t, <-ends)
	_, err := io.Copy(io.Discard, b)
	require.NoError(t, err)
	_, err = a.Write([]byte("x"))
	require.Error(t, err)
	require.NoError(t, b.Close())

	go func() { _, err := io.WriteString(other, "hello"); ends <- err }()
	p := make([]byte, 5)
	_, err = io.ReadFull(otherEnd, p)
	require.NoError(t, err)
	require.NoError(t, <-ends)
	require.Equal(t, 1, there.NumStreams())
}

// A caller who does not read delays nobody else.
func TestASlowCallerHoldsUpNobody(t *testing.T) {
	here, there := pipedTrunk(t)
	defer here.Close()
	_, slow := here.call(t, there)
	quick, quickEnd := here.call(t, there)
	stuck := make(chan error, 1)
	go func() { _, err := slow.Write(make([]byte, 10<<20)); stuck <- err }()
	for n := range 100 {
		text := fmt.Sprint("frame ", n, strings.Repeat(".", 1000))
		go func() { _, _ = io.WriteString(quickEnd, text) }()
		p := make([]byte, len(text))
		_, err := io.ReadFull(quick, p)
		require.NoError(t, err)
		require.Equal(t, text, string(p))
	}
	require.Empty(t, stuck)
	require.NoError(t, slow.Close())
	require.Error(t, <-stuck)
}

// The trunk ends with its connection, and so do all streams; what was written before is still read.
func TestATrunkEndsWithItsConnection(t *testing.T) {
	here, there := pipedTrunk(t)
	a, b := here.call(t, there)
	_, err := io.WriteString(b, "goodbye")
	require.NoError(t, err)
	require.NoError(t, there.Close())
	p, err := io.ReadAll(a)
	require.Equal(t, "goodbye", string(p))
	require.NoError(t, err)
	_, err = here.Open()
	require.Error(t, err)
	_, err = a.Write([]byte("x"))
	require.Error(t, err)
	_, err = there.Accept()
	require.Error(t, err)
}

// BenchmarkTrunk shows 500 callers 100 bytes each at once: over one trunk, and over a connection each.
func BenchmarkTrunk(b *testing.B) {
	const callers, shown = 500, 100
	secret := httptest.NewUnstartedServer(nil)
	secret.StartTLS()
	secret.Close()
	ln, err := tls.Listen("tcp", "127.0.0.1:0", secret.TLS)
	require.NoError(b, err)
	defer func() { _ = ln.Close() }()
	connect := func() (from, to net.Conn) {
		accepted := make(chan net.Conn)
		go func() {
			c, err := ln.Accept()
			if err == nil {
				err = c.(*tls.Conn).Handshake()
			}
			if err != nil {
				b.Error(err)
			}
			accepted <- c
		}()
		from, err := tls.Dial("tcp", ln.Addr().String(), secret.Client().Transport.(*http.Transport).TLSClientConfig)
		require.NoError(b, err)
		return from, <-accepted
	}
	for _, way := range []string{"trunk", "connections"} {
		b.Run(way, func(b *testing.B) {
			next := connect
			if way == "trunk" {
				from, to := connect()
				here, there := trunkOf(b, from, to)
				defer here.Close()
				defer there.Close()
				next = func() (from, to net.Conn) { return here.call(b, there) }
			}
			var read, written sync.WaitGroup
			var working sync.WaitGroup
			wakes := make([]chan struct{}, callers)
			var ends []io.Closer
			for i := range wakes {
				from, to := next()
				ends = append(ends, from, to)
				wakes[i] = make(chan struct{}, 1)
				working.Go(func() {
					p := make([]byte, shown)
					for range wakes[i] {
						if _, err := to.Write(p); err != nil {
							b.Error(err)
						}
						written.Done()
					}
				})
				working.Go(func() {
					p := make([]byte, shown)
					for {
						if _, err := io.ReadFull(from, p); err != nil {
							return
						}
						read.Done()
					}
				})
			}
			for b.Loop() {
				read.Add(callers)
				written.Add(callers)
				for _, w := range wakes {
					w <- struct{}{}
				}
				written.Wait()
				read.Wait()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*callers), "ns/caller")
			for _, w := range wakes {
				close(w)
			}
			for _, c := range ends {
				_ = c.Close()
			}
			working.Wait()
		})
	}
}
