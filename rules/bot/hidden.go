package bot

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"boneyard/rules"
	"boneyard/rules/search"
)

// slot is one tile that another seat was dealt or drew. It is known, often roughly, only when played.
type slot struct {
	seat    uint8
	from    int16      // the move that drew it, -1 if it was dealt
	allowed rules.Hand // what it can be if still held, given the seat's later draws and passes
}

// played is a tile that another seat has laid.
type played struct {
	seat  uint8
	tile  rules.Tile
	at    int16  // the move that played it
	since int16  // the earliest draw that it can come from, -1 if it may have been dealt
	slot  int    // the draw it certainly comes from, -1 if unknown
	can   uint32 // the slots it can come from, as bits
	held  uint32 // the seat's slots that were filled when it was played

	// How likely, up to a factor, a player of ordinary skill was to choose each tile, and to make the actual
	// play. made is 0 if there was no choice.
	odds [32]float32
	made float32
}

// claim orders the plays: those with a known slot first, then those with the fewest possible slots.
func (p *played) claim() int {
	if p.slot >= 0 {
		return heldOn
	}
	return int(p.since)
}

// hidden is what a seat can infer about the tiles it does not see.
type hidden struct {
	unseen rules.Hand
	stock  int
	slots  []slot   // of all other seats, most restricted first
	plays  []played // by claim: those that say most about their origin are first
	drew   bool     // another seat has drawn a tile
	last   int      // the seat that laid the last tile, counted from 0; -1 if none did or it is unknown
}

const (
	heldOn = math.MaxInt16 // the move that plays a tile still held

	temperature = 2.0  // points by which a play can fall short of the best and still be likely
	tileCare    = 0.35 // points that laying a pip is worth to a player of ordinary skill
)

// hide infers what a seat can know about the others' tiles.
func hide(s *Seen, t *search.Table) hidden {
	h := hidden{stock: s.Stock, last: -1, unseen: rules.FullSet &^ s.Hand &^ s.Layout.Tiles()}
	h.slots = make([]slot, 0, rules.SetSize)
	whole := s.whole()
	for seat := range s.Seats {
		if rules.Seat(seat+1) == s.Seat {
			continue
		}
		n := s.Held[seat]
		if whole {
			n = s.Rules.HandSize(s.Seats)
		}
		for range n {
			h.slots = append(h.slots, slot{seat: uint8(seat), from: -1, allowed: rules.FullSet})
		}
	}
	if whole {
		h.replay(s, t)
	}
	slices.SortStableFunc(h.slots, func(a, b slot) int {
		return cmp.Compare((a.allowed & h.unseen).Len(), (b.allowed & h.unseen).Len())
	})
	slices.SortStableFunc(h.plays, func(a, b played) int { return b.claim() - a.claim() })
	for i := range h.plays {
		p := &h.plays[i]
		for j, sl := range h.slots {
			if sl.seat != p.seat || sl.from >= p.at {
				continue
			}
			p.held |= 1 << j
			if p.slot < 0 && sl.from >= p.since || p.slot >= 0 && int(sl.from) == p.slot { // a known slot is numbered by its draw
				p.can |= 1 << j
			}
		}
	}
	return h
}

// replay replays the round and records draws, choices, and when a seat had nothing that fitted.
func (h *hidden) replay(s *Seen, t *search.Table) {
	var all [rules.MaxSeats]rules.Hand
	for i := range s.Seats {
		all[i] = rules.FullSet // nothing ends the replayed round
	}
	type misfit struct {
		seat uint8
		at   int16
		fits rules.Hand
	}
	var misfits []misfit
	state := t.Begin(all, 0, 1, rules.NoTile)
	drawn := -1 // the draw just made
	forced := s.Rules.Lead != rules.LeadLot && s.Rules.FirstLead(s.Round, &s.Result)
	for n := range s.Past {
		e := &s.Past[n]
		seat := uint8(e.Seat) - 1
		other := e.Seat != s.Seat
		switch {
		case e.Kind == rules.Draw && other:
			h.drew = true
			misfits = append(misfits, misfit{seat, int16(n), state.Fits()})
			h.slots = append(h.slots, slot{seat: seat, from: int16(n)})
			drawn = n
			continue
		case e.Kind == rules.Pass && other:
			misfits = append(misfits, misfit{seat, int16(n), state.Fits()})
		case e.Kind == rules.Play:
			state.SetTurn(int(seat))
			if other {
				p := played{seat: seat, tile: e.Tile, at: int16(n), since: -1, slot: drawn}
				for _, m := range misfits {
					if m.seat == seat && m.fits.Has(e.Tile) {
						p.since = m.at
					}
				}
				if drawn < 0 && !(e.Lead && forced) {
					p.weigh(&state, t, e)
				}
				h.plays = append(h.plays, p)
			}
			if e.Lead {
				t.Lead(&state, e.Tile, e.Inner > e.Outer)
			} else {
				t.Do(&state, search.Play{Tile: e.Tile, End: uint8(endOf(&state, e.Arm))})
			}
			h.last = int(seat)
		}
		drawn = -1
	}
	dealt := rules.FullSet
	if forced && s.Rules.Lead == rules.LeadDouble && s.Layout.Len() > 0 {
		dealt = below(s.Layout.Piece(0).Tile)
	}
	for i := range h.slots {
		sl := &h.slots[i]
		sl.allowed = rules.FullSet
		if sl.from < 0 {
			sl.allowed = dealt
		}
		for _, m := range misfits {
			if m.seat == sl.seat && m.at > sl.from {
				sl.allowed &^= m.fits
			}
		}
	}
}

