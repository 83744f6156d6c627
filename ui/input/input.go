// Package input turns the bytes that a terminal sends into Bubble Tea's messages: keys, the mouse, pasted
// text and the terminal's answers. It knows no page and no connection.
//
// Bubble Tea's own reader builds a table of all known key sequences for each program, 130 kB of it, and keeps
// two goroutines and a timer. This one uses the same decoder, holds a few hundred bytes, has no goroutine,
// and recognises an incomplete escape sequence: it is neither taken for a bare Esc followed by letters, nor
// typed into somebody's chat.
package input

import (
	"bytes"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

const (
	// EscWait is how long an Esc byte may be the start of a sequence before it is taken for the key.
	EscWait = 60 * time.Millisecond
	// TailWait is how long the rest of a sequence may take; after that the beginning is dropped. For as long
	// after a bare Esc, what looks like the rest of a sequence is taken for one if its first two bytes came
	// together: people press [ and ], which are keys of pages, one at a time.
	TailWait = time.Second

	// MaxPaste is how many bytes of a paste are kept.
	MaxPaste = 16 << 10
	// maxSequence is the longest escape sequence, in bytes.
	maxSequence = 4 << 10
)

const (
	esc        = 0x1b
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// Decoder decodes one terminal's input. It is for one goroutine.
type Decoder struct {
	send func(tea.Msg)

	decoder uv.EventDecoder
	pending []byte // the beginning of an incomplete sequence or character
	paste   []byte
	pasting bool
	escAt   time.Time   // when a bare Esc was last sent as a key
	timer   *time.Timer // runs while waiting for the rest of a sequence
}

// New returns a decoder. Take and Expire call send for each message.
func New(send func(tea.Msg)) *Decoder { return &Decoder{send: send} }

// Take decodes the input received so far, except an incomplete end.
func (d *Decoder) Take(b []byte) {
	d.Close()
	if len(d.pending) == 0 && !d.escAt.IsZero() && len(b) > 1 && continues(b[0]) && time.Since(d.escAt) < TailWait {
		d.pending = append(d.pending, esc)
	}
	d.escAt = time.Time{}
	d.pending = append(d.pending, b...)
	d.decode()
	if len(d.pending) > 0 {
		d.wait()
	} else if cap(d.pending) > maxSequence {
		d.pending = nil
	}
}

// Late has a value when the rest of a sequence did not come in time: then call Expire.
func (d *Decoder) Late() <-chan time.Time {
	if d.timer == nil {
		return nil
	}
	return d.timer.C
}

// Close stops waiting for the rest of a sequence.
func (d *Decoder) Close() {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
}

// continues reports whether a byte after an Esc makes the two the start of a sequence.
func continues(b byte) bool { return b == '[' || b == 'O' || b == ']' || b == 'P' }

func (d *Decoder) decode() {
	for len(d.pending) > 0 {
		if d.pasting {
			if !d.takePaste() {
				return
			}
			continue
		}
		n, whole := sequence(d.pending)
		switch {
		case !whole && len(d.pending) > maxSequence:
			d.drop(len(d.pending))
			return
		case !whole:
			return
		case string(d.pending[:n]) == pasteStart:
			d.pasting, d.paste = true, nil
			d.drop(n)
			continue
		}
		d.emit(d.pending[:n])
		d.drop(n)
	}
}

// emit decodes one whole sequence or character. It drops what no page can use: unknown sequences, and
// unsolicited answers.
func (d *Decoder) emit(b []byte) {
	if fromConsole(b) {
		if n := b[3] - 'A'; n < 5 {
			d.send(tea.KeyPressMsg{Code: tea.KeyF1 + rune(n)})
		}
		return
	}
	for len(b) > 0 {
		n, event := d.decoder.Decode(b)
		switch event := event.(type) {
		case uv.KeyPressEvent, uv.MouseClickEvent, uv.MouseReleaseEvent, uv.MouseWheelEvent, uv.BackgroundColorEvent:
			d.send(event)
		case uv.UnknownEvent:
			return // the rest belongs to it
		}
		if n == 0 {
			return
		}
		b = b[n:]
	}
}

// fromConsole reports whether b is a function key of the Linux console: \x1b[[A to \x1b[[E for F1 to F5. The
// decoder does not know this form and would return the last letter as if it had been typed.
func fromConsole(b []byte) bool { return len(b) == 4 && string(b[:3]) == "\x1b[[" }

// takePaste moves pasted bytes from pending to paste, and sends the paste at its end. It reports whether
// there may be more to decode.
func (d *Decoder) takePaste() bool {
	part, rest, whole := bytes.Cut(d.pending, []byte(pasteEnd))
	if whole {
		d.keepPaste(part)
		pasted := string(d.paste)
		d.drop(len(d.pending) - len(rest))
		d.pasting, d.paste = false, nil
		d.send(tea.PasteMsg{Content: pasted})
		return true
	}
	n := len(d.pending)
	if i := bytes.LastIndexByte(d.pending, esc); i >= 0 && strings.HasPrefix(pasteEnd, string(d.pending[i:])) {
		n = i // the end may be arriving
	}
	d.keepPaste(d.pending[:n])
	d.drop(n)
	return false
}

func (d *Decoder) keepPaste(b []byte) {
	d.paste = append(d.paste, b[:min(len(b), MaxPaste-len(d.paste))]...)
}

func (d *Decoder) drop(n int) { d.pending = d.pending[:copy(d.pending, d.pending[n:])] }

// wait starts the timer that ends an incomplete sequence.
func (d *Decoder) wait() {
	if d.pasting {
		return // a paste may take any time, until its end or the line's
	}
	after := TailWait
	if onlyEsc(d.pending) {
		after = EscWait
	}
	d.timer = time.NewTimer(after)
}

// onlyEsc reports whether b is only Esc keys; several in a row count as one.
func onlyEsc(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c != esc })
}

// Expire ends an incomplete sequence: a lone Esc was the key, and the beginning of a sequence is dropped.
func (d *Decoder) Expire() {
	d.Close()
	bare := onlyEsc(d.pending)
	d.drop(len(d.pending))
	if bare {
		d.escAt = time.Now()
		d.send(tea.KeyPressMsg{Code: tea.KeyEscape})
	}
}

// sequence finds the end of the first character or escape sequence in b, and reports whether it is complete.
// b must not be empty.
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
	}
	n, whole = sequence(b[1:]) // Alt with a key, which may be a sequence itself
	return n + 1, whole
}

// csi finds the end of a control sequence, after its final byte.
func csi(b []byte) (int, bool) {
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case c == '[' && i == 2: // the Linux console's function keys: one byte follows
			return 4, len(b) >= 4
		case c == 'M' && i == 2: // the old mouse protocol: three bytes follow
			return 6, len(b) >= 6
		case c >= 0x40 && c <= 0x7e:
			return i + 1, true
		case c < 0x20 || c > 0x7e: // not a control sequence: give up at the byte that broke it
			return i, true
		}
	}
	return 0, false
}

// text finds the end of a string sequence, such as the terminal's answer to a question: BEL, or ESC \.
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
