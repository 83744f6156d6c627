// Package client has well-behaved clients of a club or a bare server: people, whose screens it reads and
// answers with keys, programs with the line protocol, watchers and visitors. It counts what they see and
// measures how long that took.
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
	Host ssh.PublicKey // of the server
	line *slowConn
	ch   ssh.Channel

	began  time.Time     // when the session was asked for
	Ended  chan struct{} // closed when nothing more comes
	bytes  atomic.Int64  // that have come
	Writes atomic.Int64  // pieces in which they came

	mu    sync.Mutex // of what the output is read into
	news  bell       // something has come
	write sync.Mutex
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
	// A tenth of a second's worth at a time. The pause is the point of it: nothing else in this program waits
	// by the clock for something that could be told.
	n, err := c.Conn.Read(p[:min(len(p), int(max(rate/10, 1)))])
	time.Sleep(time.Duration(n) * time.Second / time.Duration(rate))
	return n, err
}

// farConn is a connection from which all comes later by a delay, as from far away.
type farConn struct {
	net.Conn
	came chan arrived
	rest arrived // of what has been taken off came
}

// arrived is what came, when it is to be had, and the error behind it.
type arrived struct {
	b   []byte
	at  time.Time
	err error
}

func newFarConn(conn net.Conn, delay time.Duration) *farConn {
	c := &farConn{Conn: conn, came: make(chan arrived, 1024)}
	go func() { // ends with the connection; there is room for what nobody takes any more
		for err := error(nil); err == nil; {
			var n int
			b := make([]byte, 4<<10)
			n, err = conn.Read(b)
			c.came <- arrived{b[:n], time.Now().Add(delay), err}
		}
	}()
	return c
}

func (c *farConn) Read(p []byte) (int, error) {
	for len(c.rest.b) == 0 {
		if c.rest.err != nil {
			return 0, c.rest.err
		}
		c.rest = <-c.came
		time.Sleep(time.Until(c.rest.at)) // the delay is the point of it
	}
	n := copy(p, c.rest.b)
	c.rest.b = c.rest.b[n:]
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
	var host ssh.PublicKey
	sc, chans, reqs, err := ssh.NewClientConn(line, addr, &ssh.ClientConfig{
		Config: ssh.Config{RekeyThreshold: c.Rekey},
		User:   c.User,
		Auth:   []ssh.AuthMethod{auth},
		// The server is on this machine and was started for this, or named by hand.
		HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error { host = key; return nil },
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
	return &Client{Conn: sc, Host: host, line: line, Ended: make(chan struct{})}, nil
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

// open begins the session: on a terminal of the given size unless that is zero, with a command or with a
// shell. It hangs up if ctx ends before the server has answered. take gets all that comes, on a goroutine of
// the client's, with mu held; p is only good during the call. It reports whether there is news.
func (c *Client) open(ctx context.Context, w, h int, command string, take func(p []byte) bool) error {
	stop := context.AfterFunc(ctx, c.HangUp)
	defer stop()
	ch, reqs, err := c.Conn.OpenChannel("session", nil)
	if err != nil {
		return fmt.Errorf("open a session: %w", err)
	}
	go Answer(reqs)
	if err := Terminal(ch, TermName, uint32(w), uint32(h)); err != nil {
		return err
	}
	if w != 0 { // delays are counted from version to version, which screens show to whoever asks
		if err := request(ch, "env", ssh.Marshal(struct{ Name, Value string }{"BONEYARD_VERSIONS", "1"})); err != nil {
			return err
		}
	}
	c.began = time.Now()
	if err := Begin(ch, command); err != nil {
		return err
	}
	c.ch = ch
	go c.read(take)
	return nil
}

// Terminal asks for a terminal of a size, unless that is zero.
func Terminal(ch ssh.Channel, term string, w, h uint32) error {
	if w == 0 {
		return nil
	}
	return request(ch, "pty-req", ssh.Marshal(struct {
		Term                         string
		Columns, Rows, Width, Height uint32
		Modes                        string
	}{Term: term, Columns: w, Rows: h, Modes: "\x00"}))
}

// Begin asks for a command, or for a shell if that is empty.
func Begin(ch ssh.Channel, command string) error {
	if command == "" {
		return request(ch, "shell", nil)
	}
	return request(ch, "exec", ssh.Marshal(struct{ Command string }{command}))
}

func request(ch ssh.Channel, name string, payload []byte) error {
	ok, err := ch.SendRequest(name, true, payload)
	if err == nil && !ok {
		err = errRefused
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Resize says that the terminal has another size.
func Resize(ch ssh.Channel, w, h uint32) error {
	size := struct{ Columns, Rows, Width, Height uint32 }{Columns: w, Rows: h}
	_, err := ch.SendRequest("window-change", false, ssh.Marshal(size))
	return err
}

// ReadSlowly limits reading to a number of bytes a second from now on.
func (c *Client) ReadSlowly(rate int64) { c.line.rate.Store(rate) }

// ReadAhead sets how much the system buffers before this program reads it: the less, the sooner the other
// side has to wait.
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
	if err := c.open(ctx, 0, 0, command, func(p []byte) bool { said.Write(p); return false }); err != nil {
		return "", err
	}
	<-c.Ended
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	return said.String(), nil
}

func (c *Client) read(take func(p []byte) bool) {
	defer close(c.Ended)
	buf := make([]byte, 8<<10)
	for {
		n, err := c.ch.Read(buf)
		if n > 0 {
			c.bytes.Add(int64(n))
			c.Writes.Add(1)
			c.mu.Lock()
			news := take(buf[:n])
			c.mu.Unlock()
			if news {
				c.news.ring()
			}
		}
		if err != nil {
			return
		}
	}
}

// wait waits until ok, which is called with mu held, reports true. instead tells, for an error, what there
// is; likewise.
func (c *Client) wait(ctx context.Context, want string, ok func() bool, instead func() string) error {
	for {
		news := c.news.next()
		c.mu.Lock()
		yes := ok()
		c.mu.Unlock()
		if yes {
			return nil
		}
		why := errors.New("the session has ended")
		select {
		case <-news:
			continue
		case <-c.Ended:
		case <-ctx.Done():
			why = context.Cause(ctx)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		return fmt.Errorf("there was no %s: %w; there is:\n%s", want, why, instead())
	}
}

// Send types keys, or sends a line.
func (c *Client) Send(text string) error {
	c.write.Lock()
	defer c.write.Unlock()
	_, err := c.ch.Write([]byte(text))
	return err
}

// Size is how many bytes have come at a time, on average; 0 if none have.
func (c *Client) Size() float64 {
	return float64(c.bytes.Load()) / float64(max(c.Writes.Load(), 1))
}

// Close hangs up, and waits for what still comes.
func (c *Client) Close() {
	c.HangUp()
	if c.ch != nil {
		<-c.Ended
	}
}

// HangUp ends the connection.
func (c *Client) HangUp() { _ = c.Conn.Close() } // the server may have been first
