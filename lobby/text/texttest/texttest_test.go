package texttest_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"boneyard/lobby/text/texttest"
)

// Every case is there for a reason that Leak sees, or for one that it says is none of its business.
func TestLeakSeesTheCorpusItself(t *testing.T) {
	deceives := map[string]bool{ // without a harmful character of their own
		"wide han": true, "devanagari": true, "sara am": true, "old hangul": true, "prepended": true, "ambiguous": true,
		"domino": true, "full width": true, "half width": true, "cyrillic": true, "mathematical": true, "circled": true,
		"ligatures": true, "greek question mark": true, "replacement": true, "markup": true, "quotes": true,
		"commands": true, "empty": true, "only spaces": true, "skin tones": true, "flags": true, "tamil year": true,
		"marks without base": true,
	}
	names := make(map[string]bool)
	for _, c := range texttest.Hostile() {
		t.Run(c.Name, func(t *testing.T) {
			if names[c.Name] {
				t.Error("two cases of this name")
			}
			names[c.Name] = true
			leak := c.Leak("\x1b[1mbefore\x1b[m " + c.Text + "\x1b[K\r\n")
			if (leak == "") != deceives[c.Name] {
				t.Errorf("found %q in its own text", leak)
			}
			if leak != "" && texttest.Inert(c.Text) == nil {
				t.Errorf("Inert sees no harm in %+q", c.Text)
			}
		})
	}
	if len(names) < 100 {
		t.Errorf("only %d cases", len(names))
	}
}

func TestLeakLeavesHonestOutputAlone(t *testing.T) {
	page := "\x1b[?2026h\x1b[1;1H\x1b[38;5;12m┌ table 3 ┐\x1b[m\x1b[K\r\n\x07\x1b]52;c;c3NoIC10\x07né ñ ā́\t漢字\x1b[?2026l"
	for _, c := range texttest.Hostile() {
		if leak := c.Leak(page); leak != "" {
			t.Errorf("%s: found %q in an honest page", c.Name, leak)
		}
	}
}

func TestInert(t *testing.T) {
	for _, s := range []string{"", "plain words", "né ñ ā́", "漢字 한국어 ひらがな", "привет", "🁫 🎲", "§±…─●"} {
		if err := texttest.Inert(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
	for _, s := range []string{
		"\x1b", "\u009b", "\x9b", "\x7f", "\n", "\t", "\u00ad", "\u200b", "\u202e", "\u2028", "\ue000", "\u0378", "\u05d0",
		"\u0661", "\ufe0f", "\u3164", "e\u0301", "\u0301", "a \u0301", "q\u0301\u0302\u0303", "\U00012031", "\ufdfd",
	} {
		if texttest.Inert(s) == nil {
			t.Errorf("no harm seen in %+q", s)
		}
	}
}

func TestHostileKeepsRawBytes(t *testing.T) {
	all := ""
	for _, c := range texttest.Hostile() {
		all += c.Text
	}
	if utf8.ValidString(all) {
		t.Error("no case has bytes that are not UTF-8")
	}
	for _, s := range []string{"\x1b]52;c;", "\x1b]8;;", "\x9b", "\u009b", "\x00", "\b", "\xed\xa0\x80", "\ufdfd", "\U00012031"} {
		if !strings.Contains(all, s) {
			t.Errorf("no case has %+q", s)
		}
	}
}
