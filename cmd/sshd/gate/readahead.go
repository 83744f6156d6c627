package gate

import (
	"reflect"
	"unsafe"

	gossh "golang.org/x/crypto/ssh"
)

// The SSH library reads up to 16 packets ahead. Its reading goroutine sends them on a channel, and blocks
// there for ever if the receiver gives up, after a packet that is an error or a failed login. Closing the
// connection does not wake it, and it keeps two more goroutines and some 50 kB alive. A stranger can cause
// that twice a second. So this file drains the channel when a connection has ended. The library offers no
// access to it (nor does v0.59 of golang.org/x/crypto); a test fails if the library moves the packets.
//
// The library exposes the connection only once a client has asked to log in. Before that, no more is read
// than its channel holds.

// mostEarly is how many bytes are read between the key exchange and the client's request to log in: 16 of the
// smallest encrypted packets (RFC 8439's cipher: 4 bytes of length, 8 of packet, 16 of tag), and the one
// before them that is not encrypted. OpenSSH sends 140.
const mostEarly = 16 + 16*28

// beforeLogin waits until the line may read. It returns the part of p to read into, and whether that read
// counts as early.
func (l *line) beforeLogin(p []byte) (part []byte, early bool) {
	if !l.signed.Load() || l.keyed.Load() {
		return p, false
	}
	if l.early >= mostEarly {
		select {
		case <-l.login:
		case <-l.done:
		}
		return p, false
	}
	return p[:min(len(p), mostEarly-l.early)], true
}

// readAheadOf returns the channel of the packets that the library has read ahead from conn, or nil.
func readAheadOf(conn gossh.ServerPreAuthConn) <-chan []byte {
	v := reflect.ValueOf(conn)
	for _, field := range []string{"transport", "incoming"} {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			return nil
		}
		v = v.FieldByName(field)
	}
	if !v.IsValid() || !v.CanAddr() || v.Type() != reflect.TypeFor[chan []byte]() {
		return nil
	}
	return *(*chan []byte)(unsafe.Pointer(v.UnsafeAddr()))
}

// forgetReadAhead lets the library's reader end. Called after the line has ended, when nobody receives
// packets any more.
func (l *line) forgetReadAhead() {
	if l.readAhead == nil {
		return
	}
	for range l.readAhead { // the reader closes it when its next read fails
	}
}
