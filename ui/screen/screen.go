package screen

import (
	"encoding/base64"
	"io"
	"strings"
	"sync"
)

// The first bytes to a terminal, and the last. Automatic margins are off, so that a character wider than
// expected never pushes a line into the next. Terminals that can (XTWINOPS 22 and 23) save and restore the
// window's title.
const (
	enter = "\x1b[22;2t" + "\x1b[?1049h" + "\x1b[?7l" + hideCursor + "\x1b[?2004h"
	leave = syncEnd + mouseOff + "\x1b[?2004l" + "\x1b[?7h" + "\x1b[m" + "\x1b[H\x1b[2J" +
		"\x1b[?1049l" + showCursor + "\x1b[23;2t"

	mouseOn  = "\x1b[?1000h\x1b[?1006h" // buttons and wheel, reported as SGR
	mouseOff = "\x1b[?1000l\x1b[?1006l"
)

const (
	// MaxCopy is the length in bytes of the longest text that [Screen.Copy] takes.
	MaxCopy = 4096
	// maxExtra is how many bytes besides frames may wait: text to copy and queries.
	maxExtra = 4 * MaxCopy
)

// Screen owns the output of one session. Its methods may be called from any
// goroutine and never wait for the terminal, except [Screen.Leave].
type Screen struct {
	w io.Writer

	mu      sync.Mutex
	prepare func() // is called before the next write; nil if none waits
	next    *Frame // to show; nil if none waits
	latest  *Frame // the newest frame given to Show
	repaint bool   // the terminal's content is unknown
	mouse   bool   // the wanted state
	bell    bool
	extra   []byte // is sent unchanged
	writing bool   // a goroutine is in run
	err     error  // why writing has stopped
	left    chan struct{}

	// The state of the terminal; only for the goroutine in run.
	shown    *Frame
	entered  bool
	hasMouse bool
}

// New returns a screen that writes to w, whose Write must return eventually, even if the terminal reads
// nothing. Nothing is written before the first frame, which is preceded by the terminal's modes: alternate
// screen, no cursor, bracketed paste. [Screen.Leave] must be called, and resets them.
func New(w io.Writer) *Screen { return &Screen{w: w} }

// Show shows f as soon as the connection can take it, instead of a frame that still waits. Showing the frame
// shown last does nothing.
func (s *Screen) Show(f *Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done() || f == nil || f == s.latest && !s.repaint {
		return
	}
	s.next, s.latest = f, f
	s.start()
}

// Prepare has f called when the terminal takes a frame, on the goroutine that writes: f makes one and shows
// it, or does nothing. An f that still waits is forgotten.
func (s *Screen) Prepare(f func()) { s.want(func() { s.prepare = f }) }

// want notes something to be written, and has it written; change is called with s.mu held.
func (s *Screen) want(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.done() {
		change()
		s.start()
	}
}

// Repaint has the next frame painted whole, even if it is the shown one. It is for terminals that may have
// changed by themselves: after a resize, or when the player asks for it.
func (s *Screen) Repaint() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.repaint = true
}

// SetMouse switches the mouse's reports on or off.
func (s *Screen) SetMouse(on bool) { s.want(func() { s.mouse = on }) }

// Bell rings the terminal's bell; bells that wait become one.
func (s *Screen) Bell() { s.want(func() { s.bell = true }) }

// Copy puts text on the player's clipboard with OSC 52, which not all terminals allow; none reports whether
// it did. Copy sends nothing and returns false if the text is longer than [MaxCopy] or too much is waiting.
func (s *Screen) Copy(text string) bool {
	if len(text) > MaxCopy {
		return false
	}
	seq := append([]byte("\x1b]52;c;"), base64.StdEncoding.EncodeToString([]byte(text))...)
	return s.send(append(seq, '\a'))
}

// Notify has a terminal of type term notify its user, even while they look elsewhere, with OSC 777 or OSC 9.
// Most terminals ignore these if they do not know them; others, and multiplexers, are sent nothing.
func (s *Screen) Notify(text, term string) {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == ';' { // ; separates the parts of a sequence
			return -1
		}
		return r
	}, text)
	switch kind, _, _ := strings.Cut(term, "-"); kind {
	case "foot", "rxvt":
		s.send([]byte("\x1b]777;notify;Boneyard;" + text + "\a"))
	case "xterm", "wezterm":
		s.send([]byte("\x1b]9;Boneyard: " + text + "\a"))
	}
}

