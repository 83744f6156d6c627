package load

import (
	"context"
	"crypto/ed25519"
	"net"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"

	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/server"
)

// A club that hangs up on some who have logged in meets them again; they all come in, and that is told.
func TestWhoeverIsThrownOutCallsAgain(t *testing.T) {
	const visitors = 60
	var sessions atomic.Int64
	r := visit(t, visitors, func(ch ssh.NewChannel, conn ssh.Conn) {
		if sessions.Add(1)%4 == 0 {
			_ = conn.Close()
			return
		}
		grant(ch)
	})
	require.NoError(t, client.Each(visitors, func(i int) error { return r.login(t.Context(), i) }))
	require.NoError(t, client.Each(visitors, func(i int) error { return r.show(t.Context(), i) }))
	require.Positive(t, r.again)
	require.ErrorContains(t, r.refusal, "open a session")
	r.hangUp()
}

// A club that does not answer holds nobody once the run is to end.
func TestNobodyWaitsBeyondTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := visit(t, 1, func(ssh.NewChannel, ssh.Conn) { cancel() }) // and no answer
	require.NoError(t, r.login(ctx, 0))
	require.Error(t, r.show(ctx, 0))
	r.hangUp()
}

// visit returns a runner whose club does with each session what it is told.
func visit(t *testing.T, visitors int, session func(ch ssh.NewChannel, conn ssh.Conn)) *runner {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	signer, err := ssh.NewSignerFromKey(key)
	require.NoError(t, err)
	letIn := func(ssh.ConnMetadata, ssh.KeyboardInteractiveChallenge) (*ssh.Permissions, error) {
		return &ssh.Permissions{}, nil
	}
	config := &ssh.ServerConfig{KeyboardInteractiveCallback: letIn}
	config.AddHostKey(signer)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				sc, chans, reqs, err := ssh.NewServerConn(conn, config)
				if err != nil {
					return
				}
				go ssh.DiscardRequests(reqs)
				for ch := range chans {
					session(ch, sc)
				}
			}()
		}
	}()
	r := newRunner(named(t, "idle"))
	r.servers = []*server.Server{{Addr: ln.Addr().String()}}
	r.screens = make([]*client.Screen, visitors)
	return r
}

// grant gives a session whatever it asks for, and a first screen.
func grant(offered ssh.NewChannel) {
	ch, reqs, err := offered.Accept()
	if err != nil {
		return
	}
	go func() {
		for req := range reqs {
			_ = req.Reply(true, nil)
			if req.Type == "shell" {
				_, _ = ch.Write([]byte("welcome"))
			}
		}
	}()
}
