// Package replay plays a recorded game again on a screen: it knows a record, its moments, and how to look at them; it must
// not know where records are kept, nor whose screen it is.
package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"boneyard/rules"
	"boneyard/rules/record"
)

// MaxRecord is the longest record that is read, in bytes. A long game has some twenty thousand.
const MaxRecord = 8 << 20

// ErrTooLong is returned when a record is longer than [MaxRecord].
var ErrTooLong = errors.New("the record is longer than a game can be")

// Record is a game that was read whole, to be looked at moment by moment. It is immutable. What it keeps of a move is a few
// dozen bytes; the state of the game at a moment is played up to there when it is asked for.
type Record struct {
	Rules rules.Ruleset
	Names []string // by seat
	Tags  []record.Tag
	Seed  *rules.Seed // nil where the record shows none

	Moments []Moment
	Moves   int // plays, draws and passes in all

	rounds []start
}

// start is where a round begins.
type start struct {
	at   int // index of its first moment
	game rules.Game
}

// What a [Moment] is.
type Kind uint8

// A round is dealt, moves are made, and the round is scored, or the game won within it.
const (
	Dealt Kind = iota + 1
	Moved
	Ended
)

// Moment is one state of a game worth looking at, with what led to it.
type Moment struct {
	Kind    Kind
	Round   int
	Number  int          // of the last move up to here, counted through the whole game; 0 before the first
	Event   rules.Event  // of a move
	Options int          // how many choices the move was one of
	Best    rules.Points // what the best of these would have scored, if the move is a play
	Remarks []string     // what the record says after it that the rules do not know, such as who was absent
}

// Left is what the move left on the table: what the best choice would have scored more.
func (m *Moment) Left() rules.Points {
	if m.Kind != Moved || m.Event.Kind != rules.Play {
		return 0
	}
	return m.Best - m.Event.Points
}

// Read reads a record. If a line of it cannot be, the error is a [*record.Error], and the record returned is what holds
// up to there, without moments if no round has begun; it is never nil. Other errors are ErrTooLong and those of src.
func Read(src io.Reader) (*Record, error) {
	r := &Record{}
	data, err := io.ReadAll(io.LimitReader(src, MaxRecord+1))
	switch {
	case err != nil:
		return r, fmt.Errorf("read the record: %w", err)
	case len(data) > MaxRecord:
		return r, ErrTooLong
	}
	text := strings.Split(string(data), "\n")
	var before rules.Game
	line := 0
	for step, err := range record.Replay(bytes.NewReader(data)) {
		if err != nil {
			return r, err
		}
		r.remark(text[line : step.Number-1])
		line = step.Number
		r.take(&before, step)
		before = step.Game
	}
	r.remark(text[line:])
	return r, nil
}

// take adds what a line tells; before is the game before it.
func (r *Record) take(before *rules.Game, step record.Step) {
	switch l := step.Line.(type) {
	case record.Rules:
		r.Rules = l.Rules
	case record.Seat:
		r.Names = append(r.Names, l.Name)
	case record.Tag:
		r.Tags = append(r.Tags, l)
	case record.Seed:
		r.Seed = &l.Seed
	case record.Lead:
		r.rounds = append(r.rounds, start{len(r.Moments), step.Game})
		r.add(Moment{Kind: Dealt})
	case record.Play, record.Draw, record.Pass:
		r.Moves++
		m := Moment{Kind: Moved, Event: step.Event, Options: before.Options()}
		view := before.View(step.Event.Seat)
		for _, o := range view.Options {
			m.Best = max(m.Best, o.Points)
		}
		r.add(m)
	case record.End:
		r.add(Moment{Kind: Ended})
	case record.Won:
		if r.Moments[len(r.Moments)-1].Kind != Ended { // in the middle of a round
			r.add(Moment{Kind: Ended})
		}
	}
}

func (r *Record) add(m Moment) {
	m.Round, m.Number = len(r.rounds), r.Moves
	r.Moments = append(r.Moments, m)
}

// remark keeps the comments among lines that say nothing to the rules with the moment after which they stand.
func (r *Record) remark(lines []string) {
	if len(r.Moments) == 0 {
		return
	}
	m := &r.Moments[len(r.Moments)-1]
	for _, l := range lines {
		if text, ok := strings.CutPrefix(l, "#"); ok && strings.TrimSpace(text) != "" {
			m.Remarks = append(m.Remarks, strings.TrimSpace(text))
		}
	}
}

// Game is the game at a moment.
func (r *Record) Game(at int) rules.Game {
	from := r.rounds[r.Moments[at].Round-1]
	g := from.game
	for i := from.at + 1; i <= at; i++ {
		if m := &r.Moments[i]; m.Kind == Moved {
			next, _, err := g.Apply(m.Event.Move)
			if err != nil {
				panic("a move that was checked cannot be made again: " + err.Error())
			}
			g = next
		}
	}
	return g
}

// Rounds is the number of rounds that were begun.
func (r *Record) Rounds() int { return len(r.rounds) }

// RoundStart is the moment at which a round, counted from 1, is dealt.
func (r *Record) RoundStart(round int) int { return r.rounds[round-1].at }

// MoveAt is the moment after the move with this number, counted from 1 through the game; 0 is the first deal. Numbers
// beyond the last move give the last moment.
func (r *Record) MoveAt(number int) int {
	if number > 0 {
		for i := range r.Moments {
			if m := &r.Moments[i]; m.Kind == Moved && m.Number == number {
				return i
			}
		}
		return len(r.Moments) - 1
	}
	return 0
}

// Tag is the text of the first tag with this key.
func (r *Record) Tag(key string) (string, bool) {
	for _, t := range r.Tags {
		if t.Key == key {
			return t.Text, true
		}
	}
	return "", false
}

// Side names a side: a player, or the partners "ana+cleo".
func (r *Record) Side(s rules.Side) string {
	if r.Rules.Teams {
		return r.Names[s-1] + "+" + r.Names[s+1]
	}
	return r.Names[s-1]
}
