package screen

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/charmbracelet/x/ansi"
	"github.com/hinshun/vt10x"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	_ "boneyard/ui/golden" // for -update
)

func frame(lines ...string) *Frame {
	return NewFrame(Content{Width: 20, Height: 4, Lines: lines})
}

// line is a connection that can be blocked, cut, and inspected.
type line struct {
	mu     sync.Mutex
	writes []string
	err    error         // what Write returns
	hold   chan struct{} // Write waits until it is closed
	closed chan struct{} // Write fails when it is closed
}

func newLine() *line { return &line{closed: make(chan struct{})} }

func (l *line) Write(p []byte) (int, error) {
	l.mu.Lock()
	l.writes = append(l.writes, string(p))
	hold, err := l.hold, l.err
	l.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-l.closed:
			return 0, errors.New("connection closed")
		}
	}
	return len(p), err
}

// take returns the writes since it was last called.
func (l *line) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.writes
	l.writes = nil
	return w
}

func (l *line) holdUp(hold chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hold = hold
}

// A bubble of synctest ends only when all its goroutines have ended: each test here that does not call Leave
// shows that an idle screen has none.

func TestOneWriteForEachChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine()
		s := New(l)
		synctest.Wait()
		require.Empty(t, l.take(), "before the first frame")

		s.Show(frame("hello", "world"))
		synctest.Wait()
		require.Equal(t, []string{enter + syncBegin + wipe + "hello\x1bEworld" + syncEnd}, l.take())

		next := frame("hello", "table 12", "anna \x1b[1mto play\x1b[m")
		s.Show(next)
		synctest.Wait()
		require.Equal(t, []string{"\x1b[2Htable 12\x1bEanna \x1b[1mto play\x1b[m"}, l.take())

		s.Show(next)
		s.Show(frame("hello", "table 12", "anna \x1b[1mto\x1b[0;1m play"))
		synctest.Wait()
		require.Empty(t, l.take())
	})
}

func TestRepaintPaintsTheNextFrameWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine()
		s := New(l)
		f := frame("hello")
		s.Show(f)
		synctest.Wait()
		l.take()

		s.Repaint()
		synctest.Wait()
		require.Empty(t, l.take(), "there is no next frame yet")
		s.Show(f)
		synctest.Wait()
		require.Equal(t, []string{syncBegin + wipe + "hello" + syncEnd}, l.take())
		s.Show(f)
		synctest.Wait()
		require.Empty(t, l.take())
	})
}

func TestFrameOfAnotherSizeIsPaintedWhole(t *testing.T) {
	for _, size := range [][2]int{{21, 4}, {20, 5}} {
		got := frame("hello").patchTo(NewFrame(Content{Width: size[0], Height: size[1], Lines: []string{"hello"}}), new(scratch))
		require.Equal(t, syncBegin+wipe+"hello"+syncEnd, string(got))
	}
}

// held is a screen whose connection takes nothing of a first frame until hold is closed.
func held() (l *line, s *Screen, hold chan struct{}) {
	l, hold = newLine(), make(chan struct{})
	l.holdUp(hold)
	s = New(l)
	s.Show(frame("one"))
	synctest.Wait()
	return l, s, hold
}

func TestOnlyTheLatestFrameWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, s, hold := held()
		for _, text := range []string{"two", "three", "four", "five"} {
			s.Show(frame(text))
		}
		s.Bell()
		s.Bell()
		synctest.Wait()
		require.Len(t, l.take(), 1, "nothing is written while a Write is under way")
		close(hold)
		synctest.Wait()
		require.Equal(t, []string{"\x1b[Hfive\a"}, l.take())
	})
}

