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

// Metrics are what the club counts, at one moment, by their names.
type Metrics map[string]*dto.MetricFamily

var errNoMetrics = errors.New("the server has no metrics")

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
		return "", errNoMetrics
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
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(io.LimitReader(resp.Body, 64<<20))
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", path, resp.Status)
	}
	return string(b), err
}

// Growth is by how much a counter has grown, by the values of one of its labels; those that did not grow are
// left out.
func Growth(before, after Metrics, name, label string) map[string]float64 {
	then, all := before.By(name, label), make(map[string]float64)
	for key, n := range after.By(name, label) {
		if n > then[key] {
			all[key] = n - then[key]
		}
	}
	return all
}

// Gauges asks the server how many goroutines it has, apart from one for each table and each event, and how
// many bytes of its memory hold something.
func (s *Server) Gauges() (goroutines, live float64, err error) {
	if s.ask != nil {
		line, err := s.ask("gauges")
		if err != nil {
			return 0, 0, err
		}
		_, err = fmt.Sscan(line, &goroutines, &live)
		return goroutines, live, err
	}
	if _, err := s.Debug(context.Background(), "/debug/pprof/heap?gc=1&debug=0"); err != nil {
		return 0, 0, err
	}
	m, err := s.Scrape()
	return m.Goroutines(), m.Value("go_memstats_heap_alloc_bytes") + m.Value("go_memstats_stack_inuse_bytes"), err
}

// Goroutines are those apart from one for each table and each event: a club that has just opened makes daily
// deals.
func (m Metrics) Goroutines() float64 {
	return m.Value("go_goroutines") - m.Value("boneyard_tables") - m.Value("boneyard_events")
}

// Value is the value of a counter or a gauge; 0 if there is none of that name.
func (m Metrics) Value(name string) float64 { return m.By(name, "")[""] }

// By returns a counter or a gauge by the values of one of its labels.
func (m Metrics) By(name, label string) map[string]float64 {
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

// Histograms of the club.
const (
	JournalWaits = "boneyard_journal_append_seconds" // of a table's step, to be on disk
	BotChoices   = "boneyard_bot_choice_seconds"     // from the beginning of a master's pause
)

// Waits is a histogram: how many took at most so long, by the upper bounds of the server's buckets in
// seconds.
type Waits map[float64]int64

// Add adds what a histogram counted between two moments.
func (w Waits) Add(histogram string, from, to Metrics) {
	for sign, m := range map[int64]Metrics{-1: from, 1: to} {
		for _, one := range m[histogram].GetMetric() {
			for _, b := range one.GetHistogram().GetBucket() {
				w[b.GetUpperBound()] += sign * int64(b.GetCumulativeCount())
			}
		}
	}
}

// Sum returns what was counted, nil if that is nothing. It is known within the buckets only: these are their
// upper bounds.
func (w Waits) Sum() *figures.Latency {
	bounds := slices.Sorted(maps.Keys(w))
	if len(bounds) == 0 || w[bounds[len(bounds)-1]] == 0 {
		return nil
	}
	all := w[bounds[len(bounds)-1]]
	within := func(part float64) float64 {
		i := slices.IndexFunc(bounds, func(b float64) bool { return float64(w[b]) >= part*float64(all) })
		if i > 0 && math.IsInf(bounds[i], 1) { // longer than the server counts
			i--
		}
		return bounds[i] * 1000
	}
	return &figures.Latency{N: all, P50: within(0.50), P99: within(0.99), Worst: within(1)}
}
