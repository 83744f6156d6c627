package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"boneyard/rules"
)

// Canonical copies the record in src to dst in canonical form, without comments: the header and each deal in
// order, and a blank line before each round. Its errors are those of [Check], and of dst. What comes before a
// faulty line has been written then.
func Canonical(dst io.Writer, src io.Reader) error {
	w := bufio.NewWriter(dst)
	var held []Line // of the header or of a deal, which may come in another order
	release := func() {
		slices.SortStableFunc(held, func(a, b Line) int { return order(a) - order(b) })
		for _, l := range held {
			fmt.Fprintln(w, l)
		}
		held = nil
	}
	for step, err := range Replay(src) {
		if err != nil {
			release()
			return errors.Join(err, w.Flush())
		}
		switch l := step.Line.(type) {
		case Round:
			release()
			fmt.Fprintf(w, "\n%s\n", l)
		case Lead:
			if !slices.ContainsFunc(held, func(l Line) bool { return order(l) == last }) {
				held = append(held, Stock{})
			}
			release()
			fmt.Fprintln(w, l)
		default:
			if order(l) < 0 {
				fmt.Fprintln(w, l)
			} else {
				held = append(held, l)
			}
		}
	}
	release()
	return w.Flush()
}

// last is the order of the boneyard, behind the hands.
const last = 3 + rules.MaxSeats

// order is the place of a line in the header or in a deal, below 0 for all others.
func order(l Line) int {
	switch l := l.(type) {
	case Version, Rules, Seat:
		return 0
	case Tag:
		return 1
	case Seed:
		return 2
	case Deal:
		return 2 + int(l.Seat)
	case Stock:
		return last
	}
	return -1
}
