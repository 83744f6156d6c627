package rules

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ErrRules is returned when a rule string names no game, or its rules cannot be played.
var ErrRules = errors.New("these rules cannot be played")

const (
	maxRuleString = 1024          // bytes; every key once, with room for blanks
	maxNumber     = 1_000_000_000 // keeps sums of points within 32 bits
	maxRounds     = 99            // of a game that is played for a number of rounds
)

// refusal is an [ErrRules] with the reason in words for a player.
type refusal string

func (e refusal) Error() string { return string(e) }
func (e refusal) Unwrap() error { return ErrRules }

func refuse(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

// Key is a house rule: its name, its values in words, and what it changes.
type Key struct {
	Name   string
	Values string // as in docs/rules.md: "sides|any"
	Help   string // one line for a player

	set func(r *Ruleset, value string) error
	get func(r *Ruleset) string // empty: not said by this preset
}

// Keys lists the house rules in the canonical order of a rule string.
func Keys() []Key { return slices.Clone(keys) }

var keys = []Key{
	{
		Name: "hand", Values: "N|A/B/C", Help: "tiles dealt to each player (for 2/3/4 seats)",
		set: setHand, get: func(r *Ruleset) string { return handText(r.Hand) },
	},
	flag("teams", "partners sit opposite and score together", func(r *Ruleset) *bool { return &r.Teams }),
	word("lead", "who leads the first round", []string{"double", "lot", "six"}, func(r *Ruleset) *Lead { return &r.Lead }),
	word("next", "who leads later rounds", []string{"winner", "domino", "lead"}, func(r *Ruleset) *Next { return &r.Next }),
	word("spinner", "which doubles are spinners, open on all four sides", []string{"first", "all", "none"},
		func(r *Ruleset) *Spinner { return &r.Spinner }),
	word("order", "in which order a spinner opens", []string{"sides", "any"}, func(r *Ruleset) *Order { return &r.Order }),
	word("count", "what a spinner counts", []string{"flank", "sniff"}, func(r *Ruleset) *CountRule { return &r.Count }),
	{
		Name: "multiple", Values: "5|3|0", Help: "which counts of the open ends score",
		set: setMultiple, get: func(r *Ruleset) string { return strconv.Itoa(int(r.Multiple)) },
	},
	{
		Name: "draw", Values: "N|all|none", Help: "tiles that may be drawn in a turn",
		set: setDraw, get: func(r *Ruleset) string { return drawText(r.Draw) },
	},
	word("end", "how the end of a round is scored", []string{"award", "subtract", "bonus", "take"},
		func(r *Ruleset) *EndRule { return &r.End }),
	flag("pegs", "points in play are pegged, as on a cribbage board", func(r *Ruleset) *bool { return &r.Pegs }),
	{
		Name: "target", Values: "N", Help: "points that win",
		set: setTarget(false), get: func(r *Ruleset) string { return targetText(r, false) },
	},
	{
		Name: "above", Values: "N", Help: "points that have to be passed to win, instead of a target",
		set: setTarget(true), get: func(r *Ruleset) string { return targetText(r, true) },
	},
	{
		Name: "rounds", Values: "N", Help: "rounds to be played, instead of a target",
		set: setRounds, get: roundsText,
	},
	word("win", "when the target counts", []string{"now", "round"}, func(r *Ruleset) *Win { return &r.Win }),
}

func word[T ~uint8](name, help string, values []string, field func(*Ruleset) *T) Key {
	all := strings.Join(values, "|")
	return Key{
		Name: name, Values: all, Help: help,
		set: func(r *Ruleset, value string) error {
			i := slices.Index(values, value)
			if i < 0 {
				return wrong(name, value, "one of "+all)
			}
			*field(r) = T(i + 1)
			return nil
		},
		get: func(r *Ruleset) string {
			if v := *field(r); v > 0 {
				return values[v-1]
			}
			return ""
		},
	}
}

func flag(name, help string, field func(*Ruleset) *bool) Key {
	return Key{
		Name: name, Values: "on|off", Help: help,
		set: func(r *Ruleset, value string) error {
			if value != "on" && value != "off" {
				return wrong(name, value, "on or off")
			}
			*field(r) = value == "on"
			return nil
		},
		get: func(r *Ruleset) string {
			if *field(r) {
				return "on"
			}
			return "off"
		},
	}
}

// wrong refuses a value. The key stays as it is written, though the sentence gets a capital letter.
func wrong(key, value, must string) error {
	return refuse("%q: it must be %s", clip(key+"="+value), must)
}

func wholeTo(most int) string {
	return fmt.Sprintf("a whole number from 1 to %d, without leading zeros", most)
}

// number parses a whole number of at least 1 without leading zeros.
func number(key, value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > maxNumber || value[0] == '0' || value[0] == '+' {
		return 0, wrong(key, value, wholeTo(maxNumber))
	}
	return n, nil
}

func setHand(r *Ruleset, value string) error {
	parts := strings.Split(value, "/")
	if len(parts) != 1 && len(parts) != 3 {
		return wrong("hand", value, "one number, or three for 2/3/4 seats, such as 7/5/5")
	}
	for i := range r.Hand {
		n, err := number("hand", parts[i%len(parts)])
		if err != nil {
			return err
		}
		r.Hand[i] = n
	}
	return nil
}

func handText(h [3]int) string {
	if h[0] == h[1] && h[1] == h[2] {
		return strconv.Itoa(h[0])
	}
	return fmt.Sprintf("%d/%d/%d", h[0], h[1], h[2])
}

func setMultiple(r *Ruleset, value string) error {
	switch value {
	case "5", "3", "0":
		r.Multiple = Points(value[0] - '0')
		return nil
	}
	return wrong("multiple", value, "5, 3 or 0")
}

func setDraw(r *Ruleset, value string) error {
	switch value {
	case "all":
		r.Draw = DrawAll
		return nil
	case "none":
		r.Draw = DrawNone
		return nil
	}
	n, err := number("draw", value)
	if err != nil {
		return wrong("draw", value, "all, none or a whole number from 1 on")
	}
	r.Draw = n
	return nil
}

func drawText(draw int) string {
	switch draw {
	case DrawAll:
		return "all"
	case DrawNone:
		return "none"
	}
	return strconv.Itoa(draw)
}

func setTarget(above bool) func(*Ruleset, string) error {
	key := "target"
	if above {
		key = "above"
	}
	return func(r *Ruleset, value string) error {
		n, err := number(key, value)
		if err != nil {
			return err
		}
		r.Target = [3]Points{Points(n), Points(n), Points(n)}
		r.Above = above
		return nil
	}
}

func targetText(r *Ruleset, above bool) string {
	if r.Above != above || r.Rounds > 0 {
		return ""
	}
	t := r.Target
	if t[0] == t[1] && t[1] == t[2] {
		return strconv.Itoa(int(t[0]))
	}
	return fmt.Sprintf("%d/%d/%d", t[0], t[1], t[2]) // spruce's own; cannot be written
}

// setRounds makes a game one of a number of rounds, without target and [Win].
func setRounds(r *Ruleset, value string) error {
	n, err := number("rounds", value)
	if err != nil || n > maxRounds {
		return wrong("rounds", value, wholeTo(maxRounds))
	}
	r.Rounds, r.Target, r.Above, r.Win = n, [3]Points{}, false, 0
	return nil
}

func roundsText(r *Ruleset) string {
	if r.Rounds == 0 {
		return ""
	}
	return strconv.Itoa(r.Rounds)
}

// Parse parses a rule string such as "classic target=100 count=flank": a preset, then house rules in any
// order (docs/rules.md, "House rules"). The error wraps [ErrRules] and tells a player what is wrong.
// [Ruleset.CheckSeats] reports whether a number of seats can play by the rules.
func Parse(s string) (Ruleset, error) {
	if len(s) > maxRuleString {
		return Ruleset{}, refuse("a rule string has at most %d characters", maxRuleString)
	}
	words := strings.FieldsFunc(s, func(c rune) bool { return c == ' ' || c == '\t' })
	if len(words) == 0 {
		return Ruleset{}, refuse("a rule string starts with one of %s", strings.Join(presetNames[:], ", "))
	}
	i := slices.Index(presetNames[:], words[0])
	if last := len(presetNames) - 1; i < 0 {
		return Ruleset{}, refuse("unknown game %q; try %s or %s", clip(words[0]), strings.Join(presetNames[:last], ", "), presetNames[last])
	}
	r := presets[i]
	seen := make(map[string]bool, len(words))
	for _, w := range words[1:] {
		name, value, ok := strings.Cut(w, "=")
		k := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name })
		switch {
		case k < 0:
			return Ruleset{}, refuse("unknown house rule %q", clip(w))
		case !ok || value == "":
			return Ruleset{}, refuse("%s needs a value: %s=%s", name, name, keys[k].Values)
		case seen[name]:
			return Ruleset{}, refuse("%s is given twice", name)
		}
		seen[name] = true
		if err := keys[k].set(&r, value); err != nil {
			return Ruleset{}, err
		}
	}
	switch {
	case seen["target"] && seen["above"]:
		return Ruleset{}, refuse("target and above exclude each other")
	case seen["rounds"] && (seen["target"] || seen["above"]):
		return Ruleset{}, refuse("rounds excludes target and above: the game ends with its last round, whatever the scores")
	case seen["rounds"] && seen["win"]:
		return Ruleset{}, refuse("rounds and win exclude each other: with rounds there is no target")
	}
	return r, r.check()
}

