// Package figures has the results of measurements: durations, pairs of the club and the bare server, goals,
// and the report of them.
package figures

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Pair is a figure of the club and of the bare server. Where a figure was taken several times all three are
// medians, so the ratio need not be that of the other two.
type Pair struct {
	Club  float64 `json:"value"`
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

// Medians returns the median of several pairs.
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
	s := slices.Sorted(slices.Values(values))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// Figure is one row of a report: a number, or durations in milliseconds.
type Figure struct {
	Part string `json:"part"`
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
	Pair
	*Latency
}

// Goal is a limit, and whether it was kept.
type Goal struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Most  float64 `json:"most"`
	Met   bool    `json:"met"`
}

// Report is what a load found.
type Report struct {
	Load    string   `json:"load"`
	Figures []Figure `json:"figures"`
	Goals   []Goal   `json:"goals"`
	Notes   []string `json:"notes,omitempty"` // faults and the like, in full
	Before  string   `json:"-"`               // begins the name of each part that is added
	part    string
}

// Part begins a part of the report; the figures that are added next belong to it.
func (r *Report) Part(name string) { r.part = r.Before + name }

// Add adds a number.
func (r *Report) Add(name, unit string, value float64) { r.Pair(name, unit, Pair{Club: value}) }

// Pair adds a figure of both servers.
func (r *Report) Pair(name, unit string, p Pair) {
	r.Figures = append(r.Figures, Figure{Part: r.part, Name: name, Unit: unit, Pair: p})
}

// Delay adds durations, if there were any.
func (r *Report) Delay(name string, l *Latency) {
	if l != nil {
		r.Figures = append(r.Figures, Figure{Part: r.part, Name: name, Latency: l})
	}
}

// Goal judges a value.
func (r *Report) Goal(name string, value, most float64) {
	r.Goals = append(r.Goals, Goal{r.Before + name, value, most, value <= most})
}

// Missed is an error that names the goals that were missed; nil if there are none.
func (r *Report) Missed() error {
	var names []string
	for _, g := range r.Goals {
		if !g.Met {
			names = append(names, g.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return fmt.Errorf("missed: %s", strings.Join(names, "; "))
}

// Get returns a figure; false if there is none.
func (r *Report) Get(part, name string) (Figure, bool) {
	i := slices.IndexFunc(r.Figures, func(f Figure) bool { return f.Part == part && f.Name == name })
	if i < 0 {
		return Figure{}, false
	}
	return r.Figures[i], true
}

// Write writes the report for people, or as JSON for programs.
func (r *Report) Write(w io.Writer, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-38s "+format+"\n", append([]any{name}, args...)...)
	}
	fmt.Fprintln(&b, r.Load)
	part := ""
	for _, f := range r.Figures {
		if f.Part != part {
			part = f.Part
			fmt.Fprintln(&b, part)
		}
		switch l := f.Latency; {
		case l != nil:
			row(f.Name, "%10.2f ms p50  %8.2f p99  %8.2f worst   (%d)", l.P50, l.P99, l.Worst, l.N)
		case f.Bare > 0:
			row(f.Name, "%10.2f %-14s bare %10.2f   ratio %5.2f", f.Club, f.Unit, f.Bare, f.Ratio)
		case f.Club == float64(int64(f.Club)):
			row(f.Name, "%10.0f %s", f.Club, f.Unit)
		default:
			row(f.Name, "%10.2f %s", f.Club, f.Unit)
		}
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "  %s\n", note)
	}
	if len(r.Goals) > 0 {
		fmt.Fprintln(&b, "goals")
	}
	for _, g := range r.Goals {
		row(g.Name, "%10.2f of %-8g %s", g.Value, g.Most, map[bool]string{true: "met", false: "MISSED"}[g.Met])
	}
	_, err := io.WriteString(w, b.String())
	return err
}
