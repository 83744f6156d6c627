package main

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// Silent connections at a node's door hold few places, and neither keep out a node nor displace one that has proved itself.
func TestADoorHoldsFewStrangers(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	d := &door{Listener: ln}
	defer d.Close()
	come := func(from byte) (net.Conn, *guest) {
		client, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, from)}}).Dial("tcp", ln.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { _ = client.Close() })
		conn, err := d.Accept()
		require.NoError(t, err)
		return client, conn.(*guest)
	}
	_, node := come(2)
	node.proved()
	for range 100 {
		come(3)
	}
	require.Len(t, d.guests, mostGuests)
	other, waits := come(4)
	for range 100 {
		come(3)
	}
	require.Len(t, d.guests, mostGuests)
	require.Contains(t, d.guests, waits, "the stranger's own connections go first")
	_, err = node.Write([]byte("x"))
	require.NoError(t, err)
	_, err = waits.Write([]byte("x"))
	require.NoError(t, err)
	_, err = other.Read(make([]byte, 1))
	require.NoError(t, err)
	require.NoError(t, waits.Close())
	require.NotContains(t, d.guests, waits)
}
