package screen

import (
	"encoding/base64"
	"io"
	"strings"
	"sync"
)

// The first bytes to a terminal, and the last. Automatic margins are switched off so that a character which
// is wider than thought can never push a line into the next one. The window's title is kept and given back by
// those terminals that can (XTWINOPS 22 and 23).
const (
	enter = "\x1b[22;2t" + "\x1b[?1049h" + "\x1b[?7l" + hideCursor + "\x1b[?2004h"
	leave = syncEnd + mouseOff + "\x1b[?2004l" + "\x1b[?7h" + "\x1b[m" + "\x1b[H\x1b[2J" +
		"\x1b[?1049l" + showCursor + "\x1b[23;2t"

	mouseOn  = "\x1b[?1000h\x1b[?1006h" // buttons and wheel, reported as SGR
	mouseOff = "\x1b[?1000l\x1b[?1006l"
)

const (
	// MaxCopy is the longest text in bytes that [Screen.Copy] takes.
	MaxCopy = 4096
	// maxExtra is how many bytes beside frames may wait: text to copy and questions.
	maxExtra = 4 * MaxCopy
)

// Screen owns the output of one session. Its methods may be called from any
// goroutine and never wait for the terminal, except [Screen.Leave].
type Screen struct {
	w io.Writer

	mu      sync.Mutex
	prepare func() // to be called before anything is written; nil if nothing waits
	next    *Frame // to be shown; nil if none waits
	latest  *Frame // the newest frame given to Show
	repaint bool   // what the terminal shows is not known
	mouse   bool   // as wanted
	bell    bool
	extra   []byte // to be sent as it is
	writing bool   // a goroutine is in run
	err     error  // why nothing is written any more
	left    chan struct{}

	// What the terminal is like; only for the goroutine in run.
	shown    *Frame
	entered  bool
	hasMouse bool
}

// New returns a screen that writes to w, whose Write must return at some time, also where the terminal takes
// nothing. It writes nothing before the first frame; the bytes before that put the terminal into its modes:
// alternate screen, no cursor, bracketed paste. [Screen.Leave] takes them back and must be called.
func New(w io.Writer) *Screen { return &Screen{w: w} }

// Show makes f what the terminal shows, as soon as the line takes it. A frame
// that still waits is forgotten. Showing the frame shown last does nothing.
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

// Repaint has the next frame painted whole, even if it is the one shown now. It is for when the terminal may
// have changed by itself: after a resize, or when the player asks for it.
func (s *Screen) Repaint() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.repaint = true
}

// SetMouse switches the mouse's reports on or off.
func (s *Screen) SetMouse(on bool) { s.want(func() { s.mouse = on }) }

// Bell rings the terminal's bell; bells that wait become one.
func (s *Screen) Bell() { s.want(func() { s.bell = true }) }

// Copy puts text on the clipboard of the player's machine with OSC 52, which
// not all terminals allow; none says whether it did. It reports false and sends
// nothing if the text is longer than [MaxCopy] or too much waits to be sent.
func (s *Screen) Copy(text string) bool {
	if len(text) > MaxCopy {
		return false
	}
	seq := append([]byte("\x1b]52;c;"), base64.StdEncoding.EncodeToString([]byte(text))...)
	return s.send(append(seq, '\a'))
}

// Notify has a terminal of this type tell its user something even while they look elsewhere, with OSC 777 or OSC 9. Most terminals that do
// not know these ignore them; to those which may not, and multiplexers, nothing is sent.
func (s *Screen) Notify(text, term string) {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == ';' { // which divides the parts of a sequence
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

// Ask sends a question to the terminal, such as ansi.RequestBackgroundColor. The answer, if there is one,
// comes in as input. The caller answers for the query being one that changes nothing on the screen. It
// reports false and sends nothing if too much waits to be sent.
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

// Leave gives the terminal back as it was, and returns when that is written or cannot be. What waited to be
// sent is forgotten; later calls of other methods do nothing. Leave may be called more than once and from
// several goroutines; the terminal is restored once. It returns what [Screen.Err] does.
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

// Err returns why the screen has stopped writing, the error of a Write; nil while all is well.
func (s *Screen) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// done reports whether nothing is to be written any more. Called with s.mu held.
func (s *Screen) done() bool { return s.err != nil || s.left != nil }

// start sees to it that a goroutine writes what waits. Called with s.mu held.
func (s *Screen) start() {
	if !s.writing {
		s.writing = true
		go s.run()
	}
}

// job is what one Write is to bring, or what is to be prepared before.
type job struct {
	prepare  func() // nil, or all there is to do
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

// maxKept is the largest buffer kept for the next patch: a whole screen of
// usual size fits, one of the largest does not.
const maxKept = 64 << 10

// deepen makes the stack of a new goroutine large enough for a write through SSH. It would grow anyway, but a
// dozen calls deeper, where all their frames have to be moved: which took a twelfth of the time of a small
// frame.
//
//go:noinline
func deepen(i int) byte {
	var room [3 << 10]byte
	room[i] = 1 // or the compiler would leave it away
	return room[len(room)-1-i]
}

// take returns what waits to be written, or false, after which this goroutine
// is no longer the one that writes.
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

// compose returns the bytes for a job; they may lie in sc.buf.
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
		return patch // nearly always, and then nothing is copied
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

// write writes without any lock held; an error ends all writing.
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
