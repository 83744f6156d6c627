package main

import (
	"math/bits"
	"slices"
	"sync/atomic"
	"time"
)

// latency collects durations from many goroutines, each in one of 16 steps to the next power of two, so that what it tells
// is at most 6 % too long. The zero value is ready.
type latency struct {
	n     atomic.Int64
	worst atomic.Int64
	slots [64 * latencySteps]atomic.Int64
}

const latencySteps = 16

func latencySlot(d time.Duration) int {
	n := uint64(max(d, 0))
	if n < latencySteps {
		return int(n)
	}
	shift := bits.Len64(n) - 5 // n>>shift is from 16 to 31
	return shift*latencySteps + int(n>>shift)
}

// latencyOf is the longest duration that a slot holds.
func latencyOf(slot int) time.Duration {
	if slot < 2*latencySteps {
		return time.Duration(slot)
	}
	shift := slot/latencySteps - 1
	return time.Duration((uint64(slot%latencySteps+latencySteps)+1)<<shift - 1)
}

func (l *latency) add(d time.Duration) {
	l.n.Add(1)
	l.slots[latencySlot(d)].Add(1)
	for {
		worst := l.worst.Load()
		if int64(d) <= worst || l.worst.CompareAndSwap(worst, int64(d)) {
			return
		}
	}
}

// Latency is what a report says of durations; in JSON they are milliseconds.
type Latency struct {
	N     int64   `json:"n"`
	P50   float64 `json:"p50_ms"`
	P99   float64 `json:"p99_ms"`
	Worst float64 `json:"worst_ms"`
}

// sum returns what was collected so far.
func (l *latency) sum() *Latency {
	n := l.n.Load()
	if n == 0 {
		return nil
	}
	worst := time.Duration(l.worst.Load())
	quantile := func(part float64) time.Duration {
		rank := int64(part*float64(n)) + 1
		for i := range l.slots {
			if rank -= l.slots[i].Load(); rank <= 0 {
				return min(latencyOf(i), worst)
			}
		}
		return worst
	}
	return &Latency{n, ms(quantile(0.50)), ms(quantile(0.99)), ms(worst)}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// median of values; 0 if there are none.
func median(values []float64) float64 {
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
