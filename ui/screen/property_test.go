package screen

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"unicode"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "boneyard/rules/sameseed"
	"boneyard/ui/theme"
)

// text is a styled line as a page might make it, and the same without what the screen must drop.
type text struct{ raw, clean string }

var words = []string{
	"", " ", "   ", "a", "6-4", "Anna", "spinner", "│6·4│", "┌───┐", "╔═", "●●●", "█▇▆", "…", "→ 15",
	"世", "界骨牌", "e\u0301", "n\u0303o", "한국", "ﾃﾞ", "👍", "👩‍👩‍👧", "❤️", "🇩🇪", "x\u0301\u0302\u0303", "naïve", "\u0e01\u0e33",
}

// junk is what must not reach a terminal.
var junk = []string{
	"\x00", "\x07", "\x08", "\r", "\x7f", "\u009b2J", "\u0085", "\x1b[2J", "\x1b[10;10H", "\x1b[?1049l", "\x1b]0;owned\a",
	"\x1b]52;c;AAAA\x1b\\", "\x1b]8;;http://x\x1b\\", "\x1bP+q\x1b\\", "\x1bc", "\x1b(0", "\x1b#8", "\x1b[>1m", "\x1b[?1m",
	"\u202e", "\u2028", "\u200b", "\ufeff",
}

func genText(th *theme.Theme) *rapid.Generator[text] {
	return rapid.Custom(func(t *rapid.T) text {
		var l text
		for range rapid.IntRange(0, 8).Draw(t, "pieces") {
			word := rapid.SampledFrom(words).Draw(t, "word")
			raw, clean := word, word
			switch rapid.IntRange(0, 9).Draw(t, "kind") {
			case 0:
				raw += rapid.SampledFrom(junk).Draw(t, "junk")
				if strings.HasSuffix(raw, "2J") && strings.Contains(raw, "\u009b") {
					clean += "2J" // only the control character is dropped
				}
			case 1:
				raw, clean = raw+"\t", clean+" "
			case 2:
				sgr := rapid.SampledFrom([]string{"", "0", "1", "2;3", "4", "7", "22", "27;24", "31", "38;5;9;48;5;240", "38;2;1;2;3", "39", "49",
					"97;104"}).Draw(t, "sgr")
				raw, clean = "\x1b["+sgr+"m"+raw, "\x1b["+sgr+"m"+clean
			default:
				r := rapid.SampledFrom(theme.Roles()).Draw(t, "role")
				raw, clean = th.Paint(r, raw), th.Paint(r, clean)
			}
			l.raw += raw
			l.clean += clean
		}
		return l
	})
}

// picture is a content and its clean form.
type picture struct{ raw, clean Content }

func genPicture(th *theme.Theme, before *picture) *rapid.Generator[picture] {
	return rapid.Custom(func(t *rapid.T) picture {
		var p picture
		if before != nil && rapid.IntRange(0, 3).Draw(t, "change") > 0 {
			// Usually a few lines change and the size stays.
			p.raw, p.clean = before.raw, before.clean
			p.raw.Lines = append([]string(nil), p.raw.Lines...)
			p.clean.Lines = append([]string(nil), p.clean.Lines...)
			for i := range p.raw.Lines {
				if rapid.IntRange(0, 2).Draw(t, "line changes") == 0 {
					l := genText(th).Draw(t, "line")
					if rapid.Bool().Draw(t, "at its end") {
						l.raw, l.clean = p.raw.Lines[i]+l.raw, p.clean.Lines[i]+l.clean
					}
					p.raw.Lines[i], p.clean.Lines[i] = l.raw, l.clean
				}
			}
		} else {
			w, h := rapid.IntRange(1, 40).Draw(t, "width"), rapid.IntRange(1, 8).Draw(t, "height")
			p.raw = Content{Width: w, Height: h}
			p.clean = p.raw
			for range rapid.IntRange(0, h+2).Draw(t, "lines") {
				l := genText(th).Draw(t, "line")
				p.raw.Lines = append(p.raw.Lines, l.raw)
				p.clean.Lines = append(p.clean.Lines, l.clean)
			}
		}
		p.raw.Title = rapid.SampledFrom([]string{"boneyard", "table 12", "café"}).Draw(t, "title")
		p.raw.Cursor = Cursor{}
		if rapid.Bool().Draw(t, "cursor") {
			p.raw.Cursor = Cursor{
				X:       rapid.IntRange(0, p.raw.Width-1).Draw(t, "x"),
				Y:       rapid.IntRange(0, p.raw.Height-1).Draw(t, "y"),
				Visible: true,
			}
		}
		p.clean.Title, p.clean.Cursor = p.raw.Title, p.raw.Cursor
		return p
	})
}

