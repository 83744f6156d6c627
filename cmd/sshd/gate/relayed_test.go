package gate_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boneyard/cmd/sshd/gate"
	"boneyard/cmd/sshd/relay"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// exchange passes calls from one gate to another, as between two nodes, over connections that the test can
// cut.
type exchange struct {
	tb testing.TB
	to *club
	ln net.Listener

	mu    sync.Mutex
	conns []net.Conn
	ends  chan error // of each relayed call
}

// relays has front pass its calls on to a gate with a handler.
func relays(tb testing.TB, h gate.Handler, alter func(*gate.Config)) (front, back *club, x *exchange) {
	tb.Helper()
	back = open(tb, h, alter)
	x = exchangeTo(tb, back)
	return x.front(nil), back, x
}

// exchangeTo returns an exchange that leads to a gate.
func exchangeTo(tb testing.TB, to *club) *exchange {
	tb.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	x := &exchange{tb: tb, to: to, ln: ln, ends: make(chan error, 100)}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { _ = relay.Serve(to.server, conn, func(string) bool { return true }) })
		}
	})
	tb.Cleanup(func() {
		_ = ln.Close()
		x.cut()
		serving.Wait()
	})
	return x
}

// front opens a gate that passes its calls on to the exchange.
func (x *exchange) front(alter func(*gate.Config)) *club {
	return open(x.tb, x, func(cfg *gate.Config) {
		cfg.Passes = true
		if alter != nil {
			alter(cfg)
		}
	})
}

// dial connects to the other gate.
func (x *exchange) dial() net.Conn {
	conn, err := net.Dial("tcp", x.ln.Addr().String())
	if err != nil {
		x.tb.Error(err)
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.conns = append(x.conns, conn)
	return conn
}

// cut breaks all connections.
func (x *exchange) cut() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, conn := range x.conns {
		_ = conn.Close()
	}
}

// Serve passes a call on. One that is not served there ends with status 99.
func (x *exchange) Serve(ctx context.Context, c *gate.Call) int {
	status, err := relay.Pass(ctx, c, x.dial(), "front")
	if err != nil {
		at := "nothing kept"
		if c.Resume != nil {
			at = *c.Resume
		}
		x.ends <- fmt.Errorf("%w at %q", err, at)
		return 99
	}
	x.ends <- nil
	return status
}

func (x *exchange) ended() error {
	x.tb.Helper()
	select {
	case err := <-x.ends:
		return err
	case <-time.After(patience):
		x.tb.Fatal("the relayed call does not end")
		return nil
	}
}

// status returns the exit status in a session's error.
func status(err error) int {
	var exit *gossh.ExitError
	if errors.As(err, &exit) {
		return exit.ExitStatus()
	}
	if err != nil {
		return -1
	}
	return 0
}

func TestARelayedCallIsTheCallers(t *testing.T) {
	key := newKey(t)
	got := make(chan *gate.Call, 1)
	front, _, x := relays(t, handlerFunc(func(_ context.Context, c *gate.Call) int {
		got <- c
		_, _ = io.WriteString(c.Err, "listening\n")
		in, _ := io.ReadAll(c.In)
		_, _ = c.Out.Write(bytes.ToUpper(in))
		return 7
	}), nil)
	sess, err := front.mustLogin("127.0.3.1", gossh.PublicKeys(key)).NewSession()
	require.NoError(t, err)
	text := strings.Repeat("every byte of a long script arrives once\n", 5000)
	var out, errs bytes.Buffer
	sess.Stdin, sess.Stdout, sess.Stderr = strings.NewReader(text), &out, &errs
	require.NoError(t, sess.Setenv("LC_ALL", "C"))
	require.Equal(t, 7, status(sess.Run("one 'two words'")))
	require.Equal(t, "listening\n", errs.String())
	require.Equal(t, strings.ToUpper(text), out.String())
	c := <-got
	require.Equal(t, gate.KeyIDOf(key.PublicKey()), c.Key)
	require.Equal(t, gossh.FingerprintSHA256(key.PublicKey()), c.Fingerprint)
	require.Equal(t, netip.MustParseAddr("127.0.3.1"), c.Addr)
	require.Equal(t, "someone", c.User)
	require.Equal(t, []string{"one", "two words"}, c.Command)
	require.Equal(t, []string{"LC_ALL=C"}, c.Env)
	require.Nil(t, c.Term)
	require.Nil(t, c.Resume)
	require.NoError(t, x.ended())
	front.await("closed done", 1)
}

