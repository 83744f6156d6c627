package gate_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boneyard/cmd/sshd/gate"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

func TestAClientThatNeverReads(t *testing.T) {
	progress := make(chan int, 1)
	c := open(t, handlerFunc(func(_ context.Context, call *gate.Call) int {
		total := 0
		screen := make([]byte, 8192)
		for {
			n, err := call.Out.Write(screen)
			total += n
			if err != nil {
				progress <- total
				return 0
			}
		}
	}), func(cfg *gate.Config) { cfg.WriteStall = 200 * time.Millisecond })
	cl := c.mustLogin("127.0.0.1")
	ch := session(t, cl)
	request(t, ch, "shell", nil)
	require.Less(t, <-progress, 8<<20)
	c.await("stall", 1)
	c.await("closed stall", 1)
	_ = cl.Wait()
}

func TestAPasteOfAMillionKeys(t *testing.T) {
	const quiet = 50 * time.Millisecond
	type count struct{ enters, qs int }
	counts := make(chan count, 1)
	c := open(t, handlerFunc(func(_ context.Context, call *gate.Call) int {
		var n count
		buf := make([]byte, 4096)
		for n.qs == 0 {
			k, err := call.In.Read(buf)
			if err != nil {
				break
			}
			n.enters += strings.Count(string(buf[:k]), "\r")
			n.qs += strings.Count(string(buf[:k]), "q")
		}
		counts <- n
		return 0
	}), func(cfg *gate.Config) { cfg.Input.KeyQuiet = quiet })
	cl := c.mustLogin("127.0.0.1")
	ch := session(t, cl)
	request(t, ch, "pty-req", ptyRequest{Term: "xterm", Width: 80, Height: 24})
	request(t, ch, "shell", nil)
	require.NoError(t, errOf(io.WriteString(ch, strings.Repeat("\r", 1_000_000))))
	roundTrip(t, cl)
	// The next key counts after some quiet: this sleep is a person's pause, not a wait for an event. A slow
	// server sees it start later, so that somebody whose key has no effect waits longer and presses it again.
	for pause := 4 * quiet; ; pause *= 2 {
		require.Less(t, pause, patience, "the key after the paste was lost")
		time.Sleep(pause)
		_, _ = io.WriteString(ch, "q") // fails where the one before was read meanwhile
		select {
		case n := <-counts:
			require.Positive(t, n.qs)
			require.LessOrEqual(t, n.enters, 4<<10)
			t.Logf("%d of a million keys came through", n.enters)
			return
		case <-time.After(pause):
		}
	}
}

func TestInputWithoutTerminalIsWhole(t *testing.T) {
	sizes := make(chan int, 1)
	c := open(t, handlerFunc(func(_ context.Context, call *gate.Call) int {
		all, _ := io.ReadAll(call.In)
		sizes <- len(all)
		return 0
	}), nil)
	s, err := c.mustLogin("127.0.0.1").NewSession()
	require.NoError(t, err)
	s.Stdin = strings.NewReader(strings.Repeat("pass\n", 30_000))
	require.NoError(t, s.Run("script"))
	require.Equal(t, 150_000, <-sizes)
}

// Input of clients without a terminal that is not read stays with them: a session keeps little of it.
func TestUnreadInputIsBounded(t *testing.T) {
	const sessions, each = 60, 512 << 10
	cs := make(calls, sessions)
	c := open(t, cs, func(cfg *gate.Config) { cfg.SessionsPerPlayer = sessions })
	used := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	var all []gossh.Channel
	for range sessions {
		ch := session(t, c.mustLogin("127.0.0.1"))
		request(t, ch, "shell", nil)
		cs.next(t)
		all = append(all, ch)
	}
	before := used()
	const chunk = 4 << 10
	lines := bytes.Repeat([]byte("who\n"), chunk/4)
	var under atomic.Int64 // bytes that are sent or under way
	for _, ch := range all {
		go func() { // until the server takes no more; the test ends with the line
			for range each / chunk {
				if _, err := ch.Write(lines); err != nil {
					return
				}
				under.Add(chunk)
			}
		}()
	}
	last, sent, same := int64(0), int64(0), 0
	waitFor(t, "the server to have taken what it takes", func() bool {
		now, is := used(), under.Load()
		if same++; now > last+64<<10 || is != sent {
			same = 0
		}
		last, sent = now, is
		return sent > 0 && same > 20
	})
	t.Logf("%d bytes of a session", (last-before)/sessions)
	require.Less(t, (last-before)/sessions, int64(256<<10), "bytes of a session and its client")
}

