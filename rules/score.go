package rules

import "slices"

// RoundResult is how a round ended and was scored.
type RoundResult struct {
	Round  int
	How    RoundEnd
	Last   Seat             // the seat that dominoed, or that laid the last tile of a blocked round
	Winner Seat             // the seat that won the round; 0 for none
	Left   [MaxSeats]Points // the weight left in each hand, by seat
	Change [MaxSeats]Points // what the scoring added to each side, by side
	Totals [MaxSeats]Points // totals after the round, by side
}

// score computes the result of the round.
func (g *Game) score(how RoundEnd) RoundResult {
	res := RoundResult{Round: g.round, How: how, Last: g.last}
	for i, h := range g.hands[:g.seats] {
		res.Left[i] = h.Weight()
	}
	res.Winner, res.Change = g.rules.Score(how, g.last, res.Left[:g.seats])
	for i := range res.Totals {
		res.Totals[i] = g.scores[i] + res.Change[i]
	}
	return res
}

// Score returns the seat that won a round, 0 for none, and what the round's end adds to each side
// (docs/rules.md, "Scoring a round"). last laid the last tile; left is the weight left in each hand, by seat.
func (r *Ruleset) Score(how RoundEnd, last Seat, left []Points) (winner Seat, change [MaxSeats]Points) {
	var own [MaxSeats]Points // weight by side
	var all Points
	for i, w := range left {
		own[SideOf(Seat(i+1), r.Teams)-1] += w
		all += w
	}
	switch {
	case how == Domino:
		winner = last
	case r.End != EndSubtract:
		if side := r.lightest(own[:SideCount(len(left), r.Teams)], SideOf(last, r.Teams)); side != 0 {
			winner = r.lighter(side, left)
		}
	}
	if r.End == EndSubtract {
		for i, w := range left {
			change[SideOf(Seat(i+1), r.Teams)-1] -= r.Round(w)
		}
	} else if winner != 0 {
		side := SideOf(winner, r.Teams)
		change[side-1] = r.worthOf(how, own[side-1], all)
	}
	return winner, change
}

// worthOf returns what the winning side gets, which holds own of all pips left.
func (r *Ruleset) worthOf(how RoundEnd, own, all Points) Points {
	opponents := all - own
	pips := opponents
	if how == Blocked {
		pips -= own
	}
	switch r.End {
	case EndAward:
		return r.Round(pips)
	case EndBonus:
		return r.Round(pips) / r.Multiple
	}
	return opponents
}

// lightest returns the side that wins a blocked round: the one with the lowest weight. A tie has no winner,
// except under [EndTake], where the side that laid the last tile drops out.
func (r *Ruleset) lightest(own []Points, last Side) Side {
	least := slices.Min(own)
	lightest, ties := Side(0), 0
	for i, w := range own {
		if side := Side(i + 1); w == least && (r.End != EndTake || side != last) {
			lightest, ties = side, ties+1
		}
	}
	switch ties {
	case 0:
		return last
	case 1:
		return lightest
	}
	return 0
}

// lighter returns the seat of a side with the lighter hand; of equal ones the lower seat.
func (r *Ruleset) lighter(side Side, left []Points) Seat {
	first := Seat(side)
	if r.Teams && left[first+1] < left[first-1] {
		return first + 2
	}
	return first
}
