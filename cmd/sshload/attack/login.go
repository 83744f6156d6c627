package attack

import (
	"context"
	crand "crypto/rand"
	"crypto/rsa"
	"errors"
	"io"
	"math/rand/v2"
	"net"

	"golang.org/x/crypto/ssh"
)

// Attacks before login.

// garbage is up to so many random bytes.
func garbage(most int) []byte {
	b := make([]byte, 1+rand.IntN(most))
	_, _ = crand.Read(b) // which never fails
	return b
}

// stall holds a connection until the club ends it.
func stall(ctx context.Context, a *attacker) error {
	conn, err := a.dial(ctx)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, conn)
	return conn.end(err)
}

// send writes something and waits until the club has enough.
func (a *attacker) send(ctx context.Context, b []byte) error {
	conn, err := a.dial(ctx)
	if err != nil {
		return err
	}
	go func() { _, _ = conn.Write(b) }() // which may fail or wait, but not beyond the end of the connection
	_, err = io.Copy(io.Discard, conn)
	return conn.end(err)
}

func noise(ctx context.Context, a *attacker) error { return a.send(ctx, garbage(64<<10)) }

func banner(ctx context.Context, a *attacker) error {
	return a.send(ctx, append([]byte("SSH-2.0-OpenSSH_9.9 "+a.text()+"\r\n"), garbage(64<<10)...))
}

// half breaks off after some of the messages of a key exchange.
func half(ctx context.Context, a *attacker) error {
	conn, err := a.dial(ctx)
	if err != nil {
		return err
	}
	_, _, _, err = ssh.NewClientConn(&breaking{Conn: conn, writes: 1 + rand.IntN(3)}, a.Club, harmless(a.text()))
	return conn.end(err)
}

// breaking is a connection that ends after so many writes.
type breaking struct {
	net.Conn
	writes int
}

func (b *breaking) Write(p []byte) (int, error) {
	if b.writes--; b.writes < 0 {
		_ = b.Close()
		return 0, errors.New("broken off")
	}
	return b.Conn.Write(p)
}

// harmless logs in by the given methods; the server is of this machine.
func harmless(user string, methods ...ssh.AuthMethod) *ssh.ClientConfig {
	return &ssh.ClientConfig{User: user, Auth: methods, HostKeyCallback: ssh.InsecureIgnoreHostKey()}
}

// keys offers many keys that are too weak, or a password, or nothing at all.
func keys(ctx context.Context, a *attacker) error {
	conn, err := a.dial(ctx)
	if err != nil {
		return err
	}
	methods := [][]ssh.AuthMethod{{ssh.PublicKeys(a.weak...), ssh.Password(a.text())}, {ssh.Password("admin")}, {}}
	_, _, _, err = ssh.NewClientConn(conn, a.Club, harmless(a.text(), methods[rand.IntN(len(methods))]...))
	return conn.end(err)
}

// weakKeys are more keys than a connection may try.
func weakKeys() []ssh.Signer {
	private, err := rsa.GenerateKey(crand.Reader, 1024)
	if err != nil {
		return nil // a library that no longer makes such keys; there are other ways to fail
	}
	key, err := ssh.NewSignerFromKey(private)
	if err != nil {
		return nil
	}
	many := make([]ssh.Signer, 20)
	for i := range many {
		many[i] = key
	}
	return many
}
