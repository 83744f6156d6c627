package figures

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Pair is a figure of the club and of the bare server. Where a figure was taken several times all three are medians, so that
// the ratio need not be that of the other two.
type Pair struct {
	Club  float64 `json:"club"`
	Bare  float64 `json:"bare,omitempty"`
	Ratio float64 `json:"ratio,omitempty"`
}

// PairOf returns the pair with its ratio, if there is one.
func PairOf(club, bare float64) Pair {
	p := Pair{Club: club, Bare: bare}
	if bare > 0 {
		p.Ratio = club / bare
	}
	return p
}

// Medians returns the median of several figures.
func Medians(pairs []Pair) Pair {
	var club, bare, ratio []float64
	for _, p := range pairs {
		club, bare, ratio = append(club, p.Club), append(bare, p.Bare), append(ratio, p.Ratio)
	}
	return Pair{Median(club), Median(bare), Median(ratio)}
}

// Median of values; 0 if there are none.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	s := slices.Clone(values)
	slices.Sort(s)
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// Goal is a limit, and whether it was kept.
type Goal struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Most  float64 `json:"most"`
	Met   bool    `json:"met"`
}

type printer interface {
	Print(w io.Writer) error // for people
}

// Write writes a report for people, or as JSON for programs.
func Write(w io.Writer, r printer, asJSON bool) error {
	if !asJSON {
		return r.Print(w)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// Sheet is a report as text, row by row.
type Sheet struct {
	strings.Builder
	Names int // columns for the rows' names
}

// Row adds a row: its name, and what is written behind it.
func (s *Sheet) Row(name, format string, args ...any) {
	fmt.Fprintf(s, "  %-*s "+format+"\n", append([]any{s.Names, name}, args...)...)
}

// Delay adds a row if there were any durations.
func (s *Sheet) Delay(name string, l *Latency) {
	if l != nil {
		s.Row(name, "%10.2f ms p50  %8.2f p99  %8.2f worst   (%d)", l.P50, l.P99, l.Worst, l.N)
	}
}

// Goals adds a row for each goal.
func (s *Sheet) Goals(all []Goal) {
	for _, g := range all {
		met := "met"
		if !g.Met {
			met = "MISSED"
		}
		s.Row(g.Name, "%10.2f of %-8g %s", g.Value, g.Most, met)
	}
}
