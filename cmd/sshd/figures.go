package main

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"strconv"
	"time"

	"boneyard/ui/page"
)

// figures returns the server's current figures for operators.
func (c *club) figures() []page.Figure {
	s := c.lobby.Stats()
	memory := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(memory) // unlike runtime.ReadMemStats, it does not stop the world
	journal := "-"
	if median, p99, of := c.metrics.recent.quantiles(); of > 0 {
		journal = fmt.Sprintf("median %s, p99 %s (last %d)", milliseconds(median), milliseconds(p99), of)
	}
	all := []page.Figure{
		{Name: "version", Value: c.version},
		{Name: "sessions", Value: strconv.Itoa(s.Sessions)},
		{Name: "people", Value: strconv.Itoa(s.People)},
		{Name: "tables", Value: fmt.Sprintf("%d, %d playing", s.Tables, s.Playing)},
		{Name: "set aside", Value: strconv.Itoa(s.SetAside)},
		{Name: "journal", Value: journal},
		{Name: "up", Value: time.Since(c.opened).Round(time.Second).String()},
		{Name: "goroutines", Value: strconv.Itoa(runtime.NumGoroutine())},
		{Name: "memory", Value: fmt.Sprintf("%d MB", memory[0].Value.Uint64()>>20)},
	}
	if c.node != nil {
		all = append(all, nodesFigure(c.node))
	}
	return all
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}
