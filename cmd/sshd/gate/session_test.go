package gate_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"boneyard/cmd/sshd/gate"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// calls hands the calls that it serves to the test, and keeps them until their line ends.
type calls chan *gate.Call

func (c calls) Serve(ctx context.Context, call *gate.Call) int {
	c <- call
	<-ctx.Done()
	return 0
}

// next waits for the next call.
func (c calls) next(tb testing.TB) *gate.Call {
	tb.Helper()
	select {
	case call := <-c:
		return call
	case <-time.After(patience):
		tb.Fatal("nobody called")
		return nil
	}
}

// session opens a session channel whose requests the test makes itself.
func session(tb testing.TB, cl *gossh.Client) gossh.Channel {
	tb.Helper()
	ch, reqs, err := cl.OpenChannel("session", nil)
	require.NoError(tb, err)
	go gossh.DiscardRequests(reqs)
	return ch
}

type ptyRequest struct {
	Term                                   string
	Width, Height, PixelWidth, PixelHeight uint32
	Modes                                  string
}

type window struct{ Width, Height, PixelWidth, PixelHeight uint32 }

type env struct{ Name, Value string }

// request makes a request that must be answered yes.
func request(tb testing.TB, ch gossh.Channel, name string, payload any) {
	tb.Helper()
	require.True(tb, ask(tb, ch, name, payload), name)
}

// ask makes a request and returns the answer.
func ask(tb testing.TB, ch gossh.Channel, name string, payload any) bool {
	tb.Helper()
	var b []byte
	if payload != nil {
		b = gossh.Marshal(payload)
	}
	ok, err := ch.SendRequest(name, true, b)
	require.NoError(tb, err, name)
	return ok
}

// roundTrip waits until the server has read all that was sent so far.
func roundTrip(tb testing.TB, cl *gossh.Client) {
	tb.Helper()
	_, _, err := cl.SendRequest("are you there", true, nil)
	require.NoError(tb, err)
}

func TestOnlyTerminalSessionsAreServed(t *testing.T) {
	c := open(t, whoami, nil)
	cl := c.mustLogin("127.0.0.1")

	for _, kind := range []string{"direct-tcpip", "direct-streamlocal@openssh.com", "x11", "auth-agent@openssh.com", "tun@openssh.com",
		"nonsense"} {
		_, _, err := cl.OpenChannel(kind, nil)
		var refused *gossh.OpenChannelError
		require.ErrorAs(t, err, &refused, kind)
		require.Equal(t, gossh.Prohibited, refused.Reason)
	}
	for _, name := range []string{"tcpip-forward", "streamlocal-forward@openssh.com", "nonsense"} {
		ok, _, err := cl.SendRequest(name, true, nil)
		require.NoError(t, err)
		require.False(t, ok, name)
	}

	ch := session(t, cl)
	for _, name := range []string{"auth-agent-req@openssh.com", "x11-req", "break", "signal", "nonsense", "window-change"} {
		require.False(t, ask(t, ch, name, nil), name)
	}
	require.False(t, ask(t, ch, "subsystem", struct{ Name string }{"sftp"}))
	require.False(t, ask(t, ch, "pty-req", nil), "nonsense")

	_, _, err := cl.OpenChannel("session", nil)
	var refused *gossh.OpenChannelError
	require.ErrorAs(t, err, &refused, "a second session on one connection")
	require.Equal(t, gossh.ResourceShortage, refused.Reason)
	c.await("refused one_only", 1)

	// After all that, the one session works.
	request(t, ch, "shell", nil)
	out, err := io.ReadAll(ch)
	require.NoError(t, err)
	require.Equal(t, "guest", string(out))
	_ = cl.Wait() // and when it ends, the connection does
}

// Sending a screen in many small packets costs many times as much. Go's client says that it takes 32 kB at
// once.
func TestAClientThatTakesCrumbs(t *testing.T) {
	for least, fits := range map[uint64]bool{32 << 10: true, 32<<10 + 1: false} {
		c := open(t, whoami, func(cfg *gate.Config) { cfg.LeastPacket = least })
		_, _, err := c.mustLogin("127.0.0.1").OpenChannel("session", nil)
		require.Equal(t, fits, err == nil, "%d: %v", least, err)
	}
}

