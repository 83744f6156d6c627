// Package search knows one round of a game in a form made for search: small, changed in place, without allocation and without
// checks. It must agree with package rules in all that it tells, and knows nothing of how to play well.
package search

import (
	"math/bits"

	"boneyard/rules"
)

// Table is what stays the same during a round: the rules, made ready for fast use, and the scores with which it began. It is
// read only and may be shared.
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

// Pip is the open value.
func (e End) Pip() rules.Pip { return rules.Pip(e.bits & 7) }

func (e End) edge() uint8 { return e.bits >> 3 }

// State is a round at one moment. It is a value: a copy is independent. Seats are counted from 0, except in the methods that
// say Seat.
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

// NewTable makes a table of n seats ready. Scores are those by side when the round began.
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
		plain, spinner := uint8(2), uint8(2)
		if c&bothSides == bothSides {
			plain = 0
		}
		switch k := bits.OnesCount8(c); {
		case k == 4, r.Count == rules.CountFlank && c&bothSides == bothSides:
			spinner = 0
		case k == 3 && r.Count == rules.CountSniff:
			spinner = 1
		}
		t.worth[0][c], t.worth[1][c] = plain, spinner
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

// Seats is the number of seats.
func (t *Table) Seats() int { return int(t.seats) }

// Scores are the scores by side with which the round began.
func (t *Table) Scores() [rules.MaxSeats]rules.Points { return t.start }

// Begin is a round before its lead. Forced is the tile that must be led, or NoTile; stock counts the boneyard.
func (t *Table) Begin(hands [rules.MaxSeats]rules.Hand, stock int, leader rules.Seat, forced rules.Tile) State {
	return State{Hands: hands, stock: uint8(stock), turn: uint8(leader) - 1, must: forced, first: noDouble}
}

// Of is the round of a game that is being played, from what a seat sees: hands are those of all seats, guessed where they are
// hidden. The layout is copied, so that its arms and what they count are the same.
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
	// Whoever laid the last tile matters only under EndTake in a tie; a view does not tell, so the seat before is taken.
	s.last = (s.turn + t.seats - 1) % t.seats
	return s
}

// SetLast tells who laid the last tile, counted from 0.
func (s *State) SetLast(seat int) { s.last = uint8(seat) }

// SetTurn gives the turn to a seat, counted from 0.
func (s *State) SetTurn(seat int) { s.turn = uint8(seat) }

// Turn is the seat to move, counted from 0.
func (s *State) Turn() int { return int(s.turn) }

// Last is the seat that laid the last tile, counted from 0.
func (s *State) Last() int { return int(s.last) }

// Count is the open-end total.
func (s *State) Count() rules.Points { return rules.Points(s.count) }

// Stock is the number of tiles in the boneyard.
func (s *State) Stock() int { return int(s.stock) }

// Len is the number of tiles on the table.
func (s *State) Len() int { return int(s.laid) }

// EndCount is the number of open ends.
func (s *State) EndCount() int { return int(s.nEnds) }

// End returns open end i, in the order in which package rules has them.
func (s *State) End(i int) End { return s.ends[i] }

// Fits is the set of tiles that can be joined somewhere, the full set before the lead.
func (s *State) Fits() rules.Hand {
	if s.laid == 0 {
		return rules.FullSet
	}
	return s.fits
}

// Points are what a side, counted from 0, has scored in this round, its end included.
func (s *State) Points(side int) rules.Points { return rules.Points(s.points[side]) }

// Ended tells how the round ended, NotEnded if it goes on or the game ended in mid-round.
func (s *State) Ended() rules.RoundEnd { return s.how }

// Done reports whether nothing more is to be played in this round.
func (s *State) Done() bool { return s.how != rules.NotEnded || s.over }

// GameOver reports whether a play has reached the target, which ended the game in mid-round.
func (s *State) GameOver() bool { return s.over }