// Ask sends a query to the terminal, such as ansi.RequestBackgroundColor, whose answer, if there is one,
// comes as input. The query must not change the screen. Ask sends nothing and returns false if too much is
// waiting.
func (s *Screen) Ask(query string) bool { return s.send([]byte(query)) }

func (s *Screen) send(seq []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done() || len(s.extra)+len(seq) > maxExtra {
		return false
	}
	s.extra = append(s.extra, seq...)
	s.start()
	return true
}

// Leave restores the terminal, and returns once that is written or has failed. It drops what waits; later
// calls of other methods do nothing. Leave may be called repeatedly and concurrently; the terminal is
// restored once. Leave returns [Screen.Err].
func (s *Screen) Leave() error {
	s.mu.Lock()
	if s.left == nil {
		s.left = make(chan struct{})
		s.start()
	}
	left := s.left
	s.mu.Unlock()
	<-left
	return s.Err()
}

// Err returns the error of a Write that stopped the screen, or nil.
func (s *Screen) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// done reports whether the screen has stopped writing. Called with s.mu held.
func (s *Screen) done() bool { return s.err != nil || s.left != nil }

// start makes sure that a goroutine writes what waits. Called with s.mu held.
func (s *Screen) start() {
	if !s.writing {
		s.writing = true
		go s.run()
	}
}

// job is what one Write brings, or what to prepare before it.
type job struct {
	prepare  func() // if not nil, the whole job
	from, to *Frame // to is nil if there is no new frame
	extra    []byte
	bell     bool
	mouse    bool
	leave    bool
}

// run writes until nothing waits. There is at most one such goroutine.
func (s *Screen) run() {
	deepen(0)
	for {
		j, ok := s.take()
		if !ok {
			return
		}
		if j.prepare != nil {
			j.prepare()
			continue
		}
		sc := scratches.Get().(*scratch)
		if out := s.compose(j, sc); len(out) > 0 {
			s.write(out)
		}
		if cap(sc.buf) <= maxKept {
			scratches.Put(sc)
		}
		if j.leave {
			s.mu.Lock()
			s.writing = false
			s.mu.Unlock()
			close(s.left)
			return
		}
	}
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// maxKept is the size of the largest buffer kept for the next patch: a whole screen of usual size fits, one
// of the largest does not.
const maxKept = 64 << 10

// deepen makes the stack of a new goroutine large enough for a write through SSH. Otherwise the stack would
// grow a dozen calls deeper and move all their frames, which took a twelfth of the time of a small frame.
//
//go:noinline
func deepen(i int) byte {
	var room [3 << 10]byte
	room[i] = 1 // or the compiler would remove the array
	return room[len(room)-1-i]
}

// take returns what waits to be written, or false if this goroutine no longer writes.
func (s *Screen) take() (j job, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.left != nil:
		return job{leave: true}, true
	case s.prepare != nil:
		j.prepare, s.prepare = s.prepare, nil
		return j, true
	case s.err != nil, s.next == nil && !s.entered, s.next == nil && !s.bell && len(s.extra) == 0 && s.mouse == s.hasMouse:
		s.writing = false
		return job{}, false
	}
	j = job{to: s.next, extra: s.extra, bell: s.bell, mouse: s.mouse}
	if j.to != nil && !s.repaint {
		j.from = s.shown
	}
	if j.to != nil {
		s.repaint = false
	}
	s.next, s.extra, s.bell = nil, nil, false
	return j, true
}

// compose returns the bytes for a job, which may lie in sc.buf.
func (s *Screen) compose(j job, sc *scratch) []byte {
	if j.leave {
		if !s.entered {
			return nil
		}
		return []byte(leave)
	}
	var patch []byte
	if j.to != nil {
		patch = j.from.patchTo(j.to, sc)
		s.shown = j.to
	}
	if s.entered && s.hasMouse == j.mouse && len(j.extra) == 0 && !j.bell {
		return patch // almost always: nothing is copied
	}
	var out []byte
	if !s.entered {
		s.entered = true
		out = append(out, enter...)
	}
	if s.hasMouse != j.mouse {
		s.hasMouse = j.mouse
		if j.mouse {
			out = append(out, mouseOn...)
		} else {
			out = append(out, mouseOff...)
		}
	}
	out = append(out, patch...)
	out = append(out, j.extra...)
	if j.bell {
		out = append(out, '\a')
	}
	return out
}

// write writes without holding a lock; an error stops the screen.
func (s *Screen) write(p []byte) {
	if s.Err() != nil {
		return
	}
	if _, err := s.w.Write(p); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.err = err
		s.next, s.extra, s.prepare = nil, nil, nil
	}
}