// check reports whether the rules fit together, whatever the number of seats.
func (r *Ruleset) check() error {
	switch {
	case r.Preset == Block && !r.Teams:
		return refuse("block is always played in teams")
	case r.Multiple == 0 && r.End != EndTake:
		return refuse("multiple=0 needs end=take: without a multiple nothing can be rounded")
	case r.Spinner != SpinnerNone && r.Order == 0:
		return refuse("a spinner in block needs order=sides or order=any")
	case r.Spinner != SpinnerNone && r.Count == 0 && r.Multiple != 0:
		return refuse("a spinner in block that scores in play needs count=flank or count=sniff")
	}
	return nil
}

// CheckSeats reports whether n seats can play by the rules; the error wraps [ErrRules].
func (r *Ruleset) CheckSeats(n int) error {
	switch {
	case n < 2 || n > MaxSeats:
		return refuse("a table has 2 to %d seats", MaxSeats)
	case r.Preset == Block && n != 4:
		return refuse("block is played by four")
	case r.Teams && n != 4:
		return refuse("teams need four seats")
	case r.HandSize(n) > SetSize || n*r.HandSize(n) > SetSize:
		return refuse("%d hands of %d tiles are more than the set of %d", n, r.HandSize(n), SetSize)
	case r.Lead == LeadSix && n*r.HandSize(n) != SetSize:
		return refuse("lead=six needs all tiles dealt, or 6-6 may stay in the boneyard")
	}
	return nil
}

// CheckSome reports whether some number of seats, least to 4, can play by the rules; the error is the last.
func (r *Ruleset) CheckSome(least int) error {
	var err error
	for n := max(least, 2); n <= MaxSeats; n++ {
		if err = r.CheckSeats(n); err == nil {
			return nil
		}
	}
	if err == nil {
		err = r.CheckSeats(least)
	}
	return err
}

// String returns the canonical rule string: the preset, then what differs from it, in a fixed order.
func (r Ruleset) String() string {
	var b strings.Builder
	b.WriteString(r.Preset.String())
	base := presets[r.Preset]
	for _, k := range keys {
		if v := k.get(&r); v != "" && v != k.get(&base) {
			b.WriteString(" " + k.Name + "=" + v)
		}
	}
	return b.String()
}

// Value returns the value of a key of [Keys] as in a rule string; empty if the rules leave it open.
func (r Ruleset) Value(key string) string {
	for _, k := range keys {
		if k.Name == key {
			return k.get(&r)
		}
	}
	return ""
}
