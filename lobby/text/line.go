package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Number formats a count with its noun: "1 game", "2 games".
func Number[T ~int | ~int32](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(int(n)) + " " + noun + "s"
}

// Signed formats a number with its sign: "+15", "-5", "0".
func Signed[T ~int | ~int32](n T) string {
	if n > 0 {
		return "+" + strconv.Itoa(int(n))
	}
	return strconv.Itoa(int(n))
}

// Each returns the results of say for things, in their order.
func Each[T, U any](things []T, say func(T) U) []U {
	said := make([]U, len(things))
	for i, v := range things {
		said[i] = say(v)
	}
	return said
}

// List joins parts with commas, and with "and" before the last.
func List(parts []string) string { return Join(parts, " and ") }

// Join joins parts with commas, and with word before the last: "left, right or up".
func Join(parts []string, word string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + word + parts[last]
}

// CleanLine returns a line of chat as it is stored: [Printable], with at most MaxLine runes. It returns
// ErrEncoding, ErrRightToLeft, ErrLong or ErrEmpty. Several pasted lines become one.
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

// CleanTitle returns the name of a team or a table as it is stored: cleaned as a line is, MinTitle to
// MaxTitle columns wide, with a letter or digit, and only characters whose width all terminals agree on,
// since titles stand in the columns of a list. It returns CleanLine's errors, ErrTitleLength, ErrTitleLetters
// or ErrReserved. Two titles that look alike have the same [Skeleton].
func CleanTitle(s string) (string, error) {
	out, replaced, err := take(s)
	if err == ErrLong {
		return "", ErrTitleLength
	}
	if err != nil {
		return "", err
	}
	alike := ansi.StringWidth(out) == ansi.StringWidthWc(out) // however a terminal measures it
	if replaced || !alike || strings.IndexFunc(out, isWord) < 0 {
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

// CleanTag returns a team's tag as it is stored: MinTag to MaxTag of A-Z and 0-9. Lower-case letters become
// capitals; anything else is ErrTag, and a tag reserved for the house ErrReservedTag.
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

// take cleans what is common to lines and titles.
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

// rightToLeftLetter is rightToLeft without the invisible characters, which are removed silently.
func rightToLeftLetter(r rune) bool {
	return r > 0x300 && unicode.IsPrint(r) && rightToLeft(r)
}
