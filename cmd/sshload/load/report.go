package load

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"boneyard/cmd/sshload/client"
)

// Figure is one row of a report: a number, the median of several, or durations, compared with those of
// something else. Of several numbers the ratio is a median, too.
type Figure struct {
	Part   string  `json:"part"`
	Name   string  `json:"name"`
	Unit   string  `json:"unit,omitempty"`
	Value  float64 `json:"value"` // of durations, the 99th percentile in milliseconds
	Beside float64 `json:"beside,omitempty"`
	Ratio  float64 `json:"ratio,omitempty"`
	*client.Latency

	all []float64 // values
}

// median returns 0 if there are no values.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(values))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// Limit is the most that a figure, its ratio, or each figure of a part with a unit may be.
type Limit struct {
	Part, Name, Unit string
	Ratio            bool
	Most             float64
}

// Goal is the limit of a figure, and whether it was met.
type Goal struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Most  float64 `json:"most"`
	Met   bool    `json:"met"`
}

// Report has the results of a load.
type Report struct {
	Load    string   `json:"load"`
	Figures []Figure `json:"figures"`
	Goals   []Goal   `json:"goals"`
	Notes   []string `json:"notes,omitempty"` // faults and the like, in full
}

// Get returns a figure; nil if there is none.
func (r *Report) Get(part, name string) *Figure {
	i := slices.IndexFunc(r.Figures, func(f Figure) bool { return f.Part == part && f.Name == name })
	if i < 0 {
		return nil
	}
	return &r.Figures[i]
}

// Add adds a number; a figure to which several are added is their median.
func (r *Report) Add(part, name, unit string, value float64) {
	f := r.Get(part, name)
	if f == nil {
		r.Figures = append(r.Figures, Figure{Part: part, Name: name, Unit: unit})
		f = &r.Figures[len(r.Figures)-1]
	}
	f.all = append(f.all, value)
	f.Value = median(f.all)
}

// Delay adds durations, if there were any.
func (r *Report) Delay(part, name string, l *client.Latency) {
	if l != nil {
		r.Figures = append(r.Figures, Figure{Part: part, Name: name, Unit: "ms p99", Value: l.P99, Latency: l, all: []float64{l.P99}})
	}
}

// Beside compares the figures with those of the same names in another report.
func (r *Report) Beside(other *Report) {
	for i := range r.Figures {
		f := &r.Figures[i]
		o := other.Get(f.Part, f.Name)
		if o == nil {
			continue
		}
		f.Beside = o.Value
		var ratios []float64
		for i := range min(len(f.all), len(o.all)) {
			if o.all[i] != 0 {
				ratios = append(ratios, f.all[i]/o.all[i])
			}
		}
		f.Ratio = median(ratios)
	}
}

// Judge adds a goal for each figure that has a limit.
func (r *Report) Judge(limits []Limit) {
	for _, l := range limits {
		for _, f := range r.Figures {
			value, name := f.Value, f.Part+": "+f.Name
			if l.Ratio {
				value, name = f.Ratio, name+", ratio"
			}
			if f.Part == l.Part && (f.Name == l.Name || l.Name == "" && f.Unit == l.Unit) && (!l.Ratio || f.Ratio > 0) {
				r.Goals = append(r.Goals, Goal{name, value, l.Most, value <= l.Most})
			}
		}
	}
}

// Missed returns an error that names the goals that were missed; nil if there are none.
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

// Write writes the report as text or JSON.
func (r *Report) Write(w io.Writer, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	var b strings.Builder
	fmt.Fprintln(&b, r.Load)
	part := ""
	for _, f := range r.Figures {
		if f.Part != part {
			part = f.Part
			fmt.Fprintln(&b, part)
		}
		fmt.Fprintf(&b, "  %-38s %10.2f %-14s", f.Name, f.Value, f.Unit)
		if l := f.Latency; l != nil {
			fmt.Fprintf(&b, " %10.2f p50 %10.2f worst   (%d)", l.P50, l.Worst, l.N)
		}
		if f.Ratio > 0 {
			fmt.Fprintf(&b, " beside %10.2f   ratio %5.2f", f.Beside, f.Ratio)
		}
		fmt.Fprintln(&b)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "  %s\n", note)
	}
	for i, g := range r.Goals {
		if i == 0 {
			fmt.Fprintln(&b, "goals")
		}
		fmt.Fprintf(&b, "  %-60s %10.2f of %-8g %s\n", g.Name, g.Value, g.Most, map[bool]string{true: "met", false: "MISSED"}[g.Met])
	}
	_, err := io.WriteString(w, b.String())
	return err
}
