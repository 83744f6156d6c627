package search

import (
	"math/bits"

	"boneyard/rules"
)

// Rand is a small generator (splitmix64), for playouts: the same seed yields the same numbers.
type Rand uint64

// Next returns 64 random bits.
func (r *Rand) Next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// IntN returns a number from 0 to n-1.
func (r *Rand) IntN(n int) int { return int(uint64(uint32(r.Next())) * uint64(n) >> 32) }

// Float returns a number from 0 to 1, 1 excluded.
func (r *Rand) Float() float64 { return float64(r.Next()>>11) / (1 << 53) }

// Pick returns a random tile of a hand, which must not be empty.
func (r *Rand) Pick(h rules.Hand) rules.Tile {
	for n := r.IntN(bits.OnesCount32(uint32(h))); n > 0; n-- {
		h &= h - 1
	}
	return rules.Tile(bits.TrailingZeros32(uint32(h)))
}

// PlayOut plays the round to its end: every seat makes the play with the most points less the next seat's
// best reply, of equal ones the heavier tile; if plays score nothing, the one that blocks. All hands are
// open; order is the boneyard, the tile drawn last first.
func (t *Table) PlayOut(s *State, order []rules.Tile) {
	for !s.Done() {
		switch tiles := s.Playable(); {
		case tiles != 0:
			t.Do(s, t.reply(s, tiles))
		case s.stock > 0 && s.draws < t.draw:
			t.Draw(s, order[s.stock-1])
		default:
			t.advance(s)
		}
	}
}

// Weights of a play's worth, besides its pips. The last two were fitted to games of block, where half or
// twice as much plays as well.
const (
	onePoint = 4
	stuck    = 24 // the next seat has nothing that fits
	kept     = 6  // a tile left in the hand fits
)

// reply returns the play that seems best if the next seat's hand is known.
func (t *Table) reply(s *State, tiles rules.Hand) Play {
	if s.laid == 0 {
		return t.bestLead(tiles)
	}
	next := s.turn + 1
	if next == t.seats {
		next = 0
	}
	if !t.scores {
		return t.blocking(s, tiles, s.Hands[next&3])
	}
	return t.twoPly(s, tiles, s.Hands[next&3])
}

// blocking returns the play that seems best if plays score nothing.
func (t *Table) blocking(s *State, tiles, their rules.Hand) Play {
	best, bestWorth := Play{}, -1
	for i := range s.ends[:s.nEnds] {
		pip := s.ends[i].bits & 7
		fit := tiles & withPip[pip]
		if fit == 0 {
			continue
		}
		others := rules.Hand(0)
		for j, e := range s.ends[:s.nEnds] {
			if j != i {
				others |= withPip[e.bits&7]
			}
		}
		for ; fit != 0; fit &= fit - 1 {
			tile := bits.TrailingZeros32(uint32(fit)) & 31
			fits := others | withPip[otherHalf[tile][pip]&7]
			left := s.Hands[s.turn&3] &^ (1 << tile)
			worth := int(tileWeight[tile]) + kept*bits.OnesCount32(uint32(left&fits))
			if their&fits == 0 {
				worth += stuck
			}
			if worth > bestWorth {
				best, bestWorth = Play{rules.Tile(tile), uint8(i)}, worth
			}
		}
	}
	return best
}

// twoPly returns the play with the most points less the best answer to it.
func (t *Table) twoPly(s *State, tiles, their rules.Hand) Play {
	a := answers{their: their}
	best, bestWorth, found, raw := Play{}, int32(0), false, false // raw: best has no answers subtracted yet
	var seen uint64
	for i := range s.ends[:s.nEnds] {
		e := s.ends[i]
		fit := tiles & withPip[e.bits&7]
		if fit == 0 {
			continue
		}
		bit := kindBit(e)
		if seen&bit != 0 {
			continue
		}
		seen |= bit
		base := s.count - t.drop(s, e)
		for ; fit != 0; fit &= fit - 1 {
			tile := bits.TrailingZeros32(uint32(fit)) & 31
			p := Play{rules.Tile(tile), uint8(i)}
			worth := onePoint*int32(t.pays[base+int16(tipWorth[tile][e.bits&7])]) + int32(tileWeight[tile])
			if !found {
				best, bestWorth, found, raw = p, worth, true, true
				continue
			}
			if raw {
				bestWorth -= onePoint * a.to(t, s, best)
				raw = false
			}
			if worth <= bestWorth {
				continue // a reply can only make it worse
			}
			if worth -= onePoint * a.to(t, s, p); worth > bestWorth {
				best, bestWorth = p, worth
			}
		}
	}
	return best
}

// answers finds the most that the next seat could score after each of several plays.
type answers struct {
	their rules.Hand
	ready bool
	n     int // ends at which something of theirs fits
	ends  [maxEnds]struct {
		at   uint8
		drop int16
		tips uint16
	}
}

// to returns the points of the best answer to a play.
func (a *answers) to(t *Table, s *State, p Play) int32 {
	e := s.ends[p.End]
	out := otherHalf[p.Tile&31][e.bits&7]
	if e.edge() != 0 || out == e.bits&7 {
		return a.any(t, s, p)
	}
	// Neither the tile nor the one it joins is a double: all other ends stay as they are.
	count := s.count - int16(e.bits&7) + int16(out)
	if !a.ready {
		a.ready = true
		for i := range s.ends[:s.nEnds] {
			e := s.ends[i]
			if tips := tipsOf(a.their, e.bits&7); tips != 0 {
				end := &a.ends[a.n]
				end.at, end.drop, end.tips = uint8(i), t.drop(s, e), tips
				a.n++
			}
		}
	}
	best := t.most(count-int16(out), tipsOf(a.their, out))
	for i := range a.ends[:a.n] {
		if e := &a.ends[i]; e.at != p.End {
			best = max(best, t.most(count-e.drop, e.tips))
		}
	}
	return int32(best)
}

// any returns the same for every play; to has a shortcut for most.
func (a *answers) any(t *Table, s *State, p Play) int32 {
	after := *s
	t.join(&after, p)
	var best int16
	for i := range after.ends[:after.nEnds] {
		e := after.ends[i]
		if tips := tipsOf(a.their, e.bits&7); tips != 0 {
			best = max(best, t.most(after.count-t.drop(&after, e), tips))
		}
	}
	return int32(best)
}

// most returns the most that can be scored by joining a tile with one of these tips, if the other ends count
// base. What a count pays only grows with it.
func (t *Table) most(base int16, tips uint16) int16 {
	if tips &= t.hits[base]; tips != 0 {
		return t.pays[base+int16(bits.Len16(tips))-1]
	}
	return 0
}

// tipsOf returns, as bits, what the tiles of a hand with a pip count once they are joined by it.
func tipsOf(h rules.Hand, pip uint8) uint16 {
	of := &tips[pip&7]
	return of[0][h&127] | of[1][h>>7&127] | of[2][h>>14&127] | of[3][h>>21&127]
}

// bestLead returns the lead with the most points, of equal ones the heavier tile.
func (t *Table) bestLead(tiles rules.Hand) Play {
	best, bestWorth := Play{}, int32(-1)
	for ; tiles != 0; tiles &= tiles - 1 {
		tile := bits.TrailingZeros32(uint32(tiles))
		w := int32(tileWeight[tile&31])
		if worth := onePoint*int32(t.pays[w]) + w; worth > bestWorth {
			best, bestWorth = Play{Tile: rules.Tile(tile)}, worth
		}
	}
	return best
}