func TestInputThatNobodyReads(t *testing.T) {
	for name, send := range map[string]func(gossh.Channel) error{
		"stdin":  func(ch gossh.Channel) error { _, err := ch.Write(make([]byte, 1<<20)); return err },
		"stderr": func(ch gossh.Channel) error { _, err := ch.Stderr().Write(make([]byte, 100)); return err },
	} {
		t.Run(name, func(t *testing.T) {
			cs := make(calls, 1)
			c := open(t, cs, func(cfg *gate.Config) { cfg.Input.UnreadFor = 200 * time.Millisecond })
			cl := c.mustLogin("127.0.0.1")
			ch := session(t, cl)
			request(t, ch, "exec", struct{ Command string }{"watch 12"})
			cs.next(t)
			_ = send(ch) // may fail: the line ends meanwhile
			_ = cl.Wait()
			c.await("closed flood", 1)
		})
	}
}

func TestALineThatFloods(t *testing.T) {
	cs := make(calls, 1)
	c := open(t, cs, func(cfg *gate.Config) {
		cfg.Input.LineRate, cfg.Input.LineBurst = 64<<10, 64<<10
		cfg.Input.FloodAfter = 300 * time.Millisecond
	})
	cl := c.mustLogin("127.0.0.1")
	ch := session(t, cl)
	request(t, ch, "pty-req", ptyRequest{Term: "xterm", Width: 80, Height: 24})
	request(t, ch, "shell", nil)
	cs.next(t)
	for {
		if _, err := ch.SendRequest("env", false, make([]byte, 1000)); err != nil {
			break
		}
	}
	c.await("closed flood", 1)
}

// connect logs in without answering anything the server asks later.
func (c *club) connectDeaf(tb testing.TB) (gossh.Conn, <-chan *gossh.Request) {
	tb.Helper()
	conn := c.mustDialFrom("127.0.0.1")
	sc, _, reqs, err := gossh.NewClientConn(conn, c.addr, clientConfig(guestAuth(tb)))
	require.NoError(tb, err)
	return sc, reqs
}

func TestASilentLineIsFound(t *testing.T) {
	cs := make(calls, 2)
	const interval = 400 * time.Millisecond // of which a busy machine may take two to open the session
	c := open(t, cs, func(cfg *gate.Config) { cfg.KeepAlive = interval })
	deaf, asked := c.connectDeaf(t)
	ch, reqs, err := deaf.OpenChannel("session", nil)
	require.NoError(t, err)
	go gossh.DiscardRequests(reqs)
	silent := time.Now()
	request(t, ch, "shell", nil)
	c.await("closed silent", 1)
	require.GreaterOrEqual(t, time.Since(silent), 3*interval-interval/16)
	require.NotNil(t, keepalive(t, asked))
	require.Error(t, deaf.Wait())
}

// A client that answers stays, though it sends nothing else. If a busy machine delays the answer for as long
// as the silence that is allowed, the test tries longer intervals.
func TestALineThatAnswersIsNotSilent(t *testing.T) {
	stays := func(interval time.Duration) bool {
		c := open(t, make(calls, 1), func(cfg *gate.Config) { cfg.KeepAlive = interval })
		quiet, asked := c.connectDeaf(t)
		defer func() { _ = quiet.Close() }()
		ch, reqs, err := quiet.OpenChannel("session", nil)
		if err != nil {
			return false
		}
		go gossh.DiscardRequests(reqs)
		if ok, err := ch.SendRequest("shell", true, nil); !ok || err != nil {
			return false
		}
		for range 6 {
			if r := keepalive(t, asked); r == nil || r.Reply(false, nil) != nil {
				return false
			}
		}
		return c.counted("closed") == 0
	}
	interval := 100 * time.Millisecond
	for !stays(interval) {
		interval *= 4
		require.Less(t, interval, patience, "lines that answer end")
	}
}

