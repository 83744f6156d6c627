package input_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/stretchr/testify/require"

	"boneyard/ui/input"

	_ "boneyard/ui/golden" // for -update
)

// chunk is some bytes, and how long they keep one waiting.
type chunk struct {
	after time.Duration
	bytes string
}

// decode runs chunks through a decoder, as many bytes at once as a session reads, and names what comes out.
func decode(t *testing.T, chunks ...chunk) []string {
	t.Helper()
	var got []string
	synctest.Test(t, func(t *testing.T) {
		d := input.New(func(m tea.Msg) { got = append(got, name(m)) })
		for _, c := range append(chunks, chunk{3 * time.Second, ""}) {
			arrives := time.After(c.after) // in a bubble: the clock is synctest's
			for waits := true; waits; {
				select {
				case <-d.Late():
					d.Expire()
				case <-arrives:
					waits = false
				}
			}
			for piece := range slices.Chunk([]byte(c.bytes), 512) {
				d.Take(piece)
			}
		}
	})
	return got
}

func name(m tea.Msg) string {
	switch m := m.(type) {
	case uv.KeyPressEvent:
		return m.String()
	case tea.KeyPressMsg:
		return m.String()
	case tea.PasteMsg:
		return "paste:" + m.Content
	case uv.BackgroundColorEvent:
		return "background"
	case uv.MouseClickEvent:
		return "click"
	}
	return "?"
}

func TestKeys(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"letters", "ab", []string{"a", "b"}},
		{"enter, tab, control", "\r\t\x03\x04", []string{"enter", "tab", "ctrl+c", "ctrl+d"}},
		{"arrows", "\x1b[A\x1b[B\x1bOC\x1bOD", []string{"up", "down", "right", "left"}},
		{"shift+tab, page keys", "\x1b[Z\x1b[5~\x1b[6~", []string{"shift+tab", "pgup", "pgdown"}},
		{"home and end", "\x1b[H\x1b[F\x1b[1~\x1b[4~", []string{"home", "end", "home", "end"}},
		{"home and end elsewhere", "\x1bOH\x1bOF\x1b[7~\x1b[8~", []string{"home", "end", "home", "end"}},
		{"function keys", "\x1bOP\x1b[11~\x1b[[A\x1b[[Ex", []string{"f1", "f1", "f1", "f5", "x"}},
		{"no key of the Linux console", "\x1b[[Zx", []string{"x"}},
		{"both backspaces", "\x7f\x08", []string{"backspace", "ctrl+h"}},
		{"answers nobody asked for", "\x1b[?1;2c\x1b[24;80R\x1b[?2026;2$y\x1b]52;c;aGk=\x07\x1bP>|xterm(379)\x1b\\x", []string{"x"}},
		{"alt", "\x1bx", []string{"alt+x"}},
		{"wide letters", "é漢", []string{"é", "漢"}},
		{"wrong bytes are nothing", "a\xff\xfeb", []string{"a", "b"}},
		{"mouse", "\x1b[<0;10;5M", []string{"click"}},
		{"answer of the terminal", "\x1b]11;rgb:0000/0000/0000\x1b\\x", []string{"background", "x"}},
		{"paste", "\x1b[200~64 r\n\x1b[A q\x1b[201~z", []string{"paste:64 r\n\x1b[A q", "z"}},
		{"unknown sequence", "\x1b[999;999zx", []string{"x"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.want, decode(t, chunk{0, tc.in}), "whole")
			var bytes []chunk
			for i := range len(tc.in) {
				bytes = append(bytes, chunk{10 * time.Millisecond, tc.in[i : i+1]})
			}
			require.Equal(t, tc.want, decode(t, bytes...), "byte by byte")
		})
	}
}

func TestBareEscIsAKeyAfterAWhile(t *testing.T) {
	require.Equal(t, []string{"esc"}, decode(t, chunk{0, "\x1b"}))
	require.Equal(t, []string{"esc", "a"}, decode(t, chunk{0, "\x1b"}, chunk{time.Second / 2, "a"}))
}

func TestSequenceSplitByASlowLineIsNoLetters(t *testing.T) {
	require.Equal(t, []string{"esc", "up", "x"}, decode(t, chunk{0, "\x1b"}, chunk{500 * time.Millisecond, "[A"}, chunk{0, "x"}))
	require.Equal(t, []string{"up"}, decode(t, chunk{0, "\x1b["}, chunk{900 * time.Millisecond, "A"}))
}

func TestBracketTypedAfterEscIsAKey(t *testing.T) {
	for _, typed := range []string{"[", "]", "O", "P"} {
		got := decode(t, chunk{0, "\x1b"}, chunk{200 * time.Millisecond, typed}, chunk{200 * time.Millisecond, "x"})
		require.Len(t, got, 3, typed)
		require.Equal(t, []string{"esc", "x"}, []string{got[0], got[2]}, typed)
	}
}

func TestHalfAnAnswerNeverReachesTheChat(t *testing.T) {
	require.Equal(t, []string{"x"}, decode(t, chunk{0, "\x1b]11;rgb:0000/00"}, chunk{2 * time.Second, "x"}))
	require.Equal(t, []string{"background"}, decode(t, chunk{0, "\x1b]11;rgb:0000/00"}, chunk{900 * time.Millisecond, "00/0000\x07"}))
}

func TestPasteIsBounded(t *testing.T) {
	got := decode(t, chunk{0, "\x1b[200~" + strings.Repeat("q", 1<<20) + "\x1b[201~"})
	require.Len(t, got, 1)
	require.Len(t, got[0], len("paste:")+input.MaxPaste)
}

func TestEndlessSequenceIsBounded(t *testing.T) {
	got := decode(t, chunk{0, "\x1b]" + strings.Repeat("9", 1<<20)}, chunk{0, "\x07"}, chunk{2 * time.Second, "x"})
	require.Contains(t, got, "x")
}

// However the bytes are split, the messages are the same: no sequence changes because of a slow line, and a
// paste arrives as it was.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte("\x1b[A\x1b]11;rgb:0/0/0\x07abc"), 3)
	f.Add([]byte("\x1b[200~x\x1b[201~\x1b[M !!\x1b[[A\x1b\x1b[B"), 1)
	f.Add([]byte("\xf0\x9f\x81\xa3e\u0301\x1bOP\x1bx\x1b[<0;1;1M\x1b[1;5A\r\t\x7f"), 2)
	f.Fuzz(func(t *testing.T, in []byte, size int) {
		in = in[:min(len(in), 4<<10)] // a longer sequence is thrown away when it has become too long
		taken := func(size int, in []byte) (all []tea.Msg) {
			d := input.New(func(m tea.Msg) {
				if p, ok := m.(tea.PasteMsg); ok && len(p.Content) > input.MaxPaste {
					t.Fatal("a paste is too long")
				}
				all = append(all, m)
			})
			defer d.Close()
			for piece := range slices.Chunk(in, size) {
				d.Take(piece)
			}
			return all
		}
		whole := taken(len(in)+1, in)
		require.Equal(t, whole, taken(max(size%64, 1), in))
		if text := string(in); utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl) && text != "" {
			pasted := taken(max(size%64, 1), []byte("\x1b[200~"+text+"\x1b[201~"))
			require.Equal(t, []tea.Msg{tea.PasteMsg{Content: text}}, pasted)
		}
	})
}
