// Package replay knows a recorded game as a whole: its rounds, its moments, the choices at each play and what
// the best of them would have scored. It checks each record by the rules; it must not know where records are
// stored, nor how they are shown. Package coach says what a move was worth beyond its immediate points.
package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"boneyard/rules"
	"boneyard/rules/record"
)

// MaxRecord is the longest record that is accepted, in bytes. A long game takes about twenty thousand.
const MaxRecord = 8 << 20

// ErrTooLong is returned when a record is longer than [MaxRecord].
var ErrTooLong = errors.New("the record is longer than a game can be")

// Record is a complete game that can be viewed moment by moment. It is immutable. It keeps a few dozen bytes
// per move, and replays the state of the game at a moment on demand.
type Record struct {
	Rules rules.Ruleset
	Names []string // by seat
	Tags  []record.Tag
	Teams [2]string   // team tags by side, if the caller knows them
	Seed  *rules.Seed // nil if the record does not reveal it

	Rounds  []Round // those that were begun
	Moments []Moment
	Made    int // all moves: plays, draws and passes
	Turns   int // plays and passes, which is how people count moves

	dealt Round // while reading: the round whose deal is being read
	line  int   // likewise: the number of the line
}

// Round is one round of a Record.
type Round struct {
	Number int
	Start  int          // the index of the moment of its deal
	Hands  []rules.Hand // as dealt, by seat
	Stock  []rules.Tile // the boneyard, in drawing order
	Leader rules.Seat
	Result *rules.RoundResult // nil if the game ended before the round did
	Most   int                // tiles that a hand had at its largest

	dealt rules.Game
}

// Kind is what happened at a [Moment].
type Kind uint8

// The kinds of moments. The game may be won during a round, which then ends.
const (
	Dealt Kind = iota + 1
	Moved
	Ended
)

// Moment is one state of a game, with what led to it.
type Moment struct {
	Kind    Kind
	Round   int
	Number  int          // of the last move so far, counted through the whole game; 0 before the first
	Turn    int          // as Number, but without draws, which have the number of the play or pass they lead to
	Event   rules.Event  // of a move
	Options int          // how many choices there were
	Best    rules.Option // the first of those that would have scored most, if the move is a play
	Line    int          // of the record, from 1: the one that led here
	Remarks []string     // comments in the record about matters outside the rules, such as absence
}

// Left returns what the move left on the table: how much more the best choice would have scored.
func (m *Moment) Left() rules.Points {
	if m.Kind != Moved || m.Event.Kind != rules.Play {
		return 0
	}
	return m.Best.Points - m.Event.Points
}

// ReadLines reads the lines of a record as Read does.
func ReadLines(lines []string) (*Record, error) {
	return Read(strings.NewReader(strings.Join(lines, "\n") + "\n"))
}

// Read reads a record. If a line is invalid, the error is a [*record.Error] and the record has what comes
// before, without moments if no round has begun; it is never nil. Others are ErrTooLong and those of src.
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

// take adds a line; before is the game before it.
func (r *Record) take(before *rules.Game, step record.Step) {
	r.line = step.Number
	switch l := step.Line.(type) {
	case record.Rules:
		r.Rules = l.Rules
	case record.Seat:
		r.Names = append(r.Names, l.Name)
	case record.Tag:
		r.Tags = append(r.Tags, l)
	case record.Seed:
		r.Seed = &l.Seed
	case record.Round:
		r.dealt = Round{Number: l.N, Hands: make([]rules.Hand, len(r.Names))}
	case record.Deal:
		r.dealt.Hands[l.Seat-1], r.dealt.Most = l.Hand, l.Hand.Len()
	case record.Stock:
		r.dealt.Stock = l.Tiles
	case record.Lead:
		r.dealt.Start, r.dealt.Leader, r.dealt.dealt = len(r.Moments), l.Seat, step.Game
		r.Rounds = append(r.Rounds, r.dealt)
		r.add(Moment{Kind: Dealt})
	case record.Play, record.Draw, record.Pass:
		r.Made++
		if step.Event.Kind != rules.Draw {
			r.Turns++
		}
		m := Moment{Kind: Moved, Event: step.Event, Options: before.Options()}
		view := before.View(step.Event.Seat)
		for i, o := range view.Options {
			if i == 0 || o.Points > m.Best.Points {
				m.Best = o
			}
		}
		r.add(m)
		round := &r.Rounds[len(r.Rounds)-1]
		round.Most = max(round.Most, step.Game.Hand(step.Event.Seat).Len())
		if step.Event.End != rules.NotEnded {
			res := step.Game.Result()
			round.Result = &res
		}
	case record.End:
		r.add(Moment{Kind: Ended})
	case record.Won:
		if r.Moments[len(r.Moments)-1].Kind != Ended { // in the middle of a round
			r.add(Moment{Kind: Ended})
		}
	}
}

