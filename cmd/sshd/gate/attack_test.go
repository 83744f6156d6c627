package gate_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"runtime"
	"sync"
	"testing"
	"time"

	"boneyard/cmd/sshd/gate"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// siege is a cheap attack: some addresses, each holding all the places it can get with next to no bytes.
type siege struct {
	hold func(ctx context.Context, conn net.Conn) // until the gate or ctx ends the connection
}

// apart is the nth address of a part of 127.0.0.0/8, in a network of its own; together is the nth of one network.
func apart(part, n int) string    { return fmt.Sprintf("127.%d.%d.1", part, n) }
func together(part, n int) string { return fmt.Sprintf("127.9.9.%d", 100*(part-1)+n+1) }

// lay has the attackers hold places until stop is called. It returns when each of them has been let in or turned away once.
func (s siege) lay(c *club, at func(part, n int) string, addresses, each int) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var all, first sync.WaitGroup
	for i := range addresses * each {
		first.Add(1)
		all.Go(func() {
			tried := sync.OnceFunc(first.Done)
			defer tried()
			for ctx.Err() == nil {
				if conn, err := c.dialFrom(at(1, i/each)); err == nil {
					stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
					_, err = firstLine(conn)
					tried()
					if err == nil {
						s.hold(ctx, conn)
					}
					stop()
					_ = conn.Close()
				}
				tried()
				select { // and comes again as soon as it notices
				case <-ctx.Done():
				case <-time.After(200 * time.Millisecond):
				}
			}
		})
	}
	first.Wait()
	return func() {
		cancel()
		all.Wait()
	}
}

// until reads until the connection ends.
func until(conn net.Conn) {
	_ = conn.SetReadDeadline(time.Time{})
	_, _ = io.Copy(io.Discard, conn)
}

// sieges are the ways to hold a place.
var sieges = map[string]siege{
	"mute": {func(_ context.Context, conn net.Conn) { until(conn) }},
	"greeted": {func(_ context.Context, conn net.Conn) {
		_, _ = io.WriteString(conn, "SSH-2.0-stalled\r\n")
		until(conn)
	}},
	// A byte now and then, so that the line is never silent.
	"dripping": {func(ctx context.Context, conn net.Conn) {
		for i := 0; ctx.Err() == nil; i++ {
			if _, err := conn.Write([]byte("SSH-2.0-abcdefghijklmnopqrstuvwxyz"[i%30 : i%30+1])); err != nil {
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(300 * time.Millisecond):
			}
		}
	}},
	// A login without a session.
	"logged in": {loginAnd(0)},
	// The same, but hung up before it is late.
	"in and out": {loginAnd(200 * time.Millisecond)},
}

// loginAnd logs in as a guest and opens no session, for so long; 0: for as long as one may.
func loginAnd(wait time.Duration) func(ctx context.Context, conn net.Conn) {
	return func(ctx context.Context, conn net.Conn) {
		_ = conn.SetDeadline(time.Now().Add(patience))
		sc, _, _, err := gossh.NewClientConn(conn, "", clientConfig(gossh.KeyboardInteractive(
			func(string, string, []string, []bool) ([]string, error) { return nil, nil })))
		if err != nil {
			return
		}
		_ = conn.SetDeadline(time.Time{})
		defer context.AfterFunc(ctx, func() { _ = sc.Close() })()
		if wait > 0 {
			defer time.AfterFunc(wait, func() { _ = sc.Close() }).Stop()
		}
		_ = sc.Wait()
	}
}

// Forty addresses hold all the places they can get, in each of the cheap ways; twice as many as there are
// places. Newcomers do not notice: each comes in at the first call, or calls again. A soak measures how long
// that takes.
func TestNobodyIsKeptOut(t *testing.T) {
	for name, s := range sieges {
		t.Run(name, func(t *testing.T) { s.keepsNobodyOut(t, apart) })
	}
}

// The same, with newcomers from the attackers' network.
func TestNobodyIsKeptOutByNeighbours(t *testing.T) {
	for _, name := range []string{"dripping", "in and out"} {
		t.Run(name, func(t *testing.T) { sieges[name].keepsNobodyOut(t, together) })
	}
}

func (s siege) keepsNobodyOut(t *testing.T, at func(part, n int) string) {
	var late time.Duration // after which a connection has to give way, which those of a slow machine may
	c := open(t, whoami, func(cfg *gate.Config) { cfg.Startups.Full, late = 100, cfg.Startups.BeforeKeys })
	come := func(from string) (kept int) { // as a person would: call, and call again; returns how often they were kept out without being late
		for ; ; kept++ {
			began := time.Now()
			cl, err := c.login(from)
			if err == nil {
				out, _, _ := run(cl, "x")
				_ = cl.Close()
				if out == "guest" {
					return kept
				}
			}
			if time.Since(began) >= late {
				kept--
			}
		}
	}
	phase := func(part, n int) (worst time.Duration, kept int) {
		for i := range n {
			began := time.Now()
			kept += come(at(part, i))
			worst = max(worst, time.Since(began))
		}
		return worst, kept
	}
	calm, _ := phase(3, 10)
	stop := s.lay(c, at, 40, 5)
	defer stop()
	worst, kept := phase(2, 60)
	t.Logf("calm %v, under attack at worst %v, %d kept out; %d connections, %d displaced, %d under penalty", calm, worst, kept,
		c.counted("accepted"), c.counted("refused displaced"), c.counted("refused penalty"))
	require.LessOrEqual(t, kept, 1, "99 of 100 come in with their first call")
	require.Less(t, worst, patience/2+100*calm, "three seconds, and what a machine that is slow or busy adds")
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	require.Less(t, m.HeapInuse+m.StackInuse, uint64(100<<20))
}
