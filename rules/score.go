package rules

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

// score computes the result of the round (docs/rules.md, "Scoring a round").
func (g *Game) score(how RoundEnd) RoundResult {
	res := RoundResult{Round: g.round, How: how, Last: g.last}
	var own [MaxSeats]Points // weight by side
	var all Points
	for i, h := range g.hands[:g.seats] {
		w := h.Weight()
		res.Left[i] = w
		own[g.SideOf(Seat(i+1))-1] += w
		all += w
	}
	switch {
	case how == Domino:
		res.Winner = g.last
	case g.rules.End != EndSubtract:
		if side := g.lightest(own); side != 0 {
			res.Winner = g.lighter(side, res.Left)
		}
	}
	if g.rules.End == EndSubtract {
		for i := range g.seats {
			res.Change[g.SideOf(Seat(i+1))-1] -= g.rules.Round(res.Left[i])
		}
	} else if res.Winner != 0 {
		side := g.SideOf(res.Winner)
		res.Change[side-1] = g.worthOf(how, own[side-1], all)
	}
	for i := range res.Totals {
		res.Totals[i] = g.scores[i] + res.Change[i]
	}
	return res
}

// worthOf returns what the winning side gets, which holds own of all pips left.
func (g *Game) worthOf(how RoundEnd, own, all Points) Points {
	opponents := all - own
	pips := opponents
	if how == Blocked {
		pips -= own
	}
	switch g.rules.End {
	case EndAward:
		return g.rules.Round(pips)
	case EndBonus:
		return g.rules.Round(pips) / g.rules.Multiple
	}
	return opponents
}

// lightest returns the side that wins a blocked round: the one with the lowest weight. A tie has no winner,
// except under [EndTake], where the side that laid the last tile drops out.
func (g *Game) lightest(own [MaxSeats]Points) Side {
	least := own[0]
	for _, w := range own[1:g.Sides()] {
		least = min(least, w)
	}
	var tied []Side
	for i, w := range own[:g.Sides()] {
		if w == least {
			tied = append(tied, Side(i+1))
		}
	}
	if len(tied) > 1 && g.rules.End == EndTake {
		kept := tied[:0]
		for _, s := range tied {
			if s != g.SideOf(g.last) {
				kept = append(kept, s)
			}
		}
		tied = kept
	}
	if len(tied) != 1 {
		return 0
	}
	return tied[0]
}

// lighter returns the seat of a side with the lighter hand; of equal ones the lower seat.
func (g *Game) lighter(side Side, left [MaxSeats]Points) Seat {
	first := Seat(side)
	if g.rules.Teams && left[first+1] < left[first-1] {
		return first + 2
	}
	return first
}
