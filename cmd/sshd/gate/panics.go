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

// panics writes panics to the log: a line each, with the place. The stack, which is a hundred times as long,
// is written once an hour for each place, since whoever has found a place that panics may go there as often
// as they like.
type panics struct {
	mu   sync.Mutex
	told map[string]time.Time // by place: when the stack was last written
}

const (
	stackEvery  = time.Hour
	stackPlaces = 256 // are told apart; there are not that many mistakes
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

// first reports whether the stack of a place is to be written.
func (p *panics) first(place string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at, ok := p.told[place]; ok && now.Sub(at) < stackEvery || !ok && len(p.told) >= stackPlaces {
		return false
	}
	if p.told == nil {
		p.told = make(map[string]time.Time)
	}
	p.told[place] = now
	return true
}

// placeOf finds in a stack the file and line that panicked: the first behind the runtime's own frames.
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
