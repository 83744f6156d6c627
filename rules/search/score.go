package search

import "boneyard/rules"

// end scores the round (docs/rules.md, "Scoring a round").
func (t *Table) end(s *State, how rules.RoundEnd) {
	s.how, s.draws, s.must = how, 0, rules.NoTile
	var own [rules.MaxSeats]rules.Points
	var all rules.Points
	for i := range t.seats {
		w := Weight(s.Hands[i])
		if t.rules.End == rules.EndSubtract {
			s.points[t.side[i]] -= int16(t.rules.Round(w))
		}
		own[t.side[i]] += w
		all += w
	}
	if t.rules.End == rules.EndSubtract {
		return
	}
	side := -1
	if how == rules.Domino {
		side = int(t.side[s.last])
	} else {
		side = t.lightest(s, &own)
	}
	if side < 0 {
		return
	}
	pips := all - own[side]
	if t.rules.End != rules.EndTake {
		if how == rules.Blocked {
			pips -= own[side]
		}
		pips = t.rules.Round(pips)
		if t.rules.End == rules.EndBonus {
			pips /= t.rules.Multiple
		}
	}
	s.points[side] += int16(pips)
}

// lightest returns the side that wins a blocked round, -1 for none.
func (t *Table) lightest(s *State, own *[rules.MaxSeats]rules.Points) int {
	least := own[0]
	for _, w := range own[1:t.sides] {
		least = min(least, w)
	}
	ties, found, tied := 0, -1, false
	for side := range int(t.sides) {
		if own[side] != least {
			continue
		}
		ties++
		if t.rules.End == rules.EndTake && side == int(t.side[s.last]) {
			continue // it drops out if it is not alone
		}
		tied = found >= 0
		found = side
	}
	switch {
	case ties == 1 && found < 0:
		return int(t.side[s.last])
	case tied:
		return -1
	}
	return found
}

// Weight is the sum of the pips of a hand.
func Weight(h rules.Hand) rules.Points {
	return rules.Points(weights[0][h&127]) + rules.Points(weights[1][h>>7&127]) +
		rules.Points(weights[2][h>>14&127]) + rules.Points(weights[3][h>>21&127])
}
