package main

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"time"
)

// monthLogger keeps what a simulated club logs.
type monthLogger struct {
	mu    sync.Mutex
	out   io.Writer
	last  []string
	lines map[string]int // this day, without their numbers
}

func newMonthLog(out io.Writer) *monthLogger {
	return &monthLogger{out: out, lines: make(map[string]int)}
}

// withoutTime leaves out when something was logged.
func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

func (g *monthLogger) note(format string, args ...any) { g.add(fmt.Sprintf(format, args...)) }

func (g *monthLogger) add(line string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	line = time.Now().Format("2 Jan 15:04:05.000 ") + line
	fmt.Fprintln(g.out, line)
	if g.last = append(g.last, line); len(g.last) > 200 {
		g.last = g.last[100:]
	}
}

func (g *monthLogger) tail() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return strings.Join(g.last[max(0, len(g.last)-100):], "\n")
}

// of takes the log of a run.
func (g *monthLogger) of(r *monthRun) io.Writer { return monthWriter{g, r} }

type monthWriter struct {
	*monthLogger
	run *monthRun
}

var digits = regexp.MustCompile(`\d+`)

func (w monthWriter) Write(p []byte) (int, error) {
	if !w.run.dead.Load() {
		line := string(bytes.TrimSpace(p))
		w.add(line)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.lines[digits.ReplaceAllString(line, "#")]++
	}
	return len(p), nil
}

// endOfDay returns how often each line came, without its numbers, and begins another day.
func (g *monthLogger) endOfDay() map[string]int {
	g.mu.Lock()
	defer g.mu.Unlock()
	defer func() { g.lines = make(map[string]int) }()
	return g.lines
}
