package client

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Screen is a client with a terminal whose picture is followed.
type Screen struct {
	*Client
	Table    *Table // at which it sits or looks; nil in the lobby
	Observer bool   // its delays count as a watcher's
	Echo     *Echo  // of a session of the bare server, where delays are counted from
	Frames   atomic.Int64

	grid    *grid
	version uint64       // of the table, as last shown
	round   string       // what stands before the version, up to the round: equal before and after a move
	shown   atomic.Int64 // when the first frame was whole, in nanoseconds of the Unix clock; 0: not yet
	size    int          // bytes since the last frame
	records bool         // what comes is taken down, for the bare server to say it again
	pieces  [][]byte     // in which it came
}

// NewScreen returns the screen of a client that is logged in, with a terminal of w columns and h rows.
func NewScreen(c *Client, w, h int) *Screen { return &Screen{Client: c, grid: newGrid(w, h)} }

// Enter opens the session.
func (s *Screen) Enter(ctx context.Context, command string) error {
	return s.open(ctx, s.grid.w, s.grid.h, command, s.take)
}

// maxPieces is how many pieces of output are taken down; most have a hundred bytes.
const maxPieces = 16 << 10

// take follows what the server sends, and reports whether there was a frame.
func (s *Screen) take(p []byte) bool {
	now := time.Now()
	if s.records && len(s.pieces) < maxPieces {
		s.pieces = append(s.pieces, slices.Clone(p))
	}
	done := 0
	s.grid.write(p, func(n int) {
		s.frame(now, s.size+n-done)
		s.size, done = 0, n
	})
	s.size += len(p) - done
	return done > 0
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
	round := roundMark.FindString(s.grid.row(row))
	ordinary := round != "" && round == s.round
	s.round = round
	if s.Observer {
		s.Table.seen(before, v, now, size, ordinary)
	}
}

// roundMark begins the row with the version while a round is played: the round, and what has to be reached.
var roundMark = regexp.MustCompile(`^ R(?:ound )?[0-9]+ `)

// Until waits for the screen to be as wanted. ok is called with mu held.
func (s *Screen) Until(ctx context.Context, want string, ok func(text string) bool) (text string, err error) {
	err = s.wait(ctx, want, func() bool {
		text = s.grid.text()
		return ok(text)
	}, s.grid.text)
	return text, err
}

// Shows waits for a text.
func (s *Screen) Shows(ctx context.Context, want string) error {
	_, err := s.Until(ctx, fmt.Sprintf("%q", want), func(text string) bool { return strings.Contains(text, want) })
	return err
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
		select {
		case <-s.news.next():
		case <-time.After(rest):
			return nil
		case <-s.Ended:
			return fmt.Errorf("the session ended; the screen was:\n%s", s.Picture())
		case <-ctx.Done():
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
	_, err := s.Until(ctx, "screen", func(string) bool { return s.Frames.Load() > 0 && (s.Table == nil || s.version > 0) })
	return err
}

// Record begins or ends to take down the output, and returns what was taken down.
func (s *Screen) Record(begin bool) (pieces [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pieces, s.pieces, s.records = s.pieces, nil, begin
	return pieces
}

// Talk says a line, in the lobby or at a table.
func (s *Screen) Talk(line string) error { return s.Send("t" + line + KeyEnter) }
