package server

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/crypto/ssh"

	"boneyard/cmd/sshload/client"
)

// bare is as little as a server can be that lets anybody in over SSH and writes to all sessions: the club's
// figures are compared with what it uses.
type bare struct {
	config   *ssh.ServerConfig
	greeting *text                // each new session is sent this first
	next     atomic.Pointer[text] // what is said next
}

// text is what all sessions are sent.
type text struct {
	said  chan struct{} // closed when the rest is there
	bytes []byte
	next  *text
}

// RunBare serves on a loopback address, which it logs as the club does, with metrics on another. It reads
// texts, in quotes and one a line: first the greeting, then what all sessions are sent. It ends when there is no more.
func RunBare(in io.Reader, log io.Writer) error {
	key, err := client.NewKey()
	if err != nil {
		return err
	}
	letIn := func(ssh.ConnMetadata, ssh.KeyboardInteractiveChallenge) (*ssh.Permissions, error) {
		return &ssh.Permissions{}, nil
	}
	b := &bare{config: &ssh.ServerConfig{KeyboardInteractiveCallback: letIn}, greeting: &text{said: make(chan struct{})}} // as the club
	b.config.AddHostKey(key)
	b.next.Store(b.greeting)
	metrics, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	http.Handle("GET /metrics", promhttp.Handler())
	go func() { _ = http.Serve(metrics, nil) }()
	go b.accept(ln)
	logger := slog.New(slog.NewJSONHandler(log, nil))
	logger.Info("metrics", "addr", metrics.Addr().String())
	logger.Info(clubOpen, "addr", ln.Addr().String())
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		said, err := strconv.Unquote(lines.Text())
		if err != nil {
			return fmt.Errorf("say: %w", err)
		}
		t := b.next.Load()
		t.bytes, t.next = []byte(said), &text{said: make(chan struct{})}
		b.next.Store(t.next)
		close(t.said)
	}
	return lines.Err()
}

func (b *bare) accept(ln net.Listener) {
	for conn, err := ln.Accept(); err == nil; conn, err = ln.Accept() {
		go func() {
			defer conn.Close()
			_, chans, reqs, err := ssh.NewServerConn(conn, b.config)
			if err != nil {
				return
			}
			go ssh.DiscardRequests(reqs)
			for offered := range chans {
				if ch, reqs, err := offered.Accept(); err == nil {
					go b.session(ch, reqs)
				}
			}
		}()
	}
}

// session accepts all requests, and writes what is said from then on to those who ask for a shell.
func (b *bare) session(ch ssh.Channel, reqs <-chan *ssh.Request) {
	for req := range reqs {
		_ = req.Reply(true, nil)
		if req.Type != "shell" {
			continue
		}
		go func() { _, _ = io.Copy(io.Discard, ch) }()
		go func() {
			<-b.greeting.said
			next := b.next.Load()
			for _, err := ch.Write(b.greeting.bytes); err == nil; next = next.next {
				<-next.said
				_, err = ch.Write(next.bytes)
			}
		}()
	}
}
