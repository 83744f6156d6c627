package client

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

// Screen is a client with a terminal, whose screen it knows.
type Screen struct {
	*Client
	Observer bool  // its delays count as a watcher's
	Echo     *Echo // of a session of the bare server
	Frames   atomic.Int64

	grid    *grid
	round   string       // the round, as it is shown before the version
	first   atomic.Int64 // when the first frame was complete, in Unix nanoseconds; 0: not yet
	last    atomic.Int64 // when the newest frame was
	size    int          // bytes since the last frame
	records bool         // the output is recorded, for the bare server to repeat it
	pieces  [][]byte     // of the output, as they were read
}

// NewScreen gives a client that is logged in a terminal of w columns and h rows.
func NewScreen(c *Client, w, h int) *Screen {
	s := &Screen{Client: c, grid: newGrid(w, h)}
	c.picture = s.grid.text
	return s
}

// Enter opens the session, and waits for the first screen, and at a table for its version.
func (s *Screen) Enter(ctx context.Context, command string) error {
	versions := func(session *ssh.Session) error { return session.Setenv("BONEYARD_VERSIONS", "1") } // from which delays are counted
	err := s.Open(ctx, Session{Width: uint32(s.grid.w), Height: uint32(s.grid.h), Command: command, Before: versions}, s.take)
	if err != nil {
		return err
	}
	return s.wait(ctx, "screen", func() bool { return s.Frames.Load() > 0 && (s.Table == nil || s.version > 0) })
}

// take reports whether p completes a frame.
func (s *Screen) take(p []byte) bool {
	now := time.Now()
	if s.records && len(s.pieces) < 16<<10 { // most have a hundred bytes
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

// frame handles a complete frame of size bytes.
func (s *Screen) frame(now time.Time, size int) {
	s.Frames.Add(1)
	s.last.Store(now.UnixNano())
	s.first.CompareAndSwap(0, now.UnixNano())
	if s.Echo != nil {
		if said := s.Echo.Said.Load(); said != nil {
			s.Echo.Delay.Add(now.Sub(*said))
		}
	}
	v, left, ok := s.grid.version()
	if !ok || s.Table == nil || v == s.version {
		return
	}
	before := s.version
	s.version = v
	round := roundMark.FindString(left)
	ordinary := round != "" && round == s.round
	s.round, s.begun = round, s.begun || round != ""
	if s.waits != nil && v > s.waits.version {
		s.acknowledged(now)
	}
	if s.Observer {
		s.Table.seen(before, v, now, size, ordinary)
	}
}

// Shows waits until the picture matches a regular expression, and returns its last group.
func (s *Screen) Shows(ctx context.Context, want *regexp.Regexp) (found string, err error) {
	err = s.wait(ctx, fmt.Sprintf("%q", want), func() bool {
		m := want.FindStringSubmatch(s.grid.text())
		if m != nil {
			found = m[len(m)-1]
		}
		return m != nil
	})
	return found, err
}

// Picture returns the text on the screen.
func (s *Screen) Picture() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.grid.text()
}

// Quiet waits until no frame has come to any of the screens for a time.
func Quiet(ctx context.Context, rest time.Duration, screens ...*Screen) error {
	ctx, cancel := sight(ctx)
	defer cancel()
	for last := time.Now().UnixNano(); ; {
		for _, s := range screens {
			last = max(last, s.last.Load())
		}
		left := rest - time.Since(time.Unix(0, last))
		if left <= 0 {
			return nil
		}
		if !Sleep(ctx, left) {
			return fmt.Errorf("screens do not come to rest: %w", context.Cause(ctx))
		}
	}
}

// FirstFrame is the time from the request for the session to the first complete frame, after Enter.
func (s *Screen) FirstFrame() time.Duration { return time.Unix(0, s.first.Load()).Sub(s.began) }

// Record starts or stops recording the output, and returns what was recorded.
func (s *Screen) Record(begin bool) (pieces [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pieces, s.pieces, s.records = s.pieces, nil, begin
	return pieces
}

// Sit begins the session with a command that leads to a seat, and returns the number of the table.
func (s *Screen) Sit(ctx context.Context, command string) (number string, err error) {
	if err = s.Enter(ctx, command); err == nil {
		number, err = s.Shows(ctx, tableNumber)
	}
	return number, err
}

// SayLobby matches the lobby's screen.
var SayLobby = regexp.MustCompile(" Lobby")

var (
	tableNumber = regexp.MustCompile(`Table ([0-9]+):`)      // in the header of a table's page
	roundMark   = regexp.MustCompile(`^ R(?:ound )?[0-9]+ `) // begins the row with the version while a round is played
)

// Keys, as terminals send them.
const (
	KeyEnter = "\r"
	keyReady = " "
)

// prompts are the words on the club's screens when a player has to do something, with the key to press.
var prompts = []struct {
	say string
	turn
}{
	{"Ready? Press Space.", turn{answer: keyReady}},
	{"Press r for another game with the same seats.", turn{answer: "r"}},
	{"Press Enter to continue;", turn{answer: KeyEnter}},
	{"Press Enter to take your seat back", turn{answer: KeyEnter}},
	{"enter plays", turn{answer: KeyEnter, thinks: true, plays: true}},
	{"Your move.", turn{answer: KeyEnter, thinks: true}},
	{"? ↑↓", turn{answer: KeyEnter}},
}

// turn looks for a prompt on the screen.
func (s *Screen) turn() turn {
	text := s.grid.text()
	for _, p := range prompts {
		for row := range strings.Lines(text) {
			if strings.Contains(row, p.say) {
				p.where, p.version = row, s.version
				return p.turn
			}
		}
	}
	return turn{}
}
