package board

// strategy is what arms like to do where they may choose.
type strategy struct {
	line   [2]dir // where L and R turn first: up or down
	branch [2]dir // where U and D turn first: left or right
	tight  bool   // U and D turn at once, to save rows
	beside bool   // a turn is made beside the last tile rather than beyond it
	pinned bool   // the lead stays in the middle row
	room   bool   // every end must keep room for one more tile
	bare   bool   // no end needs room to say what it counts
	mix    uint32 // not 0: which place comes first is drawn, and this is the seed
}

// strategies are tried in this order. The first ones make the best pictures: each arm has a quarter of the room for itself. The mixed ones
// find a way where those do not.
var strategies = func() (all []strategy) {
	turns := []strategy{
		{line: [2]dir{north, south}, branch: [2]dir{east, west}},
		{line: [2]dir{south, north}, branch: [2]dir{west, east}},
		{line: [2]dir{south, south}, branch: [2]dir{east, east}},
		{line: [2]dir{north, north}, branch: [2]dir{west, west}},
	}
	add := func(pinned, room bool) {
		for i := range 4 {
			for _, t := range turns {
				t.pinned, t.room, t.beside, t.tight = pinned, room, i&1 != 0, i&2 != 0
				all = append(all, t)
			}
		}
	}
	add(true, true)
	add(false, true)
	add(false, false)
	free := len(all) - 16
	const mixed = 96
	for i := range mixed {
		t := all[free-16+i%32]
		t.mix, t.bare = uint32(i+1), true
		all = append(all, t)
	}
	return all
}()

// stir takes one of the places to the front.
func (p *placer) stir(i int, cand []lie) {
	h := (p.mix*31 + uint32(i)) * 2654435761
	h ^= h >> 15
	h *= 2246822519
	h ^= h >> 13
	if h&3 != 0 {
		return
	}
	k := int(h>>8) % len(cand)
	cand[0], cand[k] = cand[k], cand[0]
}
