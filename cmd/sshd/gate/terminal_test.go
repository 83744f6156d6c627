package gate

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

func TestSizesAreClamped(t *testing.T) {
	const huge = 4294967295
	for _, tc := range []struct{ w, h, wantW, wantH uint32 }{
		{80, 24, 80, 24}, {0, 0, 80, 24}, {0, 50, 80, 50}, {120, 0, 120, 24}, {1, 1, 1, 1},
		{500, 200, 500, 200}, {501, 201, 500, 200}, {huge, huge, 500, 200}, {1 << 31, 1 << 31, 500, 200},
	} {
		got := clampSize(tc.w, tc.h)
		require.Equal(t, Size{Width: int(tc.wantW), Height: int(tc.wantH)}, got, "%d×%d", tc.w, tc.h)
	}
}

// A window that is resized a thousand times a second is redrawn ten times a second: at once at first, and
// finally at its last size.
func TestResizesArePaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newLatest(Size{Width: 80, Height: 24})
		m.put(Size{Width: 80, Height: 24})
		require.Empty(t, m.sizes, "the same size is no news")
		m.put(Size{Width: 79, Height: 24})
		require.Equal(t, Size{Width: 79, Height: 24}, <-m.sizes, "at once")
		var taken []int
		for w := range 1200 {
			time.Sleep(time.Millisecond)
			if w < 1000 {
				m.put(Size{Width: w, Height: 24})
			}
			select {
			case s := <-m.sizes:
				taken = append(taken, s.Width)
			default:
			}
		}
		require.InDelta(t, 10, len(taken), 1)
		require.Equal(t, 999, taken[len(taken)-1], "as it stays")
		for w := range 20000 { // that nobody takes
			m.put(Size{Width: w, Height: 24})
		}
		time.Sleep(time.Second)
		require.Equal(t, Size{Width: 19999, Height: 24}, <-m.sizes)
		require.Empty(t, m.sizes)
	})
}

func TestPtyRequestIsRewritten(t *testing.T) {
	hostile := ptyRequest{
		Term:  "xterm\x1b]0;owned\x07\u202e\n" + strings.Repeat("x", 1000),
		Width: 4294967295, Height: 4294967295, PixelWidth: 4294967295, PixelHeight: 1,
		Modes: strings.Repeat("\x01\x00\x00\x00\x01", 100),
	}
	clean, term, size, ok := cleanPty(gossh.Marshal(hostile))
	require.True(t, ok)
	require.Equal(t, Size{Width: 500, Height: 200}, size)
	require.Len(t, term, 64)
	require.True(t, strings.HasPrefix(term, "xterm]0;ownedxxx"))
	var r ptyRequest
	require.NoError(t, gossh.Unmarshal(clean, &r))
	require.Equal(t, ptyRequest{Term: term, Width: 500, Height: 200}, r)

	for _, bad := range []string{"", "\x00", "\xff\xff\xff\xffxterm"} {
		_, _, _, ok = cleanPty([]byte(bad))
		require.False(t, ok)
	}
}

func TestEnvironmentKept(t *testing.T) {
	for _, kv := range [][2]string{{"LANG", "de_DE.UTF-8"}, {"LC_ALL", "C"}, {"COLORTERM", "truecolor"}, {"TERM_PROGRAM", "x"},
		{"NO_COLOR", ""}, {"BONEYARD_VERSIONS", "1"}} {
		require.True(t, envKept(kv[0], kv[1]), kv[0])
	}
	for _, kv := range [][2]string{
		{"PATH", "/"}, {"LD_PRELOAD", "x"}, {"TERM", "x"}, {"LANGUAGE", "x"}, {"", ""},
		{"LANG", "\x1b[31m"}, {"LANG", "ü"}, {"LC_A=B", "C"}, {"LC_\n", "C"},
		{"LANG", strings.Repeat("x", 252)},
	} {
		require.False(t, envKept(kv[0], kv[1]), "%q", kv)
	}
	require.True(t, envKept("LANG", strings.Repeat("x", 251)), "256 bytes with the equals sign")
}

// Sentences are broken between words on a terminal, and nowhere without one.
func TestSentencesEndBetweenWords(t *testing.T) {
	var said bytes.Buffer
	c := &Call{Err: &said}
	c.Warn("one two three")
	require.Equal(t, "one two three\n", said.String())
	said.Reset()
	c.Term = &Terminal{}
	c.Term.Size.Width = 8
	c.Warn("one two three")
	require.Equal(t, "one two\r\nthree\r\n", said.String())
}
