package search

import "boneyard/rules"

// WithScored returns s with what a view of one moment does not tell, as o has it: the points of the round so far, who laid
// last, and what became of doubles that no end names any more.
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
