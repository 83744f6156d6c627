package figures

import (
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Recorder collects durations from many goroutines, to a precision of two digits. The zero value is ready for
// use.
type Recorder struct {
	mu sync.Mutex
	h  *hdrhistogram.Histogram
}

// Durations are counted from a microsecond to maxLatency; longer ones count as that.
const maxLatency = time.Hour

// Add counts a duration; a negative one counts as 0.
func (l *Recorder) Add(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.h == nil {
		l.h = hdrhistogram.New(time.Microsecond.Nanoseconds(), maxLatency.Nanoseconds(), 2)
	}
	_ = l.h.RecordValue(min(max(d, 0), maxLatency).Nanoseconds()) // which is within the bounds
}

// Latency is what a report says of durations; in JSON they are milliseconds.
type Latency struct {
	N     int64   `json:"n"`
	P50   float64 `json:"p50_ms"`
	P99   float64 `json:"p99_ms"`
	Worst float64 `json:"worst_ms"`
}

// Sum returns the durations so far; nil if there are none.
func (l *Recorder) Sum() *Latency {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.h == nil {
		return nil
	}
	at := func(quantile float64) float64 { return Milliseconds(time.Duration(l.h.ValueAtQuantile(quantile))) }
	return &Latency{l.h.TotalCount(), at(50), at(99), at(100)}
}

// Milliseconds is a duration in milliseconds.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
