package search

import (
	"math/bits"

	"boneyard/rules"
)

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

// Play is a tile on one of the open ends, by its index; on the lead the index is 0.
type Play struct {
	Tile rules.Tile
	End  uint8
}

// Arm returns the arm of a play.
func (s *State) Arm(p Play) rules.Arm {
	if s.laid == 0 {
		return rules.NoArm
	}
	return s.ends[p.End].Arm
}

// AppendPlays appends the plays of the seat to move, in the order of [rules.Game.AppendChoices]. With merge,
// only the first of equivalent ends is used.
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

// kindBit returns a bit for all equivalent ends: 7 pips, each with a plain tip, a double's side or its end.
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

// row returns the row of worth for the double of a pip.
func (t *Table) row(s *State, p uint8) *[16]uint8 {
	if t.spins[p] || t.spinFirst && p == s.first {
		return &t.worth[1]
	}
	return &t.worth[0]
}

// drop returns what joining a tile at an end takes from the count.
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

// CountAfter returns the count after a play.
func (t *Table) CountAfter(s *State, p Play) rules.Points {
	if s.laid == 0 {
		return rules.Points(tileWeight[p.Tile])
	}
	e := s.ends[p.End]
	return rules.Points(s.count - t.drop(s, e) + int16(tipWorth[p.Tile][e.bits&7]))
}

// Pays returns what a play would score.
func (t *Table) Pays(s *State, p Play) rules.Points { return rules.Points(t.pays[t.CountAfter(s, p)]) }

// Do carries out a play, which must be legal. The low half of a lead lies at L; see [Table.Lead] for the other way.
func (t *Table) Do(s *State, p Play) {
	if s.laid == 0 {
		t.Lead(s, p.Tile, false)
		return
	}
	t.join(s, p)
	t.laidBy(s, p.Tile)
}

// join lays a tile at an end, without regard to whose it was.
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

// laidBy updates the rest of the state after a tile was laid.
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
