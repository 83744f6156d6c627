// Package client has well-behaved clients of a club or a bare server: people, whose screens it reads and answers with keys, programs with
// the line protocol, watchers and visitors. It counts what they see and measures how long that took.
package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

// The terminal of all clients.
const (
	TermName = "xterm-256color"
	callTime = 2 * time.Minute // how long a login may take, and an answer: a far bound
)

// Client is one SSH connection, and later the one session on it.
type Client struct {
	Conn ssh.Conn
	line *slowConn
	ch   ssh.Channel

	began  time.Time     // when the session was asked for
	Ended  chan struct{} // closed when nothing more comes
	bytes  atomic.Int64  // that have come
	Writes atomic.Int64  // pieces in which they came
	mu     sync.Mutex    // of writing
}

// slowConn is a connection that can be read slowly.
type slowConn struct {
	net.Conn
	rate atomic.Int64 // bytes a second; 0: as fast as they come
}

func (c *slowConn) Read(p []byte) (int, error) {
	rate := c.rate.Load()
	if rate <= 0 {
		return c.Conn.Read(p)
	}
	// A tenth of a second's worth at a time. The pause is the point of it: nothing else in this program waits by the clock
	// for something that could be told.
	n, err := c.Conn.Read(p[:min(len(p), int(max(rate/10, 1)))])
	time.Sleep(time.Duration(n) * time.Second / time.Duration(rate))
	return n, err
}

// farConn is a connection from which all comes later by a delay, as from far away.
type farConn struct {
	net.Conn
	came chan arrived
	rest []byte // of what has been taken off came
	err  error  // behind it
}

// arrived is what came, and when it is to be had.
type arrived struct {
	b   []byte
	at  time.Time
	err error
}

func newFarConn(conn net.Conn, delay time.Duration) *farConn {
	c := &farConn{Conn: conn, came: make(chan arrived, 1024)}
	go func() { // ends with the connection; what nobody takes any more has room
		for {
			b := make([]byte, 4<<10)
			n, err := conn.Read(b)
			c.came <- arrived{b[:n], time.Now().Add(delay), err}
			if err != nil {
				return
			}
		}
	}()
	return c
}

func (c *farConn) Read(p []byte) (int, error) {
	for len(c.rest) == 0 {
		if c.err != nil {
			return 0, c.err
		}
		a := <-c.came
		time.Sleep(time.Until(a.at)) // the delay is the point of it
		c.rest, c.err = a.b, a.err
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// Caller is who connects.
type Caller struct {
	User  string
	Key   ssh.Signer    // nil for a guest
	From  net.Addr      // one of this machine's addresses to call from; nil: any
	Rekey uint64        // after how many bytes new keys are exchanged; 0: as usual
	Delay time.Duration // how long what the server sends takes to come
}

// Login connects to a server; key is nil for a guest.
func Login(ctx context.Context, addr, user string, key ssh.Signer) (*Client, error) {
	return Caller{User: user, Key: key}.Login(ctx, addr)
}

// Login connects to a server.
func (c Caller) Login(ctx context.Context, addr string) (*Client, error) {
	d := net.Dialer{LocalAddr: c.From}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	if c.Delay > 0 {
		conn = newFarConn(conn, c.Delay)
	}
	line := &slowConn{Conn: conn}
	auth := ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })
	if c.Key != nil {
		auth = ssh.PublicKeys(c.Key)
	}
	sc, chans, reqs, err := ssh.NewClientConn(line, addr, &ssh.ClientConfig{
		Config: ssh.Config{RekeyThreshold: c.Rekey},
		User:   c.User,
		Auth:   []ssh.AuthMethod{auth},
		// The server is on this machine and was started for this, or named by hand.
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("log in: %w", err)
	}
	go Answer(reqs)
	go func() {
		for ch := range chans {
			_ = ch.Reject(ssh.Prohibited, "")
		}
	}()
	return &Client{Conn: sc, line: line, Ended: make(chan struct{})}, nil
}

// Answer refuses all requests; to a keepalive that is answer enough.
func Answer(reqs <-chan *ssh.Request) {
	for r := range reqs {
		if r.WantReply {
			_ = r.Reply(false, nil)
		}
	}
}

// errRefused is returned when the server does not grant a request.
var errRefused = errors.New("refused by the server")

// open begins the session: on a terminal of the given size unless that is zero, with a command or with a shell. take gets all
// that comes, on a goroutine of the client's; p is only good during the call.
func (c *Client) open(w, h int, command string, take func(p []byte)) error {
	ch, reqs, err := c.Conn.OpenChannel("session", nil)
	if err != nil {
		return fmt.Errorf("open a session: %w", err)
	}
	go Answer(reqs)
	c.ch = ch
	request := func(name string, payload []byte) error {
		ok, err := ch.SendRequest(name, true, payload)
		if err == nil && !ok {
			err = errRefused
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	if w > 0 {
		terminal := ssh.Marshal(struct {
			Term                         string
			Columns, Rows, Width, Height uint32
			Modes                        string
		}{Term: TermName, Columns: uint32(w), Rows: uint32(h), Modes: "\x00"})
		if err := request("pty-req", terminal); err != nil {
			return err
		}
	}
	c.began = time.Now()
	if command != "" {
		err = request("exec", ssh.Marshal(struct{ Command string }{command}))
	} else {
		err = request("shell", nil)
	}
	if err != nil {
		return err
	}
	go c.read(take)
	return nil
}

// ReadSlowly limits reading to a number of bytes a second from now on.
func (c *Client) ReadSlowly(rate int64) { c.line.rate.Store(rate) }

// ReadAhead sets how much the system buffers before this program reads it: the less, the sooner the other side has to wait.
func (c *Client) ReadAhead(size int) {
	if tcp, ok := c.line.Conn.(*net.TCPConn); ok {
		_ = tcp.SetReadBuffer(size)
	}
}

// Run carries out a command without a terminal, hangs up, and returns what it has printed.
func (c *Client) Run(ctx context.Context, command string) (string, error) {
	defer c.Close()
	var said bytes.Buffer
	stop := context.AfterFunc(ctx, c.HangUp)
	defer stop()
	if err := c.open(0, 0, command, func(p []byte) { said.Write(p) }); err != nil {
		return "", err
	}
	<-c.Ended
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	return said.String(), nil
}

func (c *Client) read(take func(p []byte)) {
	defer close(c.Ended)
	buf := make([]byte, 8<<10)
	for {
		n, err := c.ch.Read(buf)
		if n > 0 {
			c.bytes.Add(int64(n))
			c.Writes.Add(1)
			take(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

// Send types keys, or sends a line.
func (c *Client) Send(text string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.ch.Write([]byte(text))
	return err
}

// resize says that the terminal has another size.
func (c *Client) resize(w, h int) error {
	_, err := c.ch.SendRequest("window-change", false, ssh.Marshal(struct{ Columns, Rows, Width, Height uint32 }{Columns: uint32(w), Rows: uint32(h)}))
	return err
}

// Close hangs up.
func (c *Client) Close() {
	_ = c.Conn.Close() // the server may have been first
	if c.ch != nil {
		<-c.Ended
	}
}

// HangUp ends the connection without waiting for what may still come.
func (c *Client) HangUp() { _ = c.Conn.Close() }
