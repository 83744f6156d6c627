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
// A terminal's keys are read from the channel as they come, and those that do not fit are dropped. That would
// corrupt a script, so a client without a terminal is made to wait: what does not fit stays in the channel,
// and its line is not read until the handler has caught up, see [line.awaitReader].
type inbox struct {
	mu      sync.Mutex
	changed sync.Cond     // buf, err, keys or closed has changed
	ready   chan struct{} // capacity 1: Read does not wait
	buf     bytes.Buffer
	err     error
	keys    *keyLimiter // nil without a terminal
	closed  bool        // there is no reader any more
	reads   int         // how often something was read
}

// Bounds on unread input with and without a terminal, and on one read, in bytes.
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

// setKeys makes the inbox a terminal's, with the limiter k.
func (in *inbox) setKeys(k *keyLimiter) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.keys = k
	in.changed.Broadcast()
}

// terminal reports whether in is the inbox of a terminal.
func (in *inbox) terminal() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.keys != nil
}

// close marks the inbox as having no reader any more.
func (in *inbox) close() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.closed = true
	in.tell()
}

// tell wakes all waiters after a change. Called with mu held.
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

// empty reports whether Read would block. Called with mu held.
func (in *inbox) empty() bool { return in.buf.Len() == 0 && in.err == nil && !in.closed }

// Ready has a value if Read would not block.
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

// fits waits until there is room for n bytes; it returns false if there never will be.
func (in *inbox) fits(n int) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	for in.keys == nil && !in.closed && in.buf.Len()+n > MaxUnread {
		in.changed.Wait()
	}
	return !in.closed
}

// put adds the result of a read.
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

// roomFor reports whether put takes n more bytes, if only to drop them as keys.
func (in *inbox) roomFor(n int) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.keys != nil || in.closed || in.buf.Len()+n <= MaxUnread
}

// full reports whether the inbox takes no more, so that input may be waiting in the channel.
func (in *inbox) full() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.noRoom()
}

// noRoom is full with mu held.
func (in *inbox) noRoom() bool {
	return in.keys == nil && !in.closed && in.buf.Len()+inputChunk > MaxUnread
}

// awaitRoom waits until the inbox is half read. By then the channel is empty, since its content moved to the
// inbox as soon as there was room. awaitRoom returns false if nothing was read for patience.
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

// Read blocks until there is input. It is for one goroutine at a time.
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
		in.buf = bytes.Buffer{} // a paste's memory is not kept for keys
	}
	return n, nil
}

// keyLimiter passes a person's keystrokes and drops floods. Slowing a flood down instead would leave the
// person's next keys at the end of a queue of a million.
//
// Input above the rate is dropped, with everything after it until the keys have been quiet for a moment, so
// that a flood does not get through in pieces. A terminal brackets pasted text: if the opening bracket of a
// paste passed and the flood swallows the closing one, it is supplied, since the program would take all
// further keys for pasted text. The rest of such a paste is dropped to its end, even if it arrives with
// pauses: none of it is a key.
type keyLimiter struct {
	limiter *rate.Limiter
	quiet   time.Duration

	flooding bool
	last     time.Time // when the last bytes came
	pasting  bool      // the last bracket received was an opening one
	open     bool      // the last bracket passed on was an opening one
	tail     []byte    // the end of the input so far, where a bracket may have begun
}

// pasteQuiet is the silence that ends a dropped paste whose closing bracket never came.
const pasteQuiet = 5 * time.Second

var (
	pasteOpens  = []byte("\x1b[200~")
	pasteCloses = []byte("\x1b[201~")
)

func newKeyLimiter(in InputLimits) *keyLimiter {
	return &keyLimiter{limiter: rate.NewLimiter(rate.Limit(in.KeyRate), in.KeyBurst), quiet: in.KeyQuiet}
}

// filter returns the part of the keys b, received at now, that passes. More than room is a flood; a closing
// bracket is supplied even without room.
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

// watch tracks the paste brackets in the input, including those split over two reads.
func (k *keyLimiter) watch(b []byte) {
	seen := append(k.tail, b...)
	opens, closes := bytes.LastIndex(seen, pasteOpens), bytes.LastIndex(seen, pasteCloses)
	if opens != closes { // one of them is there
		k.pasting = opens > closes
	}
	keep := min(len(seen), len(pasteOpens)-1)
	k.tail = append(seen[:0], seen[len(seen)-keep:]...)
}
