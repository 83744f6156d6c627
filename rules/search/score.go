package search

import "boneyard/rules"

// end scores the round.
func (t *Table) end(s *State, how rules.RoundEnd) {
	s.how, s.draws, s.must = how, 0, rules.NoTile
	var left [rules.MaxSeats]rules.Points
	for i := range t.seats {
		left[i] = Weight(s.Hands[i])
	}
	_, change := t.rules.Score(how, rules.Seat(s.last)+1, left[:t.seats])
	for side := range change {
		s.points[side] += int16(change[side])
	}
}

// Weight is the sum of the pips of a hand.
func Weight(h rules.Hand) rules.Points {
	return rules.Points(weights[0][h&127]) + rules.Points(weights[1][h>>7&127]) +
		rules.Points(weights[2][h>>14&127]) + rules.Points(weights[3][h>>21&127])
}
