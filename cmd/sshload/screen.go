package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// screen is a client with a terminal whose picture is followed.
type screen struct {
	*client
	table *tableLoad // at which it sits or looks; nil in the lobby

	mu       sync.Mutex
	grid     *grid
	changed  bell   // there was a frame
	version  uint64 // of the table, as last shown
	round    string // what stands before the version, up to the round: equal before and after a move
	frames   atomic.Int64
	shown    atomic.Int64 // when the first frame was whole, in nanoseconds of the Unix clock; 0: not yet
	size     int          // bytes since the last frame
	scribe   *scribe      // takes down what comes, if this is the one to do so
	observer bool         // its delays count as a watcher's
	echo     *echo        // of a session of the bare server, where delays are counted from
}

func newScreen(c *client, w, h int) *screen {
	return &screen{client: c, grid: newGrid(w, h)}
}

// enter opens the session.
func (s *screen) enter(command string) error { return s.open(s.grid.w, s.grid.h, command, s.take) }

// take follows what the server sends.
func (s *screen) take(p []byte) {
	now := time.Now()
	s.mu.Lock()
	if s.scribe != nil {
		s.scribe.note(p)
	}
	done := 0
	s.grid.write(p, func(n int) {
		s.frame(now, s.size+n-done)
		s.size, done = 0, n
	})
	s.size += len(p) - done
	ended := done > 0
	s.mu.Unlock()
	if ended {
		s.changed.ring()
	}
}

// frame takes notice of a whole frame of so many bytes. Called with mu held.
func (s *screen) frame(now time.Time, size int) {
	s.frames.Add(1)
	s.shown.CompareAndSwap(0, now.UnixNano())
	if s.echo != nil {
		s.echo.delay.Load().add(now.Sub(*s.echo.said.Load()))
	}
	v, row, ok := s.grid.version()
	if !ok || s.table == nil || v == s.version {
		return
	}
	before := s.version
	s.version = v
	round := ""
	if m := roundMark.FindString(s.grid.row(row)); m != "" {
		round = m
	}
	ordinary := round != "" && round == s.round
	s.round = round
	if s.observer {
		s.table.seen(before, v, now, size, ordinary)
	}
}

// roundMark begins the row with the version while a round is played: the round, and what has to be reached.
var roundMark = regexp.MustCompile(`^ R(?:ound )?[0-9]+ +(?:to|over) `)

// until waits for the screen to be as wanted. ok is called with mu held.
func (s *screen) until(ctx context.Context, want string, ok func(text string) bool) (string, error) {
	for {
		changed := s.changed.next()
		s.mu.Lock()
		text := s.grid.text()
		yes := ok(text)
		s.mu.Unlock()
		if yes {
			return text, nil
		}
		select {
		case <-changed:
		case <-s.ended:
			return text, fmt.Errorf("the session ended before %s was to be seen; the screen was:\n%s", want, text)
		case <-ctx.Done():
			return text, fmt.Errorf("%s was not to be seen: %w; the screen is:\n%s", want, context.Cause(ctx), text)
		}
	}
}

// shows waits for a text.
func (s *screen) shows(ctx context.Context, want string) (string, error) {
	return s.until(ctx, fmt.Sprintf("%q", want), func(text string) bool { return strings.Contains(text, want) })
}

// mark returns the version that is shown.
func (s *screen) mark() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// picture returns what is shown.
func (s *screen) picture() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.grid.text()
}
