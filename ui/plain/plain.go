// Package plain describes the club, its tables and its games in words and columns: it knows what is worth
// saying to somebody without a screen, and must not know which interface asks, how the words travel, or what
// a terminal is.
//
// Everything it returns is printable: people's text passes through [text.Printable]. The package's own words
// are ASCII, so that any terminal can show them.
package plain

import (
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// Hand lists a hand's tiles, ordered by their higher half: "6-4 5-5 2-0", or "no tiles" if it is empty.
func Hand(h rules.Hand) string {
	if h.Empty() {
		return "no tiles"
	}
	return strings.Join(Tiles(h), " ")
}

// Tiles lists a hand's tiles, ordered by their higher half, highest first. It is never nil.
func Tiles(h rules.Hand) []string {
	list := make([]string, 0, h.Len())
	for high := int(rules.MaxPip); high >= 0; high-- {
		for low := high; low >= 0; low-- {
			if t := rules.NewTile(rules.Pip(high), rules.Pip(low)); h.Has(t) {
				list = append(list, t.Name())
			}
		}
	}
	return list
}

// Names returns the names of the players of a table's game, even after others have sat down, or before it of
// those who sit, with "seat 2" for an empty seat.
func Names(v *table.View) []string {
	names := make([]string, len(v.Seats))
	for i := range v.Seats {
		if names[i] = text.Printable(v.Seats[i].Name()); i < len(v.Names) {
			names[i] = text.Printable(v.Names[i])
		}
		if names[i] == "" {
			names[i] = "seat " + strconv.Itoa(i+1)
		}
	}
	return names
}

// FirstName returns a house bot's name without its strength, "nora" for "nora.regular", and any other name whole.
func FirstName(name string) string {
	first, _, _ := strings.Cut(name, ".") // no person's name has one
	return first
}

// SidesAt returns the names of the sides at a table: those of [Sides], preceded by their teams' tags: "OWL
// ana + cem".
func SidesAt(v *table.View) []string { return Tagged(Sides(Names(v), v.Play.Rules.Teams), v.Tags) }

// Tagged puts team tags before the names of their sides.
func Tagged(sides []string, tags [2]string) []string {
	sides = slices.Clone(sides)
	for i, tag := range tags {
		if tag != "" && i < len(sides) {
			sides[i] = text.Printable(tag) + " " + sides[i]
		}
	}
	return sides
}

// TeamName returns the name of the team that played for a side, or empty if the result does not say.
func TeamName(res *table.Result, s rules.Side) string {
	for _, c := range res.Changes { // teams are in order of sides
		if c.Kind != string(lobby.KindTeam) {
			continue
		}
		if s--; s == 0 {
			return text.Printable(c.Name)
		}
	}
	return ""
}

// Sides returns the names of the sides: a player's, or those of partners as "ana + cem".
func Sides(names []string, teams bool) []string {
	if !teams || len(names) < rules.MaxSeats {
		return names
	}
	return []string{names[0] + " + " + names[2], names[1] + " + " + names[3]}
}

// behind lists names, each followed by say of its index: "ana 35, ben 20".
func behind(names []string, say func(i int) string) string {
	parts := slices.Clone(names)
	for i := range parts {
		parts[i] += " " + say(i)
	}
	return strings.Join(parts, ", ")
}

// ErrWall is returned when many tables at once are requested without a screen to show them on.
const ErrWall text.Refusal = "The wall shows many tables on one screen, so it needs a terminal: ssh -t. Here, tables " +
	"lists what is played, and watch N shows one table."

// Sentence turns an error into a sentence for people. A refusal is one already; other errors get a capital
// letter and a full stop.
func Sentence(err error) string {
	if refusal, ok := errors.AsType[table.Refusal](err); ok {
		return text.Printable(string(refusal))
	}
	return text.Sentence(text.Printable(err.Error()))
}

// Time puts a duration into words: "45 s", "2 min", "24 h".
func Time(d time.Duration) string {
	switch s := int(d.Round(time.Second) / time.Second); {
	case s <= 90:
		return strconv.Itoa(max(s, 0)) + " s"
	case s < 5400:
		return strconv.Itoa((s+30)/60) + " min"
	default:
		return strconv.Itoa((s+1800)/3600) + " h"
	}
}

// Wrap breaks a text into lines of at most width columns, between words where possible, and indents all but
// the first. It leaves the text alone if width is below 2, which has no room for a wide character.
func Wrap(s string, width int) []string {
	if width < 2 || text.Width(s) <= width {
		return []string{s}
	}
	indent := "  "
	if width < 20 {
		indent = ""
	}
	lines := Break(s, width)[:1]
	for _, l := range Break(strings.TrimLeft(s[len(lines[0]):], " "), width-len(indent)) {
		lines = append(lines, indent+l)
	}
	return lines
}

// Private-use characters, of the same width, that stand for hyphens, and for blanks before percent signs and
// ellipses, while text is wrapped, so that no line breaks inside a tile or a percentage, or begins with "…".
const (
	keptHyphen = "\ue000"
	keptBlank  = "\ue001"
)

var (
	kept     = strings.NewReplacer("-", keptHyphen, " %", keptBlank+"%", " …", keptBlank+"…", " ...", keptBlank+"...")
	released = strings.NewReplacer(keptHyphen, "-", keptBlank, " ")
)

// Break breaks a text into lines of at most width columns, between words where possible. Leading blanks do
// not count.
func Break(s string, width int) []string {
	return strings.Split(released.Replace(ansi.Wrap(kept.Replace(s), width, "")), "\n")
}

// WrongValue says what is wrong with the value of a flag or a setting, without the library's own words.
func WrongValue(value string, err error) error {
	var number *strconv.NumError
	var list *csv.ParseError
	switch said := err.Error(); {
	case errors.As(err, &number) && number.Func == "ParseBool":
		return fmt.Errorf("must be true or false, not %q", value)
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("%q is out of range", value)
	case number != nil:
		return fmt.Errorf("%q is not a number", value)
	case errors.As(err, &list):
		return fmt.Errorf("%q has a quotation mark at the wrong place", value)
	case strings.Contains(said, "time: "): // even if wrapped
		return fmt.Errorf("%q is not a duration, such as 90s, 10m or 2h", value)
	case strings.HasPrefix(said, "slog: "):
		return fmt.Errorf("must be debug, info, warn or error, not %q", value)
	}
	return err
}
