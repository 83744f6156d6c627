package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

// Client is one SSH connection, and later the one session on it.
type Client struct {
	Conn   *ssh.Client
	Host   ssh.PublicKey // of the server
	Table  *Table        // at which it sits or looks; nil in the lobby
	Ended  chan struct{} // closed when nothing more comes
	Writes atomic.Int64  // pieces that have come

	wire    *wire
	session *ssh.Session
	in      io.Writer     // of the session; nil before it has begun
	began   time.Time     // when the session was asked for
	picture func() string // of what there is, for errors; called with mu held, as are all functions below

	mu      sync.Mutex // of what the output is read into, and of all below
	news    *sync.Cond // something has come that may matter
	version uint64     // of the table, as last told
	begun   bool       // a round has
	waits   *sent      // a move that is not acknowledged yet
	least   uint64     // the version that the table has after what was acknowledged
}

// Session is what a client asks for.
type Session struct {
	Term          string // the terminal's name; empty: that of most
	Width, Height uint32 // of the terminal; 0: there is none
	Command       string // empty: a shell
	Before        func(*ssh.Session) error
}

// ShowVersions asks for the versions of tables on screens, from which delays are counted.
func ShowVersions(s *ssh.Session) error { return s.Setenv("BONEYARD_VERSIONS", "1") }

// Open begins the session. It hangs up if ctx ends before the server has answered. take gets all that comes, on a
// goroutine of the client's, with mu held; p is only good during the call. It reports whether there is news. What
// comes beside it, as errors do without a terminal, is thrown away.
func (c *Client) Open(ctx context.Context, s Session, take func(p []byte) (news bool)) error {
	ctx, cancel := Sight(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, c.HangUp)()
	session, err := c.Conn.NewSession()
	if err != nil {
		return fmt.Errorf("open a session: %w", err)
	}
	in, err := session.StdinPipe()
	if err != nil {
		return err
	}
	out, err := session.StdoutPipe()
	if err != nil {
		return err
	}
	if s.Width > 0 {
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

// Ignore takes what comes without looking at it.
func Ignore([]byte) bool { return false }

// Resize says that the terminal has another size.
func (c *Client) Resize(w, h uint32) error { return c.session.WindowChange(int(h), int(w)) }

// ReadSlowly limits reading to a number of bytes a second from now on. The system takes little beside that, so that
// the other side soon has to wait.
func (c *Client) ReadSlowly(rate int64) {
	if tcp, ok := c.wire.Conn.(*net.TCPConn); ok {
		_ = tcp.SetReadBuffer(4 << 10)
	}
	c.wire.rate.Store(rate)
}

// Run carries out a command without a terminal, hangs up, and returns what it has printed.
func (c *Client) Run(ctx context.Context, command string) (string, error) {
	defer c.Close()
	ctx, cancel := Sight(ctx)
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
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		close(c.Ended)
		c.news.Broadcast()
	}()
	buf := make([]byte, 8<<10)
	for {
		n, err := out.Read(buf)
		if n > 0 {
			c.Writes.Add(1)
			c.mu.Lock()
			news := take(buf[:n])
			c.mu.Unlock()
			if news {
				c.news.Broadcast()
			}
		}
		if err != nil {
			return
		}
	}
}

// wait waits until ok, which is called with mu held, reports true, or until it has had all the time it may take.
func (c *Client) wait(ctx context.Context, want string, ok func() bool) error {
	ctx, cancel := Sight(ctx)
	defer cancel()
	return c.await(ctx, want, ok)
}

// await waits for as long as ctx lasts.
func (c *Client) await(ctx context.Context, want string, ok func() bool) error {
	defer context.AfterFunc(ctx, func() {
		c.mu.Lock() // or somebody who has just looked would miss it
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

// Flush waits until the server has what was sent.
func (c *Client) Flush() { _, _, _ = c.Conn.SendRequest("until-all-has-come", true, nil) }

// Close hangs up, and waits for what still comes.
func (c *Client) Close() {
	c.HangUp()
	if c.in != nil {
		<-c.Ended
	}
}

// HangUp ends the connection.
func (c *Client) HangUp() { _ = c.Conn.Close() } // the server may have been first
