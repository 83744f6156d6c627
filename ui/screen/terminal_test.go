package screen

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/hinshun/vt10x"
	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"
)

// terminal is the emulator that checks the screen's bytes.
//
// It is vt10x behind a thin layer, because vt10x gives each rune one cell, combining marks and wide
// characters too, and does not know faint. The layer passes one rune of the private use area for each
// character, followed by a filler for the right half of a wide one, and blinking, which is not used here, for
// faint. It drops what the screen sends and vt10x does not know (modes 2004 and 2026, the title stack), as
// terminals do, and counts those that matter.
type terminal struct {
	vt       vt10x.Terminal
	runes    map[string]rune // character → stand-in
	chars    map[rune]string
	sync     int // depth of synchronized updates
	paste    bool
	noWrap   bool
	titles   int // depth of the title stack
	bells    int
	clip     []string
	asked    []string
	unsynced int // cells written outside a synchronized update, of patches that are not short
}

// filler is in the right half of a wide character.
const filler = '\U0010fffd'

// standIns is the first of the runes that stand for characters, in the last plane for private use.
const standIns = '\U00100000'

func newTerminal(w, h int) *terminal {
	return &terminal{
		vt:    vt10x.New(vt10x.WithSize(w, h)),
		runes: map[string]rune{}, chars: map[rune]string{},
	}
}