// noDeadline hides the test's deadline from rapid, as a bubble of synctest has none.
type noDeadline struct{ rapid.TB }

// After any series of frames and resizes the terminal shows the frame.
func TestTerminalShowsTheFrame(t *testing.T) {
	for _, profile := range []colorprofile.Profile{colorprofile.ASCII, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor} {
		t.Run(profile.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rapid.Check(noDeadline{t}, func(t *rapid.T) {
					name := rapid.SampledFrom(theme.Names()).Draw(t, "theme")
					th := theme.Get(name, profile, theme.Digits)
					shared := rapid.Bool().Draw(t, "shared")
					var p *picture
					var term *terminal
					var scr *Screen
					for i := range rapid.IntRange(1, 6).Draw(t, "frames") {
						next := genPicture(th, p).Draw(t, fmt.Sprint("frame ", i))
						p = &next
						c := p.raw
						if scr == nil {
							term = newTerminal(c.Width, c.Height)
							scr = New(term)
						} else if w, h := term.vt.Size(); w != c.Width || h != c.Height {
							term.vt.Resize(c.Width, c.Height)
							scr.Repaint()
						}
						if shared {
							scr.Show(NewSharedFrame(c))
						} else {
							scr.Show(NewFrame(c))
						}
						synctest.Wait()
						require.NoError(t, scr.Err())
						requireSame(t, painted(t, p.clean), term)
						require.Equal(t, c.Title, term.vt.Title())
						require.Zero(t, term.unsynced)
						require.Zero(t, term.sync)
					}
					require.NoError(t, scr.Leave())
				})
			})
		})
	}
}

// Frames that look the same have no patch between them, however different
// their lines are written.
func TestNoPatchBetweenFramesThatLookTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		th := theme.Get(theme.Dark, colorprofile.TrueColor, theme.Digits)
		p := genPicture(th, nil).Draw(t, "picture")
		require.Empty(t, NewFrame(p.raw).patchTo(NewFrame(p.clean), new(scratch)))
	})
}

// A change repeated from another screen has the same bytes as one made by itself.
func TestAChangeIsRepeatedAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		th := theme.Get(theme.Dark, colorprofile.TrueColor, theme.Digits)
		p := genPicture(th, nil).Draw(t, "picture")
		next := genPicture(th, &p).Draw(t, "next").raw
		was := NewFrame(p.raw)
		want := Patch(was, NewFrame(next))
		next.Alike = true
		for range 2 {
			require.Equal(t, string(want), string(Patch(was, NewFrame(next))))
		}
	})
}

// Whatever the bytes of a line, the terminal gets only text and the few sequences that the emulator's layer
// knows, all of them whole.
func TestAnyBytesAreSafe(t *testing.T) {
	line := rapid.Custom(func(t *rapid.T) string {
		if rapid.Bool().Draw(t, "runes") {
			return rapid.String().Draw(t, "text")
		}
		return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
	})
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 30).Draw(t, "width"), rapid.IntRange(1, 4).Draw(t, "height")
		term := newTerminal(w, h)
		var shown *Frame
		for range rapid.IntRange(1, 3).Draw(t, "frames") {
			next := NewFrame(Content{Width: w, Height: h, Lines: rapid.SliceOfN(line, 0, h).Draw(t, "lines")})
			_, err := term.Write(shown.patchTo(next, new(scratch)))
			require.NoError(t, err)
			shown = next
		}
		for y := range shown.Height {
			var want strings.Builder
			for _, c := range parseLine(nil, shown.line(y), w) {
				for _, r := range c.text {
					require.Falsef(t, unicode.IsControl(r), "%q", c.text)
				}
				want.WriteString(c.text)
			}
			require.Equal(t, strings.TrimRight(want.String(), " "), term.text(y))
		}
	})
}

