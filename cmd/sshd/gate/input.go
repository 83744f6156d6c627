package gate

import (
	"bytes"
	"io"
	"time"

	"golang.org/x/time/rate"
)

// keyLimiter lets the keystrokes of a person through and drops a flood of them. Waiting instead would
// leave the person's next keys at the end of a queue of a million.
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
	pending  []byte    // to be let through before anything else
}

var (
	pasteOpens  = []byte("\x1b[200~")
	pasteCloses = []byte("\x1b[201~")
)

func newKeyLimiter(in InputLimits) *keyLimiter {
	return &keyLimiter{limiter: rate.NewLimiter(rate.Limit(in.KeyRate), in.KeyBurst), quiet: in.KeyQuiet}
}

// read reads from r as io.Reader does. It is for one goroutine at a time.
func (k *keyLimiter) read(r io.Reader, p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	p = p[:min(len(p), k.limiter.Burst())]
	for {
		if len(k.pending) > 0 {
			n := copy(p, k.pending)
			k.pending = k.pending[n:]
			return n, nil
		}
		n, err := r.Read(p)
		if n == 0 {
			return n, err
		}
		if k.admit(time.Now(), p[:n]) {
			k.watch(p[:n])
			return n, err
		}
		if err != nil {
			return 0, err
		}
	}
}

// admit decides whether bytes that came at now are let through.
func (k *keyLimiter) admit(now time.Time, b []byte) bool {
	calm := now.Sub(k.last) >= k.quiet
	k.last = now
	if k.flooding && !calm {
		return false
	}
	k.flooding = !k.limiter.AllowN(now, len(b))
	if k.flooding && k.pasting {
		k.pasting = false
		k.tail = k.tail[:0]
		k.pending = append(k.pending[:0], pasteCloses...)
	}
	return !k.flooding
}

// watch follows the brackets in what is let through, also those split over two reads.
func (k *keyLimiter) watch(b []byte) {
	seen := append(k.tail, b...)
	opens, closes := bytes.LastIndex(seen, pasteOpens), bytes.LastIndex(seen, pasteCloses)
	if opens != closes { // one of them is there
		k.pasting = opens > closes
	}
	keep := min(len(seen), len(pasteOpens)-1)
	k.tail = append(k.tail[:0], seen[len(seen)-keep:]...)
}
