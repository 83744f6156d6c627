package main

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hinshun/vt10x"
	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// patience is how long a test waits for a screen before it fails. It is generous, for busy machines; a passing test never waits this long.
const patience = 2 * time.Minute

// openClub starts the real server on a port of its own, with pauses short enough for whole games.
func openClub(t testing.TB, change ...func(*Main)) *Main {
	t.Helper()
	dir := t.TempDir()
	m := NewMain(io.Discard)
	m.Settings.Listen = "127.0.0.1:0"
	m.Settings.Data = filepath.Join(dir, "club.db")
	m.Settings.HostKeys = filepath.Join(dir, "keys")
	m.Settings.ExemptNetworks = []string{"127.0.0.0/8"} // all callers of a test come from one address
	m.Settings.Daily = false                            // unless the test is about it
	hurry(m)
	for _, f := range change {
		f(m)
	}
	require.NoError(t, m.Run())
	t.Cleanup(func() {
		err := m.Close()
		if err != nil { // what is it that does not end?
			stacks := make([]byte, 1<<20)
			t.Logf("%s", stacks[:runtime.Stack(stacks, true)])
		}
		require.NoError(t, err)
	})
	return m
}

// newKey makes a player's key.
func newKey(t testing.TB) gossh.Signer {
	t.Helper()
	_, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	key, err := gossh.NewSignerFromKey(private)
	require.NoError(t, err)
	return key
}

// dial opens an SSH connection: with a key, or as a guest without one.
func dial(t testing.TB, m *Main, key gossh.Signer, user string) *gossh.Client {
	t.Helper()
	conn, err := (&net.Dialer{LocalAddr: home(user, m.Addr())}).Dial("tcp", m.Addr().String())
	require.NoError(t, err)
	return dialOver(t, m, conn, key, user)
}

// dialOver does the same over a line that is there.
func dialOver(t testing.TB, m *Main, conn net.Conn, key gossh.Signer, user string) *gossh.Client {
	t.Helper()
	auth := []gossh.AuthMethod{gossh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })}
	if key != nil {
		auth = []gossh.AuthMethod{gossh.PublicKeys(key)}
	}
	ssh, channels, requests, err := gossh.NewClientConn(conn, m.Addr().String(), &gossh.ClientConfig{
		User: user, Auth: auth, HostKeyCallback: gossh.InsecureIgnoreHostKey(), Timeout: patience,
	})
	require.NoError(t, err)
	client := gossh.NewClient(ssh, channels, requests)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// home returns the address from which a user connects, since games of two people at one address are casual.
// It is nil for a caller on another network.
func home(user string, to net.Addr) net.Addr {
	if at, ok := to.(*net.TCPAddr); ok && !at.IP.IsLoopback() {
		return nil
	}
	sum := fnv.New32a()
	sum.Write([]byte(user))
	n := sum.Sum32()
	return &net.TCPAddr{IP: net.IPv4(127, byte(n>>16), byte(n>>8), byte(n)|1)}
}

// terminal is a person at a terminal: what they see, and all bytes that ever came.
type terminal struct {
	t      testing.TB
	name   string
	key    gossh.Signer // of whoever sits there, where a test wants to know it
	client *gossh.Client
	sess   *gossh.Session
	keys   io.WriteCloser

	mu      sync.Mutex
	screen  vt10x.Terminal
	raw     bytes.Buffer
	tap     func(p []byte, screen string) // sees all that comes, if it is not nil; called with mu held
	changed chan struct{}                 // closed and replaced at each change
	ended   bool
	exit    error
}

// sit opens a terminal of a size and enters the club, with a command or without.
func sit(t testing.TB, m *Main, key gossh.Signer, name string, width, height int, command ...string) *terminal {
	t.Helper()
	return sitOn(t, dial(t, m, key, name), name, width, height, command...)
}

