package record

import "boneyard/rules"

// The functions below return the lines that a table writes to its journal, in canonical order.

// Lines returns the header of a record: version, rules, seats, tags, and the seed if it is set.
func (h Header) Lines(tags ...Tag) []Line {
	lines := []Line{Version{FormatVersion}, Rules{h.Rules}}
	for i, name := range h.Names {
		lines = append(lines, Seat{rules.Seat(i + 1), name})
	}
	for _, t := range tags {
		lines = append(lines, t)
	}
	if h.Seed != nil {
		lines = append(lines, Seed{*h.Seed})
	}
	return lines
}

// RoundLines returns the start of a round: number, deals, boneyard and leader. g is the game after d.
func RoundLines(g *rules.Game, d *rules.Deal) []Line {
	lines := []Line{Round{g.Round()}}
	for i := range g.Seats() {
		lines = append(lines, Deal{rules.Seat(i + 1), d.Hands[i]})
	}
	return append(lines, Stock{d.Stock}, Lead{g.Leader()})
}

// MoveLines returns the line of a move and those that follow from it: the end of the round, the totals and
// the winner. g is the game after the move, e what the move did.
func MoveLines(g *rules.Game, e rules.Event) []Line {
	lines := []Line{MoveLine(g.Rules(), e)}
	if e.End != rules.NotEnded {
		lines = append(lines, EndLine(g), ScoreLine(g))
	}
	if e.GameOver {
		lines = append(lines, Won{e.Winner})
	}
	return lines
}

// MoveLine returns the line of a move. For a draw, e must contain the tile, as before [rules.Event.For].
func MoveLine(r rules.Ruleset, e rules.Event) Line {
	switch e.Kind {
	case rules.Draw:
		return Draw{e.Seat, e.Tile}
	case rules.Pass:
		return Pass{e.Seat}
	}
	p := Play{Seat: e.Seat, A: e.Inner, B: e.Outer, Arm: e.Arm}
	if r.Multiple != 0 {
		p.Counted, p.Count, p.Points = true, e.Count, e.Points
	}
	return p
}

// EndLine returns how the last round of g ended.
func EndLine(g *rules.Game) Line {
	res := g.Result()
	l := End{How: res.How, Left: append([]rules.Points(nil), res.Left[:g.Seats()]...)}
	if res.How == rules.Domino {
		l.Seat = res.Last
	}
	return l
}

// ScoreLine returns the totals after the last round of g.
func ScoreLine(g *rules.Game) Line {
	res := g.Result()
	return Score{append([]rules.Points(nil), res.Totals[:g.Sides()]...)}
}