func TestARelayedTerminalIsResized(t *testing.T) {
	calls := make(calls)
	front, _, _ := relays(t, calls, nil)
	ch := session(t, front.mustLogin("127.0.0.1"))
	request(t, ch, "pty-req", ptyRequest{Term: "xterm", Width: 80, Height: 24})
	request(t, ch, "shell", nil)
	c := calls.next(t)
	require.Equal(t, &gate.Terminal{Name: "xterm", Size: gate.Size{Width: 80, Height: 24}, Resizes: c.Term.Resizes}, c.Term)
	request(t, ch, "window-change", window{Width: 4000000000, Height: 40})
	require.Equal(t, gate.Size{Width: gate.MaxWidth, Height: 40}, <-c.Term.Resizes)
	require.NoError(t, errOf(io.WriteString(ch, "k")))
	<-c.In.Ready()
	var b [8]byte
	n, err := c.In.Read(b[:])
	require.NoError(t, err)
	require.Equal(t, "k", string(b[:n]))
	require.NoError(t, ch.CloseWrite())
	require.ErrorIs(t, errOf(c.In.Read(b[:])), io.EOF)
}

// Sessions are counted where they are served, with the callers' own keys and addresses, whichever gate they come by.
func TestSessionsOfAllGatesAreCountedTogether(t *testing.T) {
	var served atomic.Int32
	back := open(t, handlerFunc(func(ctx context.Context, c *gate.Call) int {
		served.Add(1)
		return lasting(ctx, c)
	}), func(cfg *gate.Config) { cfg.SessionsPerPlayer = 2 })
	key := newKey(t)
	fronts := []*club{exchangeTo(t, back).front(nil), exchangeTo(t, back).front(nil)}
	var open []*gossh.Client
	for _, f := range fronts {
		cl := f.mustLogin("127.0.0.1", gossh.PublicKeys(key))
		ch := session(t, cl)
		request(t, ch, "shell", nil)
		open = append(open, cl)
	}
	waitFor(t, "both sessions", func() bool { return served.Load() == 2 })
	third := fronts[0].mustLogin("127.0.0.1", gossh.PublicKeys(key))
	_, said, err := run(third, "x")
	require.Equal(t, 1, status(err))
	require.Contains(t, said, "You have too many sessions open here already.")
	fronts[0].await("refused player", 1)
	require.Zero(t, back.counted("refused player"), "a refusal is counted once")
	_ = open[1].Close()
	waitFor(t, "a place", func() bool {
		return strings.Contains(back.log(), "relayed session ended\" addr=127.0.0.1 key=SHA256") && ended(back, 2)
	})
	fourth := session(t, fronts[0].mustLogin("127.0.0.1", gossh.PublicKeys(key)))
	request(t, fourth, "shell", nil)
	waitFor(t, "the third session", func() bool { return served.Load() == 3 })
	require.Equal(t, 1, fronts[0].counted("refused player"))
}

// ended reports whether so many relayed sessions have ended.
func ended(c *club, n int) bool { return strings.Count(c.log(), "relayed session ended") >= n }

func TestTheBannedAreShutOutWhereTheyCall(t *testing.T) {
	const sentence = "You are banned from this club: enough."
	front, _, _ := relays(t, handlerFunc(func(context.Context, *gate.Call) int {
		t.Error("a banned caller came in")
		return 0
	}), func(cfg *gate.Config) {
		cfg.Banned = func(addr netip.Addr, _ gate.KeyID) string {
			if addr != netip.MustParseAddr("127.0.5.1") {
				t.Errorf("the caller's address is not %v", addr)
			}
			return sentence
		}
	})
	for range 4 {
		_, said, err := run(front.mustLogin("127.0.5.1"), "x")
		require.Equal(t, 1, status(err))
		require.Equal(t, sentence+"\n", said)
	}
	front.await("refused banned", 4)
	require.Error(t, errOf(front.login("127.0.5.1")))
	front.await("refused penalty", 1)
}

