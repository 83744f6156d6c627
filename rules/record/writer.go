package record

import (
	"bufio"
	"io"

	"boneyard/rules"
)

// Writer writes a record in canonical form: lines in canonical order, a blank line before each round. It holds back the
// header until the first round, and deals until the lead, for they may come in any order; [Writer.Flush] lets them go.
// Plays are written as they are given: a [Step] of a [Checker] has the half first that touches the layout.
type Writer struct {
	dst   *bufio.Writer
	rules []Line // of the header, held back: the version, the rules and the seats
	tags  []Line
	seed  Line

	deals [rules.MaxSeats]Line // of the round that is being dealt, held back
	stock Line
	err   error
}

// NewWriter returns a writer to w. Lines arrive there at the latest with [Writer.Flush].
func NewWriter(w io.Writer) *Writer { return &Writer{dst: bufio.NewWriter(w)} }

// Write adds a line. The error is that of the underlying writer, and stays.
func (w *Writer) Write(l Line) error {
	switch l := l.(type) {
	case Version, Rules, Seat:
		w.rules = append(w.rules, l)
	case Tag:
		w.tags = append(w.tags, l)
	case Seed:
		w.seed = l
	case Round:
		w.release()
		w.put("")
		w.put(l.String())
	case Deal:
		w.deals[l.Seat-1] = l
	case Stock:
		w.stock = l
	case Lead:
		if w.stock == nil {
			w.stock = Stock{}
		}
		w.release()
		w.put(l.String())
	default:
		w.put(l.String())
	}
	return w.err
}

// Flush writes what was held back.
func (w *Writer) Flush() error {
	w.release()
	if err := w.dst.Flush(); w.err == nil {
		w.err = err
	}
	return w.err
}

// release writes the lines that were held back, in canonical order.
func (w *Writer) release() {
	for _, l := range w.rules {
		w.put(l.String())
	}
	for _, l := range w.tags {
		w.put(l.String())
	}
	held := append([]Line{w.seed}, append(w.deals[:], w.stock)...)
	for _, l := range held {
		if l != nil {
			w.put(l.String())
		}
	}
	*w = Writer{dst: w.dst, err: w.err}
}

func (w *Writer) put(text string) {
	if w.err != nil {
		return
	}
	if _, w.err = w.dst.WriteString(text); w.err == nil {
		w.err = w.dst.WriteByte('\n')
	}
}
