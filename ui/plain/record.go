package plain

import (
	"fmt"
	"strconv"
	"strings"

	"boneyard/rules"
	"boneyard/rules/record"
)

// Record is a game that is over, round by round, all hands open.
type Record struct {
	Rules  rules.Ruleset
	Names  []string // by seat
	Seed   string   // empty where the record shows none
	Rounds []Round
}

// Round is one round of a Record.
type Round struct {
	Number int
	Leader rules.Seat
	Hands  []rules.Hand // as dealt, by seat
	Stock  []rules.Tile // the boneyard, in the order in which it is drawn
	Moves  []Play
	Result *rules.RoundResult // nil if the game ended before the round did
}

// Play is a move of a Round, with what else could have been done.
type Play struct {
	Number int // within the round, from 1
	Event  rules.Event
	Terms  []rules.Term // of the count; nil where nothing is counted
	Better *rules.Option
}

// ReadRecord reads the lines of a finished game. The error is that of package record; it means that a record was damaged.
func ReadRecord(lines []string) (*Record, error) {
	r := &Record{}
	var before rules.Game // the step before
	for step, err := range record.Replay(strings.NewReader(strings.Join(lines, "\n") + "\n")) {
		if err != nil {
			return nil, fmt.Errorf("read a record: %w", err)
		}
		switch l := step.Line.(type) {
		case record.Rules:
			r.Rules = l.Rules
		case record.Seat:
			r.Names = append(r.Names, l.Name)
		case record.Seed:
			r.Seed = l.Seed.String()
		case record.Round:
			r.Rounds = append(r.Rounds, Round{Number: l.N, Hands: make([]rules.Hand, len(r.Names))})
		case record.Deal:
			r.last().Hands[l.Seat-1] = l.Hand
		case record.Stock:
			r.last().Stock = l.Tiles
		case record.Lead:
			r.last().Leader = l.Seat
		}
		if step.Event.Kind != 0 {
			r.last().play(&before, &step)
		}
		before = step.Game
	}
	return r, nil
}

func (r *Record) last() *Round { return &r.Rounds[len(r.Rounds)-1] }

// play adds a move.
func (n *Round) play(before *rules.Game, step *record.Step) {
	p := Play{Number: len(n.Moves) + 1, Event: step.Event}
	own := step.Game.Rules()
	if step.Event.Kind == rules.Play && own.Multiple != 0 {
		p.Terms = step.Game.Layout().Terms(own.Count)
		v := before.View(step.Event.Seat)
		for i := range v.Options {
			o := &v.Options[i]
			if o.Points > step.Event.Points && (p.Better == nil || o.Points > p.Better.Points) {
				p.Better = o
			}
		}
	}
	n.Moves = append(n.Moves, p)
	if step.Event.End != rules.NotEnded {
		res := step.Game.Result()
		n.Result = &res
	}
}

// Say tells a move in a line with its number, and what would have scored more: "2.14 ana plays …".
func (p *Play) Say(round int, names []string) string {
	s := fmt.Sprintf("%d.%d %s.", round, p.Number, Move(names, &p.Event, p.Terms))
	if o := p.Better; o != nil {
		s += " " + o.Tile.Name()
		if o.Arm != rules.NoArm {
			s += " on " + Arm(o.Arm)
		}
		s += " would have scored " + strconv.Itoa(int(o.Points)) + "."
	}
	return s
}

// Say tells a round line by line.
func (n *Round) Say(r *Record) []string {
	lines := []string{fmt.Sprintf("Round %d: %s leads.", n.Number, r.Names[n.Leader-1])}
	for i, h := range n.Hands {
		lines = append(lines, r.Names[i]+" holds "+Hand(h)+".")
	}
	for i := range n.Moves {
		lines = append(lines, n.Moves[i].Say(n.Number, r.Names))
	}
	if n.Result != nil {
		lines = append(lines, Scoring(&r.Rules, n.Result, r.Names, Sides(r.Names, r.Rules.Teams))...)
	}
	return lines
}

// Left tells what each player left on the table: the points in play that the best choices would have scored beyond what was
// played, one play at a time.
func (r *Record) Left() []string {
	if r.Rules.Multiple == 0 {
		return nil
	}
	left := make([]rules.Points, len(r.Names))
	for _, n := range r.Rounds {
		for _, p := range n.Moves {
			if p.Better != nil {
				left[p.Event.Seat-1] += p.Better.Points - p.Event.Points
			}
		}
	}
	parts := make([]string, len(left))
	for i, p := range left {
		parts[i] = r.Names[i] + " " + strconv.Itoa(int(p))
	}
	return []string{"Points left on the table: " + strings.Join(parts, ", ") + "."}
}