func TestARelayedPanicEndsItsSessionOnly(t *testing.T) {
	front, back, _ := relays(t, handlerFunc(func(context.Context, *gate.Call) int { panic("a mistake") }), nil)
	for range 2 {
		_, said, err := run(front.mustLogin("127.0.0.1"), "x")
		require.Equal(t, 1, status(err))
		require.Contains(t, said, "Something went wrong here.")
	}
	front.await("closed panic", 2)
	require.Equal(t, 2, strings.Count(back.log(), "the handler panicked"))
	require.NotContains(t, front.log(), "the handler panicked")
}

func TestARelayedCallIsClosed(t *testing.T) {
	front, _, _ := relays(t, handlerFunc(func(ctx context.Context, c *gate.Call) int {
		c.Close("of the test")
		<-ctx.Done()
		return 0
	}), nil)
	_, _, err := run(front.mustLogin("127.0.0.1"), "x")
	require.Equal(t, -1, status(err), "without a last word")
	front.await("closed club", 1)
}

// When a caller hangs up, their call ends at the serving gate too.
func TestARelayedCallerHangsUp(t *testing.T) {
	cause := make(chan error, 1)
	front, _, x := relays(t, handlerFunc(func(ctx context.Context, c *gate.Call) int {
		_, _ = io.WriteString(c.Out, "hello")
		<-ctx.Done()
		cause <- context.Cause(ctx)
		return 3
	}), nil)
	cl := front.mustLogin("127.0.0.1")
	ch := session(t, cl)
	request(t, ch, "shell", nil)
	require.NoError(t, errOf(io.ReadFull(ch, make([]byte, 5))))
	require.NoError(t, cl.Close())
	require.Equal(t, gate.Ended{Reason: gate.ReasonHungUp}, <-cause)
	require.NoError(t, x.ended())
	front.await("closed hung_up", 1)
}

// The caller's gate goes down: the handler at the other gate writes a last message.
func TestAGateThatShutsDownSaysGoodbyeForTheOther(t *testing.T) {
	front, _, x := relays(t, handlerFunc(func(ctx context.Context, c *gate.Call) int {
		_, _ = io.WriteString(c.Out, "hello")
		<-ctx.Done()
		if errors.Is(context.Cause(ctx), gate.ErrServerClosed) {
			_, _ = io.WriteString(c.Out, ", goodbye")
		}
		return 75
	}), nil)
	sess, err := front.mustLogin("127.0.0.1").NewSession()
	require.NoError(t, err)
	out, err := sess.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, sess.Start("x"))
	require.NoError(t, errOf(io.ReadFull(out, make([]byte, 5))))
	front.shut()
	rest, err := io.ReadAll(out)
	require.NoError(t, err)
	require.Equal(t, ", goodbye", string(rest))
	require.Equal(t, 75, status(sess.Wait()))
	require.NoError(t, x.ended())
}

// The serving gate goes down: a call with Keep resumes elsewhere unnoticed; a command ends.
func TestAGateThatShutsDownHandsItsCallersOver(t *testing.T) {
	served := make(chan struct{}, 2)
	front, back, x := relays(t, handlerFunc(func(ctx context.Context, c *gate.Call) int {
		if len(c.Command) == 0 {
			c.Keep(func() string { return "the lobby" })
			c.Keep(func() string { return "table 12" })
		}
		_, _ = io.WriteString(c.Out, "hello")
		served <- struct{}{}
		<-ctx.Done()
		_, _ = io.WriteString(c.Out, ", goodbye")
		return 75
	}), nil)
	type end struct {
		out string
		err error
	}
	ends := make(chan end, 2)
	for _, command := range []string{"", "x"} {
		sess, err := front.mustLogin("127.0.0.1").NewSession()
		require.NoError(t, err)
		var out bytes.Buffer
		sess.Stdout = &out
		in, err := sess.StdinPipe()
		require.NoError(t, err)
		defer func() { _ = in.Close() }()
		if command == "" {
			require.NoError(t, sess.Shell())
		} else {
			require.NoError(t, sess.Start(command))
		}
		<-served
		go func() {
			err := sess.Wait()
			ends <- end{out.String(), err}
		}()
	}
	back.shut()
	got := map[string]int{}
	for range 2 {
		e := <-ends
		got[e.out] = status(e.err)
	}
	require.Equal(t, map[string]int{"hello": 99, "hello, goodbye": 75}, got)
	errs := []string{fmt.Sprint(x.ended()), fmt.Sprint(x.ended())}
	slices.Sort(errs)
	require.Equal(t, "<nil>", errs[0])
	require.Contains(t, errs[1], relay.ErrLost.Error())
	require.Contains(t, errs[1], `at "table 12"`)

	// From here on it serves nobody, and has not begun the new call.
	_, _, err := run(front.mustLogin("127.0.0.1"), "x")
	require.Equal(t, 99, status(err))
	err = x.ended()
	require.ErrorIs(t, err, relay.ErrElsewhere)
	require.Contains(t, err.Error(), "nothing kept")
}

