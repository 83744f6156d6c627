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

// bare is a minimal SSH server that admits everybody and writes the same to all sessions, for comparison.
type bare struct {
	config   *ssh.ServerConfig
	greeting *text                // sent first to each new session
	next     atomic.Pointer[text] // what is sent next
}

// text is sent to all sessions.
type text struct {
	said  chan struct{} // closed when the other fields are set
	bytes []byte
	next  *text
}

// RunBare serves on a loopback address, which it logs as the club does, with metrics on another. It reads
// quoted texts, one a line: the greeting, and then what it sends to all sessions. It ends with its input.
func RunBare(in io.Reader, log io.Writer) error {
	key, err := client.NewKey()
	if err != nil {
		return err
	}
	letIn := func(ssh.ConnMetadata, ssh.KeyboardInteractiveChallenge) (*ssh.Permissions, error) {
		return &ssh.Permissions{}, nil
	}
	config := &ssh.ServerConfig{KeyboardInteractiveCallback: letIn} // as the club does it
	config.AddHostKey(key)
	b := &bare{config: config, greeting: &text{said: make(chan struct{})}}
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

// session accepts all requests, and from the one for a shell on writes what is said.
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