// Playable is the set of tiles that the seat to move may play; empty if it must draw or pass.
func (s *State) Playable() rules.Hand {
	switch {
	case s.must != rules.NoTile:
		return 1 << s.must
	case s.laid == 0:
		return s.Hands[s.turn&3]
	}
	return s.Hands[s.turn&3] & s.fits
}

// Duty is what the seat to move has to do.
func (t *Table) Duty(s *State) rules.MoveKind {
	switch {
	case s.Playable() != 0:
		return rules.Play
	case s.stock > 0 && (t.draw == drawAll || s.draws < t.draw):
		return rules.Draw
	}
	return rules.Pass
}

// Play is a tile on one of the open ends, by its index; on the lead the index is 0.
type Play struct {
	Tile rules.Tile
	End  uint8
}

// Arm is the arm that a play names.
func (s *State) Arm(p Play) rules.Arm {
	if s.laid == 0 {
		return rules.NoArm
	}
	return s.ends[p.End].Arm
}

// AppendPlays appends what the seat to move may play, in the order of [rules.Game.AppendChoices]. With merge, of ends that are
// alike only the first is named.
func (s *State) AppendPlays(dst []Play, merge bool) []Play {
	tiles := s.Playable()
	if s.laid == 0 {
		for ; tiles != 0; tiles &= tiles - 1 {
			dst = append(dst, Play{Tile: tiles.Lowest()})
		}
		return dst
	}
	var seen uint64
	for i, e := range s.ends[:s.nEnds] {
		fit := tiles & withPip[e.bits&7]
		if merge && fit != 0 {
			bit := kindBit(e)
			if seen&bit != 0 {
				continue
			}
			seen |= bit
		}
		for ; fit != 0; fit &= fit - 1 {
			dst = append(dst, Play{rules.Tile(bits.TrailingZeros32(uint32(fit))), uint8(i)})
		}
	}
	return dst
}

// kindBit is one bit for all ends that are alike: of 7 pips, each with a plain tip, a double's side or a double's end.
func kindBit(e End) uint64 {
	kind := uint8(0)
	switch edge := e.edge(); {
	case edge >= up:
		kind = 2
	case edge != 0:
		kind = 1
	}
	return 1 << (3*(e.bits&7) + kind)
}

// row is the row of worth for the double of a pip.
func (t *Table) row(s *State, p uint8) *[16]uint8 {
	if t.spins[p] || t.spinFirst && p == s.first {
		return &t.worth[1]
	}
	return &t.worth[0]
}

// drop is what joining a tile at an end takes from the count.
func (t *Table) drop(s *State, e End) int16 {
	p := e.bits & 7
	edge := e.bits >> 3
	if edge == 0 {
		return int16(p)
	}
	c := uint8(s.covered>>(4*p)) & 15
	row := t.row(s, p)
	return int16(p) * (int16(row[c]) - int16(row[c|edge]))
}

// CountAfter is the count after a play.
func (t *Table) CountAfter(s *State, p Play) rules.Points {
	if s.laid == 0 {
		return rules.Points(tileWeight[p.Tile])
	}
	e := s.ends[p.End]
	return rules.Points(s.count - t.drop(s, e) + int16(tipWorth[p.Tile][e.bits&7]))
}

// Pays is what a play would score.
func (t *Table) Pays(s *State, p Play) rules.Points {
	return rules.Points(t.pays[t.CountAfter(s, p)])
}

// Do carries out a play, which must be legal. The low half of a lead lies at L; see [Table.Lead] for the other way.
func (t *Table) Do(s *State, p Play) {
	if s.laid == 0 {
		t.Lead(s, p.Tile, false)
		return
	}
	t.join(s, p)
	t.laidBy(s, p.Tile)
}