// The connection between the gates breaks: the caller is still there, and their last Keep is known.
func TestABrokenRelayIsNotTheCallersEnd(t *testing.T) {
	var resumed []string
	cause := make(chan error, 2)
	back := open(t, handlerFunc(func(ctx context.Context, c *gate.Call) int {
		if c.Resume != nil {
			resumed = append(resumed, *c.Resume)
			return 5
		}
		c.Keep(func() string { return "table 12" })
		_, _ = io.WriteString(c.Out, "hello")
		<-ctx.Done()
		cause <- context.Cause(ctx)
		return 0
	}), nil)
	x := exchangeTo(t, back)
	front := open(t, handlerFunc(func(ctx context.Context, c *gate.Call) int {
		if status := x.Serve(ctx, c); status != 99 {
			return status
		}
		return x.Serve(ctx, c)
	}), func(cfg *gate.Config) { cfg.Passes = true })
	sess, err := front.mustLogin("127.0.0.1").NewSession()
	require.NoError(t, err)
	out, err := sess.StdoutPipe()
	require.NoError(t, err)
	in, err := sess.StdinPipe()
	require.NoError(t, err)
	defer func() { _ = in.Close() }()
	require.NoError(t, sess.Start("new table"))
	require.NoError(t, errOf(io.ReadFull(out, make([]byte, 5))))
	x.cut()
	require.ErrorIs(t, x.ended(), relay.ErrLost)
	require.Equal(t, gate.Ended{Reason: gate.ReasonHungUp}, <-cause)
	require.NoError(t, x.ended())
	require.Equal(t, 5, status(sess.Wait()))
	require.Equal(t, []string{"table 12"}, resumed)
}

// Early input of a caller is not lost at a node that does not begin the call.
func TestInputWaitsForTheNodeThatBeginsTheCall(t *testing.T) {
	back := open(t, handlerFunc(func(_ context.Context, c *gate.Call) int {
		_, _ = io.Copy(c.Out, c.In)
		return 0
	}), nil)
	x := exchangeTo(t, back)
	front := open(t, handlerFunc(func(ctx context.Context, c *gate.Call) int {
		near, far := net.Pipe()
		go func() {
			defer func() { _ = far.Close() }()
			kind, _ := readFrame(t, far)
			require.Equal(t, byte('h'), kind)
			writeFrame(t, far, 'x', "here") // read by the time that the caller has sent something
			writeFrame(t, far, 'n', "")
		}()
		_, err := relay.Pass(ctx, c, near, "front")
		if !errors.Is(err, relay.ErrElsewhere) {
			t.Error(err)
		}
		return x.Serve(ctx, c)
	}), func(cfg *gate.Config) { cfg.Passes = true })
	for range 20 {
		sess, err := front.mustLogin("127.0.0.1").NewSession()
		require.NoError(t, err)
		sess.Stdin = strings.NewReader("a first line\n")
		out, err := sess.Output("x")
		require.NoError(t, err)
		require.Equal(t, "a first line\n", string(out))
	}
}

