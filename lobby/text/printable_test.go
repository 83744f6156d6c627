package text_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"boneyard/lobby/text"
	"boneyard/lobby/text/texttest"
	_ "boneyard/rules/sameseed"
)

func TestPrintable(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "good game, 15 +10", "good game, 15 +10"},
		{"spaces", "  two \t words\r\n", "two words"},
		{"no-break spaces", "\u00a0a\u3000\u2003b\u2028c", "a b c"},
		{"one form for é", "caf\u0065\u0301", "café"},
		{"escape sequence", "\x1b[31mred\x1b[0m", "[31mred[0m"},
		{"clipboard", "\x1b]52;c;QQ==\x07x", "]52;c;QQ==x"},
		{"C1", "a\u009b31mb", "a31mb"},
		{"raw C1", "a\x9b31mb", "a?31mb"},
		{"surrogate half", "a\xed\xa0\x80b", "a?b"},
		{"zero width", "ad\u200bm\u2060in\ufeff", "admin"},
		{"bidi controls", "\u202egnp.exe\u202c", "gnp.exe"},
		{"right to left", "\u05e9\u05dc 15", "?? 15"},
		{"tags", "ana\U000e0061\U000e007f", "ana"},
		{"private use and unassigned", "a\ue000\u0378", "a??"},
		{"two marks stay", "a\u0316\u0301", "á\u0316"},
		{"third mark goes", "q\u0316\u0301\u0302\u0303", "q\u0316\u0301"},
		{"mark without base", "\u0301a \u0301b", "a b"},
		{"full width", "ｏｐｅｒ　１５", "oper 15"},
		{"half width", "ｶﾞｷ", "ガキ"},
		{"flag", "🇩🇪", "DE"},
		{"family", "👨\u200d👩\u200d👧", "👨👩👧"},
		{"skin tone", "👋🏽", "👋"},
		{"emoji presentation", "❤\ufe0f", "❤"},
		{"cuneiform", "a\U00012031b", "a?b"},
		{"basmala", "\ufdfd", "?"},
		{"sara am", "น้ำ", "น\u0e49\u0e4dา"},
		{"scripts", "Žižek Ωμέγα Привет 漢字 한국어 हिन्दी", "Žižek Ωμέγα Привет 漢字 한국어 हिन्दी"},
		{"composed in two steps", "\u1112\u1161\u11ab", "한"},
		{"nothing", "\x00\x1b\u200b", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := text.Printable(c.in); got != c.want {
				t.Errorf("Printable(%+q)\n got %+q\nwant %+q", c.in, got, c.want)
			}
		})
	}
}

func TestPrintableOfHostile(t *testing.T) {
	for _, c := range texttest.Hostile() {
		t.Run(c.Name, func(t *testing.T) {
			checkPrintable(t, c.Text)
			if leak := c.Leak(text.Printable(c.Text)); leak != "" {
				t.Errorf("%+q came through", leak)
			}
		})
	}
}

// testingT is what *testing.T and *rapid.T have in common.
type testingT interface {
	Helper()
	Errorf(format string, args ...any)
}

// checkPrintable checks what Printable promises of any string.
func checkPrintable(t testingT, s string) {
	t.Helper()
	out := text.Printable(s)
	if err := texttest.Inert(out); err != nil {
		t.Errorf("Printable(%+q): %v", s, err)
	}
	if again := text.Printable(out); again != out {
		t.Errorf("Printable(%+q) is %+q, and of that %+q", s, out, again)
	}
	if strings.Contains(out, "  ") || strings.TrimSpace(out) != out {
		t.Errorf("Printable(%+q) has spaces to fold: %+q", s, out)
	}
	// No rune becomes more than three: the worst are musical symbols, which NFC takes apart.
	if n, most := utf8.RuneCountInString(out), 3*utf8.RuneCountInString(s); n > most {
		t.Errorf("Printable(%+q) grew to %d runes", s, n)
	}
	// What stands around it is measured as if it were not there.
	if got, want := ansi.StringWidth("│"+out+" │"), 3+ansi.StringWidth(out); got != want {
		t.Errorf("%+q changes the width of its neighbours: %d, want %d", out, got, want)
	}
}

// Every character, alone and between letters; of the planes that hold nothing but private use, one in 251.
func TestEveryRune(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r >= 0xD800 && r <= 0xDFFF {
			continue
		}
		if r >= 0x40000 && r < 0xE0000-251 || r >= 0xF0000 && r < 0x10FF00 {
			r += 250
		}
		s := string(r)
		out := text.Printable(s)
		if err := texttest.Inert(out); err != nil {
			t.Errorf("U+%04X: %v", r, err)
		}
		if text.Printable(out) != out {
			t.Errorf("U+%04X: Printable is not idempotent", r)
		}
		in := text.Printable("x" + s + "x")
		if err := texttest.Inert(in); err != nil {
			t.Errorf("U+%04X between letters: %v", r, err)
		}
		// Spacing marks of Indic scripts are what Width documents; all else is measured alike in both ways.
		if !unicode.Is(unicode.Mc, r) && ansi.StringWidth(in) != ansi.StringWidthWc(in) {
			t.Errorf("U+%04X: %d or %d columns between letters", r, ansi.StringWidth(in), ansi.StringWidthWc(in))
		}
	}
}

func TestCleanKeepsEmojiAndScripts(t *testing.T) {
	for _, s := range []string{"🎲 🀱 ♠ ✓ → ½ €", "Τι κάνεις", "Đặng Thị", "ありがとう", "สวัสดี", "நன்றி", "ქართული"} {
		if got := text.Printable(s); got != s {
			t.Errorf("Printable(%q) is %q", s, got)
		}
	}
}

func BenchmarkPrintable(b *testing.B) {
	for _, c := range []struct{ name, s string }{
		{"ascii", "good game, well played; once more at table 12?"},
		{"latin", "une partie très serrée, à bientôt à la table 12"},
		{"han", "打得好，再来一局吧，十二号桌见"},
		{"zalgo", strings.Repeat("z\u0300\u0301\u0302\u0303\u0304\u0305", 8)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				text.Printable(c.s)
			}
		})
	}
}

// Texts put together from the characters of the corpus, any others, and raw bytes.
func TestLawsOfMixedText(t *testing.T) {
	var pieces []string
	for _, c := range texttest.Hostile() {
		pieces = append(pieces, strings.Split(c.Text, "")...)
	}
	piece := rapid.OneOf(
		rapid.SampledFrom(pieces),
		rapid.SampledFrom(pieces),
		rapid.Map(rapid.Rune(), func(r rune) string { return string(r) }),
		rapid.Map(rapid.Byte(), func(b byte) string { return string([]byte{b}) }),
	)
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(r, "n") // a slice without a given length is short as a rule
		s := strings.Join(rapid.SliceOfN(piece, n, n).Draw(r, "pieces"), "")
		checkPrintable(r, s)
		checkTaken(r, s)
		checkFit(r, s)
	})
}