// join lays a tile at an end; whose it was is the caller's affair.
func (t *Table) join(s *State, p Play) {
	e := &s.ends[p.End]
	pip, edge := e.bits&7, e.bits>>3
	s.laid++
	opens := noDouble // the double whose ends open
	if edge == 0 {
		s.count -= int16(pip)
	} else {
		before := uint8(s.covered>>(4*pip)) & 15
		after := before | edge
		s.covered |= uint32(edge) << (4 * pip)
		row := t.row(s, pip)
		s.count -= int16(pip) * (int16(row[before]) - int16(row[after]))
		if !t.anyOrder && edge&bothSides != 0 && after&bothSides == bothSides && row == &t.worth[1] {
			opens = pip
		}
	}
	s.count += int16(tipWorth[p.Tile][pip])
	if out := otherHalf[p.Tile][pip]; out != pip {
		e.bits = out
	} else {
		e.bits = pip | far<<3
		s.covered |= uint32(near) << (4 * pip)
		s.ordinal[pip] = s.laid
		if s.first == noDouble {
			s.first = pip
		}
		if t.anyOrder && t.row(s, pip) == &t.worth[1] {
			opens = pip
		}
	}
	if opens != noDouble {
		t.branch(s, opens)
	}
}

// Lead carries out the first play of the round.
func (t *Table) Lead(s *State, tile rules.Tile, highLeft bool) {
	a, b := lowHalf[tile], highHalf[tile]
	if highLeft {
		a, b = b, a
	}
	s.laid, s.nEnds = 1, 2
	s.ends[0], s.ends[1] = End{Arm: rules.ArmL, bits: a}, End{Arm: rules.ArmR, bits: b}
	s.count = int16(tileWeight[tile])
	if a == b {
		s.ends[0].bits |= near << 3
		s.ends[1].bits |= far << 3
		s.first, s.ordinal[a] = a, 1
		if t.anyOrder && t.row(s, a) == &t.worth[1] {
			t.branch(s, a)
		}
	}
	t.laidBy(s, tile)
}

// branch opens the two ends of the double of a pip.
func (t *Table) branch(s *State, p uint8) {
	arm := rules.ArmU
	if p != s.first {
		arm = rules.Arm(2 * s.ordinal[p])
	}
	i := int(s.nEnds)
	for ; i > 0 && s.ends[i-1].Arm > arm; i-- {
		s.ends[i+1] = s.ends[i-1]
	}
	s.ends[i] = End{Arm: arm, bits: p | up<<3}
	s.ends[i+1] = End{Arm: arm + 1, bits: p | down<<3}
	s.nEnds += 2
}

// laidBy does what follows once the tile lies.
func (t *Table) laidBy(s *State, tile rules.Tile) {
	fits := rules.Hand(0)
	for _, e := range s.ends[:s.nEnds] {
		fits |= withPip[e.bits&7]
	}
	s.fits = fits
	turn := s.turn & 3
	s.Hands[turn] &^= 1 << tile
	s.last, s.must = turn, rules.NoTile
	if pays := t.pays[s.count]; pays > 0 {
		side := t.side[turn] & 3
		s.points[side] += pays
		if t.winNow && t.start[side]+rules.Points(s.points[side]) >= t.need {
			s.over, s.draws = true, 0
			return
		}
	}
	switch {
	case s.Hands[turn] == 0:
		t.end(s, rules.Domino)
	case t.blocked(s):
		t.end(s, rules.Blocked)
	default:
		t.advance(s)
	}
}

// Draw gives the seat to move a tile from the boneyard.
func (t *Table) Draw(s *State, tile rules.Tile) {
	s.stock--
	s.draws++
	s.Hands[s.turn&3] |= 1 << tile
	switch {
	case s.fits&(1<<tile) != 0:
		s.must = tile
	case t.blocked(s):
		t.end(s, rules.Blocked)
	}
}

// Pass gives the turn to the next seat.
func (t *Table) Pass(s *State) { t.advance(s) }

func (t *Table) advance(s *State) {
	if s.turn++; s.turn == t.seats {
		s.turn = 0
	}
	s.draws, s.must = 0, rules.NoTile
}

func (t *Table) blocked(s *State) bool {
	if s.stock > 0 && t.draw != 0 {
		return false
	}
	return (s.Hands[0]|s.Hands[1]|s.Hands[2]|s.Hands[3])&s.fits == 0
}
