// Package client has well-behaved clients of a club or a bare server: sessions whose screens or lines are read, and
// players who answer them. It counts what they see and measures how long that took.
package client

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

// Caller is who connects.
type Caller struct {
	User  string
	Key   ssh.Signer // nil for a guest
	From  net.Addr   // one of this machine's addresses to call from; nil: any
	Rekey uint64     // after how many bytes new keys are exchanged; 0: as usual
}

// wire is a connection from which what comes may be read slowly.
type wire struct {
	net.Conn
	rate atomic.Int64 // bytes a second; 0: as fast as they come
}

// Read sleeps after each piece, if there is a rate; a piece is a tenth of a second's worth. The pause is the point of it:
// nothing else in this package waits by the clock for something that could be told.
func (c *wire) Read(p []byte) (int, error) {
	rate := c.rate.Load()
	if rate == 0 {
		return c.Conn.Read(p)
	}
	n, err := c.Conn.Read(p[:min(len(p), int(max(rate/10, 1)))])
	time.Sleep(time.Duration(n) * time.Second / time.Duration(rate))
	return n, err
}

// Login connects to a server.
func (c Caller) Login(ctx context.Context, addr string) (*Client, error) {
	d := net.Dialer{LocalAddr: c.From}
	ctx, cancel := Sight(ctx)
	defer cancel()
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	auth := ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })
	if c.Key != nil {
		auth = ssh.PublicKeys(c.Key)
	}
	client := &Client{wire: &wire{Conn: conn}, Ended: make(chan struct{})}
	client.news = sync.NewCond(&client.mu)
	sc, chans, reqs, err := ssh.NewClientConn(client.wire, addr, &ssh.ClientConfig{
		Config: ssh.Config{RekeyThreshold: c.Rekey},
		User:   c.User,
		Auth:   []ssh.AuthMethod{auth},
		// The server is on this machine and was started for this.
		HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error { client.Host = key; return nil },
	})
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("log in: %w", err)
	}
	client.Conn = ssh.NewClient(sc, chans, reqs)
	return client, nil
}

// NewKey makes a key without an account.
func NewKey() (ssh.Signer, error) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, err
	}
	return ssh.NewSignerFromKey(private)
}

// nameLetters are letters that nobody mixes up, as the club does not have two names that look alike.
const nameLetters = "abdefhkptx"

// RunName tells the programs of one run from those of another.
func RunName() string { return letters(rand.IntN(1e4)) }

// Name is a name for the n-th program of a run.
func Name(run string, n int) string { return "prog" + run + letters(n) }

// letters writes the last four digits of a number as letters.
func letters(n int) string {
	b := make([]byte, 4)
	for i := range b {
		b[i] = nameLetters[n%len(nameLetters)]
		n /= len(nameLetters)
	}
	return string(b)
}

// Addresses are loopback addresses, each given out once: to the club, clients with different ones live in
// different places.
type Addresses struct {
	Net   byte // 127.net.0.0/16
	Apart bool // neighbours are in /24 networks of their own, as people are who do not know each other
	next  atomic.Uint32
}

// Take returns the next one.
func (a *Addresses) Take() net.Addr {
	n := a.next.Add(1)
	if a.Apart {
		return &net.TCPAddr{IP: net.IPv4(127, a.Net, byte(n), byte(n>>8)+1)}
	}
	return &net.TCPAddr{IP: net.IPv4(127, a.Net, byte(n>>8), byte(n))}
}
