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
