package gate

import (
	"bytes"
	"io"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// inbox holds what a client has sent and the handler has not read yet.
//
// Everything is taken off the channel as it comes, for the library grants each channel two megabytes
// of unread input, and a handler that is busy must not hold them. A terminal's keys that do not fit
// are dropped; a client without a terminal that sends more than fits is ended, for a script with
// holes in it would be worse.
type inbox struct {
	line *line

	mu    sync.Mutex
	some  sync.Cond // buf or err has changed
	buf   bytes.Buffer
	err   error
	keys  *keyLimiter // nil without a terminal
	limit int
}

// Bounds of unread input in bytes, with and without a terminal, and of what is read at once.
const (
	maxUnreadKeys = 4 << 10
	maxUnread     = 512 << 10
	inputChunk    = 512
)

func newInbox(l *line) *inbox {
	in := &inbox{line: l, limit: maxUnread}
	in.some.L = &in.mu
	return in
}

// setKeys makes it the inbox of a terminal.
func (in *inbox) setKeys(k *keyLimiter) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.keys, in.limit = k, maxUnreadKeys
}

// pump fills the inbox from r until r ends.
func (in *inbox) pump(r io.Reader) {
	var chunk [inputChunk]byte
	for {
		n, err := r.Read(chunk[:])
		if !in.put(time.Now(), chunk[:n], err) {
			in.line.end(ReasonFlood)
		}
		if err != nil {
			return
		}
	}
}

// put adds what was read; false means that the client has sent too much.
func (in *inbox) put(now time.Time, b []byte, err error) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.keys != nil && len(b) > 0 {
		b = in.keys.filter(now, b)
	}
	fits := in.buf.Len()+len(b) <= in.limit
	if fits {
		in.buf.Write(b)
	}
	in.err = err
	in.some.Signal()
	return fits || in.keys != nil
}

// Read waits for input. It is for one goroutine at a time.
func (in *inbox) Read(p []byte) (int, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for in.buf.Len() == 0 && in.err == nil {
		in.some.Wait()
	}
	if in.buf.Len() == 0 {
		return 0, in.err
	}
	n, _ := in.buf.Read(p)
	if in.buf.Len() == 0 && in.buf.Cap() > 8*inputChunk {
		in.buf = bytes.Buffer{} // what a paste needed is not kept for keys
	}
	return n, nil
}

// keyLimiter lets the keystrokes of a person through and drops a flood of them. Slowing it down
// instead would leave the person's next keys at the end of a queue of a million.
//
// What comes faster than the rate is dropped, and everything after it until the keys have been quiet
// for a moment, so that a flood does not get through in pieces. A terminal brackets pasted text; if
// the flood swallows the closing bracket of one whose opening was let through, the bracket is
// supplied, or the program would take all further keys for pasted text.
type keyLimiter struct {
	limiter *rate.Limiter
	quiet   time.Duration

	flooding bool
	last     time.Time // when the last bytes came
	pasting  bool      // an opening bracket was let through and no closing one since
	tail     []byte    // the end of what was let through, where a bracket may have begun
}

var (
	pasteOpens  = []byte("\x1b[200~")
	pasteCloses = []byte("\x1b[201~")
)

func newKeyLimiter(in InputLimits) *keyLimiter {
	return &keyLimiter{limiter: rate.NewLimiter(rate.Limit(in.KeyRate), in.KeyBurst), quiet: in.KeyQuiet}
}

// filter returns what is let through of the keys b that came at now.
func (k *keyLimiter) filter(now time.Time, b []byte) []byte {
	calm := now.Sub(k.last) >= k.quiet
	k.last = now
	if k.flooding && !calm {
		return nil
	}
	k.flooding = !k.limiter.AllowN(now, len(b))
	if !k.flooding {
		k.watch(b)
		return b
	}
	k.tail = k.tail[:0]
	if k.pasting {
		k.pasting = false
		return pasteCloses
	}
	return nil
}

// watch follows the brackets in what is let through, also those split over two reads.
func (k *keyLimiter) watch(b []byte) {
	seen := append(k.tail, b...)
	opens, closes := bytes.LastIndex(seen, pasteOpens), bytes.LastIndex(seen, pasteCloses)
	if opens != closes { // one of them is there
		k.pasting = opens > closes
	}
	keep := min(len(seen), len(pasteOpens)-1)
	k.tail = append(seen[:0], seen[len(seen)-keep:]...)
}
