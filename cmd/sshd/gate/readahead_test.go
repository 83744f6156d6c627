package gate_test

import (
	"bytes"
	"net"
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// heap is a connection that can keep what is written, to send all of it at once.
type heap struct {
	net.Conn
	keeps bool
	kept  bytes.Buffer
}

func (h *heap) Write(p []byte) (int, error) {
	if h.keeps {
		return h.kept.Write(p)
	}
	return h.Conn.Write(p)
}

// A client sends many packets at once, of which the first is an error. open checks at the end that the
// server's goroutines have ended nevertheless.
func TestWhatWasReadAheadIsForgotten(t *testing.T) {
	c := open(t, make(calls, 10), nil)
	for range 10 {
		conn := &heap{Conn: c.mustDialFrom("127.0.0.1")}
		sc, _, reqs, err := gossh.NewClientConn(conn, c.addr, clientConfig(guestAuth(t)))
		require.NoError(t, err)
		go gossh.DiscardRequests(reqs)
		ch, requests, err := sc.OpenChannel("session", nil)
		require.NoError(t, err)
		go gossh.DiscardRequests(requests)
		request(t, ch, "shell", nil)
		number := reflect.ValueOf(ch).Elem().FieldByName("remoteId")
		*(*uint32)(unsafe.Pointer(number.UnsafeAddr())) = 99 // a channel that does not exist
		conn.keeps = true
		for range 100 {
			require.NoError(t, errOf(ch.Write([]byte{'x'})))
		}
		require.NoError(t, errOf(conn.Conn.Write(conn.kept.Bytes())))
		require.Error(t, sc.Wait())
	}
}
