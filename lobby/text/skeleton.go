package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Skeleton returns what s, a name, title or tag, looks like: two that a person could mistake for one another
// have the same skeleton, and wherever something must be unique, skeletons are compared. Skeletons are never
// shown. In the manner of UTS #39, Skeleton
//
//   - takes the compatibility form without marks, in one case: "José", "ＪＯＳＥ", "jose";
//   - leaves out spaces and punctuation: "big-bob", "big_bob", "Big Bob";
//   - takes letters of other scripts that look Latin as Latin: "раоlа" in Cyrillic;
//   - takes as one 0 and o; 1, l, i and |; 2 and z; 5 and s; 8 and b; rn and m; vv and w.
//
// The result is the same for s and for Printable(s), and Skeleton(Skeleton(s)) == Skeleton(s).
func Skeleton(s string) string {
	if plain(s) { // the usual case, in which the other branch gives the same
		s = strings.ToLower(s)
	} else {
		s = norm.NFKD.String(Printable(s))
		s = norm.NFKD.String(cases.Fold().String(s))
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.M, unicode.P, unicode.Z):
		case looksLike[r] != "":
			b.WriteString(looksLike[r])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// looksLike maps small letters and digits in NFKD to what they look like. m and w are spelled out, rather
// than rn and vv contracted, so that "vvv" is the same as both "vw" and "wv".
var looksLike = map[rune]string{
	'0': "o", '1': "l", 'i': "l", '|': "l", '2': "z", '5': "s", '8': "b", 'm': "rn", 'w': "vv",
	// Latin letters with strokes and the like, which no normal form decomposes.
	'ı': "l", 'ɩ': "l", 'ł': "l", 'ƚ': "l", 'ɨ': "l", 'ø': "o", 'ɵ': "o", 'đ': "d", 'ð': "d", 'ħ': "h", 'ŧ': "t", 'ɑ': "a",
	'ɡ': "g", 'ƅ': "b", 'ɓ': "b", 'ƙ': "k", 'ɲ': "n", 'ŋ': "n", 'ʋ': "u", 'ʏ': "y", 'ƶ': "z", 'æ': "ae", 'œ': "oe",
	'þ': "p",
	// Cyrillic, including letters that look Latin as capitals.
	'а': "a", 'в': "b", 'с': "c", 'ԁ': "d", 'е': "e", 'ѐ': "e", 'ё': "e", 'һ': "h", 'н': "h", 'і': "l", 'ї': "l", 'ј': "j",
	'к': "k", 'ӏ': "l", 'м': "rn", 'о': "o", 'р': "p", 'ԛ': "q", 'ѕ': "s", 'т': "t", 'ц': "u", 'у': "y", 'ү': "y",
	'х': "x", 'ԝ': "vv", 'ь': "b", 'г': "r", 'п': "n", 'и': "n",
	// Greek, likewise.
	'α': "a", 'β': "b", 'ϲ': "c", 'ε': "e", 'η': "n", 'ι': "l", 'κ': "k", 'μ': "rn", 'ν': "v", 'ο': "o", 'ρ': "p", 'τ': "t",
	'υ': "u", 'χ': "x", 'γ': "y", 'ζ': "z", 'ω': "vv", 'ϳ': "j",
	// Armenian.
	'օ': "o", 'ս': "u", 'հ': "h", 'ո': "n", 'ց': "g", 'զ': "q", 'ա': "vv",
}