// Characters that would join on the terminal, although something separated them in the line, are kept apart.
func TestPartsDoNotJoin(t *testing.T) {
	for line, want := range map[string]string{
		"!\r\u0903":             "!\ufffd",        // a mark with a width of its own
		"!\x1b[31m\u0903":       "!\ufffd",        // a colour between
		"a\t\u0903b":            "a \ufffdb",      // after a blank
		"🇩\x1b[m🇪!":             "🇩\ufffd\ufffd!", // two halves of a flag
		"👍\x1b[m🏽!":             "👍\ufffd\ufffd!", // a hand and its colour
		"e\u0301\x1b[1mx":       "e\u0301x",
		"\u1100\x1b[m\u1161end": "\u1100\ufffdend", // a syllable's letters
	} {
		var got strings.Builder
		for _, c := range parseLine(nil, line, 20) {
			got.WriteString(c.text)
		}
		require.Equalf(t, want, got.String(), "%q", line)
	}
}

// parseLine cuts where ansi.Truncate does.
func TestParseLineCutsLikeTruncate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		th := theme.Get(theme.Light, colorprofile.ANSI256, theme.Digits)
		l := genText(th).Draw(t, "line")
		w := rapid.IntRange(0, 40).Draw(t, "width")
		var got strings.Builder
		row := parseLine(nil, l.raw, w)
		for _, c := range row {
			got.WriteString(c.text)
		}
		require.Equal(t, ansi.Strip(ansi.Truncate(l.clean, w, "")), got.String())
		require.Equal(t, ansi.StringWidth(got.String()), len(row))
	})
}

// The characters that skip the tables of Unicode are those for which the tables agree.
func TestSimpleCharacters(t *testing.T) {
	n := 0
	for r := rune(0x20); r <= unicode.MaxRune; r++ {
		if s := string(r); simple(s, 0) != 0 {
			require.Equal(t, len(s), simple(s, 0))
			if r != 0x7f {
				require.Equalf(t, 1, ansi.StringWidth(s), "%U", r)
			}
			require.Zerof(t, simple(s+"\u0301", 0), "%U", r)
			require.Zerof(t, simple(s+"\ufe0f", 0), "%U", r)
			n++
		}
	}
	require.Greater(t, n, 400)
	for _, s := range []string{"\xc2", "\xc3", "\xe2\x94", "\xe2\x94x", "\xc2x"} {
		require.Zerof(t, simple(s, 0), "%q", s)
	}
}

// The sequence between two styles turns a terminal from one to the other.
func TestStyleChanges(t *testing.T) {
	gen := rapid.SampledFrom([]style{"", "1", "31", "1;31", "1;38;5;9", "38;2;1;2;3;48;2;0;5;6", "4;7"})
	rapid.Check(t, func(t *rapid.T) {
		a, b := gen.Draw(t, "from"), gen.Draw(t, "to")
		seq := string(a.appendSGR(nil, b))
		if a == b {
			require.Empty(t, seq)
			return
		}
		params, n := escape(seq)
		require.Equal(t, len(seq), n)
		require.Equalf(t, b, a.apply(strings.TrimSuffix(params, "m")), "%q", seq)
	})
}

func FuzzParseLine(f *testing.F) {
	for _, s := range append(append([]string{"", "\x1b[38:2::1:2:3mx", "\x1b[38;2;1m\x1b[4:3mx", "\x1b["}, words...), junk...) {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, line string, width int) {
		width = min(max(width, 0), MaxWidth)
		row := parseLine(nil, line, width)
		if len(row) > width {
			t.Fatalf("%d cells in a width of %d", len(row), width)
		}
		for i := 0; i < len(row); i += int(row[i].width) {
			if row[i].width == 0 {
				t.Fatalf("column %d is half a character", i)
			}
		}
	})
}
