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
// A terminal's keys are taken off the channel as they come, and those that do not fit are dropped. A script
// with holes in it would be worse, so a client without a terminal waits: what does not fit stays in the
// channel, and its line is not read until the handler has caught up, see [line.awaitReader].
type inbox struct {
	mu      sync.Mutex
	changed sync.Cond     // buf, err, keys or closed has changed
	ready   chan struct{} // capacity 1: Read does not wait
	buf     bytes.Buffer
	err     error
	keys    *keyLimiter // nil without a terminal
	closed  bool        // nobody reads any more
	reads   int         // how often something was read
}

// Bounds of unread input in bytes, with and without a terminal, and of what is read at once.
const (
	maxUnreadKeys = 4 << 10
	MaxUnread     = 16 << 10
	inputChunk    = 512
	MaxInput      = 4 << 10
)

func newInbox() *inbox {
	in := &inbox{ready: make(chan struct{}, 1)}
	in.changed.L = &in.mu
	return in
}

// setKeys makes it the inbox of a terminal.
func (in *inbox) setKeys(k *keyLimiter) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.keys = k
	in.changed.Broadcast()
}

// terminal reports whether it is the inbox of a terminal.
func (in *inbox) terminal() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.keys != nil
}

// close says that nobody will read any more.
func (in *inbox) close() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.closed = true
	in.tell()
}

// tell wakes whoever waits for a change. Called with mu held.
func (in *inbox) tell() {
	in.changed.Broadcast()
	if in.empty() {
		select {
		case <-in.ready:
		default:
		}
		return
	}
	select {
	case in.ready <- struct{}{}:
	default:
	}
}

// empty reports whether Read waits. Called with mu held.
func (in *inbox) empty() bool { return in.buf.Len() == 0 && in.err == nil && !in.closed }

// Ready has a value if Read does not wait.
func (in *inbox) Ready() <-chan struct{} { return in.ready }

// pump fills the inbox from r until r ends.
func (in *inbox) pump(r io.Reader) {
	var chunk [inputChunk]byte
	for in.fits(len(chunk)) {
		n, err := r.Read(chunk[:])
		in.put(time.Now(), chunk[:n], err)
		if err != nil {
			return
		}
	}
}

// fits waits until n bytes more may be put; false means that they never will be.
func (in *inbox) fits(n int) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	for in.keys == nil && !in.closed && in.buf.Len()+n > MaxUnread {
		in.changed.Wait()
	}
	return !in.closed
}

// put adds what was read.
func (in *inbox) put(now time.Time, b []byte, err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.keys != nil && len(b) > 0 {
		b = in.keys.filter(now, b, maxUnreadKeys-in.buf.Len())
	}
	in.buf.Write(b)
	in.err = err
	in.tell()
}

// roomFor reports whether n bytes more are kept, or dropped as keys are.
func (in *inbox) roomFor(n int) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.keys != nil || in.closed || in.buf.Len()+n <= MaxUnread
}

// full reports whether as much is unread as is kept. Then more of it may be in the channel.
func (in *inbox) full() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.noRoom()
}

// noRoom is full with mu held.
func (in *inbox) noRoom() bool {
	return in.keys == nil && !in.closed && in.buf.Len()+inputChunk > MaxUnread
}

// awaitRoom waits until half of what was unread is read. By then the channel has nothing left: what it had
// went into the inbox as soon as there was room, since nobody reads half of it at once. It reports false when
// nothing was read for so long.
func (in *inbox) awaitRoom(patience time.Duration) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.noRoom() {
		return true
	}
	late := false
	var timer *time.Timer
	seen := in.reads
	timer = time.AfterFunc(patience, func() {
		in.mu.Lock()
		defer in.mu.Unlock()
		if in.reads != seen {
			seen = in.reads
			timer.Reset(patience)
			return
		}
		late = true
		in.changed.Broadcast()
	})
	defer timer.Stop()
	for in.keys == nil && !in.closed && !late && in.buf.Len() > MaxUnread/2 {
		in.changed.Wait()
	}
	return !late
}

// Read waits for input. It is for one goroutine at a time.
func (in *inbox) Read(p []byte) (int, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for in.empty() {
		in.changed.Wait()
	}
	if in.buf.Len() == 0 {
		if in.err == nil {
			return 0, io.EOF
		}
		return 0, in.err
	}
	n, _ := in.buf.Read(p[:min(len(p), MaxInput)])
	in.reads++
	in.tell()
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
// supplied, or the program would take all further keys for pasted text. The rest of such a paste is dropped
// to its end, also if the line falters: none of it is a key.
type keyLimiter struct {
	limiter *rate.Limiter
	quiet   time.Duration

	flooding bool
	last     time.Time // when the last bytes came
	pasting  bool      // an opening bracket came and no closing one since
	open     bool      // the same of those that were let through
	tail     []byte    // the end of what came, where a bracket may have begun
}

// pasteQuiet is the silence after which the rest of a paste that was too long is no longer expected.
const pasteQuiet = 5 * time.Second

var (
	pasteOpens  = []byte("\x1b[200~")
	pasteCloses = []byte("\x1b[201~")
)

func newKeyLimiter(in InputLimits) *keyLimiter {
	return &keyLimiter{limiter: rate.NewLimiter(rate.Limit(in.KeyRate), in.KeyBurst), quiet: in.KeyQuiet}
}

// filter returns what is let through of the keys b that came at now. Those that are more than room are a flood; a closing
// bracket is supplied whether there is room or not.
func (k *keyLimiter) filter(now time.Time, b []byte, room int) []byte {
	quiet := k.quiet
	if k.pasting {
		quiet = max(quiet, pasteQuiet)
	}
	calm := now.Sub(k.last) >= quiet
	k.last = now
	if k.flooding && calm {
		k.pasting = false
	}
	k.watch(b)
	if k.flooding && !calm {
		return nil
	}
	k.flooding = len(b) > room || !k.limiter.AllowN(now, len(b))
	if !k.flooding {
		k.open = k.pasting
		return b
	}
	if k.open {
		k.open = false
		return pasteCloses
	}
	return nil
}

// watch follows the brackets in what comes, also those split over two reads.
func (k *keyLimiter) watch(b []byte) {
	seen := append(k.tail, b...)
	opens, closes := bytes.LastIndex(seen, pasteOpens), bytes.LastIndex(seen, pasteCloses)
	if opens != closes { // one of them is there
		k.pasting = opens > closes
	}
	keep := min(len(seen), len(pasteOpens)-1)
	k.tail = append(seen[:0], seen[len(seen)-keep:]...)
}
