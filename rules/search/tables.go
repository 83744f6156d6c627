package search

import "boneyard/rules"

// Properties of tiles, by number. Sizes are powers of two where that avoids bounds checks.
var (
	lowHalf    [32]uint8
	highHalf   [32]uint8
	tileWeight [32]uint8
	withPip    [8]rules.Hand
	otherHalf  [32][8]uint8      // by tile and the half that is joined
	tipWorth   [32][8]uint8      // what a tile counts once joined by that half
	weights    [4][128]uint8     // of seven tiles each
	tips       [8][4][128]uint16 // likewise, by the half that is joined: the set of their tipWorth, as bits
)

func init() {
	for t := range rules.Tile(rules.SetSize) {
		low, high := t.Low(), t.High()
		lowHalf[t], highHalf[t], tileWeight[t] = uint8(low), uint8(high), uint8(t.Weight())
		otherHalf[t][low], otherHalf[t][high] = uint8(high), uint8(low)
		tipWorth[t][low], tipWorth[t][high] = uint8(high), uint8(low)
		if t.Double() {
			tipWorth[t][low] = 2 * uint8(low)
		}
	}
	for p := range rules.Pip(pips) {
		withPip[p] = rules.WithPip(p)
	}
	for i := range weights {
		for set := range weights[i] {
			hand := rules.Hand(set) << (7 * i)
			weights[i][set] = uint8(hand.Weight())
			for p := range pips {
				for t := range (hand & withPip[p]).All() {
					tips[p][i][set] |= 1 << tipWorth[t][p]
				}
			}
		}
	}
}
