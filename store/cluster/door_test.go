package cluster

import (
	"crypto/ed25519"
	"crypto/tls"
	"fmt"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// Silent connections at a node's door hold few places, and neither keep out a node nor displace one that has shown its certificate.
func TestADoorHoldsFewStrangers(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	d := &door{Listener: ln}
	defer d.Close()
	come := func(from string) (net.Conn, *guest) {
		client, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).Dial("tcp", ln.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { _ = client.Close() })
		conn, err := d.Accept()
		require.NoError(t, err)
		return client, conn.(*guest)
	}
	secret, err := secretFrom("club", make([]byte, 32))
	require.NoError(t, err)
	member, node := come("127.0.0.2")
	shown := make(chan error)
	go func() { shown <- tls.Client(member, secret).Handshake() }()
	server := tls.Server(node, secret)
	require.NoError(t, server.Handshake())
	require.NoError(t, <-shown)
	Proved(server)
	require.Empty(t, d.guests)

	for range 100 {
		come("127.0.1.3")
	}
	require.Len(t, d.guests, mostGuests)
	_, elsewhere := come("127.0.2.4")
	_, near := come("127.0.1.4")
	for i := range 100 {
		come("127.0.1.3")
		come(fmt.Sprint("127.0.3.", i+1))
	}
	require.Len(t, d.guests, mostGuests)
	require.Contains(t, d.guests, elsewhere, "the stranger's own connections go first, from all addresses of a network")
	require.Contains(t, d.guests, near, "and in a network those of the address that has the most")
	_, err = node.Write([]byte("x"))
	require.NoError(t, err)
	require.NoError(t, elsewhere.Close())
	require.NotContains(t, d.guests, elsewhere)
}

// A node's certificate, which it shows to everybody, proves nothing without its key.
func TestACopiedCertificateProvesNothing(t *testing.T) {
	t.Parallel()
	secret, err := secretFrom("club", make([]byte, 32))
	require.NoError(t, err)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	d := &door{Listener: ln}
	behind, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer behind.Close()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		d.forward(behind.Addr().String())
	}()
	// handshake has a client with a certificate shake hands by way of the door, and then the server greet it. It
	// returns whether it counts as a stranger still when the certificate has been shown, and after the greeting.
	handshake := func(certificate tls.Certificate) (shown, greeted int, err error) {
		client, err := net.Dial("tcp", ln.Addr().String())
		require.NoError(t, err)
		defer client.Close()
		own := secret.Clone()
		own.Certificates = []tls.Certificate{certificate}
		done := make(chan error, 1)
		go func() {
			c := tls.Client(client, own)
			_ = c.Handshake()
			_, err := c.Read(make([]byte, 5))
			done <- err
		}()
		conn, err := behind.Accept()
		require.NoError(t, err)
		defer conn.Close()
		guests := func() int {
			d.mu.Lock()
			defer d.mu.Unlock()
			return len(d.guests)
		}
		config := d.proving(secret)
		of := config.GetConfigForClient
		config.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			c, err := of(hello)
			verify := c.VerifyConnection
			c.VerifyConnection = func(s tls.ConnectionState) error {
				defer func() { shown = guests() }()
				return verify(s)
			}
			return c, err
		}
		server := tls.Server(conn, config)
		if err = server.Handshake(); err == nil {
			_, err = server.Write([]byte("hello"))
			require.NoError(t, err)
			require.NoError(t, <-done)
			greeted = guests()
		}
		return shown, greeted, err
	}
	shown, greeted, err := handshake(secret.Certificates[0])
	require.NoError(t, err)
	require.Equal(t, 1, shown)
	require.Zero(t, greeted)

	_, other, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	copied := secret.Certificates[0]
	copied.PrivateKey = other
	shown, _, err = handshake(copied)
	require.ErrorContains(t, err, "signature")
	require.Equal(t, 1, shown, "the certificate alone leaves the connection a stranger's")
	require.NoError(t, d.Close())
	<-ended
}