func TestNothingIsTakenOnceTheSessionRuns(t *testing.T) {
	cs := make(calls, 1)
	c := open(t, cs, nil)
	cl := c.mustLogin("127.0.0.1")
	ch := session(t, cl)
	request(t, ch, "pty-req", ptyRequest{Term: "xterm", Width: 80, Height: 24})
	require.False(t, ask(t, ch, "pty-req", ptyRequest{Term: "vt52", Width: 10, Height: 10}), "a second terminal")
	request(t, ch, "shell", nil)
	call := cs.next(t)
	require.False(t, ask(t, ch, "shell", nil))
	require.False(t, ask(t, ch, "exec", struct{ Command string }{"rm -rf /"}))
	require.False(t, ask(t, ch, "env", env{"LANG", "C"}))
	require.False(t, ask(t, ch, "auth-agent-req@openssh.com", nil))
	require.Equal(t, "xterm", call.Term.Name)
	require.Empty(t, call.Command)
	require.Empty(t, call.Env)
}

func TestEnvironmentFlood(t *testing.T) {
	cs := make(calls, 1)
	c := open(t, cs, nil)
	cl := c.mustLogin("127.0.0.1")
	ch := session(t, cl)
	request(t, ch, "env", env{"LANG", "de_DE.UTF-8"})
	require.False(t, ask(t, ch, "env", env{"PATH", "/evil"}))
	require.False(t, ask(t, ch, "env", env{"LC_ALL", strings.Repeat("x", 300)}))
	require.False(t, ask(t, ch, "env", env{"LC_ALL", "\x1b[2J"}))
	for i := range 5000 {
		require.NoError(t, errOf(ch.SendRequest("env", false, gossh.Marshal(env{fmt.Sprintf("LC_%d", i), strings.Repeat("x", 50)}))))
	}
	request(t, ch, "shell", nil)
	call := cs.next(t)
	require.Len(t, call.Env, 32)
	require.Equal(t, "LANG=de_DE.UTF-8", call.Env[0])
	for _, e := range call.Env[1:] {
		require.True(t, strings.HasPrefix(e, "LC_"))
	}
}

func TestHostileWindows(t *testing.T) {
	cs := make(calls, 1)
	c := open(t, cs, nil)
	const huge = 4294967295
	for _, tc := range []struct {
		asked ptyRequest
		want  gate.Size
	}{
		{ptyRequest{Term: "xterm", Width: huge, Height: huge, PixelWidth: huge, PixelHeight: huge}, gate.Size{Width: 500, Height: 200}},
		{ptyRequest{Term: "xterm"}, gate.Size{Width: 80, Height: 24}},
	} {
		cl := c.mustLogin("127.0.0.1")
		ch := session(t, cl)
		request(t, ch, "pty-req", tc.asked)
		// Resizes before the shell block nothing, though nobody takes them yet.
		for i := range uint32(1000) {
			require.NoError(t, errOf(ch.SendRequest("window-change", false, gossh.Marshal(window{Width: i, Height: huge}))))
		}
		request(t, ch, "window-change", window{Width: huge, Height: huge})
		request(t, ch, "window-change", window{Width: 100, Height: 30})
		request(t, ch, "shell", nil)
		call := cs.next(t)
		require.Equal(t, tc.want, call.Term.Size)
		require.Equal(t, gate.Size{Width: 100, Height: 30}, <-call.Term.Resizes)

		request(t, ch, "window-change", window{Width: 101, Height: 31})
		require.Equal(t, gate.Size{Width: 101, Height: 31}, <-call.Term.Resizes)
		_ = cl.Close()
	}
}

func TestResizesCoalesce(t *testing.T) {
	cs := make(calls, 1)
	c := open(t, cs, nil)
	cl := c.mustLogin("127.0.0.1")
	ch := session(t, cl)
	request(t, ch, "pty-req", ptyRequest{Term: "xterm", Width: 80, Height: 24})
	request(t, ch, "shell", nil)
	call := cs.next(t)
	began := time.Now()
	for i := range uint32(20000) {
		require.NoError(t, errOf(ch.SendRequest("window-change", false, gossh.Marshal(window{Width: 1 + i%400, Height: 1 + i%150}))))
	}
	request(t, ch, "window-change", window{Width: 444, Height: 155})
	require.Equal(t, gate.Size{Width: 444, Height: 155}, <-call.Term.Resizes, "the latest only")
	require.Empty(t, call.Term.Resizes)
	require.Less(t, time.Since(began), patience)
	t.Logf("20,000 resizes took %s", time.Since(began))
}