// keepalive waits for the server's next keepalive request, and returns nil if the line ends without one. No
// other request of the server wants an answer.
func keepalive(t *testing.T, asked <-chan *gossh.Request) *gossh.Request {
	t.Helper()
	for r := range asked {
		if r.Type == "keepalive@openssh.com" {
			return r
		}
		require.False(t, r.WantReply, r.Type)
	}
	return nil
}

func TestAPanicEndsItsSessionOnly(t *testing.T) {
	c := open(t, handlerFunc(func(_ context.Context, call *gate.Call) int {
		if slices.Equal(call.Command, []string{"boom"}) {
			panic("a mistake")
		}
		return 0
	}), nil)
	_, stderr, err := run(c.mustLogin("127.0.0.1"), "boom")
	require.Equal(t, 1, status(err))
	require.Contains(t, stderr, "Something went wrong")
	c.await("closed panic", 1)
	require.Contains(t, c.log(), "a mistake")
	require.Contains(t, c.log(), "TestAPanicEndsItsSessionOnly.func", "with its stack")
	_, _, err = run(c.mustLogin("127.0.0.1"), "fine")
	require.NoError(t, err)

	// Repeated panics are each counted and logged in a line with their place; the stack is logged once.
	before := len(c.log())
	const more = 20
	for range more {
		_, _, _ = run(c.mustLogin("127.0.0.1"), "boom")
	}
	c.await("closed panic", 1+more)
	again := c.log()[before:]
	require.Equal(t, more, strings.Count(again, "abuse_test.go:"), again)
	require.NotContains(t, again, "goroutine")
	require.Less(t, len(again), more*2000)
}

// A panic that the handler recovered itself counts like one of the gate's.
func TestAPanicThatWasCaught(t *testing.T) {
	c := open(t, handlerFunc(func(_ context.Context, call *gate.Call) int {
		func() {
			defer func() { call.Panicked(recover(), debug.Stack()) }()
			var none []int
			_ = none[len(call.Command)]
		}()
		return 0
	}), nil)
	_, stderr, err := run(c.mustLogin("127.0.0.1"), "x")
	require.Equal(t, 1, status(err))
	require.Contains(t, stderr, "Something went wrong")
	c.await("closed panic", 1)
	require.Regexp(t, `panic="runtime error: index out of range.*" at=\S*abuse_test.go:\d+`, c.log())
}

func TestTheHandlerCanCloseTheLine(t *testing.T) {
	c := open(t, handlerFunc(func(ctx context.Context, call *gate.Call) int {
		call.Close("wrote too slowly")
		<-ctx.Done()
		require.Equal(t, gate.Ended{Reason: gate.ReasonClub}, context.Cause(ctx))
		return 0
	}), nil)
	_, _, err := run(c.mustLogin("127.0.0.1"), "x")
	var missing *gossh.ExitMissingError
	require.ErrorAs(t, err, &missing)
	c.await("closed club", 1)
	require.Contains(t, c.log(), "wrote too slowly")
}

func TestAClientThatHangsUp(t *testing.T) {
	var cause error
	var mu sync.Mutex
	cs := make(chan struct{}, 1)
	c := open(t, handlerFunc(func(ctx context.Context, _ *gate.Call) int {
		cs <- struct{}{}
		<-ctx.Done()
		mu.Lock()
		defer mu.Unlock()
		cause = context.Cause(ctx)
		return 0
	}), nil)
	conn := c.mustDialFrom("127.0.0.1")
	sc, chans, reqs, err := gossh.NewClientConn(conn, c.addr, clientConfig(guestAuth(t)))
	require.NoError(t, err)
	ch := session(t, gossh.NewClient(sc, chans, reqs))
	request(t, ch, "shell", nil)
	<-cs
	_ = conn.(*net.TCPConn).SetLinger(0) // a cable pulled and put back
	_ = conn.Close()
	c.await("closed hung_up", 1)
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, gate.Ended{Reason: gate.ReasonHungUp}, cause)
}
