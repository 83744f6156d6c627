// Package texttest knows what malicious strangers may send, and how to tell whether it got through. It must
// not know how the program cleans text, so that its judgment is independent.
//
// A test of a page, of line mode, of JSON or of a log puts each [Hostile] text wherever text of strangers can
// stand. [Inert] judges plain output, and [Case.Leak] output with the program's own escape sequences.
package texttest

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

//go:embed testdata/hostile.txt
var corpus string

// A Case is one hostile string.
type Case struct {
	Name string // what it attempts, for the name of a subtest
	Text string // may be any bytes
}

// Hostile returns the corpus, in the order of testdata/hostile.txt.
func Hostile() []Case {
	var cases []Case
	for n, line := range strings.Split(corpus, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		name, literal, _ := strings.Cut(line, "  ")
		text, err := strconv.Unquote(strings.TrimSpace(literal))
		if err != nil {
			panic(fmt.Sprintf("testdata/hostile.txt:%d: not a Go string: %s", n+1, literal))
		}
		cases = append(cases, Case{Name: name, Text: text})
	}
	return cases
}

// Inert returns an error for anything in s that could act on a terminal or deceive its reader. It accepts
// UTF-8 in NFC, with no control, format, private-use, unassigned or default-ignorable character, no separator
// but the space, no letter written from right to left, none of the widest signs, no mark without a base, and
// no third mark on a base.
func Inert(s string) error {
	if !utf8.ValidString(s) {
		return fmt.Errorf("not UTF-8: %q", s)
	}
	if !norm.NFC.IsNormalString(s) {
		return fmt.Errorf("not in NFC: %+q", s)
	}
	marks := 2 // a mark at the beginning is one too many
	for i, r := range s {
		switch {
		case harmful(r):
			return fmt.Errorf("U+%04X at byte %d of %+q", r, i, s)
		case unicode.Is(unicode.M, r):
			if marks++; marks > 2 {
				return fmt.Errorf("mark U+%04X too many at byte %d of %+q", r, i, s)
			}
		case r == ' ':
			marks = 2
		default:
			marks = 0
		}
	}
	return nil
}

// harmful reports whether r must not be in text that is shown.
func harmful(r rune) bool {
	if r >= ' ' && r <= '~' {
		return false
	}
	if !unicode.IsPrint(r) { // controls, format, separators, private use, surrogates, unassigned
		return true
	}
	if unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Arabic,
		unicode.Cuneiform) {
		return true
	}
	switch p, _ := bidi.LookupRune(r); p.Class() {
	case bidi.R, bidi.AL, bidi.AN:
		return true
	}
	return r == 0x2800 || r == 0x2E3A || r == 0x2E3B
}

// Leak returns the part of c that got into out unharmed, or "". out is what the program wrote, including its
// own escape sequences, line ends and tabs: a control counts only together with the text that follows it in
// c; of other harmful characters, each counts. out must be complete, since invalid UTF-8 counts, too. Leak
// ignores text that is merely false (a full-width "operator").
func (c Case) Leak(out string) string {
	if !utf8.ValidString(out) {
		return invalid(out)
	}
	for rest := c.Text; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		trace := ""
		switch {
		case r == utf8.RuneError && size == 1:
		case r < ' ' || r == 0x7f:
			size = controls(rest)
			if text := words(rest[size:]); text > 0 {
				trace = rest[:size+text]
			}
		case harmful(r):
			trace = rest[:size]
		}
		if trace != "" && strings.Contains(out, trace) && !separates(r) {
			return trace
		}
		rest = rest[size:]
	}
	if harm := zalgo(out); harm != "" {
		return harm
	}
	return ""
}

// separates reports whether r is a space that a program may write itself.
func separates(r rune) bool { return r == 0xA0 || r == 0x3000 }

// invalid returns the first byte of s that is not part of a character.
func invalid(s string) string {
	for i, r := range s {
		if _, size := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && size == 1 {
			return s[i : i+1]
		}
	}
	return ""
}

// controls returns the length of the C0 controls at the head of s.
func controls(s string) int {
	i := 0
	for i < len(s) && (s[i] < ' ' || s[i] == 0x7f) {
		i++
	}
	return i
}

// words returns the length of the printable ASCII at the head of s, if that begins with more than a space.
func words(s string) int {
	if strings.HasPrefix(s, " ") {
		return 0
	}
	i := 0
	for i < len(s) && s[i] >= ' ' && s[i] <= '~' {
		i++
	}
	return i
}

// zalgo returns the first three marks in a row.
func zalgo(s string) string {
	marks, start := 0, 0
	for i, r := range s {
		if !unicode.Is(unicode.M, r) {
			marks = 0
			continue
		}
		if marks == 0 {
			start = i
		}
		if marks++; marks > 2 {
			return s[start : i+utf8.RuneLen(r)]
		}
	}
	return ""
}