// Prepare's function runs when the terminal can take a frame, once, and sees the newest state.
func TestPrepare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine()
		s := New(l)
		calls, state := 0, "one"
		f := func() {
			calls++
			s.Show(frame(state))
		}
		s.Prepare(f)
		synctest.Wait()
		require.Len(t, l.take(), 1, "before any other frame")

		hold := make(chan struct{})
		l.holdUp(hold)
		state = "two"
		s.Prepare(f)
		synctest.Wait()
		require.Equal(t, []string{"\x1b[Htwo"}, l.take())
		for _, state = range []string{"three", "four"} {
			s.Prepare(f)
			synctest.Wait()
		}
		require.Equal(t, 2, calls, "nothing is prepared while a Write is under way")
		close(hold)
		synctest.Wait()
		require.Equal(t, []string{"\x1b[Hfour"}, l.take())
		require.Equal(t, 3, calls)

		s.Prepare(func() {})
		synctest.Wait()
		require.Empty(t, l.take(), "nothing was shown")
		require.NoError(t, s.Leave())
		s.Prepare(f)
		synctest.Wait()
		require.Equal(t, 3, calls)
	})
}

// A Write that blocks delays only its own screen; after it fails nothing more is written.
func TestWriteThatDoesNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine()
		s := New(l)
		l.holdUp(make(chan struct{}))
		s.Show(frame("one"))
		s.Show(frame("two"))
		synctest.Wait()
		require.NoError(t, s.Err())

		close(l.closed)
		require.EqualError(t, s.Leave(), "connection closed")
		require.Len(t, l.take(), 1, "nothing is written afterwards")
		s.Show(frame("three"))
		s.Bell()
		synctest.Wait()
		require.Empty(t, l.take())
	})
}

func TestBrokenLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine()
		l.err = errors.New("broken pipe")
		s := New(l)
		s.Show(frame("one"))
		synctest.Wait()
		require.Len(t, l.take(), 1)
		s.Show(frame("two"))
		s.Bell()
		require.False(t, s.Copy("text"))
		require.EqualError(t, s.Leave(), "broken pipe")
		require.EqualError(t, s.Leave(), "broken pipe")
		synctest.Wait()
		require.Empty(t, l.take())
	})
}

func TestLeaveRestoresTheTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term := newTerminal(20, 4)
		shell := "$ ssh play@club"
		_, err := term.Write([]byte("\x1b]2;shell\a" + shell))
		require.NoError(t, err)
		cursor := term.vt.Cursor()
		mode := term.vt.Mode()

		s := New(term)
		s.SetMouse(true)
		s.Show(NewFrame(Content{Width: 20, Height: 4, Lines: []string{"\x1b[1;7;31mred"}, Title: "boneyard", Cursor: Cursor{3, 1, true}}))
		synctest.Wait()
		require.NotZero(t, term.vt.Mode()&vt10x.ModeAltScreen)
		require.NotZero(t, term.vt.Mode()&vt10x.ModeMouseButton)
		require.NotZero(t, term.vt.Mode()&vt10x.ModeMouseSgr)
		require.Equal(t, "boneyard", term.vt.Title())
		require.Equal(t, 1, term.titles)
		require.True(t, term.paste)
		require.True(t, term.noWrap)

		require.NoError(t, s.Leave())
		require.Equal(t, mode, term.vt.Mode())
		require.Equal(t, shell, term.text(0))
		require.Equal(t, "", term.text(1))
		require.Equal(t, cursor, term.vt.Cursor())
		require.True(t, term.vt.CursorVisible())
		require.Zero(t, term.titles)
		require.False(t, term.paste)
		require.False(t, term.noWrap)
	})
}

func TestLeaveIsWrittenOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine()
		s := New(l)
		hold := make(chan struct{})
		l.holdUp(hold)
		s.Show(frame("one"))
		synctest.Wait()
		s.Show(frame("two"))
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() { assert.NoError(t, s.Leave()) })
		}
		synctest.Wait()
		require.Len(t, l.take(), 1)
		close(hold)
		wg.Wait()
		require.Equal(t, []string{leave}, l.take(), "and what waited is forgotten")
		require.NoError(t, s.Leave())
		s.Show(frame("three"))
		s.SetMouse(true)
		synctest.Wait()
		require.Empty(t, l.take())
	})
}

func TestLeaveWithoutAnythingShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine()
		require.NoError(t, New(l).Leave())
		require.Empty(t, l.take())
	})
}

func TestBesideFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term := newTerminal(20, 4)
		s := New(term)
		s.Show(frame("hello"))
		synctest.Wait()

		s.Bell()
		require.True(t, s.Copy("ssh -t club join K7QX-4HDM"))
		require.True(t, s.Ask(ansi.RequestBackgroundColor))
		synctest.Wait()
		require.Equal(t, 1, term.bells)
		require.Equal(t, []string{base64.StdEncoding.EncodeToString([]byte("ssh -t club join K7QX-4HDM"))}, term.clip)
		require.Equal(t, []string{ansi.RequestBackgroundColor}, term.asked)
		require.Equal(t, "hello", term.text(0))

		require.False(t, s.Copy(strings.Repeat("x", MaxCopy+1)))
		require.True(t, s.Copy(strings.Repeat("x", MaxCopy)))

		s.SetMouse(true)
		synctest.Wait()
		require.NotZero(t, term.vt.Mode()&vt10x.ModeMouseButton)
		s.SetMouse(false)
		synctest.Wait()
		require.Zero(t, term.vt.Mode()&vt10x.ModeMouseMask)
	})
}

// However slow its connection, a session holds little memory.
func TestWhatWaitsIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, s, hold := held()
		refused := 0
		for range 1000 {
			if !s.Copy("ssh -t club join K7QX-4HDM") {
				refused++
			}
		}
		require.NotZero(t, refused)
		close(hold)
		synctest.Wait()
		require.LessOrEqual(t, len(strings.Join(l.take(), "")), maxExtra+200)
		require.True(t, s.Copy("again"))
	})
}

func TestTitleAndCursor(t *testing.T) {
	patch := func(a, b Content) string {
		a.Width, a.Height, b.Width, b.Height = 20, 4, 20, 4
		return string(NewFrame(a).patchTo(NewFrame(b), new(scratch)))
	}
	at := func(x, y int) Cursor { return Cursor{x, y, true} }
	for _, c := range []struct {
		name     string
		from, to Content
		want     string
	}{
		{"appears", Content{}, Content{Cursor: at(2, 1)}, "\x1b[2;3H\x1b[?25h"},
		{"moves", Content{Cursor: at(2, 1)}, Content{Cursor: at(3, 1)}, "\x1b[2;4H"},
		{"stays while text changes", Content{Cursor: at(2, 1)}, Content{Cursor: at(2, 1), Lines: []string{"x"}}, "\x1b[Hx\n\x1b[3G"},
		{"follows the typing", Content{Cursor: at(2, 0), Lines: []string{"> "}}, Content{Cursor: at(3, 0), Lines: []string{"> h"}}, "\x1b[1;3Hh"},
		{"goes", Content{Cursor: at(2, 1)}, Content{}, hideCursor},
		{"outside is hidden", Content{Cursor: at(2, 1)}, Content{Cursor: at(20, 1)}, hideCursor},
		{"title", Content{Title: "a"}, Content{Title: "b\x1b\a"}, "\x1b]2;b\a"},
		{"title is taken away", Content{Title: "a"}, Content{}, "\x1b]2;\a"},
		{"rest of a line", Content{Lines: []string{"a long line"}}, Content{Lines: []string{"a"}}, "\x1b[1;3H\x1b[K"},
		{"up to the edge", Content{Lines: []string{"12345678901234567890"}}, Content{Lines: []string{"1234567890123456789x"}}, "\x1b[1;20Hx"},
		{"two changes far apart", Content{Lines: []string{"a bcdefgh i"}}, Content{Lines: []string{"x bcdefgh y"}}, "\x1b[Hx\x1b[11Gy"},
		{"two changes close together", Content{Lines: []string{"a bcd e"}}, Content{Lines: []string{"x bcd y"}}, "\x1b[Hx\x1b[7Gy"},
		{"two changes very close", Content{Lines: []string{"a bc e"}}, Content{Lines: []string{"x bc y"}}, "\x1b[Hx bc y"},
		{"colour stays on over a jump", Content{}, Content{Lines: []string{"\x1b[31mab", "\x1b[31mcd"}}, "\x1b[H\x1b[31mab\x1bEcd\x1b[m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, patch(c.from, c.to))
		})
	}
}

