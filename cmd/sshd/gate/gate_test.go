package gate_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"boneyard/cmd/sshd/gate"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	gossh "golang.org/x/crypto/ssh"
)

// patience is how long a test waits for something that should happen at once. It is generous, for busy machines.
const patience = time.Minute

// handlerFunc is a handler made of a function.
type handlerFunc func(ctx context.Context, c *gate.Call) int

func (f handlerFunc) Serve(ctx context.Context, c *gate.Call) int { return f(ctx, c) }

// club is a gate on a loopback port, and what it reported.
type club struct {
	tb     testing.TB
	addr   string
	server *gate.Server
	served chan error
	once   sync.Once // takes from served

	mu     sync.Mutex
	counts map[string]int
	change chan struct{} // closed and replaced with each report
	logs   bytes.Buffer
}

// open starts a gate with the default limits, changed by alter, for the length of the test. It checks
// that in the end no goroutine is left.
func open(tb testing.TB, h gate.Handler, alter func(*gate.Config)) *club {
	tb.Helper()
	before := goleak.IgnoreCurrent()
	c := &club{tb: tb, counts: make(map[string]int), change: make(chan struct{}), served: make(chan error, 1)}
	cfg := gate.DefaultConfig()
	cfg.HostKeys = []gossh.Signer{newKey(tb)}
	cfg.Log = slog.New(slog.NewTextHandler(&lockedWriter{c: c}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	cfg.Hooks = gate.Hooks{
		Accepted: func() { c.count("accepted") },
		Refused:  func(r gate.Reason) { c.count("refused " + string(r)) },
		Authenticated: func(hasKey bool) {
			if hasKey {
				c.count("authenticated key")
			} else {
				c.count("authenticated guest")
			}
		},
		SessionOpened: func() { c.count("opened") },
		SessionClosed: func(r gate.Reason, _ time.Duration) { c.count("closed"); c.count("closed " + string(r)) },
		WriteStall:    func() { c.count("stall") },
	}
	if alter != nil {
		alter(&cfg)
	}
	s, err := gate.New(cfg, h)
	require.NoError(tb, err)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	c.server, c.addr = s, ln.Addr().String()
	go func() { c.served <- s.Serve(ln) }()
	tb.Cleanup(func() {
		c.shut()
		require.EventuallyWithT(tb, func(c *assert.CollectT) { assert.NoError(c, goleak.Find(before)) }, patience, time.Millisecond)
	})
	return c
}

// shut stops the gate; it may be called again.
func (c *club) shut() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := c.server.Shutdown(ctx); err != nil {
		c.tb.Errorf("shutdown: %v", err)
	}
	c.once.Do(func() {
		if err := <-c.served; !errors.Is(err, gate.ErrServerClosed) {
			c.tb.Errorf("serve: %v", err)
		}
	})
}

type lockedWriter struct{ c *club }

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	return w.c.logs.Write(p)
}

func (c *club) log() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.logs.String()
}

func (c *club) count(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[what]++
	close(c.change)
	c.change = make(chan struct{})
}

func (c *club) counted(what string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts[what]
}

// await waits until the gate has reported what at least n times.
func (c *club) await(what string, n int) {
	c.tb.Helper()
	late := time.After(patience)
	for {
		c.mu.Lock()
		have, change := c.counts[what], c.change
		c.mu.Unlock()
		if have >= n {
			return
		}
		select {
		case <-change:
		case <-late:
			c.tb.Fatalf("%q was reported %d times, not %d; log:\n%s", what, have, n, c.log())
		}
	}
}

// errOf is the error of a call whose result does not matter.
func errOf[T any](_ T, err error) error { return err }

// waitFor waits for a condition that nothing reports.
func waitFor(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	late := time.Now().Add(patience)
	for !ok() {
		if time.Now().After(late) {
			buf := make([]byte, 1<<20)
			tb.Fatalf("waited in vain for %s:\n%s", what, buf[:runtime.Stack(buf, true)])
		}
		runtime.Gosched()
		time.Sleep(time.Millisecond)
	}
}

