package gate

import (
	"bytes"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// panicked is a panic that was caught.
type panicked struct {
	value any
	stack []byte
}

// panics logs each panic in one line, with its place in the code. The stack, a hundred times as long, is
// logged once an hour for each place, since a caller who has found a way to panic can repeat it at will.
type panics struct {
	mu     sync.Mutex
	logged map[string]time.Time // by place: when its stack was last logged
}

const (
	stackEvery  = time.Hour
	stackPlaces = 256 // places remembered; there are not that many bugs
	maxPanic    = 200 // bytes of what a panic says
)

func (p *panics) report(log *slog.Logger, e *panicked, now time.Time) {
	place := placeOf(e.stack)
	what := printable(fmt.Sprint(e.value), maxPanic)
	if !p.first(place, now) {
		log.Error("the handler panicked", "panic", what, "at", place)
		return
	}
	log.Error("the handler panicked", "panic", what, "at", place, "stack", string(e.stack))
}

// first reports whether the stack of a panic at place should be logged.
func (p *panics) first(place string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at, ok := p.logged[place]; ok && now.Sub(at) < stackEvery || !ok && len(p.logged) >= stackPlaces {
		return false
	}
	if p.logged == nil {
		p.logged = make(map[string]time.Time)
	}
	p.logged[place] = now
	return true
}

// placeOf returns the file and line that panicked: the first frame in the stack after the runtime's own.
func placeOf(stack []byte) string {
	_, rest, ok := bytes.Cut(stack, []byte("\npanic("))
	if !ok {
		return "unknown"
	}
	lines := bytes.Split(rest, []byte("\n"))
	for i := 2; i+1 < len(lines); i += 2 { // the frame of panic itself takes two lines
		if bytes.HasPrefix(lines[i], []byte("runtime.")) {
			continue
		}
		at, _, _ := bytes.Cut(bytes.TrimSpace(lines[i+1]), []byte(" "))
		return string(at)
	}
	return "unknown"
}
