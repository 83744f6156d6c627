package gate

import (
	"bytes"
	"fmt"
	"log/slog"
)

// panicked is a panic that was caught.
type panicked struct {
	value any
	stack []byte
}

// reportPanic logs a panic in one line, with its place in the code. The stack, a hundred times as long, is
// logged once an hour for each place, since a caller who has found a way to panic can repeat it at will.
func (s *Server) reportPanic(log *slog.Logger, e *panicked) {
	const maxPanic = 200 // bytes of what a panic says
	place := placeOf(e.stack)
	log = log.With("panic", printable(fmt.Sprint(e.value), maxPanic), "at", place)
	if !s.panics.has(place) && s.panics.add(place) {
		log = log.With("stack", string(e.stack))
	}
	log.Error("the handler panicked")
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
