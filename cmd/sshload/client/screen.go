package client

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Screen is a client with a terminal whose picture is followed.
type Screen struct {
	*Client
	Table *Table // at which it sits or looks; nil in the lobby

	mu       sync.Mutex
	grid     *grid
	changed  bell   // there was a frame
	version  uint64 // of the table, as last shown
	round    string // what stands before the version, up to the round: equal before and after a move
	Frames   atomic.Int64
	shown    atomic.Int64 // when the first frame was whole, in nanoseconds of the Unix clock; 0: not yet
	size     int          // bytes since the last frame
	scribe   *scribe      // takes down what comes, if this is the one to do so
	Observer bool         // its delays count as a watcher's
	Echo     *Echo        // of a session of the bare server, where delays are counted from
}

// NewScreen returns the screen of a client that is logged in, with a terminal of w columns and h rows.
func NewScreen(c *Client, w, h int) *Screen {
	return &Screen{Client: c, grid: newGrid(w, h)}
}

// Enter opens the session.
func (s *Screen) Enter(command string) error { return s.open(s.grid.w, s.grid.h, command, s.take) }

// take follows what the server sends.
func (s *Screen) take(p []byte) {
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
func (s *Screen) frame(now time.Time, size int) {
	s.Frames.Add(1)
	s.shown.CompareAndSwap(0, now.UnixNano())
	if s.Echo != nil {
		s.Echo.Delay.Load().Add(now.Sub(*s.Echo.Said.Load()))
	}
	v, row, ok := s.grid.version()
	if !ok || s.Table == nil || v == s.version {
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
	if s.Observer {
		s.Table.seen(before, v, now, size, ordinary)
	}
}

// roundMark begins the row with the version while a round is played: the round, and what has to be reached.
var roundMark = regexp.MustCompile(`^ R(?:ound )?[0-9]+ `)

// Until waits for the screen to be as wanted. ok is called with mu held.
func (s *Screen) Until(ctx context.Context, want string, ok func(text string) bool) (string, error) {
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
		case <-s.Ended:
			return text, fmt.Errorf("the session ended before %s was to be seen; the screen was:\n%s", want, text)
		case <-ctx.Done():
			return text, fmt.Errorf("%s was not to be seen: %w; the screen is:\n%s", want, context.Cause(ctx), text)
		}
	}
}

// Shows waits for a text.
func (s *Screen) Shows(ctx context.Context, want string) (string, error) {
	return s.Until(ctx, fmt.Sprintf("%q", want), func(text string) bool { return strings.Contains(text, want) })
}

// Mark returns the version that is shown.
func (s *Screen) Mark() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// Picture returns what is shown.
func (s *Screen) Picture() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.grid.text()
}

// Rests waits until the screen has not changed for so long. It only decides when to look, not what is seen.
func (s *Screen) Rests(ctx context.Context, rest time.Duration) error {
	for {
		changed := s.changed.next()
		quiet := time.NewTimer(rest)
		select {
		case <-changed:
			quiet.Stop()
		case <-quiet.C:
			return nil
		case <-s.Ended:
			quiet.Stop()
			return fmt.Errorf("the session ended; the screen was:\n%s", s.Picture())
		case <-ctx.Done():
			quiet.Stop()
			return context.Cause(ctx)
		}
	}
}

// FirstFrame is the time from the request for the session to the first whole frame, if there was one.
func (s *Screen) FirstFrame() (time.Duration, bool) {
	at := s.shown.Load()
	return time.Unix(0, at).Sub(s.began), at != 0
}

// Opened waits for the first screen, and for the table if it is at one.
func (s *Screen) Opened(ctx context.Context) error {
	_, err := s.Until(ctx, "a screen", func(string) bool { return s.Frames.Load() > 0 && (s.Table == nil || s.version > 0) })
	return err
}

// Record records the output from now on.
func (s *Screen) Record() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scribe = &scribe{}
}

// Recorded stops recording and returns the output in the pieces in which it came.
func (s *Screen) Recorded() (pieces [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pieces, s.scribe = s.scribe.pieces, nil
	return pieces
}

// ToggleSize makes the window larger than w by h, or as it was.
func (s *Screen) ToggleSize(w, h int) error {
	s.mu.Lock()
	if s.grid.w == w {
		w, h = w+40, h+16
	}
	s.grid.resize(w, h)
	s.mu.Unlock()
	return s.resize(w, h)
}

// Talk says a line, in the lobby or at a table.
func (s *Screen) Talk(line string) error { return s.Send("t" + line + KeyEnter) }
