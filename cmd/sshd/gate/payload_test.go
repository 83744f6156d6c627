package gate

import (
	"bytes"
	"testing"

	gossh "golang.org/x/crypto/ssh"
)

// Whatever a client says of its terminal, the cleaned payload is within bounds, and cleaning it again changes
// nothing. A kept environment variable is printable.
func FuzzPayloads(f *testing.F) {
	f.Add(gossh.Marshal(ptyRequest{Term: "xterm", Width: 80, Height: 24, Modes: "\x01\x00\x00\x00\x00"}))
	f.Add(gossh.Marshal(ptyRequest{Term: "x\x1b[31m\xff", Width: 1<<32 - 1, Height: 0}))
	f.Add(gossh.Marshal(windowChange{Width: 300, Height: 80}))
	f.Add(gossh.Marshal(struct{ Name, Value string }{"LC_ALL", "C.UTF-8"}))
	f.Fuzz(func(t *testing.T, payload []byte) {
		inBounds := func(s Size) {
			if s.Width < 1 || s.Width > MaxWidth || s.Height < 1 || s.Height > MaxHeight {
				t.Fatalf("%x: a window of %v", payload, s)
			}
		}
		if clean, term, size, ok := cleanPty(payload); ok {
			inBounds(size)
			again, name, same, ok := cleanPty(clean)
			if !ok || !bytes.Equal(clean, again) || name != term || same != size || len(term) > maxName {
				t.Fatalf("%x becomes %x, which becomes %x", payload, clean, again)
			}
		}
		var w windowChange
		if gossh.Unmarshal(payload, &w) == nil {
			inBounds(clampSize(w.Width, w.Height))
		}
		var kv struct{ Name, Value string }
		if gossh.Unmarshal(payload, &kv) == nil && envKept(kv.Name, kv.Value) && printable(kv.Name+kv.Value, maxEnvLen) != kv.Name+kv.Value {
			t.Fatalf("%q is kept", kv)
		}
	})
}
