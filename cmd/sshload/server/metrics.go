package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"boneyard/cmd/sshload/figures"
)

// Metrics are what a server counts, at one moment, by their names.
type Metrics map[string]*dto.MetricFamily

// Scrape reads all metrics.
func (s *Server) Scrape() (Metrics, error) {
	text, err := s.Debug(context.Background(), "/metrics")
	if err != nil {
		return nil, err
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	return parser.TextToMetricFamilies(strings.NewReader(text))
}

// Debug reads a page of those that are for operators: metrics and profiles.
func (s *Server) Debug(ctx context.Context, path string) (string, error) {
	if s.Metrics == "" {
		return "", errors.New("the server has no metrics")
	}
	ctx, cancel := context.WithTimeout(ctx, StartTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Metrics+path, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, 64<<20))
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", path, resp.Status)
	}
	return string(b), err
}

// Growth is by how much a counter has grown, by the values of one of its labels; those that did not grow are
// left out.
func Growth(before, after Metrics, name, label string) map[string]float64 {
	then, all := before.by(name, label), make(map[string]float64)
	for key, n := range after.by(name, label) {
		if n > then[key] {
			all[key] = n - then[key]
		}
	}
	return all
}

// Goroutines are those apart from one for each table and each event: a club that has just opened makes daily
// deals.
func (m Metrics) Goroutines() float64 {
	return m.Value("go_goroutines") - m.Value("boneyard_tables") - m.Value("boneyard_events")
}

// Value is the value of a counter or a gauge; 0 if there is none of that name.
func (m Metrics) Value(name string) float64 { return m.by(name, "")[""] }

// by returns a counter or a gauge by the values of one of its labels.
func (m Metrics) by(name, label string) map[string]float64 {
	all := make(map[string]float64)
	for _, one := range m[name].GetMetric() {
		key := ""
		for _, l := range one.GetLabel() {
			if l.GetName() == label {
				key = l.GetValue()
			}
		}
		all[key] += one.GetCounter().GetValue() + one.GetGauge().GetValue() + one.GetUntyped().GetValue()
	}
	return all
}

// Waited is what a histogram, whose buckets are in seconds, counted between two moments; nil if that is nothing. It is
// known within the buckets only: these are their upper bounds.
func Waited(histogram string, before, after Metrics) *figures.Latency {
	counts := make(map[float64]float64) // at most so long
	for sign, m := range map[float64]Metrics{-1: before, 1: after} {
		for _, one := range m[histogram].GetMetric() {
			for _, b := range one.GetHistogram().GetBucket() {
				counts[b.GetUpperBound()] += sign * float64(b.GetCumulativeCount())
			}
		}
	}
	bounds := slices.Sorted(maps.Keys(counts))
	if len(bounds) == 0 || counts[bounds[len(bounds)-1]] == 0 {
		return nil
	}
	all := counts[bounds[len(bounds)-1]]
	within := func(part float64) float64 {
		i := slices.IndexFunc(bounds, func(b float64) bool { return counts[b] >= part*all })
		if i > 0 && math.IsInf(bounds[i], 1) { // longer than the server counts
			i--
		}
		return bounds[i] * 1000
	}
	return &figures.Latency{N: int64(all), P50: within(0.50), P99: within(0.99), Worst: within(1)}
}