// below returns the tiles that can have been dealt if the strongest had to lead: led and all weaker ones.
func below(led rules.Tile) rules.Hand {
	h := rules.NewHand(led)
	for t := range rules.FullSet.All() {
		if led.Stronger(t) {
			h = h.With(t)
		}
	}
	return h
}

// endOf returns the index of an arm's end.
func endOf(s *search.State, arm rules.Arm) int {
	for i := range s.EndCount() {
		if s.End(i).Arm == arm {
			return i
		}
	}
	return 0
}

// weigh computes the odds of each tile that the seat may have held.
func (p *played) weigh(state *search.State, t *search.Table, e *rules.Event) {
	var room [64]search.Play
	best := [rules.SetSize]float64{}
	for _, c := range state.AppendPlays(room[:0], true) {
		v := float64(t.Pays(state, c)) + tileCare*float64(c.Tile.Weight())
		best[c.Tile] = max(best[c.Tile], v)
		p.odds[c.Tile] = float32(math.Exp(best[c.Tile] / temperature))
	}
	made := float64(t.Pays(state, search.Play{Tile: e.Tile, End: uint8(endOf(state, e.Arm))})) + tileCare*float64(e.Tile.Weight())
	p.made = float32(math.Exp(made / temperature))
}

// guess is one possible arrangement of the hidden tiles.
type guess struct {
	hands [rules.MaxSeats]rules.Hand
	order [rules.SetSize]rules.Tile // the boneyard is order[:stock]; its last tile is drawn first
	odds  float64                   // how likely it is, up to a factor
}

// draw makes a random guess and reports whether it agrees with the draws and passes. mine is the seat's hand.
func (h *hidden) draw(g *guess, seat int, mine rules.Hand, rng *search.Rand) bool {
	var tile [32]rules.Tile // by slot
	var until [32]int16     // the move that played it
	var used uint32         // slots known to have been played
	odds := 1.0
	for i := range h.plays {
		p := &h.plays[i]
		free := p.can &^ used
		if free == 0 {
			return false
		}
		if h.drew { // otherwise all slots of a seat are alike
			n := bits.OnesCount32(free)
			if n > 1 {
				for k := rng.IntN(n); k > 0; k-- {
					free &= free - 1
				}
			}
			odds *= float64(n)
		}
		at := bits.TrailingZeros32(free) & 31
		used |= 1 << at
		tile[at], until[at] = p.tile, p.at
	}
	*g = guess{}
	g.hands[seat] = mine
	pool := h.unseen
	for j := range h.slots {
		if used&(1<<j) != 0 {
			continue
		}
		can := pool & h.slots[j].allowed
		if can == 0 {
			return false
		}
		odds *= float64(can.Len())
		tile[j], until[j] = rng.Pick(can), heldOn
		pool = pool.Without(tile[j])
		g.hands[h.slots[j].seat] |= 1 << tile[j]
	}
	for i := range h.plays {
		p := &h.plays[i]
		if p.made == 0 {
			continue
		}
		var sum float32
		for set := p.held; set != 0; set &= set - 1 {
			if j := bits.TrailingZeros32(set) & 31; until[j] >= p.at {
				sum += p.odds[tile[j]&31]
			}
		}
		odds *= float64(p.made / sum)
	}
	g.odds = odds
	n := 0
	for ; pool != 0; pool &= pool - 1 {
		g.order[n] = pool.Lowest()
		n++
	}
	for i := n - 1; i > 0; i-- {
		j := rng.IntN(i + 1)
		g.order[i], g.order[j] = g.order[j], g.order[i]
	}
	return n == h.stock
}

// more is how many guesses are made for each one chosen.
const more = 2

// choose is guesses with the given slices as its memory.
func (h *hidden) choose(chosen, all []guess, seat int, mine rules.Hand, rng *search.Rand) []guess {
	n := cap(chosen)
	sum := 0.0
	for tries := 0; len(all) < cap(all) && tries < 4*cap(all); tries++ {
		all = all[:len(all)+1]
		g := &all[len(all)-1]
		if !h.draw(g, seat, mine, rng) {
			all = all[:len(all)-1]
			continue
		}
		sum += g.odds
	}
	if len(all) == 0 {
		return nil
	}
	step := sum / float64(n)
	at, reached := rng.Float()*step, 0.0
	for i := range all {
		for reached += all[i].odds; reached > at && len(chosen) < n; at += step {
			chosen = append(chosen, all[i])
		}
	}
	for i := len(chosen) - 1; i > 0; i-- { // shuffle, so that any prefix is a fair sample
		j := rng.IntN(i + 1)
		chosen[i], chosen[j] = chosen[j], chosen[i]
	}
	return chosen
}

// source makes guesses on demand.
type source struct {
	h    *hidden
	seat int
	mine rules.Hand
	rng  search.Rand

	room [block + more*block]guess
	left []guess
}

// next returns a guess, or nil if none can be made.
func (s *source) next() *guess {
	if len(s.left) == 0 {
		s.left = s.h.choose(s.room[:0:block], s.room[block:block], s.seat, s.mine, &s.rng)
		if len(s.left) == 0 {
			return nil
		}
	}
	g := &s.left[0]
	s.left = s.left[1:]
	return g
}
