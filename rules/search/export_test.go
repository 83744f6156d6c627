package search

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
