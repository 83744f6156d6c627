package gate

import (
	"strings"
	"sync"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// Size is a terminal's size in columns and rows. It is an alias of an unnamed type, so that package ui can
// have the same.
type Size = struct{ Width, Height int }

// Bounds on a terminal's size. Programs allocate by it, so a client cannot choose more.
const (
	MaxWidth      = 500
	MaxHeight     = 200
	DefaultWidth  = 80
	DefaultHeight = 24
)

// Terminal is what a client said about its terminal.
type Terminal struct {
	Name string // TERM: printable ASCII, at most 64 bytes
	Size Size   // when the session began

	// Resizes has the latest size if it has changed, at most once every 100 ms; sizes in between are lost. It
	// is never closed.
	Resizes <-chan Size `json:"-"`
}

// Bounds on what is kept of a client's environment and texts.
const (
	maxEnv     = 32
	maxEnvLen  = 256 // of NAME=VALUE, in bytes
	maxName    = 64  // of TERM and of the user's name, in bytes
	maxCommand = 1024
)

// clampSize clamps a client's size. Clients that do not know theirs send 0.
func clampSize(width, height uint32) Size {
	clamp := func(n, most, unknown uint32) int {
		if n == 0 {
			return int(unknown)
		}
		return int(min(n, most))
	}
	return Size{
		Width:  clamp(width, MaxWidth, DefaultWidth),
		Height: clamp(height, MaxHeight, DefaultHeight),
	}
}

// resizePause is the least time between two sizes of a window: each redraws a whole screen, and a client may
// send thousands a second. The last size is always drawn.
const resizePause = 100 * time.Millisecond

// latest is a mailbox for one size: a new one replaces one that was not taken. After one was taken, the next
// waits for the pause to end.
type latest struct {
	sizes chan Size

	mu     sync.Mutex
	last   Size
	waits  bool // last has not been in the mailbox
	paused bool
}

func newLatest(first Size) *latest { return &latest{sizes: make(chan Size, 1), last: first} }

func (m *latest) put(s Size) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s != m.last {
		m.last, m.waits = s, true
		m.pass()
	}
}

// pass puts the last size into the mailbox, unless the pause lasts. Called with mu held.
func (m *latest) pass() {
	select {
	case <-m.sizes: // nobody took it
	default:
		if m.paused {
			return
		}
		m.paused = true
		time.AfterFunc(resizePause, m.resume)
	}
	m.sizes <- m.last
	m.waits = false
}

func (m *latest) resume() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.paused = false
	if m.waits {
		m.pass()
	}
}

// ptyRequest is the payload of pty-req (RFC 4254, 6.2).
type ptyRequest struct {
	Term                    string
	Width, Height           uint32
	PixelWidth, PixelHeight uint32
	Modes                   string
}

// windowChange is the payload of window-change (RFC 4254, 6.7).
type windowChange struct {
	Width, Height           uint32
	PixelWidth, PixelHeight uint32
}

// cleanPty rewrites the payload of a pty-req: clamped, without pixels, and without terminal modes, which
// nobody reads here.
func cleanPty(payload []byte) (clean []byte, term string, size Size, ok bool) {
	var r ptyRequest
	if err := gossh.Unmarshal(payload, &r); err != nil {
		return nil, "", Size{}, false
	}
	term = printable(r.Term, maxName)
	size = clampSize(r.Width, r.Height)
	clean = gossh.Marshal(ptyRequest{Term: term, Width: uint32(size.Width), Height: uint32(size.Height)})
	return clean, term, size, true
}

// printable returns the printable ASCII of s, at most limit bytes. Names that clients choose end up in logs
// and on other people's screens.
func printable(s string, limit int) string {
	var b strings.Builder
	for i := 0; i < len(s) && b.Len() < limit; i++ {
		if s[i] >= ' ' && s[i] <= '~' {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// envKept reports whether a variable affects drawing and is harmless.
func envKept(name, value string) bool {
	switch name {
	case "LANG", "COLORTERM", "TERM_PROGRAM", "NO_COLOR", "BONEYARD_VERSIONS":
	default:
		if !strings.HasPrefix(name, "LC_") {
			return false
		}
	}
	whole := name + value
	return len(whole)+1 <= maxEnvLen && printable(whole, maxEnvLen) == whole && !strings.Contains(name, "=")
}