func TestHostileNames(t *testing.T) {
	cs := make(calls, 1)
	c := open(t, cs, nil)
	conn := c.mustDialFrom("127.0.0.1")
	cfg := clientConfig(guestAuth(t))
	cfg.User = "eve\x1b]52;c;aGk=\x07\u202e\n" + strings.Repeat("e", 500)
	sc, chans, reqs, err := gossh.NewClientConn(conn, c.addr, cfg)
	require.NoError(t, err)
	cl := gossh.NewClient(sc, chans, reqs)
	ch := session(t, cl)
	request(t, ch, "pty-req", ptyRequest{Term: "xterm\x1b[2J" + strings.Repeat("e", 500), Width: 80, Height: 24})
	request(t, ch, "exec", struct{ Command string }{"watch 12"})
	call := cs.next(t)
	require.Equal(t, "eve]52;c;aGk="+strings.Repeat("e", 51), call.User)
	require.Equal(t, "xterm[2J"+strings.Repeat("e", 56), call.Term.Name)
	require.Equal(t, []string{"watch", "12"}, call.Command)
	_ = cl.Close()
	c.await("closed", 1)
	require.NotContains(t, c.log(), "\x1b")
	require.NotContains(t, c.log(), `\x1b`, "nor written out")
}

func TestCommandsThatAreNoText(t *testing.T) {
	c := open(t, whoami, nil)
	for _, command := range []string{"watch \x1b[2J", "\xff\xfe", "\\", "watch 'a\tb'", "watch a\x00b", "tables\nnews",
		"who 'x", "arena 3 say don't", `who "x`, `who x\`, strings.Repeat("x", 5000)} {
		_, stderr, err := run(c.mustLogin("127.0.0.1"), command)
		require.Equal(t, 2, status(err), "%q", command)
		require.Contains(t, stderr, "cannot be read")
	}
	require.Zero(t, c.counted("opened"))
}

// A tab between words is a space.
func TestWordsOfACommand(t *testing.T) {
	cs := make(calls, 1)
	c := open(t, cs, nil)
	request(t, session(t, c.mustLogin("127.0.0.1")), "exec", struct{ Command string }{"games\tana \tben\t"})
	require.Equal(t, []string{"games", "ana", "ben"}, cs.next(t).Command)
}

func TestSessionLimits(t *testing.T) {
	cs := make(calls, 20)
	operator := newKey(t)
	c := open(t, cs, func(cfg *gate.Config) {
		cfg.Sessions, cfg.SessionsPerPlayer = 12, 2
		cfg.Rank = func(_ context.Context, key gate.KeyID) gate.Rank {
			if key == gate.KeyIDOf(operator.PublicKey()) {
				return gate.Operator
			}
			return gate.Member
		}
	})
	shell := func(from string, auth ...gossh.AuthMethod) (string, error) {
		s, err := c.mustLogin(from, auth...).NewSession()
		require.NoError(t, err)
		var errs strings.Builder
		s.Stderr = &errs
		require.NoError(t, s.Shell())
		select {
		case <-cs:
			return "", nil
		case err := <-wait(s):
			return errs.String(), err
		}
	}
	refused := func(why, text string, err error) {
		t.Helper()
		require.Equal(t, 1, status(err))
		require.Contains(t, text, why)
	}
	enters := func(n int, from string, auth ...gossh.AuthMethod) {
		t.Helper()
		for range n {
			require.NoError(t, errOf(shell(from, auth...)))
		}
	}

	key := gossh.PublicKeys(newKey(t))
	enters(2, "127.0.0.1", key)
	text, err := shell("127.0.0.2", key)
	refused("too many sessions open", text, err)
	enters(2, "127.0.1.1") // a guest is no player of that key
	enters(2, "127.0.1.1", gossh.PublicKeys(newKey(t)))
	text, err = shell("127.0.1.1", gossh.PublicKeys(newKey(t)))
	refused("your network", text, err)
	enters(3, "127.0.2.1")
	enters(2, "127.0.3.1")
	text, err = shell("127.0.4.1")
	refused("full", text, err)
	enters(1, "127.0.1.1", gossh.PublicKeys(operator))
}

func wait(s *gossh.Session) <-chan error {
	done := make(chan error, 1)
	go func() { done <- s.Wait() }()
	return done
}
