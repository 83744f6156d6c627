//go:build unix

package screen

import (
	"crypto/ed25519"
	"crypto/rand"
	"net"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"
)

// sshLine is the server's end of a session over TCP on this machine. The client drops all input unread, so
// that the benchmark measures the server.
type sshLine struct {
	ssh.Channel
	done chan<- struct{}
}

func (l *sshLine) Write(p []byte) (int, error) {
	n, err := l.Channel.Write(p)
	l.done <- struct{}{}
	return n, err
}

// deafConn drops what it reads once deaf is set.
type deafConn struct {
	net.Conn
	deaf atomic.Bool
}

func (c *deafConn) Read(p []byte) (int, error) {
	for {
		n, err := c.Conn.Read(p)
		if err != nil || !c.deaf.Load() {
			return n, err
		}
	}
}

// dial opens n sessions.
func dial(b *testing.B, n int, done chan<- struct{}) []*sshLine {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(b, err)
	signer, err := ssh.NewSignerFromKey(key)
	require.NoError(b, err)
	server := &ssh.ServerConfig{NoClientAuth: true}
	server.AddHostKey(signer)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	b.Cleanup(func() { _ = ln.Close() })

	lines := make([]*sshLine, n)
	for i := range lines {
		accepted := make(chan ssh.Channel, 1)
		go func() {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			_, chans, reqs, err := ssh.NewServerConn(conn, server)
			if err != nil {
				return
			}
			go ssh.DiscardRequests(reqs)
			ch, reqs, err := (<-chans).Accept()
			if err != nil {
				return
			}
			go ssh.DiscardRequests(reqs)
			accepted <- ch
		}()
		conn, err := net.Dial("tcp", ln.Addr().String())
		require.NoError(b, err)
		b.Cleanup(func() { _ = conn.Close() })
		client := &deafConn{Conn: conn}
		c, chans, reqs, err := ssh.NewClientConn(client, "", &ssh.ClientConfig{HostKeyCallback: ssh.InsecureIgnoreHostKey()})
		require.NoError(b, err)
		_, _, err = ssh.NewClient(c, chans, reqs).OpenChannel("session", nil)
		require.NoError(b, err)
		lines[i] = &sshLine{Channel: <-accepted, done: done}
		client.deaf.Store(true)
	}
	return lines
}

// cpu returns the processor time this process has used, in nanoseconds.
func cpu(b *testing.B) int64 {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u.Utime.Nano() + u.Stime.Nano()
}

// BenchmarkSSH is one move to all watchers of a table over SSH: "bare" writes the same bytes to the same
// channels from one goroutine each, "screens" shows a new shared frame. The ratio of their cpu-ns/screen
// matters. Run it with -benchtime=1000x, as a client's window takes 2 MB.
func BenchmarkSSH(b *testing.B) {
	const n = 500
	frames := make([]Content, 15)
	for i := range frames {
		frames[i] = table(80, 24, i)
	}
	measure := func(b *testing.B, show func(i int), done <-chan struct{}) {
		step := func(i int) {
			show(i)
			for range n {
				<-done
			}
		}
		step(0)
		b.ReportAllocs()
		b.ResetTimer()
		start := cpu(b)
		for i := range b.N {
			step(i + 1)
		}
		b.ReportMetric(float64(cpu(b)-start)/float64(b.N)/n, "cpu-ns/screen")
	}
	b.Run("bare", func(b *testing.B) {
		done := make(chan struct{}, n)
		wake := make([]chan []byte, n)
		for i, l := range dial(b, n, done) {
			wake[i] = make(chan []byte, 1)
			go func() {
				for p := range wake[i] {
					_, _ = l.Write(p)
				}
			}()
		}
		patches := make([][]byte, len(frames))
		for i := range patches {
			patches[(i+1)%len(patches)] = append([]byte(nil), NewFrame(frames[i]).patchTo(NewFrame(frames[(i+1)%len(frames)]), new(scratch))...)
		}
		measure(b, func(i int) {
			for _, c := range wake {
				c <- patches[i%len(patches)]
			}
		}, done)
		for _, c := range wake {
			close(c)
		}
	})
	b.Run("screens", func(b *testing.B) {
		done := make(chan struct{}, n)
		screens := make([]*Screen, n)
		for i, l := range dial(b, n, done) {
			screens[i] = New(l)
		}
		measure(b, func(i int) {
			f := NewSharedFrame(frames[i%len(frames)])
			for _, s := range screens {
				s.Show(f)
			}
		}, done)
	})
}
