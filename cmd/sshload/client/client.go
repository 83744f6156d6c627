// Package client has well-behaved clients of a club or a bare server, counts what they see and measures
// delays.
package client

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sync/errgroup"
)

// Caller is who connects.
type Caller struct {
	User  string
	Key   ssh.Signer // nil for a guest
	From  net.Addr   // one of this machine's addresses to call from; nil: any
	Rekey uint64     // bytes after which new keys are exchanged; 0: the default
}

// NewKey returns a new key.
func NewKey() (ssh.Signer, error) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, err
	}
	return ssh.NewSignerFromKey(private)
}

// RunName returns a name for a run, by which its accounts differ from those of others.
func RunName() string { return letters(rand.IntN(1e4)) }

// Name is the name of the n-th account of a run.
func Name(run string, n int) string { return "prog" + run + letters(n) }

// letters writes the last four digits of a number as letters, since the club refuses names that look alike.
func letters(n int) string {
	return strings.Map(func(digit rune) rune { return rune("abdefhkptx"[digit-'0']) }, fmt.Sprintf("%04d", n%1e4))
}

// Client is one SSH connection, and later the one session on it.
type Client struct {
	Conn   *ssh.Client
	Wire   net.Conn      // below Conn
	Host   ssh.PublicKey // of the server
	Table  *Table        // where it plays or watches; nil in the lobby
	Ended  chan struct{} // closed at the end of the output
	Writes atomic.Int64  // pieces of output so far

	session *ssh.Session
	in      io.Writer     // of the session; nil before it has begun
	began   time.Time     // when the session was requested
	picture func() string // of the output, for errors; called with mu held, as are all functions below

	mu      sync.Mutex // of what the output is read into, and of all below
	news    *sync.Cond // output that may matter
	version uint64     // of the table: the newest shown, or the one after an acknowledged move
	begun   bool       // a round has begun
	waits   *sent      // a move that is not acknowledged yet
	denied  []error    // why moves were refused
}

// Login connects to a server.
func (c Caller) Login(ctx context.Context, addr string) (*Client, error) {
	d := net.Dialer{LocalAddr: c.From, Timeout: sightTime}
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return c.LoginOn(ctx, conn)
}

// LoginOn logs in on a connection, and closes it if that fails.
func (c Caller) LoginOn(ctx context.Context, conn net.Conn) (*Client, error) {
	ctx, cancel := sight(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	auth := ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })
	if c.Key != nil {
		auth = ssh.PublicKeys(c.Key)
	}
	client := &Client{Wire: conn, Ended: make(chan struct{})}
	client.news = sync.NewCond(&client.mu)
	sc, chans, reqs, err := ssh.NewClientConn(conn, conn.RemoteAddr().String(), &ssh.ClientConfig{
		Config: ssh.Config{RekeyThreshold: c.Rekey},
		User:   c.User,
		Auth:   []ssh.AuthMethod{auth},
		// The server is on this machine and was started for the load.
		HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error { client.Host = key; return nil },
	})
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("log in: %w", err)
	}
	client.Conn = ssh.NewClient(sc, chans, reqs)
	return client, nil
}

// Session is what a client requests.
type Session struct {
	Term          string // the terminal's name; empty: that of most
	Width, Height uint32 // of the terminal; 0: there is none
	Command       string // empty: a shell
	Before        func(*ssh.Session) error
}

// Open begins the session. It hangs up if ctx ends before the server has answered. take gets the output on
// another goroutine, with mu held, and reports whether there is news; p is valid during the call.
func (c *Client) Open(ctx context.Context, s Session, take func(p []byte) (news bool)) error {
	ctx, cancel := sight(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, c.HangUp)()
	session, err := c.Conn.NewSession()
	if err != nil {
		return fmt.Errorf("open a session: %w", err)
	}
	in, noInput := session.StdinPipe()
	out, noOutput := session.StdoutPipe()
	if err = errors.Join(noInput, noOutput); err == nil && s.Width > 0 {
		err = session.RequestPty(cmp.Or(s.Term, "xterm-256color"), int(s.Height), int(s.Width), nil)
	}
	if err == nil && s.Before != nil {
		err = s.Before(session)
	}
	c.began = time.Now()
	switch {
	case err != nil:
	case s.Command == "":
		err = session.Shell()
	default:
		err = session.Start(s.Command)
	}
	if err != nil {
		return err
	}
	c.session, c.in = session, in
	go c.read(out, take)
	return nil
}

// Resize reports another size of the terminal.
func (c *Client) Resize(w, h uint32) error { return c.session.WindowChange(int(h), int(w)) }

// Run runs a command without a terminal, hangs up, and returns the output.
func (c *Client) Run(ctx context.Context, command string) (string, error) {
	defer c.Close()
	ctx, cancel := sight(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, c.HangUp)()
	var said strings.Builder
	if err := c.Open(ctx, Session{Command: command}, func(p []byte) bool { said.Write(p); return false }); err != nil {
		return "", err
	}
	<-c.Ended
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	return said.String(), nil
}

func (c *Client) read(out io.Reader, take func(p []byte) bool) {
	buf := make([]byte, 8<<10)
	for n, err := 0, error(nil); err == nil; {
		n, err = out.Read(buf)
		c.mu.Lock()
		if n > 0 {
			c.Writes.Add(1)
		}
		if err != nil {
			close(c.Ended)
		}
		if n > 0 && take(buf[:n]) || err != nil {
			c.news.Broadcast()
		}
		c.mu.Unlock()
	}
}

// wait waits until ok, which is called with mu held, reports true, for at most sightTime.
func (c *Client) wait(ctx context.Context, want string, ok func() bool) error {
	ctx, cancel := sight(ctx)
	defer cancel()
	return c.await(ctx, want, ok)
}

// await waits like wait, until ctx ends.
func (c *Client) await(ctx context.Context, want string, ok func() bool) error {
	defer context.AfterFunc(ctx, func() {
		c.mu.Lock() // or a goroutine between ok and Wait would miss it
		defer c.mu.Unlock()
		c.news.Broadcast()
	})()
	c.mu.Lock()
	defer c.mu.Unlock()
	for !ok() {
		why := context.Cause(ctx)
		select {
		case <-c.Ended:
			why = errors.New("the session has ended")
		default:
		}
		if why != nil {
			return fmt.Errorf("there was no %s: %w; there is:\n%s", want, why, c.picture())
		}
		c.news.Wait()
	}
	return nil
}

// Send types keys, or sends a line.
func (c *Client) Send(text string) error {
	_, err := io.WriteString(c.in, text)
	return err
}

// Close hangs up, and waits for the end of the output.
func (c *Client) Close() {
	c.HangUp()
	if c.in != nil {
		<-c.Ended
	}
}

// HangUp closes the connection.
func (c *Client) HangUp() { _ = c.Conn.Close() } // the server may have been first

// sightTime is the timeout of a login, an answer and a screen: long, since a slow club shows in the delays.
const sightTime = 2 * time.Minute

// sight returns a context that ends after sightTime.
func sight(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, sightTime, fmt.Errorf("waited for %v", sightTime))
}

// Sleep waits, and reports false if ctx has ended.
func Sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// Each calls f for 0 to n-1, a few in parallel. After an error it begins no more, and returns the first.
func Each(n int, f func(i int) error) error {
	all, ctx := errgroup.WithContext(context.Background())
	all.SetLimit(8)
	for i := 0; i < n && ctx.Err() == nil; i++ {
		all.Go(func() error { return f(i) })
	}
	return all.Wait()
}
