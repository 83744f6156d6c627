// Package text cleans and draws what strangers have typed: it knows Unicode and the columns of terminals, and
// must not know players, pages or connections.
//
// Text passes here twice. On the way in, the Clean functions return the form that is stored, or a [Refusal]
// for the person who typed it. On the way out, [Printable] makes any string safe for a terminal, a log line
// or JSON, wherever it came from, so that a hole in the first gate is not one in the second. The result can't
// move a cursor, start an escape sequence, reorder a line, hide, or overflow the cells that [Fit] gave it.
package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"boneyard/table"
)

// A Refusal says why a text was not accepted: one plain sentence, shown unchanged to the person who typed it.
// Tables and the lobby use the same type.
type Refusal = table.Refusal

// Usage is a refusal that does not depend on the club: what was asked for can never be, or lacks something.
type Usage string

func (u Usage) Error() string { return string(u) }

// As lets callers that do not distinguish the two treat it as a refusal.
func (u Usage) As(target any) bool {
	r, ok := target.(*Refusal)
	if ok {
		*r = Refusal(u)
	}
	return ok
}

// The refusals. They are never wrapped.
const (
	ErrEmpty    Refusal = "That has no readable text; please type some words."
	ErrEncoding Refusal = "That text isn't UTF-8; please set your terminal to UTF-8."
	ErrLong     Refusal = "That line is too long; the limit is 240 characters."
	// ErrRightToLeft is returned for a line or title with letters of a script written from right to left:
	// terminals disagree on the order in which they draw the rest of such a row.
	ErrRightToLeft Refusal = "Right-to-left letters cannot be drawn safely here; please write that in other letters."

	ErrNameLength  Refusal = "A name has 2 to 16 characters; please choose another."
	ErrNameLetters Refusal = "A name can have the letters a to z, digits, - and _; please choose another."
	ErrNameStart   Refusal = "A name begins with a letter; please choose another."
	ErrReserved    Refusal = "That name is reserved for the house; please choose another."

	ErrTitleLength Refusal = "That name is too short or too long; it must be 2 to 24 columns wide."
	// ErrTitleLetters is returned for a team's or table's name with characters that cannot be shown, or that
	// terminals draw at different widths, or without any letter or digit.
	ErrTitleLetters Refusal = "That name has characters that not every terminal can show; please use plain letters and digits."

	ErrReservedTag Refusal = "That tag is reserved for the house; please choose another."
	ErrTag         Refusal = "A tag has 2 to 5 letters a to z or digits; please choose another."
)

// Limits of input.
const (
	MaxLine  = 240 // runes of a chat line, after cleaning
	MinName  = 2   // characters of a player's name
	MaxName  = 16
	MinTitle = 2 // columns of a team's or table's name
	MaxTitle = 24
	MinTag   = 2 // characters of a team's tag
	MaxTag   = 5

	// maxInput is the most bytes considered. A line of MaxLine runes fits, each with marks and invisible
	// characters; a paste of a megabyte is refused before any work is done on it.
	maxInput = 4096
	maxMarks = 2 // combining marks on one base
)

// Capital returns s with its first letter as a capital.
func Capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// Sentence returns s, such as an error's text, with a capital, and a full stop unless it ends in punctuation.
func Sentence(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") {
		return Capital(s)
	}
	return Capital(s) + "."
}

// Ordinal returns 1st, 2nd, 3rd, 4th.
func Ordinal(n int) string {
	end := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return strconv.Itoa(n) + end
}
