package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// MaxLine is the longest line that is accepted, in bytes with its LF.
const MaxLine = 64 << 10

// Reader reads a record line by line. It knows the form of single lines, not whether they follow from each
// other: that is up to a [Checker].
type Reader struct {
	src  *bufio.Reader
	line int
}

// NewReader returns a reader of the record in r. It holds no more than one line at a time.
func NewReader(r io.Reader) *Reader {
	size := MaxLine
	if text, ok := r.(interface{ Len() int }); ok { // it is in memory, and most records are short
		size = min(size, text.Len()+1)
	}
	return &Reader{src: bufio.NewReaderSize(r, size)}
}

// Number is the number of the last line read, from 1; 0 before the first.
func (r *Reader) Number() int { return r.line }

// Read returns the next line, skipping blank lines and comments. After the last line the error is [io.EOF];
// for an invalid line it is an [*Error]; others come from the source.
func (r *Reader) Read() (Line, error) {
	for {
		text, err := r.src.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			r.line++
			return nil, &Error{Line: r.line, Found: show(string(text[:maxShown])), Expected: fmt.Sprintf("a line of at most %d bytes", MaxLine)}
		case err != nil && !errors.Is(err, io.EOF):
			return nil, fmt.Errorf("read line %d: %w", r.line+1, err)
		case err != nil && len(text) == 0:
			return nil, io.EOF
		case err == nil:
			text = text[:len(text)-1]
		}
		r.line++
		l, err := ParseLine(string(text))
		if err != nil {
			if fault := (*Error)(nil); errors.As(err, &fault) {
				fault.Line = r.line
			}
			return nil, err
		}
		if l != nil {
			return l, nil
		}
	}
}
