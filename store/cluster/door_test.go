package cluster

import (
	"crypto/tls"
	"fmt"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// Silent connections at a node's door hold few places, and neither keep out a node nor displace one that has
// shown its certificate.
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
	node.Proved()
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
