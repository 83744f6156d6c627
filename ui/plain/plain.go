// Package plain says in words and columns what the club, its tables and its games are: it knows what is worth saying to
// somebody without a screen to draw on, and must not know what asks for it, how the words travel, or what a terminal is.
//
// All that it returns is printable: text of people passes [text.Printable]. Words of its own are ASCII, so that they can be
// read on any terminal.
package plain

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// Hand lists the tiles of a hand, the heaviest pips first: "6-4 5-5 2-0"; "no tiles" for an empty one.
func Hand(h rules.Hand) string {
	if h.Empty() {
		return "no tiles"
	}
	return strings.Join(Tiles(h), " ")
}

// Tiles lists the tiles of a hand, the highest first. It is never nil.
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

// Names are the names at the seats of a table. Where nobody sits it is "seat 2".
func Names(v *table.View) []string {
	names := make([]string, len(v.Seats))
	for i := range v.Seats {
		names[i] = text.Printable(v.Seats[i].Name())
		if names[i] == "" && i < len(v.Names) { // who played there, and has left
			names[i] = text.Printable(v.Names[i])
		}
		if names[i] == "" {
			names[i] = "seat " + strconv.Itoa(i+1)
		}
	}
	return names
}

// SidesAt are the names of the sides at a table: those of [Sides], with the tags of their teams: "OWL ana + cem".
func SidesAt(v *table.View) []string {
	sides := slices.Clone(Sides(Names(v), v.Play.Rules.Teams))
	for i, tag := range v.Tags {
		if tag != "" && i < len(sides) {
			sides[i] = text.Printable(tag) + " " + sides[i]
		}
	}
	return sides
}

// TeamName is the name of the team that played for a side, or empty where the result does not tell it.
func TeamName(res *table.Result, s rules.Side) string {
	for _, c := range res.Changes { // teams stand there by side
		if c.Kind != string(lobby.KindTeam) {
			continue
		}
		if s--; s == 0 {
			return text.Printable(c.Name)
		}
	}
	return ""
}

// Sides are the names of the sides: a player's, or those of partners as "ana + cem".
func Sides(names []string, teams bool) []string {
	if !teams || len(names) < rules.MaxSeats {
		return names
	}
	return []string{names[0] + " + " + names[2], names[1] + " + " + names[3]}
}

// Sentence is an error as a sentence for people. A refusal is one already; anything else gets a capital letter and a full
// stop.
func Sentence(err error) string {
	var refusal table.Refusal
	if errors.As(err, &refusal) {
		return text.Printable(string(refusal))
	}
	s := text.Printable(err.Error())
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return ""
	}
	s = string(unicode.ToUpper(r)) + s[n:]
	if !strings.ContainsAny(s[len(s)-1:], ".!?") {
		s += "."
	}
	return s
}

// List joins parts with commas, and "and" before the last.
func List(parts []string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// Or is a list of which one is meant: "left, right or up".
func Or(parts []string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " or " + parts[last]
}

// Number is a count with its noun: "1 tile", "2 tiles".
func Number(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Time is a length of time in words: "45 s", "2 min", "24 h".
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

// Wrap breaks a text into lines of at most width columns, between words where it can; a width below 1 does not break it.
// Lines after the first are indented.
func Wrap(s string, width int) []string {
	if width < 1 || text.Width(s) <= width {
		return []string{s}
	}
	indent := "  "
	if width < 20 {
		indent = ""
	}
	var lines []string
	line := ""
	for _, word := range strings.Split(s, " ") {
		for {
			room := width - text.Width(line)
			if line != "" && line != indent {
				room--
			}
			switch {
			case text.Width(word) <= room:
				if line != "" && line != indent {
					line += " "
				}
				line += word
				word = ""
			case line != "" && line != indent:
				lines = append(lines, line)
				line = indent
				continue
			default: // longer than a line
				head := cut(word, room)
				if head == word {
					line += head
					break
				}
				lines = append(lines, line+head)
				word, line = word[len(head):], indent
				continue
			}
			break
		}
	}
	return append(lines, line)
}

// cut returns as many characters of s as fit into width columns, but at least one.
func cut(s string, width int) string {
	end := 0
	for i, r := range s {
		next := i + utf8.RuneLen(r)
		if end > 0 && text.Width(s[:next]) > width {
			break
		}
		end = next
	}
	return s[:end]
}
