// Package recordtest writes records as tests compare them.
package recordtest

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"boneyard/rules"
	"boneyard/rules/record"
)

// Canonical returns a record in canonical form, without comments: the header and each deal in order, and a blank
// line before each round. Its errors are those of [record.Check], and the text is what comes before the fault then.
func Canonical(src io.Reader) (string, error) {
	var w strings.Builder
	var held []record.Line // of the header or of a deal, which may come in another order
	release := func() {
		slices.SortStableFunc(held, func(a, b record.Line) int { return order(a) - order(b) })
		for _, l := range held {
			fmt.Fprintln(&w, l)
		}
		held = nil
	}
	for step, err := range record.Replay(src) {
		if err != nil {
			release()
			return w.String(), err
		}
		switch l := step.Line.(type) {
		case record.Round:
			release()
			fmt.Fprintf(&w, "\n%s\n", l)
		case record.Lead:
			if !slices.ContainsFunc(held, func(l record.Line) bool { return order(l) == last }) {
				held = append(held, record.Stock{})
			}
			release()
			fmt.Fprintln(&w, l)
		default:
			if order(l) < 0 {
				fmt.Fprintln(&w, l)
			} else {
				held = append(held, l)
			}
		}
	}
	release()
	return w.String(), nil
}

// last is the order of the boneyard, behind the hands.
const last = 3 + rules.MaxSeats

// order is the place of a line in the header or in a deal, below 0 for all others.
func order(l record.Line) int {
	switch l := l.(type) {
	case record.Version, record.Rules, record.Seat:
		return 0
	case record.Tag:
		return 1
	case record.Seed:
		return 2
	case record.Deal:
		return 2 + int(l.Seat)
	case record.Stock:
		return last
	}
	return -1
}