// Write takes only whole sequences, as the screen sends them in one piece.
func (t *terminal) Write(p []byte) (int, error) {
	var out strings.Builder
	for rest := string(p); len(rest) > 0; {
		var seq string
		if rest[0] >= 0x20 && rest[0] != 0x7f {
			seq, _, _, _ = uniseg.FirstGraphemeClusterInString(rest, -1)
		} else {
			_, _, n, _ := ansi.DecodeSequence(rest, 0, nil)
			seq = rest[:n]
		}
		rest = rest[len(seq):]
		width := ansi.StringWidth(seq)
		switch {
		case width > 0:
			if t.sync == 0 && len(p) > maxPlain {
				t.unsynced++
			}
			out.WriteRune(t.standIn(seq))
			for range width - 1 {
				out.WriteRune(filler)
			}
		case ansi.HasCsiPrefix(seq):
			out.WriteString(t.csi(seq))
		case strings.HasPrefix(seq, "\x1b]52;c;"):
			t.clip = append(t.clip, strings.TrimSuffix(seq[len("\x1b]52;c;"):], "\a"))
		case strings.HasPrefix(seq, "\x1b]2;"):
			out.WriteString(seq)
		case ansi.HasOscPrefix(seq):
			t.asked = append(t.asked, seq)
		case seq == "\a":
			t.bells++
		case seq == "\r" || seq == "\n" || seq == nextLine:
			out.WriteString(seq)
		default:
			return 0, fmt.Errorf("the screen sent %q", seq)
		}
	}
	if _, err := t.vt.Write([]byte(out.String())); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (t *terminal) csi(seq string) string {
	switch seq {
	case syncBegin:
		t.sync++
		return ""
	case syncEnd:
		t.sync = max(t.sync-1, 0)
		return ""
	case "\x1b[?2004h":
		t.paste = true
		return ""
	case "\x1b[?2004l":
		t.paste = false
		return ""
	case "\x1b[22;2t":
		t.titles++
		return ""
	case "\x1b[23;2t":
		t.titles--
		return ""
	case "\x1b[?7l":
		t.noWrap = true
	case "\x1b[?7h":
		t.noWrap = false
	}
	if params, ok := strings.CutSuffix(seq, "m"); ok {
		ps := strings.Split(params[2:], ";")
		for i := 0; i < len(ps); i++ {
			switch ps[i] {
			case "38", "48":
				if ps[i+1] == "5" {
					i += 2
				} else {
					i += 4
				}
			case "2":
				ps[i] = "5"
			case "22":
				ps[i] = "22;25"
			}
		}
		return "\x1b[" + strings.Join(ps, ";") + "m"
	}
	return seq
}

// standIn returns the rune that stands for a character.
func (t *terminal) standIn(char string) rune {
	if r, n := utf8.DecodeRuneInString(char); n == len(char) && r < standIns && ansi.StringWidth(char) == 1 {
		return r
	}
	r, ok := t.runes[char]
	if !ok {
		r = standIns + rune(len(t.runes))
		t.runes[char], t.chars[r] = r, char
	}
	return r
}

// text returns row y as characters, without trailing spaces.
func (t *terminal) text(y int) string {
	w, _ := t.vt.Size()
	var b strings.Builder
	for x := range w {
		r := t.vt.Cell(x, y).Char
		if char, ok := t.chars[r]; ok {
			b.WriteString(char)
		} else if r != filler {
			b.WriteRune(r)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// Bits of vt10x's Glyph.Mode, which it does not export.
const (
	vtReverse   = 1 << 0
	vtUnderline = 1 << 1
	vtItalic    = 1 << 4
)

// glyph is a cell of the emulator as a person sees it.
type glyph struct {
	char   string
	mode   int16
	fg, bg vt10x.Color
}

func (t *terminal) glyph(x, y int) glyph {
	c := t.vt.Cell(x, y)
	g := glyph{char: string(c.Char), mode: c.Mode, fg: c.FG, bg: c.BG}
	if char, ok := t.chars[c.Char]; ok {
		g.char = char
	}
	if c.Char == ' ' {
		g.mode &^= vtItalic
		if c.Mode&(vtReverse|vtUnderline) == 0 {
			g.fg, g.mode = 0, 0 // neither is visible on a space
		}
	}
	return g
}

// requireSame fails the test unless two terminals look the same.
func requireSame(tb require.TestingT, want, got *terminal) {
	w, h := want.vt.Size()
	gw, gh := got.vt.Size()
	require.Equal(tb, [2]int{w, h}, [2]int{gw, gh})
	for y := range h {
		for x := range w {
			if a, b := want.glyph(x, y), got.glyph(x, y); a != b {
				require.Equalf(tb, a, b, "column %d of row %d\nwant %q\ngot  %q", x, y, want.text(y), got.text(y))
			}
		}
	}
	require.Equal(tb, want.vt.CursorVisible(), got.vt.CursorVisible())
	if want.vt.CursorVisible() {
		a, b := want.vt.Cursor(), got.vt.Cursor()
		require.Equal(tb, [2]int{a.X, a.Y}, [2]int{b.X, b.Y}, "cursor")
	}
}

// painted is a new terminal that shows c in the simplest way: every line cut by ansi.Truncate and written in
// its place.
func painted(tb require.TestingT, c Content) *terminal {
	t := newTerminal(c.Width, c.Height)
	var b strings.Builder
	b.WriteString("\x1b[?7l" + hideCursor)
	for y, line := range c.Lines {
		if y == c.Height {
			break
		}
		fmt.Fprintf(&b, "\x1b[%d;1H%s\x1b[m", y+1, ansi.Truncate(line, c.Width, ""))
	}
	if c.Cursor.Visible {
		fmt.Fprintf(&b, "\x1b[%d;%dH%s", c.Cursor.Y+1, c.Cursor.X+1, showCursor)
	}
	_, err := t.Write([]byte(b.String()))
	require.NoError(tb, err)
	return t
}

func TestPatchSmall(t *testing.T) {
	a := NewFrame(Content{Width: 20, Height: 3, Lines: []string{"hello", "world 6-4"}})
	b := NewFrame(Content{Width: 20, Height: 3, Lines: []string{"hello", "world \x1b[1m5\x1b[m-4"}})
	for _, c := range []struct {
		from, to *Frame
		want     string
	}{
		{nil, a, syncBegin + wipe + "hello\x1bEworld 6-4" + syncEnd},
		{a, a, ""},
		{a, b, "\x1b[2;7H\x1b[1m5\x1b[m"},
	} {
		require.Equal(t, c.want, string(c.from.patchTo(c.to, new(scratch))))
	}
}

// TestATerminalWhoseScreenIsGone draws as a Screen whose machine fails meanwhile, then as its successor.
func TestATerminalWhoseScreenIsGone(t *testing.T) {
	tt := newTerminal(40, 6)
	draw := func(s string) {
		_, err := tt.Write([]byte(s))
		require.NoError(t, err)
	}
	frame := NewFrame(Content{Width: 40, Height: 6, Lines: []string{"one", "two", "", "", "", "keys"}})
	draw("$ ssh club")
	draw(enter + mouseOn + string((*Frame)(nil).patchTo(frame, new(scratch))) + syncBegin + "\x1b[3;")
	draw(string(Foot("a moment, and more text than fits into a row", 40, 6)))
	require.Equal(t, "one", strings.TrimSpace(tt.text(0)))
	require.Equal(t, " a moment, and more text than fits into", tt.text(5))
	require.Zero(t, tt.sync)
	draw(Renew)
	require.Zero(t, tt.titles)
	draw(enter)
	draw(Restore)
	require.Zero(t, tt.titles)
	require.False(t, tt.paste)
	require.False(t, tt.noWrap)
	require.True(t, tt.vt.CursorVisible())
}
