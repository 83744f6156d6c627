package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// Printable returns s in a form that may be drawn, logged or put into JSON. It never fails, and
// Printable(Printable(s)) == Printable(s). The result is valid UTF-8 in NFC, made of letters, marks, digits,
// punctuation, symbols and single spaces, with no space at either end.
//
//   - Runs of white space, including line and paragraph separators, become one space.
//   - Invisible characters are removed: controls, format characters (zero width, bidi controls, tags,
//     interlinear annotation, BOM), variation selectors and other default-ignorables, skin tones. The printable
//     rest of an escape sequence stays, to show what was attempted.
//   - Whatever is visible but cannot be drawn safely becomes "?": bytes that are not UTF-8, private use,
//     unassigned, letters written from right to left, signs far wider than their cells, and the few that
//     terminals join to a neighbour.
//   - Marks beyond two on a base are removed, as is a mark without a base, which would be drawn on whatever is
//     to its left.
//   - Full-width and half-width forms become the usual ones, and flags their two letters.
func Printable(s string) string {
	if plain(s) {
		return s
	}
	out, _ := clean(s)
	return out
}

// plain reports, in one pass, whether s is the usual case: printable ASCII with single spaces inside only.
func plain(s string) bool {
	before := byte(' ')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c > '~' || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return before != ' ' || s == ""
}

// clean implements Printable, and reports whether a visible character was replaced.
func clean(s string) (out string, replaced bool) {
	if !utf8.ValidString(s) {
		s, replaced = strings.ToValidUTF8(s, "?"), true
	}
	var b strings.Builder
	b.Grow(len(s))
	var (
		base  bool // a character that marks may sit on precedes
		marks int  // marks on it so far
		gap   bool // a space is due before the next character
	)
	write := func(r rune) {
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap, base, marks = false, true, 0
		b.WriteRune(r)
	}
	// Normalization comes before counting marks, so that é counts the same however it was typed, and again
	// afterwards, since removed characters may have kept others apart.
	for _, r := range norm.NFC.String(s) {
		if r >= 0xFF01 && r <= 0xFFEE {
			if folded := width.LookupRune(r).Folded(); folded != 0 {
				r = folded
			}
		}
		switch classify(r) {
		case letter:
			write(r)
		case mark:
			if base && marks < maxMarks {
				marks++
				b.WriteRune(r)
			}
		case space:
			gap, base = true, false
		case unsafe:
			write('?')
			replaced = true
		case flag:
			write(r - 0x1F1E6 + 'A')
		case vowelAM:
			// Thai and Lao AM are drawn as a ring on the letter before and a letter of their own; spelled that way,
			// all terminals agree on the width.
			if base && marks < maxMarks {
				b.WriteRune(r + 0x1A)
			}
			write(r - 1)
		case invisible:
		}
	}
	return norm.NFC.String(b.String()), replaced
}

// A class says what becomes of a character.
type class uint8

const (
	letter class = iota
	mark
	space
	invisible
	unsafe
	flag    // half of a flag: a letter in a box
	vowelAM // Thai or Lao
)

// classify returns the class of r. It is the whole policy; Printable's comment describes it.
func classify(r rune) class {
	switch {
	case r > ' ' && r <= '~', r > 0xA0 && r < 0x300 && r != 0xAD:
		return letter
	case unicode.IsSpace(r), unicode.In(r, unicode.Z), r == 0x2800: // an empty Braille cell looks like a space
		return space
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector),
		r >= 0x1F3FB && r <= 0x1F3FF:
		return invisible
	case r == 0xE33 || r == 0xEB3:
		return vowelAM
	case r >= 0x1F1E6 && r <= 0x1F1FF:
		return flag
	case !unicode.IsPrint(r), unicode.Is(troublesome, r), rightToLeft(r):
		return unsafe
	case unicode.Is(unicode.M, r):
		return mark
	}
	return letter
}

// rightToLeft reports whether r is a letter or digit that makes a terminal with bidi support reorder its row.
func rightToLeft(r rune) bool {
	switch p, _ := bidi.LookupRune(r); p.Class() {
	case bidi.R, bidi.AL, bidi.AN:
		return true
	}
	return unicode.Is(unicode.Arabic, r) // its signs without a direction are among the widest: U+FDFD
}

// troublesome contains visible, assigned characters that do not stay within their cells.
var troublesome = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x0BF5, Hi: 0x0BF5, Stride: 1}, // Tamil year sign, drawn three cells wide
		{Lo: 0x0BF8, Hi: 0x0BF9, Stride: 1}, // Tamil as-above and rupee signs
		{Lo: 0x0D4E, Hi: 0x0D4E, Stride: 1}, // Malayalam dot reph: joins whatever follows, as do those marked † below
		{Lo: 0x1100, Hi: 0x11FF, Stride: 1}, // conjoining jamo that NFC could not compose into a syllable
		{Lo: 0x2E3A, Hi: 0x2E3B, Stride: 1}, // two- and three-em dashes
		{Lo: 0x302E, Hi: 0x302F, Stride: 1}, // Hangul tone marks: two cells or none
		{Lo: 0xA960, Hi: 0xA97F, Stride: 1}, // conjoining jamo
		{Lo: 0xA9C1, Hi: 0xA9CD, Stride: 1}, // Javanese ornaments
		{Lo: 0xD7B0, Hi: 0xD7FF, Stride: 1}, // conjoining jamo
	},
	R32: []unicode.Range32{
		{Lo: 0x111C2, Hi: 0x111C3, Stride: 1}, // †
		{Lo: 0x1193F, Hi: 0x11941, Stride: 2}, // †
		{Lo: 0x11A84, Hi: 0x11A89, Stride: 1}, // †
		{Lo: 0x11D46, Hi: 0x11D46, Stride: 1}, // †
		{Lo: 0x11F02, Hi: 0x11F02, Stride: 1}, // †
		{Lo: 0x12000, Hi: 0x1254F, Stride: 1}, // cuneiform: U+12031 is drawn ten cells wide
		{Lo: 0x16FF0, Hi: 0x16FF1, Stride: 1}, // Vietnamese reading marks: two cells or none
	},
}
