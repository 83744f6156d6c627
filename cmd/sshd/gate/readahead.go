package gate

import (
	"reflect"
	"unsafe"

	gossh "golang.org/x/crypto/ssh"
)

// The SSH library reads up to 16 packets ahead. Its goroutine that reads puts them into a channel, and waits there for ever
// if whoever took them out has given up meanwhile, after a packet that is an error or a login that failed: closing the
// connection does not wake it, and with it stay two more goroutines and some 50 kB. A stranger can have that twice a second. So
// what was read ahead is taken out here when a connection has ended. The library gives no way to it (v0.59 of
// golang.org/x/crypto neither); a test fails if it keeps the packets elsewhere some day.
//
// It shows its connection to nobody until a client has asked to log in. Before that, no more is read than the library can
// keep.

// mostEarly is how many bytes are read after the key exchange before the client has asked to log in: 16 of the smallest
// encrypted packets (RFC 8439's cipher: 4 bytes of length, 8 of packet, 16 of tag), and the one before them that is not
// encrypted. OpenSSH sends 140.
const mostEarly = 16 + 16*28

// beforeLogin waits until the line may read, and returns into how much of p, and whether that counts as early.
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

// readAheadOf returns the channel of the packets that the library has read ahead from conn; nil if there is none.
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

// forgetReadAhead lets the library's reader end, once the line has ended and nobody takes packets any more.
func (l *line) forgetReadAhead() {
	if l.readAhead == nil {
		return
	}
	for range l.readAhead { // the reader closes it, since its next read fails
	}
}
