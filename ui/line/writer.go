package line

import (
	"bytes"
	"io"

	"boneyard/lobby/text"
	"boneyard/ui/plain"
)

// writer appends sentences. Those that come while a line is being typed get lines of their own, followed by
// the typed text again.
type writer struct {
	w     io.Writer
	end   string // of a line
	width int    // 0: lines are not broken
	buf   bytes.Buffer
	mid   bool // the cursor is after typed text
	said  bool // a sentence has been written after typed text
}

func newWriter(w io.Writer, echo bool, width int) *writer {
	o := &writer{w: w, end: "\n", width: width}
	if echo {
		o.end = "\r\n"
	}
	return o
}

// say writes sentences in printable form.
func (o *writer) say(lines ...string) {
	if o.mid {
		o.buf.WriteString(o.end)
		o.mid, o.said = false, true
	}
	for _, s := range lines {
		for _, l := range plain.Wrap(text.Printable(s), o.width) {
			o.buf.WriteString(l + o.end)
		}
	}
}

// echo writes a key's echo to the terminal.
func (o *writer) echo(s string) { o.buf.WriteString(s) }

func (o *writer) entered() { o.mid, o.said = false, false }

func (o *writer) bell() { o.buf.WriteByte('\a') }

// flush sends what was written, followed by typed if a sentence interrupted it.
func (o *writer) flush(typed string) error {
	if o.said {
		o.buf.WriteString(typed)
	}
	o.mid, o.said = typed != "", false
	if o.buf.Len() == 0 {
		return nil
	}
	_, err := o.w.Write(o.buf.Bytes())
	o.buf.Reset()
	return err
}