// Input that the serving gate does not read stays with the caller, except for what was granted.
func TestRelayedInputIsBounded(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = ln.Close() }()
	front := open(t, handlerFunc(func(ctx context.Context, c *gate.Call) int {
		conn, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Error(err)
			return 99
		}
		status, err := relay.Pass(ctx, c, conn, "front")
		if err != nil {
			t.Error(err)
		}
		return status
	}), func(cfg *gate.Config) { cfg.Passes = true })
	sess, err := front.mustLogin("127.0.0.1").NewSession()
	require.NoError(t, err)
	const all = 100_000
	sess.Stdin = bytes.NewReader(make([]byte, all))
	require.NoError(t, sess.Start("x"))
	node, err := ln.Accept() // another node, which reads what it is sent and serves nobody
	require.NoError(t, err)
	defer func() { _ = node.Close() }()
	granted, came := 16<<10, 0
	writeFrame(t, node, 't', string(binary.BigEndian.AppendUint32(nil, uint32(granted))))
	for ended := false; !ended; {
		kind, content := readFrame(t, node)
		switch kind {
		case 'i':
			came += len(content)
			require.LessOrEqual(t, came, granted)
			if came == granted {
				granted += 1000
				writeFrame(t, node, 't', string(binary.BigEndian.AppendUint32(nil, 1000)))
			}
		case 'e':
			ended = true
		default:
			require.Equal(t, byte('h'), kind)
		}
	}
	require.Equal(t, all, came)
	writeFrame(t, node, 'q', `{"Status":4}`)
	require.Equal(t, 4, status(sess.Wait()))
}

// readFrame reads a frame as another node does.
func readFrame(tb testing.TB, r io.Reader) (kind byte, content []byte) {
	tb.Helper()
	var head [5]byte
	require.NoError(tb, errOf(io.ReadFull(r, head[:])))
	content = make([]byte, binary.BigEndian.Uint32(head[1:]))
	require.NoError(tb, errOf(io.ReadFull(r, content)))
	return head[0], content
}

func frame(kind byte, content string) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(content))), content...)
}

func writeFrame(tb testing.TB, w io.Writer, kind byte, content string) {
	tb.Helper()
	require.NoError(tb, errOf(w.Write(frame(kind, content))))
}

// A node that stops reading does not hold up the club, and one that sends nonsense ends only its own session.
func TestBrokenNodes(t *testing.T) {
	failed := make(chan error, 10)
	back := open(t, handlerFunc(func(ctx context.Context, c *gate.Call) int {
		for ctx.Err() == nil {
			if len(c.Command) == 0 {
				<-ctx.Done()
			} else if _, err := c.Out.Write(make([]byte, 64<<10)); err != nil {
				break
			}
		}
		<-ctx.Done()
		failed <- context.Cause(ctx)
		return 0
	}), func(cfg *gate.Config) { cfg.WriteStall = 50 * time.Millisecond })
	x := exchangeTo(t, back)
	const guest = `{"Node":"broken","Addr":"192.0.2.1"`
	send := func(b ...[]byte) net.Conn {
		conn := x.dial()
		require.NoError(t, errOf(conn.Write(bytes.Join(b, nil))))
		return conn
	}
	send(frame('h', guest+`,"Command":["flood"]}`)) // and reads nothing
	require.Equal(t, gate.Ended{Reason: gate.ReasonStall}, <-failed)

	for name, nonsense := range map[string][]byte{
		"a frame of the other side": frame('o', "hello"),
		"a second header":           frame('h', guest+"}"),
		"a size without a terminal": frame('r', "\x00\x50\x00\x18"),
		"a size of three bytes":     frame('r', "\x00\x50\x00"),
		"too long a frame":          {'i', 0xff, 0xff, 0xff, 0xff},
		"half a frame":              {'i', 0, 0, 0, 9, 'x'},
		"more than was granted":     bytes.Repeat(frame('i', strings.Repeat("x", 4096)), 5),
	} {
		conn := send(frame('h', guest+"}"), nonsense)
		require.NoError(t, conn.(*net.TCPConn).CloseWrite())
		require.Equal(t, gate.Ended{Reason: gate.ReasonHungUp}, <-failed, name)
	}
	for _, nonsense := range [][]byte{frame('h', "{"), frame('h', `{"Addr":7}`), frame('i', "x"), {'h', 0xff, 0, 0, 0}, {},
		frame('h', guest+`,"AuthorizedKey":"x"}`)} {
		conn := send(nonsense)
		require.NoError(t, conn.(*net.TCPConn).CloseWrite())
		_, err := io.Copy(io.Discard, conn)
		if err != nil { // or it was cut off
			var ne net.Error
			require.ErrorAs(t, err, &ne)
		}
	}
	require.Empty(t, failed)
	require.NotContains(t, back.log(), "panicked")
}
