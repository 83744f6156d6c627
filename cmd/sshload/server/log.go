package server

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// Log takes what a server logs, in lines of JSON.
type Log struct {
	mu      sync.Mutex
	part    []byte     // of a line
	end     []byte     // the last lines
	errors  []string   // the first lines that are errors
	written int64      // bytes
	first   chan entry // of its messages that are to be looked at, as many as fit
}

// entry is a line of the log.
type entry struct{ Level, Msg, Addr string }

// The bounds of what is kept of a log.
const (
	endKept    = 4 << 10
	errorsKept = 20
)

func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.written += int64(len(p))
	l.end = append(l.end, p...)
	l.end = l.end[max(0, len(l.end)-endKept):]
	l.part = append(l.part, p...)
	for {
		line, rest, ok := bytes.Cut(l.part, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		var e entry
		if json.Unmarshal(line, &e) == nil {
			if strings.EqualFold(e.Level, "error") && len(l.errors) < errorsKept {
				l.errors = append(l.errors, string(line))
			}
			if slices.Contains([]string{clubOpen, nodeOpen, "metrics"}, e.Msg) {
				select {
				case l.first <- e:
				default: // nobody follows the log any more
				}
			}
		}
		l.part = rest
	}
}

// End is the end of the log.
func (l *Log) End() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.end)
}

// Errors are the first errors in the log, and how many bytes it has in all.
func (l *Log) Errors() (first []string, written int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.errors), l.written
}
