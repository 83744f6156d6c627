package search

// Solve returns what side 0 makes in the whole round, less what side 1 makes, if both know all tiles and play
// perfectly. It requires two sides and an empty boneyard. It subtracts the positions searched from left, and
// reports whether they sufficed.
func (t *Table) Solve(s *State, left *int) (swing int, ok bool) {
	const unbounded = 1 << 14
	v := t.solve(*s, -unbounded, unbounded, left)
	return int(v), *left >= 0
}

// solve is alpha-beta search: it returns the swing, as far as it lies between low and high.
func (t *Table) solve(s State, low, high int16, left *int) int16 {
	for !s.Done() && s.Playable() == 0 {
		t.advance(&s)
	}
	if s.Done() {
		return s.points[0] - s.points[1]
	}
	if *left--; *left < 0 {
		return 0
	}
	var room [2 * maxEnds]Play
	plays := s.AppendPlays(room[:0], true)
	first := t.side[s.turn&3] == 0
	for i := range plays {
		best, most := i, int16(-1) // try the highest score, then the heaviest tile, first
		for j := i; j < len(plays); j++ {
			if worth := onePoint*int16(t.Pays(&s, plays[j])) + int16(tileWeight[plays[j].Tile]); worth > most {
				best, most = j, worth
			}
		}
		plays[i], plays[best] = plays[best], plays[i]
		after := s
		t.Do(&after, plays[i])
		v := t.solve(after, low, high, left)
		if *left < 0 {
			return 0
		}
		if first {
			low = max(low, v)
		} else {
			high = min(high, v)
		}
		if low >= high {
			break
		}
	}
	if first {
		return low
	}
	return high
}
