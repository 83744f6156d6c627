// Package search knows one round of a game in a form made for search: small, changed in place, without
// allocation or checks. It must agree with package rules in everything, and knows nothing of how to play
// well.
package search

import (
	"boneyard/rules"
)

// Table is what stays the same during a round: the rules, prepared for fast use, and the scores at its start.
// It is read-only and may be shared.
type Table struct {
	rules     rules.Ruleset
	seats     uint8
	sides     uint8
	draw      uint8 // draws allowed in a turn
	anyOrder  bool
	winNow    bool
	start     [rules.MaxSeats]rules.Points // scores by side at the start of the round
	side      [rules.MaxSeats]uint8        // index of the side of each seat
	spins     [pips]bool                   // the double of the pip is a spinner, whichever came first
	spinFirst bool                         // the first double is
	worth     [2][16]uint8                 // halves that a double counts, by its covered edges; of a spinner: the second row
	scores    bool                         // a count can pay
	pays      [maxCount]int16              // points for a count
	hits      [maxCount]uint16             // by the count without a tip: the tips with which it pays, as bits
	need      rules.Points                 // points at which a play ends the game, where winNow
}

const (
	pips     = int(rules.MaxPip) + 1
	maxEnds  = 16  // two of the line, and two of each of seven doubles
	maxTip   = 12  // what 6-6 counts
	maxCount = 192 // a count is always below it: all halves of the set sum to 168
	noDouble = uint8(pips)
	drawAll  = 255
)

// The edges of a double, as bits and as the kind of an end.
const (
	near uint8 = 1 << iota
	far
	up
	down

	bothSides = near | far
)

// End is an open end.
type End struct {
	Arm  rules.Arm
	bits uint8 // the pip; above it the edge of the double that lies at the tip, 0 if no double does
}

func (e End) edge() uint8 { return e.bits >> 3 }

// State is a round at one moment. It is a value: a copy is independent. Seats are counted from 0, except
// where the type is rules.Seat.
type State struct {
	Hands   [rules.MaxSeats]rules.Hand
	fits    rules.Hand
	covered uint32 // four bits for each pip: the covered edges of its double
	points  [rules.MaxSeats]int16
	count   int16
	laid    uint8
	nEnds   uint8
	turn    uint8
	last    uint8
	stock   uint8
	draws   uint8
	must    rules.Tile // a forced lead or a drawn tile that fits; else NoTile
	first   uint8      // the pip of the first double, noDouble before it
	how     rules.RoundEnd
	over    bool // the game ended in mid-round
	ordinal [pips]uint8
	ends    [maxEnds]End
}

// NewTable returns a table for n seats. scores are those by side at the start of the round.
func NewTable(r *rules.Ruleset, n int, scores [rules.MaxSeats]rules.Points) Table {
	t := Table{
		rules: *r, seats: uint8(n), sides: uint8(rules.SideCount(n, r.Teams)), start: scores,
		anyOrder: r.Order == rules.OrderAny, spinFirst: r.Spinner == rules.SpinnerFirst,
	}
	switch {
	case r.Draw == rules.DrawAll:
		t.draw = drawAll
	default:
		t.draw = uint8(min(r.Draw, rules.SetSize))
	}
	for i := range t.side {
		t.side[i] = uint8(rules.SideOf(rules.Seat(i+1), r.Teams)) - 1
	}
	for p := range t.spins {
		t.spins[p] = r.Spinner == rules.SpinnerAll
	}
	for c := range uint8(16) {
		for row, spins := range []bool{false, true} {
			double := rules.Piece{Covered: rules.Edge(c), Spinner: spins}
			halves, _ := double.Worth(r.Count)
			t.worth[row][c] = uint8(halves)
		}
	}
	for c := range t.pays {
		t.pays[c] = int16(r.InPlay(rules.Points(c)))
	}
	for base := range t.hits {
		for tip := 0; tip <= maxTip && base+tip < maxCount; tip++ {
			if t.pays[base+tip] > 0 {
				t.hits[base] |= 1 << tip
				t.scores = true
			}
		}
	}
	t.winNow = r.Win == rules.WinNow && r.Multiple != 0 && r.Rounds == 0
	t.need = r.TargetFor(n)
	if r.Above {
		t.need++
	}
	return t
}

// Sides is the number of sides.
func (t *Table) Sides() int { return int(t.sides) }

// Side is the index of the side of a seat, both from 0.
func (t *Table) Side(seat int) int { return int(t.side[seat&3]) }

// Begin returns a round before its lead. forced must be led, or is NoTile; stock is the boneyard's size.
func (t *Table) Begin(hands [rules.MaxSeats]rules.Hand, stock int, leader rules.Seat, forced rules.Tile) State {
	return State{Hands: hands, stock: uint8(stock), turn: uint8(leader) - 1, must: forced, first: noDouble}
}

// Of returns a round in progress as a seat sees it; hands are those of all seats, guessed if hidden. The
// layout is copied, so its arms and counts are the same.
func (t *Table) Of(v *rules.View, hands [rules.MaxSeats]rules.Hand) State {
	s := State{
		Hands: hands, stock: uint8(v.Stock), turn: uint8(v.Turn) - 1, draws: uint8(v.Draws), must: v.Forced, first: noDouble,
		laid: uint8(v.Layout.Len()), nEnds: uint8(v.Layout.EndCount()), count: int16(v.Layout.Count()), fits: v.Layout.Fits(),
	}
	if v.Layout.Len() == 0 {
		s.fits, s.nEnds = 0, 0
		return s
	}
	for i := range v.Layout.Len() {
		p := v.Layout.Piece(i)
		if !p.Double() {
			continue
		}
		if s.first == noDouble {
			s.first = uint8(p.Outer)
		}
		s.ordinal[p.Outer] = uint8(i + 1)
		s.covered |= uint32(p.Covered) << (4 * uint(p.Outer))
	}
	for i := range int(s.nEnds) {
		e := v.Layout.End(i)
		s.ends[i] = End{Arm: e.Arm, bits: uint8(e.Pip)}
		if at := v.Layout.Piece(int(e.At)); at.Double() {
			s.ends[i].bits |= uint8(e.Edge) << 3
		}
	}
	// The seat of the last tile matters only under EndTake in a tie; a view lacks it: assume the previous
	// seat.
	s.last = (s.turn + t.seats - 1) % t.seats
	return s
}

// SetLast sets the seat that laid the last tile, counted from 0.
func (s *State) SetLast(seat int) { s.last = uint8(seat) }

// SetTurn gives the turn to a seat, counted from 0.
func (s *State) SetTurn(seat int) { s.turn = uint8(seat) }

// Last is the seat that laid the last tile, counted from 0.
func (s *State) Last() int { return int(s.last) }

// Len is the number of tiles on the table.
func (s *State) Len() int { return int(s.laid) }

// EndCount is the number of open ends.
func (s *State) EndCount() int { return int(s.nEnds) }

// End returns open end i, in the order of package rules.
func (s *State) End(i int) End { return s.ends[i] }

// Fits is the set of tiles that fit somewhere, once one has been laid.
func (s *State) Fits() rules.Hand { return s.fits }

// Points are those that a side, counted from 0, has scored in this round, its end included.
func (s *State) Points(side int) rules.Points { return rules.Points(s.points[side]) }

// Ended returns how the round ended, NotEnded if it goes on or the game ended in mid-round.
func (s *State) Ended() rules.RoundEnd { return s.how }

// Done reports whether the round, or the game, is over.
func (s *State) Done() bool { return s.how != rules.NotEnded || s.over }