// A patch that a terminal may read in two pieces is bracketed.
func TestLongPatchesAreBracketed(t *testing.T) {
	row := func(n int) *Frame {
		return NewFrame(Content{Width: MaxWidth, Height: 2, Lines: []string{strings.Repeat("x", n)}})
	}
	const there = "\x1b[H"
	short, long := maxPlain-len(there), maxPlain-len(there)+1
	require.Equal(t, there+strings.Repeat("x", short), string(row(0).patchTo(row(short), new(scratch))))
	require.Equal(t, syncBegin+there+strings.Repeat("x", long)+syncEnd, string(row(0).patchTo(row(long), new(scratch))))
}

// On terminals that treat each rune of an emoji as a character, as those without mode 2027 do, everything
// after it is still in place.
func TestTerminalsThatDisagreeAboutWidths(t *testing.T) {
	vt := vt10x.New(vt10x.WithSize(20, 4)) // gives each rune one cell
	var shown *Frame
	show := func(lines ...string) {
		next := frame(lines...)
		_, err := vt.Write(bytes.ReplaceAll(shown.patchTo(next, new(scratch)), []byte(hideCursor), nil))
		require.NoError(t, err)
		shown = next
	}
	tail := func(from int) string {
		var b strings.Builder
		for x := from; x < 20; x++ {
			b.WriteRune(vt.Cell(x, 0).Char)
		}
		return strings.TrimRight(b.String(), " ")
	}
	for _, emoji := range []string{"👩‍👩‍👧", "❤️", "🇩🇪", "👍"} {
		show("")
		show(emoji + " anna 15 |")
		require.Equal(t, " anna 15 |", tail(2), emoji)
		show("x  anna 15 |")
		require.Equal(t, "x  anna 15 |", tail(0), emoji)
		show(emoji + " anna 15 |")
		require.Equal(t, " anna 15 |", tail(2), emoji)
		show(emoji)
		require.Equal(t, "", tail(2), emoji)
	}
}

func TestOddCharacters(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"a" + strings.Repeat("\u0301", 200) + "b", "ab"}, // piled up marks
		{"a\u0301\u0302b", "a\u0301\u0302b"},
		{"a\xffb\xe4\xb8c", "a\ufffdb\ufffd\ufffdc"}, // broken UTF-8
		{"\u0301a\u200bb\u202ec", "abc"},             // nothing to combine with, nothing visible
		{"a\tb\nc\r\nd\x7f", "a b c d"},
		{"a\u009b2Jb", "a2Jb"},
		{"a\x1b[2Jb\x1b]0;x\x1b\\c\x1bMd\x1b(0e\x1b[3", "abcde"},
	} {
		var got strings.Builder
		for _, cell := range parseLine(nil, c.line, 50) {
			got.WriteString(cell.text)
		}
		assert.Equal(t, c.want, got.String(), "%q", c.line)
	}
}

// On blanks only, a text's colour and weight have no effect.
func TestStyleOnBlanks(t *testing.T) {
	for _, c := range []struct{ params, seen string }{
		{"", ""},
		{"1", ""},
		{"2;31", ""},
		{"97", ""},
		{"1;38;5;200", ""},
		{"38;2;7;41;4;1", ""},
		{"4", "4"},
		{"1;7", "1;7"},
		{"31;42", "31;42"},
		{"38;5;200;48;5;1", "38;5;200;48;5;1"},
		{"38;2;1;2;3;4", "38;2;1;2;3;4"},
		{"38", "38"},
		{"3", "3"}, // unknown, and kept
	} {
		assert.Equal(t, style(c.seen), style(c.params).onBlank(), "%q", c.params)
	}
}

// Each terminal is notified in its own way; characters that could end the sequence early are dropped.
func TestNotify(t *testing.T) {
	for term, want := range map[string]string{
		"xterm-256color": "\x1b]9;Boneyard: Arena 1, a0mb begins\a", "foot": "\x1b]777;notify;Boneyard;Arena 1, a0mb begins\a",
		"linux": "", "tmux-256color": "", "": "",
	} {
		synctest.Test(t, func(t *testing.T) {
			out := newLine()
			s := New(out)
			s.Show(frame("hello"))
			s.Notify("Arena 1, a\x1b;0\x07m\u009cb begins", term)
			synctest.Wait()
			sent := strings.Join(out.take(), "")
			require.Equal(t, want != "", strings.Contains(sent, "Boneyard"), term)
			require.Contains(t, sent, want, term)
			require.NoError(t, s.Leave())
		})
	}
}
