package server

import (
	"bufio"
	"crypto/ed25519"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/crypto/ssh"
)

// bare is as little as a server can be that lets anybody in over SSH and writes to all sessions: the club's
// figures are compared with what it uses.
type bare struct {
	greeted  chan struct{} // closed when there is a greeting
	greeting []byte        // each new session is sent this first

	mu       sync.Mutex
	sessions map[ssh.Channel]chan []byte
}

// RunBare serves on a loopback address, which it logs as the club does, with metrics on another. It reads
// texts, in quotes and one a line: first the greeting, then what all sessions are sent. It ends when there is no more.
func RunBare(in io.Reader, log io.Writer) error {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		return err
	}
	b := &bare{greeted: make(chan struct{}), sessions: make(map[ssh.Channel]chan []byte)}
	letIn := func(ssh.ConnMetadata, ssh.KeyboardInteractiveChallenge) (*ssh.Permissions, error) {
		return &ssh.Permissions{}, nil
	}
	config := &ssh.ServerConfig{KeyboardInteractiveCallback: letIn} // as the club
	config.AddHostKey(signer)
	http.Handle("GET /metrics", promhttp.Handler())
	logger := slog.New(slog.NewJSONHandler(log, nil))
	for _, s := range []struct {
		ready string
		serve func(net.Listener)
	}{
		{"metrics", func(ln net.Listener) { _ = http.Serve(ln, nil) }},
		{clubOpen, func(ln net.Listener) {
			for conn, err := ln.Accept(); err == nil; conn, err = ln.Accept() {
				go b.serve(conn, config)
			}
		}},
	} {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer ln.Close()
		go s.serve(ln)
		logger.Info(s.ready, "addr", ln.Addr().String())
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		text, err := strconv.Unquote(lines.Text())
		if err != nil {
			return fmt.Errorf("say: %w", err)
		}
		if b.greeting == nil {
			b.greeting = []byte(text)
			close(b.greeted)
		} else {
			b.say([]byte(text))
		}
	}
	return lines.Err()
}

// say has all sessions send text. A session that has not taken what was said before is given nothing more.
func (b *bare) say(text []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.sessions {
		select {
		case c <- text:
		default:
		}
	}
}

func (b *bare) serve(conn net.Conn, config *ssh.ServerConfig) {
	defer conn.Close()
	_, chans, reqs, err := ssh.NewServerConn(conn, config)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(reqs)
	for offered := range chans {
		if offered.ChannelType() != "session" {
			_ = offered.Reject(ssh.UnknownChannelType, "")
			continue
		}
		ch, reqs, err := offered.Accept()
		if err != nil {
			return
		}
		go b.requests(ch, reqs)
	}
}

// requests grants a session what it asks for, and begins to write to it when it wants a shell.
func (b *bare) requests(ch ssh.Channel, reqs <-chan *ssh.Request) {
	texts := make(chan []byte, 1)
	begun := false
	for req := range reqs {
		_ = req.Reply(true, nil)
		if req.Type == "shell" && !begun {
			begun = true
			<-b.greeted
			b.mu.Lock()
			b.sessions[ch] = texts
			texts <- b.greeting // there is room for one
			b.mu.Unlock()
			go func() {
				for text := range texts {
					if _, err := ch.Write(text); err != nil {
						break
					}
				}
			}()
			go func() { _, _ = io.Copy(io.Discard, ch) }()
		}
	}
	b.mu.Lock()
	delete(b.sessions, ch)
	b.mu.Unlock()
	close(texts)
}