func newKey(tb testing.TB) gossh.Signer {
	tb.Helper()
	_, priv, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(tb, err)
	s, err := gossh.NewSignerFromSigner(priv)
	require.NoError(tb, err)
	return s
}

// guestAuth is how OpenSSH enters without a key.
func guestAuth(tb testing.TB) gossh.AuthMethod {
	return gossh.KeyboardInteractive(func(_, _ string, questions []string, _ []bool) ([]string, error) {
		if len(questions) > 0 {
			tb.Errorf("a guest was asked %q", questions)
		}
		return nil, nil
	})
}

func clientConfig(auth ...gossh.AuthMethod) *gossh.ClientConfig {
	return &gossh.ClientConfig{
		User:            "someone",
		Auth:            auth,
		HostKeyCallback: gossh.InsecureIgnoreHostKey(),
		Timeout:         patience,
	}
}

// dialFrom connects from one of the loopback addresses.
func (c *club) dialFrom(from string) (net.Conn, error) {
	d := net.Dialer{Timeout: patience, LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	return d.Dial("tcp", c.addr)
}

func (c *club) mustDialFrom(from string) net.Conn {
	c.tb.Helper()
	conn, err := c.dialFrom(from)
	require.NoError(c.tb, err)
	c.tb.Cleanup(func() { _ = conn.Close() })
	return conn
}

// login logs in from an address; with no method, as a guest.
func (c *club) login(from string, auth ...gossh.AuthMethod) (*gossh.Client, error) {
	if len(auth) == 0 {
		auth = []gossh.AuthMethod{guestAuth(c.tb)}
	}
	conn, err := c.dialFrom(from)
	if err != nil {
		return nil, err
	}
	sc, chans, reqs, err := gossh.NewClientConn(conn, c.addr, clientConfig(auth...))
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return gossh.NewClient(sc, chans, reqs), nil
}

func (c *club) mustLogin(from string, auth ...gossh.AuthMethod) *gossh.Client {
	c.tb.Helper()
	cl, err := c.login(from, auth...)
	require.NoError(c.tb, err)
	c.tb.Cleanup(func() { _ = cl.Close() })
	return cl
}

// run runs a command and returns what it printed on both outputs, and its error.
func run(cl *gossh.Client, command string) (stdout, stderr string, err error) {
	s, err := cl.NewSession()
	if err != nil {
		return "", "", err
	}
	defer func() { _ = s.Close() }()
	var out, errs bytes.Buffer
	s.Stdout, s.Stderr = &out, &errs
	err = s.Run(command)
	return out.String(), errs.String(), err
}

// whoami answers with the caller's fingerprint, or "guest".
var whoami = handlerFunc(func(_ context.Context, c *gate.Call) int {
	who := "guest"
	if c.HasKey {
		who = c.Fingerprint
	}
	_, _ = io.WriteString(c.Out, who)
	return len(c.Command)
})

// lasting serves a call until its line ends.
var lasting = handlerFunc(func(ctx context.Context, _ *gate.Call) int {
	<-ctx.Done()
	return 0
})

func TestCallsOfKeysAndGuests(t *testing.T) {
	c := open(t, whoami, nil)

	key := newKey(t)
	out, _, err := run(c.mustLogin("127.0.0.1", gossh.PublicKeys(key)), "one two 'three words here'")
	require.Equal(t, 3, status(err), "the command has three words")
	require.Equal(t, gossh.FingerprintSHA256(key.PublicKey()), out)

	out, _, _ = run(c.mustLogin("127.0.0.1"), "x")
	require.Equal(t, "guest", out)

	c.await("closed done", 2)
	require.Equal(t, 1, c.counted("authenticated key"))
	require.Equal(t, 1, c.counted("authenticated guest"))
	require.Contains(t, c.log(), "session closed")
	require.False(t, strings.Contains(c.log(), "three words"), "commands are not logged")
}