func (r *Record) add(m Moment) {
	m.Round, m.Number, m.Turn, m.Line = len(r.Rounds), r.Made, r.Turns, r.line
	if m.Kind == Moved && m.Event.Kind == rules.Draw {
		m.Turn++
	}
	r.Moments = append(r.Moments, m)
}

// remark adds the comments among lines to the moment before them.
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

// Game returns the game at a moment.
func (r *Record) Game(at int) rules.Game {
	var g rules.Game
	for i := r.Round(r.Moments[at].Round).Start; i <= at; i++ {
		r.step(&g, i)
	}
	return g
}

// Games returns the game at each moment, in one pass. It is valid until the next.
func (r *Record) Games() iter.Seq2[int, *rules.Game] {
	return func(yield func(int, *rules.Game) bool) {
		var g rules.Game
		for at := range r.Moments {
			if r.step(&g, at); !yield(at, &g) {
				return
			}
		}
	}
}

// step advances a game from the previous moment to this one.
func (r *Record) step(g *rules.Game, at int) {
	m := &r.Moments[at]
	if from := r.Round(m.Round); at == from.Start {
		*g = from.dealt
	} else if m.Kind == Moved {
		next, _, err := g.Apply(m.Event.Move)
		if err != nil {
			panic("a move that was checked cannot be made again: " + err.Error())
		}
		*g = next
	}
}

// Round returns the round with the given number, from 1.
func (r *Record) Round(number int) *Round { return &r.Rounds[number-1] }

// Moves yields a round's moves in order, each with the index of its moment.
func (r *Record) Moves(n *Round) iter.Seq2[int, *Moment] {
	return func(yield func(int, *Moment) bool) {
		for i := n.Start + 1; i < len(r.Moments) && r.Moments[i].Kind == Moved; i++ {
			if !yield(i, &r.Moments[i]) {
				return
			}
		}
	}
}

// Terms returns a play's count, term by term, given the index of its moment; nil if nothing is counted.
func (r *Record) Terms(at int) []rules.Term {
	if r.Moments[at].Event.Kind != rules.Play || r.Rules.Multiple == 0 {
		return nil
	}
	g := r.Game(at)
	return g.Layout().Terms(r.Rules.Count)
}

// MoveAt returns the moment after the move with this number, counted from 1 through the game; 0 is the first
// deal. Numbers beyond the last move mean the last moment.
func (r *Record) MoveAt(number int) int {
	return r.after(number, func(m *Moment) bool { return m.Number == number })
}

// TurnAt is like [Record.MoveAt], but counts only plays and passes.
func (r *Record) TurnAt(turn int) int {
	return r.after(turn, func(m *Moment) bool { return m.Turn == turn && m.Event.Kind != rules.Draw })
}

func (r *Record) after(number int, is func(*Moment) bool) int {
	if number <= 0 {
		return 0
	}
	for i := range r.Moments {
		if m := &r.Moments[i]; m.Kind == Moved && is(m) {
			return i
		}
	}
	return len(r.Moments) - 1
}

// Tag returns the text of the first tag with this key.
func (r *Record) Tag(key string) (string, bool) {
	for _, t := range r.Tags {
		if t.Key == key {
			return t.Text, true
		}
	}
	return "", false
}

// Side returns a side's name: a player, the partners "ana+cleo", or their team with them: "OWL ana+cleo".
func (r *Record) Side(s rules.Side) string {
	if r.Rules.Teams {
		partners := r.Names[s-1] + "+" + r.Names[s+1]
		if tag := r.Teams[s-1]; tag != "" {
			return tag + " " + partners
		}
		return partners
	}
	return r.Names[s-1]
}
