package remote

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// output writes lines. Its first error stays, and is returned by flush.
type output struct {
	w   *bufio.Writer
	end string
	err error
}

func newOutput(w io.Writer, terminal bool) *output {
	o := &output{w: bufio.NewWriterSize(w, 16<<10), end: "\n"}
	if terminal {
		o.end = "\r\n"
	}
	return o
}

func (o *output) line(lines ...string) {
	for _, s := range lines {
		o.write(s)
	}
}

func (o *output) json(v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		if o.err == nil {
			o.err = err
		}
		return
	}
	o.write(string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))))
}

func (o *output) write(s string) {
	if o.err != nil {
		return
	}
	if _, o.err = o.w.WriteString(s); o.err == nil {
		_, o.err = o.w.WriteString(o.end)
	}
}

// flush sends what was written. The error is the first of all that was written.
func (o *output) flush() error {
	if o.err == nil {
		o.err = o.w.Flush()
	}
	return o.err
}
