package line

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEditor(t *testing.T) {
	for name, c := range map[string]struct {
		width      int
		keys, echo string
		line       string
		event      event
	}{
		"a line":                        {0, "abc", "abc", "abc", nothing},
		"enter":                         {0, "abc\r", "abc\r\n", "abc", entered},
		"line feed":                     {0, "abc\n", "abc\r\n", "abc", entered},
		"backspace":                     {0, "ab\x7fc\b", "ab\b \bc\b \b", "a", nothing},
		"backspace in an empty line":    {0, "\x7f\x7fa", "a", "a", nothing},
		"a wide character":              {0, "日\x7f", "日\b \b\b \b", "", nothing},
		"a character with a mark":       {0, "e\u0301\x7f", "e\u0301\b \b", "", nothing},
		"half a character":              {0, "\xe6\x97", "", "", nothing},
		"no character":                  {0, "a\xff\xc0\xafb", "ab", "ab", nothing},
		"an invisible character":        {0, "a\u202e\u200bb", "ab", "ab", nothing},
		"erase the line":                {0, "ab\x15c", "ab\b \b\b \bc", "c", nothing},
		"erase a word":                  {0, "ab cd \x17", "ab cd \b \b\b \b\b \b", "ab ", nothing},
		"write it again":                {0, "ab\x12", "ab\r\nab", "ab", nothing},
		"backspace over two rows":       {4, "abcde\x7f", "abcde\r\nabcd", "abcd", nothing},
		"an arrow":                      {0, "a\x1b[1;5Db", "ab", "ab", nothing},
		"a function key":                {0, "a\x1bOPb", "ab", "ab", nothing},
		"alt and a key":                 {0, "a\x1bxb", "ab", "ab", nothing},
		"a tab":                         {0, "a\tb", "a b", "a b", nothing},
		"other controls":                {0, "a\x00\x07\x0eb", "ab", "ab", nothing},
		"ctrl+c":                        {0, "ab\x03", "ab\r\n", "ab", leave},
		"ctrl+d behind something":       {0, "ab\x04", "ab", "ab", nothing},
		"ctrl+d in an empty line":       {0, "\x04", "", "", leave},
		"a character split by a letter": {0, "\xe6a", "a", "a", nothing},
	} {
		t.Run(name, func(t *testing.T) {
			e := editor{echo: true, width: c.width}
			echo, last := "", nothing
			for _, b := range []byte(c.keys) {
				s, ev := e.key(b)
				echo, last = echo+s, ev
			}
			require.Equal(t, c.echo, echo)
			require.Equal(t, c.line, e.line)
			require.Equal(t, c.event, last)
		})
	}
}

// CR LF is one end of a line.
func TestEditorTakesBothEnds(t *testing.T) {
	e := editor{}
	var lines []string
	for _, b := range []byte("one\r\ntwo\nthree\r\r\n") {
		echo, ev := e.key(b)
		require.Empty(t, echo, "without a terminal nothing is echoed")
		if ev == entered {
			lines = append(lines, e.take())
		}
	}
	require.Equal(t, []string{"one", "two", "three", ""}, lines)
}

// Without a terminal, bytes are not keys: a program's input cannot leave by accident.
func TestEditorWithoutATerminal(t *testing.T) {
	e := editor{}
	for _, b := range []byte("a\x03\x04\x7f\x15b") {
		_, ev := e.key(b)
		require.Equal(t, nothing, ev)
	}
	require.Equal(t, "ab", e.line)
}

func TestEditorHoldsNoMoreThanALine(t *testing.T) {
	e := editor{echo: true}
	written := 0
	for range 100_000 {
		s, _ := e.key('x')
		written += len(s)
	}
	require.Len(t, e.line, longest)
	require.Equal(t, longest, written)

	e = editor{}
	for _, b := range []byte(strings.Repeat("日", longest+1)) {
		e.key(b)
	}
	require.Equal(t, strings.Repeat("日", longest), e.line, "it counts characters")
}

// Whatever is typed, the echo has no escape sequence in it.
func FuzzEditor(f *testing.F) {
	f.Add([]byte("say \x1b[31mhello\x1b]0;x\x07\r\n\x9b31m\xc2\x9b"))
	f.Fuzz(func(t *testing.T, keys []byte) {
		e := editor{echo: true, width: 20}
		for _, b := range keys {
			echo, _ := e.key(b)
			for _, r := range echo {
				if r < ' ' && r != '\b' && r != '\r' && r != '\n' || r >= 0x7f && r < 0xa0 {
					t.Fatalf("%q is echoed as %q", keys, echo)
				}
			}
		}
	})
}
