package record

import "boneyard/rules"

// The functions below give the lines that a live table writes to its journal, in canonical order.

// Lines returns the header of a record: the version, the rules, the seats, the tags, and the seed if it is to be shown.
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

// RoundLines returns how a round starts: its number, the deals, the boneyard and who leads. g is the game after the deal d.
func RoundLines(g *rules.Game, d *rules.Deal) []Line {
	lines := []Line{Round{g.Round()}}
	for i := range g.Seats() {
		lines = append(lines, Deal{rules.Seat(i + 1), d.Hands[i]})
	}
	return append(lines, Stock{d.Stock}, Lead{g.Leader()})
}

// MoveLines returns what a move adds to the record: the move itself, and what follows from it, which is the end of the
// round, the totals and who won. g is the game after the move, e what the move did.
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

// MoveLine returns the line of a move. Of a draw, e must tell the tile, as it does before [rules.Event.For].
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
