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

// Screen is a client with a terminal whose picture is followed.
type Screen struct {
	*Client
	Observer bool  // its delays count as a watcher's
	Echo     *Echo // of a session of the bare server, where delays are counted from
	Frames   atomic.Int64

	grid    *grid
	round   string       // what stands before the version, up to the round: equal before and after a move
	first   atomic.Int64 // when the first frame was whole, in nanoseconds of the Unix clock; 0: not yet
	last    atomic.Int64 // when the newest was
	size    int          // bytes since the last frame
	records bool         // what comes is taken down, for the bare server to say it again
	pieces  [][]byte     // in which it came
}

// NewScreen returns the screen of a client that is logged in, with a terminal of w columns and h rows.
func NewScreen(c *Client, w, h int) *Screen {
	s := &Screen{Client: c, grid: newGrid(w, h)}
	c.picture = s.grid.text
	return s
}

// Enter opens the session, and waits for the first screen, and for the table if it is at one.
func (s *Screen) Enter(ctx context.Context, command string) error {
	versions := func(session *ssh.Session) error { return session.Setenv("BONEYARD_VERSIONS", "1") } // from which delays are counted
	err := s.Open(ctx, Session{Width: uint32(s.grid.w), Height: uint32(s.grid.h), Command: command, Before: versions}, s.take)
	if err != nil {
		return err
	}
	return s.wait(ctx, "screen", func() bool { return s.Frames.Load() > 0 && (s.Table == nil || s.version > 0) })
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

// frame takes notice of a whole frame of so many bytes.
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

// roundMark begins the row with the version while a round is played: the round, and what has to be reached.
var roundMark = regexp.MustCompile(`^ R(?:ound )?[0-9]+ `)

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

// Picture returns what is shown.
func (s *Screen) Picture() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.grid.text()
}

// Quiet waits until nothing has come to any of the screens for so long. Nothing tells when a server has nothing more to say.
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

// FirstFrame is the time from the request for the session to the first whole frame, which has been shown.
func (s *Screen) FirstFrame() time.Duration { return time.Unix(0, s.first.Load()).Sub(s.began) }

// Record begins or ends to take down the output, and returns what was taken down.
func (s *Screen) Record(begin bool) (pieces [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pieces, s.pieces, s.records = s.pieces, nil, begin
	return pieces
}

// Talk says a line, in the lobby or at a table.
func (s *Screen) Talk(line string) error { return s.Send("t" + line + KeyEnter) }

// Sit begins the session with a command that leads to a seat, and returns the number of the table.
func (s *Screen) Sit(ctx context.Context, command string) (number string, err error) {
	if err = s.Enter(ctx, command); err == nil {
		number, err = s.Shows(ctx, tableNumber)
	}
	return number, err
}

// tableNumber is in the header of a table's page.
var tableNumber = regexp.MustCompile(`Table ([0-9]+):`)

// Keys, as terminals send them.
const (
	KeyEnter = "\r"
	keyReady = " "
)

// SayLobby is on the lobby's screen.
var SayLobby = regexp.MustCompile(" Lobby")

// asks are the words on the club's screens when a player has to do something, with the key.
var asks = []struct {
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

// turn reads what the screen asks for.
func (s *Screen) turn() turn {
	text := s.grid.text()
	for _, a := range asks {
		for row := range strings.Lines(text) {
			if strings.Contains(row, a.say) {
				a.where, a.version = row, s.version
				return a.turn
			}
		}
	}
	return turn{}
}
