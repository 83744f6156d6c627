package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"boneyard/lobby/text"
	"boneyard/lobby/text/texttest"
)

// cleanCase is what people type, and what is taken or why it is refused.
type cleanCase struct {
	name, in, want string
	err            error
}

func checkClean(t *testing.T, clean func(string) (string, error), cases []cleanCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got, err := clean(c.in); got != c.want || err != c.err {
				t.Errorf("%.40q gives %q, %v; want %q, %v", c.in, got, err, c.want, c.err)
			}
		})
	}
}

func TestCleanLine(t *testing.T) {
	checkClean(t, text.CleanLine, []cleanCase{
		{"a line", " good game!\n", "good game!", nil},
		{"a paste", "one\r\ntwo\nthree", "one two three", nil},
		{"hidden characters", "a\u200bb\x1b[2J", "ab[2J", nil},
		{"240", strings.Repeat("ж", 240), strings.Repeat("ж", 240), nil},
		{"241", strings.Repeat("ж", 241), "", text.ErrLong},
		{"240 with decomposed letters", strings.Repeat("e\u0301", 240), strings.Repeat("é", 240), nil},
		{"a megabyte of nothing", strings.Repeat("\u200b", 1<<20), "", text.ErrLong},
		{"empty", "", "", text.ErrEmpty},
		{"only spaces", " \t\u3000", "", text.ErrEmpty},
		{"only hidden", "\u200b\x00\ufeff", "", text.ErrEmpty},
		{"not UTF-8", "caf\xe9", "", text.ErrEncoding},
		{"surrogate half", "\xed\xa0\x80", "", text.ErrEncoding},
		{"hebrew", "\u05e9\u05dc\u05d5\u05dd", "", text.ErrRightToLeft},
		{"bidi controls only", "ana\u202e\u200f", "ana", nil},
	})
}

func TestCleanTitle(t *testing.T) {
	checkClean(t, text.CleanTitle, []cleanCase{
		{"plain", "  The   Spinners ", "The Spinners", nil},
		{"full house", "Full House", "Full House", nil},
		{"accents", "Los Niños", "Los Niños", nil},
		{"cyrillic", "Рыба", "Рыба", nil},
		{"han, 24 columns", strings.Repeat("骨", 12), strings.Repeat("骨", 12), nil},
		{"han, 26 columns", strings.Repeat("骨", 13), "", text.ErrTitleLength},
		{"one letter", "a", "", text.ErrTitleLength},
		{"25 letters", strings.Repeat("a", 25), "", text.ErrTitleLength},
		{"a megabyte", strings.Repeat("a", 1<<20), "", text.ErrTitleLength},
		{"empty", "\u200b ", "", text.ErrEmpty},
		{"punctuation only", "-- ...", "", text.ErrTitleLetters},
		{"private use", "The \ue000", "", text.ErrTitleLetters},
		{"of unsettled width", "हिन्दी", "", text.ErrTitleLetters},
		{"hebrew", "\u05e9\u05dc\u05d5\u05dd", "", text.ErrRightToLeft},
		{"raw bytes", "a\xff", "", text.ErrEncoding},
		{"staff", "The Operators", "", text.ErrReserved},
		{"staff in disguise", "0per\u200bat0rs", "", text.ErrReserved},
		{"staff in cyrillic", "аdmin", "", text.ErrReserved},
		{"staff, full width", "ｓｔａｆｆ", "", text.ErrReserved},
	})
}

func TestCleanTag(t *testing.T) {
	for in, want := range map[string]string{
		"spn": "SPN", " Ab1 ": "AB1", "55": "55", "ABCDE": "ABCDE",
		"a": "", "abcdef": "", "": "", "a b": "", "a-b": "", "ſab": "", "ıab": "", "äb": "", "ａｂ": "", "a\x00b": "",
	} {
		got, err := text.CleanTag(in)
		if got != want || (err == text.ErrTag) != (want == "") {
			t.Errorf("CleanTag(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

// Accepted text is drawn unchanged, and fits.
func checkTaken(t testingT, s string) {
	t.Helper()
	if line, err := text.CleanLine(s); err == nil {
		if line != text.Printable(line) {
			t.Errorf("CleanLine(%+q) is not printable: %+q", s, line)
		}
		if n := utf8.RuneCountInString(line); n == 0 || n > text.MaxLine {
			t.Errorf("CleanLine(%+q) has %d runes", s, n)
		}
		if again, err := text.CleanLine(line); again != line || err != nil {
			t.Errorf("CleanLine(%+q) is %+q, and of that %+q, %v", s, line, again, err)
		}
	} else if !isRefusal(err) {
		t.Errorf("CleanLine(%+q): not a refusal: %v", s, err)
	}
	if title, err := text.CleanTitle(s); err == nil {
		if w := text.Width(title); w < text.MinTitle || w > text.MaxTitle {
			t.Errorf("CleanTitle(%+q) has %d columns", s, w)
		}
		if again, err := text.CleanTitle(title); again != title || err != nil {
			t.Errorf("CleanTitle(%+q) is %+q, and of that %+q, %v", s, title, again, err)
		}
		if text.Skeleton(title) == "" {
			t.Errorf("title %+q has no skeleton", title)
		}
	} else if !isRefusal(err) {
		t.Errorf("CleanTitle(%+q): not a refusal: %v", s, err)
	}
}

func isRefusal(err error) bool {
	_, ok := err.(text.Refusal)
	return ok
}

func TestTakenOfHostile(t *testing.T) {
	for _, c := range texttest.Hostile() {
		t.Run(c.Name, func(t *testing.T) { checkTaken(t, c.Text) })
	}
}

func FuzzText(f *testing.F) {
	for _, c := range texttest.Hostile() {
		f.Add(c.Text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkPrintable(t, s)
		checkTaken(t, s)
		checkFit(t, s)
		if text.Skeleton(s) != text.Skeleton(text.Printable(s)) {
			t.Errorf("skeleton of %+q differs from that of its printable form", s)
		}
	})
}
