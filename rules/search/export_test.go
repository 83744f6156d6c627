package search

import "boneyard/rules"

// WithScored returns s with what a view does not contain, taken from o: the points of the round so far, the
// seat that laid last, and the state of doubles that no end names any more.
func (s *State) WithScored(o *State) State {
	m := *o
	m.points, m.last = s.points, s.last
	for i := int(m.nEnds); i < len(m.ends); i++ {
		m.ends[i] = End{}
	}
	return m
}

// GameOver reports whether a play has reached the target, which ended the game in mid-round.
func (s *State) GameOver() bool { return s.over }

// Scores are the scores by side with which the round began.
func (t *Table) Scores() [rules.MaxSeats]rules.Points { return t.start }

// The rest is used only to compare with package rules.

// Duty is the duty of the seat to move.
func (t *Table) Duty(s *State) rules.MoveKind {
	switch {
	case s.Playable() != 0:
		return rules.Play
	case s.stock > 0 && (t.draw == drawAll || s.draws < t.draw):
		return rules.Draw
	}
	return rules.Pass
}

// Pass gives the turn to the next seat.
func (t *Table) Pass(s *State) { t.advance(s) }

// Seats is the number of seats.
func (t *Table) Seats() int { return int(t.seats) }

// Turn is the seat to move, counted from 0.
func (s *State) Turn() int { return int(s.turn) }

// Count is the open-end total.
func (s *State) Count() rules.Points { return rules.Points(s.count) }

// Stock is the number of tiles in the boneyard.
func (s *State) Stock() int { return int(s.stock) }

// Pip is the open value.
func (e End) Pip() rules.Pip { return rules.Pip(e.bits & 7) }
