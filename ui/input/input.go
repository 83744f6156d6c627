// Package input turns the bytes that a terminal sends into Bubble Tea's messages: keys, the mouse, pasted text and the
// terminal's answers. It knows no page and no connection.
//
// Bubble Tea's own reader builds a table of all known key sequences for each program, 130 kB of it, and keeps two
// goroutines and a timer. This one decodes with the same decoder, holds a few hundred bytes, and knows what an escape
// sequence looks like that has not arrived whole: it is neither taken for a bare Esc followed by letters, nor typed into
// somebody's chat.
package input

import (
	"io"
	"sync"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

const (
	// EscWait is how long an Esc byte may be the beginning of a sequence, before it is taken for the key.
	EscWait = 60 * time.Millisecond
	// TailWait is how long the rest of a sequence may take; then what has come of it is thrown away. For as long after a
	// bare Esc, what looks like the rest of a sequence is taken for one. That takes two bytes that came together: people
	// press [ and ], which are keys of pages, one at a time.
	TailWait = time.Second

	// MaxPaste is how many bytes of a paste are kept.
	MaxPaste = 16 << 10
	// maxSequence is how long an escape sequence may be.
	maxSequence = 4 << 10
)

const (
	esc        = 0x1b
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// Reader decodes one terminal's input.
type Reader struct {
	src  io.Reader
	send func(tea.Msg)

	mu      sync.Mutex
	decoder uv.EventDecoder
	pending []byte // the beginning of what has not arrived whole
	paste   []byte
	pasting bool
	escAt   time.Time // when a bare Esc was last sent as a key
	timer   *time.Timer
	serial  int // counts what came in, so that a late timer does nothing
}

// New returns a reader of src. send is called with one message after another; it may block, and then nothing more is read.
func New(src io.Reader, send func(tea.Msg)) *Reader { return &Reader{src: src, send: send} }

// Run reads until src ends, and returns its error; io.EOF is nil.
func (r *Reader) Run() error {
	defer r.stop()
	var buf [512]byte
	for {
		n, err := r.src.Read(buf[:])
		if n > 0 {
			r.take(buf[:n])
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *Reader) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.serial++
	if r.timer != nil {
		r.timer.Stop()
	}
}

// take decodes what has come in, as far as it is whole.
func (r *Reader) take(b []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.serial++
	if r.timer != nil {
		r.timer.Stop()
	}
	if len(r.pending) == 0 && !r.escAt.IsZero() && len(b) > 1 && continues(b[0]) && time.Since(r.escAt) < TailWait {
		r.pending = append(r.pending, esc)
	}
	r.escAt = time.Time{}
	r.pending = append(r.pending, b...)
	r.decode()
	if len(r.pending) > 0 {
		r.wait()
	} else if cap(r.pending) > maxSequence {
		r.pending = nil
	}
}

// continues reports whether a byte that follows an Esc makes it the beginning of a sequence.
func continues(b byte) bool { return b == '[' || b == 'O' || b == ']' || b == 'P' }

// decode sends all messages that are whole. Called with mu held.
func (r *Reader) decode() {
	for len(r.pending) > 0 {
		if r.pasting {
			if !r.takePaste() {
				return
			}
			continue
		}
		n, whole := sequence(r.pending)
		switch {
		case !whole && len(r.pending) > maxSequence:
			r.drop(len(r.pending))
			return
		case !whole:
			return
		case string(r.pending[:n]) == pasteStart:
			r.pasting, r.paste = true, nil
			r.drop(n)
			continue
		}
		r.emit(r.pending[:n])
		r.drop(n)
	}
}

// emit decodes one whole sequence or character. Only what a page can use is sent: unknown sequences, and answers that
// nobody asked for, are nothing.
func (r *Reader) emit(b []byte) {
	if fromConsole(b) {
		if n := b[3] - 'A'; n < 5 {
			r.send(tea.KeyPressMsg{Code: tea.KeyF1 + rune(n)})
		}
		return
	}
	for len(b) > 0 {
		n, event := r.decoder.Decode(b)
		switch event := event.(type) {
		case uv.KeyPressEvent, uv.MouseClickEvent, uv.MouseReleaseEvent, uv.MouseWheelEvent, uv.BackgroundColorEvent:
			r.send(event)
		case uv.UnknownEvent:
			return // the rest belongs to it
		}
		if n == 0 {
			return
		}
		b = b[n:]
	}
}

// fromConsole reports whether b has the form of a function key of the Linux console: \x1b[[A to \x1b[[E for F1 to F5. The
// decoder does not know the form and would leave the last letter over, as if it had been typed.
func fromConsole(b []byte) bool { return len(b) == 4 && string(b[:3]) == "\x1b[[" }

// takePaste moves pasted bytes from pending to paste, and sends the paste when its end has come. It reports whether there
// may be more to decode.
func (r *Reader) takePaste() bool {
	for i := range r.pending {
		if r.pending[i] != esc {
			continue
		}
		rest := r.pending[i:]
		if len(rest) >= len(pasteEnd) {
			if string(rest[:len(pasteEnd)]) == pasteEnd {
				r.keepPaste(r.pending[:i])
				r.drop(i + len(pasteEnd))
				text := string(r.paste)
				r.pasting, r.paste = false, nil
				r.send(tea.PasteMsg{Content: text})
				return true
			}
		} else if pasteEnd[:len(rest)] == string(rest) {
			r.keepPaste(r.pending[:i])
			r.drop(i)
			return false // the end may be arriving
		}
	}
	r.keepPaste(r.pending)
	r.drop(len(r.pending))
	return false
}

func (r *Reader) keepPaste(b []byte) {
	r.paste = append(r.paste, b[:min(len(b), MaxPaste-len(r.paste))]...)
}

// drop forgets the first n pending bytes.
func (r *Reader) drop(n int) {
	r.pending = r.pending[:copy(r.pending, r.pending[n:])]
}

// wait starts the timer that ends an incomplete sequence. Called with mu held.
func (r *Reader) wait() {
	if r.pasting {
		return // a paste may take as long as it likes; its end comes, or the line ends
	}
	serial := r.serial
	d := TailWait
	if onlyEsc(r.pending) {
		d = EscWait
	}
	r.timer = time.AfterFunc(d, func() { r.expire(serial) })
}

// onlyEsc reports whether nothing but the Esc key has been pressed, perhaps more than once: two in a row are one.
func onlyEsc(b []byte) bool {
	for _, c := range b {
		if c != esc {
			return false
		}
	}
	return true
}

// expire ends what has not arrived whole: an Esc byte was the key, and the beginning of a sequence is thrown away.
func (r *Reader) expire(serial int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if serial != r.serial || len(r.pending) == 0 {
		return
	}
	bare := onlyEsc(r.pending)
	r.drop(len(r.pending))
	if bare {
		r.escAt = time.Now()
		r.send(tea.KeyPressMsg{Code: tea.KeyEscape})
	}
}

// sequence finds the end of the first character or escape sequence in b, and reports whether it is there. b is not empty.
func sequence(b []byte) (n int, whole bool) {
	if b[0] != esc {
		if b[0] < utf8.RuneSelf || !utf8.RuneStart(b[0]) {
			return 1, true
		}
		if !utf8.FullRune(b) {
			return 0, false
		}
		_, n = utf8.DecodeRune(b)
		return n, true
	}
	if len(b) == 1 {
		return 0, false
	}
	switch b[1] {
	case '[':
		return csi(b)
	case 'O':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 || b[i] < 0x20 {
				return i + 1, true
			}
		}
		return 0, false
	case ']', 'P', '_', '^', 'X':
		return text(b)
	case esc: // Alt with a key that is a sequence itself
		n, whole = sequence(b[1:])
		return n + 1, whole
	}
	n, whole = sequence(b[1:])
	return n + 1, whole
}

// csi finds the end of a control sequence: its final byte.
func csi(b []byte) (int, bool) {
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case c == '[' && i == 2: // the Linux console's function keys: one byte follows
			return 4, len(b) >= 4
		case c == 'M' && i == 2: // the mouse as of old: three bytes follow
			return 6, len(b) >= 6
		case c >= 0x40 && c <= 0x7e:
			return i + 1, true
		case c < 0x20 || c > 0x7e: // no control sequence: give up at what broke it
			return i, true
		}
	}
	return 0, false
}

// text finds the end of a string of the terminal's own, such as its answer to a question: BEL, or ESC \.
func text(b []byte) (int, bool) {
	for i := 2; i < len(b); i++ {
		switch {
		case b[i] == 0x07:
			return i + 1, true
		case b[i] == esc && i+1 < len(b):
			if b[i+1] == '\\' {
				return i + 2, true
			}
			return i, true // cut short by the next sequence
		}
	}
	return 0, false
}
