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

// PlayOut plays the round to its end: every seat makes the play with the most points less the best reply of the seat after it,
// of equal ones the heavier tile. All hands are open to all; order is the boneyard, the tile drawn last first.
func (t *Table) PlayOut(s *State, order []rules.Tile) {
	for !s.Done() {
		switch tiles := s.Playable(); {
		case tiles != 0:
			t.Do(s, t.twoPly(s, tiles))
		case s.stock > 0 && s.draws < t.draw:
			t.Draw(s, order[s.stock-1])
		default:
			t.advance(s)
		}
	}
}

// onePoint is how much the worth of a play rises with a point; its pips are added.
const onePoint = 4

// twoPly is the play that seems best when the next seat's hand is known.
func (t *Table) twoPly(s *State, tiles rules.Hand) Play {
	if s.laid == 0 {
		return t.bestLead(s, tiles)
	}
	next := s.turn + 1
	if next == t.seats {
		next = 0
	}
	their := s.Hands[next&3]
	best, bestWorth, found := Play{}, int32(0), false
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
		if tiles&(tiles-1) == 0 && s.nEnds == 1 {
			return Play{rules.Tile(bits.TrailingZeros32(uint32(fit))), uint8(i)}
		}
		base := s.count - t.drop(s, e)
		for ; fit != 0; fit &= fit - 1 {
			tile := bits.TrailingZeros32(uint32(fit))
			pays := t.pays[base+int16(tipWorth[tile&31][e.bits&7])]
			worth := onePoint*int32(pays) + int32(tileWeight[tile&31])
			p := Play{rules.Tile(tile), uint8(i)}
			if found && worth <= bestWorth {
				continue // a reply can only make it worse
			}
			if t.rules.Multiple != 0 {
				worth -= onePoint * t.reply(s, p, their)
			}
			if !found || worth > bestWorth {
				best, bestWorth, found = p, worth, true
			}
		}
	}
	return best
}

// reply is the most that the next seat, which holds their, could score after a play.
func (t *Table) reply(s *State, p Play, their rules.Hand) int32 {
	after := *s
	t.join(&after, p)
	var best int16
	for i := range after.ends[:after.nEnds] {
		e := after.ends[i]
		fit := their & withPip[e.bits&7]
		if fit == 0 {
			continue
		}
		base := after.count - t.drop(&after, e)
		for ; fit != 0; fit &= fit - 1 {
			tile := bits.TrailingZeros32(uint32(fit))
			best = max(best, t.pays[base+int16(tipWorth[tile&31][e.bits&7])])
		}
	}
	return int32(best)
}

// bestLead is the lead with the most points, of equal ones the heavier tile.
func (t *Table) bestLead(s *State, tiles rules.Hand) Play {
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
