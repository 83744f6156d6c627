package server

import (
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"boneyard/cmd/sshload/client"
)

// Metrics are the metrics of a server at one moment.
type Metrics model.Vector

// Scrape reads all metrics.
func (s *Server) Scrape() (Metrics, error) {
	text, err := s.Debug("/metrics")
	if err != nil {
		return nil, err
	}
	return read(text)
}

// read reads metrics in the text format of Prometheus.
func read(text string) (Metrics, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	samples, err := expfmt.ExtractSamples(&expfmt.DecodeOptions{}, slices.Collect(maps.Values(families))...)
	return Metrics(samples), err
}

// Debug returns a page for operators: metrics or a profile.
func (s *Server) Debug(path string) (string, error) {
	resp, err := (&http.Client{Timeout: StartTime}).Get("http://" + s.Metrics + path)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", path, resp.Status)
	}
	return string(b), err
}

// Growth returns by how much a counter has grown for each value of a label; values without growth are left
// out.
func Growth(before, after Metrics, name, label string) map[string]float64 {
	then, all := before.by(name, label), make(map[string]float64)
	for key, n := range after.by(name, label) {
		if n > then[key] {
			all[key] = n - then[key]
		}
	}
	return all
}

// Goroutines leaves out one for each table and event, since a club that has just opened makes daily deals.
func (m Metrics) Goroutines() float64 {
	return m.Value("go_goroutines") - m.Value("boneyard_tables") - m.Value("boneyard_events")
}

// Value returns the value of a counter or a gauge; 0 if there is none of that name.
func (m Metrics) Value(name string) float64 { return m.by(name, "")[""] }

// by returns a counter or a gauge for each value of a label.
func (m Metrics) by(name, label string) map[string]float64 {
	all := make(map[string]float64)
	for _, one := range m {
		if one.Metric[model.MetricNameLabel] == model.LabelValue(name) {
			all[string(one.Metric[model.LabelName(label)])] += float64(one.Value)
		}
	}
	return all
}

// Waited returns what a histogram of seconds has counted between two moments, as upper bounds; nil if
// nothing.
func Waited(histogram string, before, after Metrics) *client.Latency {
	counts := make(map[float64]float64) // of those that took at most so long
	for bound, n := range Growth(before, after, histogram+"_bucket", model.BucketLabel) {
		most, _ := strconv.ParseFloat(bound, 64) // the parser has checked it
		counts[most] = n
	}
	bounds := slices.Sorted(maps.Keys(counts))
	if len(bounds) == 0 {
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
	return &client.Latency{N: int64(all), P50: within(0.50), P99: within(0.99), Worst: within(1)}
}