func sitOn(t testing.TB, client *gossh.Client, name string, width, height int, command ...string) *terminal {
	t.Helper()
	sess, err := client.NewSession()
	require.NoError(t, err)
	term := &terminal{
		t: t, name: name, client: client, sess: sess, changed: make(chan struct{}),
		screen: vt10x.New(vt10x.WithSize(width, height)),
	}
	require.NoError(t, sess.Setenv("BONEYARD_VERSIONS", "1")) // by which two screens of one moment are known
	require.NoError(t, sess.RequestPty("xterm-256color", height, width, gossh.TerminalModes{}))
	term.keys, err = sess.StdinPipe()
	require.NoError(t, err)
	sess.Stdout = term
	if len(command) > 0 {
		err = sess.Start(strings.Join(command, " "))
	} else {
		err = sess.Shell()
	}
	require.NoError(t, err)
	go func() {
		err := sess.Wait()
		term.mu.Lock()
		defer term.mu.Unlock()
		term.ended, term.exit = true, err
		term.notify()
	}()
	return term
}

// Write takes what the server sends.
func (c *terminal) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw.Write(p)
	n, err := c.screen.Write(p)
	if c.tap != nil {
		c.tap(p, c.text())
	}
	c.notify()
	return n, err
}

// notify wakes who waits. Called with mu held.
func (c *terminal) notify() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// text is what is on the screen. Called with mu held.
func (c *terminal) text() string {
	width, height := c.screen.Size()
	var b strings.Builder
	for y := range height {
		var line strings.Builder
		for x := range width {
			line.WriteRune(c.screen.Cell(x, y).Char)
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// see returns what is on the screen now.
func (c *terminal) see() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text()
}

// bytes returns all that ever came.
func (c *terminal) bytes() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Clone(c.raw.Bytes())
}

// until waits for the screen to be as wanted, and returns it.
func (c *terminal) until(want string, ok func(screen string) bool) string {
	c.t.Helper()
	limit := time.After(patience)
	for {
		c.mu.Lock()
		text, changed, ended := c.text(), c.changed, c.ended
		c.mu.Unlock()
		if ok(text) {
			return text
		}
		if ended {
			c.t.Fatalf("%s: the session ended while waiting for %s; the screen was:\n%s", c.name, want, text)
		}
		select {
		case <-changed:
		case <-limit:
			c.t.Fatalf("%s: no %s after %v; the screen is:\n%s", c.name, want, patience, text)
		}
	}
}

// shows waits for all texts to be on the screen at once.
func (c *terminal) shows(texts ...string) string {
	c.t.Helper()
	return c.until(fmt.Sprintf("%q", texts), func(screen string) bool {
		for _, s := range texts {
			if !strings.Contains(screen, s) {
				return false
			}
		}
		return true
	})
}

// resize changes the window's size, first here, since the server then draws for that size.
func (c *terminal) resize(width, height int) {
	c.t.Helper()
	c.mu.Lock()
	c.screen.Resize(width, height)
	c.mu.Unlock()
	require.NoError(c.t, c.sess.WindowChange(height, width))
}

// press sends keys.
func (c *terminal) press(keys string) {
	c.t.Helper()
	_, err := io.WriteString(c.keys, keys)
	require.NoError(c.t, err, c.name)
}

// leaves waits for the session's end.
func (c *terminal) leaves() error {
	c.t.Helper()
	limit := time.After(patience)
	for {
		c.mu.Lock()
		ended, exit, changed := c.ended, c.exit, c.changed
		c.mu.Unlock()
		if ended {
			return exit
		}
		select {
		case <-changed:
		case <-limit:
			c.t.Fatalf("%s: the session does not end; the screen is:\n%s", c.name, c.see())
		}
	}
}

// Keys, as a terminal sends them.
const (
	enter = "\r"
	up    = "\x1b[A"
	down  = "\x1b[B"
	right = "\x1b[C"
	left  = "\x1b[D"
)
