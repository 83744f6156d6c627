package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Number is a count with its noun: "1 game", "2 games".
func Number[T ~int | ~int32](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(int(n)) + " " + noun + "s"
}

// Each returns what is said of each of some things, or made of it.
func Each[T, U any](things []T, say func(T) U) []U {
	said := make([]U, len(things))
	for i, v := range things {
		said[i] = say(v)
	}
	return said
}

// List joins parts with commas, and with "and" before the last.
func List(parts []string) string { return Join(parts, " and ") }

// Join joins parts with commas, and with another word before the last: "left, right or up".
func Join(parts []string, word string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + word + parts[last]
}

// CleanLine returns a line of chat as it is kept: what [Printable] makes of it, at most MaxLine runes. It refuses with
// ErrEncoding, ErrRightToLeft, ErrLong or ErrEmpty. Several lines at once (a paste) become one.
func CleanLine(s string) (string, error) {
	out, _, err := take(s)
	if err != nil {
		return "", err
	}
	if utf8.RuneCountInString(out) > MaxLine {
		return "", ErrLong
	}
	return out, nil
}

// CleanTitle returns the name of a team or a table as it is kept: clean as a line is, MinTitle to MaxTitle columns
// wide, with a letter or digit in it, and only of characters on whose width terminals agree, since titles stand in the
// columns of a list. It refuses as CleanLine does, or with ErrTitleLength, ErrTitleLetters or ErrReserved.
// Two titles that look alike have the same [Skeleton].
func CleanTitle(s string) (string, error) {
	out, replaced, err := take(s)
	if err == ErrLong {
		return "", ErrTitleLength
	}
	if err != nil {
		return "", err
	}
	if replaced || !agreed(out) || strings.IndexFunc(out, isWord) < 0 {
		return "", ErrTitleLetters
	}
	if w := Width(out); w < MinTitle || w > MaxTitle {
		return "", ErrTitleLength
	}
	if Reserved(Title, out) {
		return "", ErrReserved
	}
	return out, nil
}

// CleanTag returns a team's tag as it is kept: MinTag to MaxTag of A-Z and 0-9. Small letters become capitals; anything
// else is refused with ErrTag, and what is kept for the house with ErrReservedTag.
func CleanTag(s string) (string, error) {
	s = strings.Trim(s, " ")
	if len(s) < MinTag || len(s) > MaxTag {
		return "", ErrTag
	}
	tag := []byte(s)
	for i, c := range tag {
		switch {
		case c >= 'a' && c <= 'z':
			tag[i] = c - 'a' + 'A'
		case c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		default:
			return "", ErrTag
		}
	}
	if Reserved(Tag, string(tag)) {
		return "", ErrReservedTag
	}
	return string(tag), nil
}

// take does what lines and titles have in common.
func take(s string) (out string, replaced bool, err error) {
	switch {
	case len(s) > maxInput:
		return "", false, ErrLong
	case !utf8.ValidString(s):
		return "", false, ErrEncoding
	case strings.IndexFunc(s, rightToLeftLetter) >= 0:
		return "", false, ErrRightToLeft
	}
	if out, replaced = clean(s); out == "" {
		return "", false, ErrEmpty
	}
	return out, replaced, nil
}

// rightToLeftLetter is rightToLeft without the invisible characters of that class, which are taken out in silence.
func rightToLeftLetter(r rune) bool {
	return r > 0x300 && unicode.IsPrint(r) && rightToLeft(r)
}
