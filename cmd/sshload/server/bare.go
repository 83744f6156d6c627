package server

import (
	"bufio"
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/crypto/ssh"
)

// bare is as little as a server can be that lets anybody in over SSH and writes to all sessions: the club's
// figures are compared with what it uses.
type bare struct {
	config *ssh.ServerConfig

	mu       sync.Mutex
	greeting []byte
	sessions map[ssh.Channel]chan []byte
	groups   map[string][]ssh.Channel // by the session's command; members stay until the server ends
}

// RunBare serves on a loopback address, which it writes first. A line from a session with a command goes to
// all sessions with that command, behind the greeting, as a table's move goes to its players. It reads
// commands, one a line, until there are no more:
//
//	greet QUOTED   from now on each new session is sent this first
//	say QUOTED     all sessions are sent this
//	gauges         answers with the number of goroutines and the bytes of live memory after a collection
func RunBare(in io.Reader, out io.Writer) error {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		return err
	}
	b := &bare{
		config:   &ssh.ServerConfig{},
		sessions: make(map[ssh.Channel]chan []byte),
		groups:   make(map[string][]ssh.Channel),
	}
	b.config.KeyboardInteractiveCallback = func(ssh.ConnMetadata, ssh.KeyboardInteractiveChallenge) (*ssh.Permissions, error) {
		return &ssh.Permissions{}, nil
	}
	b.config.AddHostKey(signer)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer func() { _ = ln.Close() }()
	if _, err := fmt.Fprintln(out, ln.Addr()); err != nil {
		return err
	}
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go b.serve(conn)
		}
	}()
	return b.obey(in, out)
}

func (b *bare) obey(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		text := ""
		if rest != "" {
			var err error
			if text, err = strconv.Unquote(rest); err != nil {
				return fmt.Errorf("%s: %w", word, err)
			}
		}
		switch word {
		case "greet":
			b.mu.Lock()
			b.greeting = []byte(text)
			b.mu.Unlock()
		case "say":
			b.say([]byte(text))
		case "gauges":
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if _, err := fmt.Fprintln(out, runtime.NumGoroutine(), m.HeapAlloc+m.StackInuse); err != nil {
				return err
			}
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

func (b *bare) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	_, chans, reqs, err := ssh.NewServerConn(conn, b.config)
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
		if (req.Type == "shell" || req.Type == "exec") && !begun {
			begun = true
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
			if req.Type == "exec" {
				go b.pass(ch, string(req.Payload))
			} else {
				go func() { _, _ = io.Copy(io.Discard, ch) }()
			}
		}
	}
	b.mu.Lock()
	delete(b.sessions, ch)
	b.mu.Unlock()
	close(texts)
}

// pass sends each line of a session to all of its group.
func (b *bare) pass(ch ssh.Channel, group string) {
	b.mu.Lock()
	b.groups[group] = append(b.groups[group], ch)
	b.mu.Unlock()
	lines := bufio.NewScanner(ch)
	for lines.Scan() {
		b.mu.Lock()
		members := slices.Clone(b.groups[group])
		text := append(slices.Clip(b.greeting), lines.Text()+"\n"...)
		b.mu.Unlock()
		for _, m := range members {
			_, _ = m.Write(text) // one that has hung up gets nothing
		}
	}
}
