// Package record knows the text form of a game (docs/record.md): it reads it, writes its lines and checks
// them by the rules; it must not know where a record is stored, nor who asks for it.
//
// A record is a list of lines, and each has its own type: see [Line]. A [Reader] turns text into lines, a
// [Checker] replays lines by the rules. Memory does not grow with the length of a game.
package record

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"boneyard/rules"
)

// FormatVersion is the version of the format that this package reads and writes: "domino 1".
const FormatVersion = 1

// Error is a fault in a record: its first invalid line.
type Error struct {
	Line     int    // counted from 1; 0 for a single line that is in no file
	Found    string // what the record says
	Expected string // what it should say
}

// Error names the line, what was found and what was expected.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Reason()
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Reason())
}

// Reason names what was found and what was expected, without the line.
func (e *Error) Reason() string { return "found " + e.Found + ", expected " + e.Expected }

func fault(found, expected string) *Error { return &Error{Found: found, Expected: expected} }

// refuse returns the error for a line that is well formed, but not valid.
func refuse(l Line, expected string) *Error { return fault(show(l.String()), expected) }

// maxShown is how many bytes of a record's text an error repeats.
const maxShown = 80

// show quotes text of the record for an error, shortened.
func show(s string) string {
	if len(s) <= maxShown {
		return strconv.Quote(s)
	}
	cut := maxShown
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strconv.Quote(s[:cut]) + "…"
}

// RulesVersion returns the version of the rules of a record, by its lines: 1 for one that does not say.
func RulesVersion(lines iter.Seq[string]) int {
	for text := range lines {
		if strings.HasPrefix(text, "round ") {
			break
		}
		if n, ok := strings.CutPrefix(text, "tag "+TagRules+" "); ok {
			if v, err := strconv.Atoi(n); err == nil {
				return v
			}
			return 0 // of no program we know
		}
	}
	return 1
}

// Header is what comes before the first round, without the tags.
type Header struct {
	Rules rules.Ruleset
	Names []string    // of the seats, in turn order
	Seed  *rules.Seed // nil if the record shows none
}
