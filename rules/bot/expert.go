package bot

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"boneyard/rules"
	"boneyard/rules/search"
)

// What an expert's judgement of a play is made of, in points.
const (
	replyCare   = 0.9  // for each point that the next seat is expected to answer with
	weightCare  = 0.30 // for each pip laid
	doubleCare  = 0.8  // for a double laid: it is hard to get rid of
	keepCare    = 0.9  // for each pip value in the hand left that is open
	stuckCare   = 3.0  // for the chance that the next seat cannot play
	partnerCare = 1.5  // for the chance that the partner cannot play, and for covering what the partner opened
)

// expert takes the option that seems best without playing the round out.
func expert(s *Seen, rng *rand.Rand) rules.Choice {
	t := search.NewTable(&s.Rules, s.Seats, s.Scores)
	h := hide(s, &t)
	seat := int(s.Seat) - 1
	state := t.Of(&s.View, s.own())
	next := (seat + 1) % s.Seats
	theirs := h.chances(next)
	partner := -1
	var partners [rules.SetSize]float64
	if s.Rules.Teams {
		partner = (seat + 2) % s.Seats
		partners = h.chances(partner)
	}
	opened := s.openedBy(partner)

	var room [64]search.Play
	plays := state.AppendPlays(room[:0], true)
	best, top := plays[0], 0.0
	for i, p := range plays {
		v := float64(t.Pays(&state, p)) + weightCare*float64(p.Tile.Weight())
		if p.Tile.Double() {
			v += doubleCare
		}
		after := state
		after.Hands = [rules.MaxSeats]rules.Hand{rules.FullSet, rules.FullSet, rules.FullSet, rules.FullSet}
		t.Do(&after, p)
		left := s.Hand.Without(p.Tile)
		for pip := range rules.Pip(7) {
			if left&rules.WithPip(pip) != 0 && isOpen(&after, pip) {
				v += keepCare
			}
		}
		reply, stuck := answer(&t, &after, next, &theirs)
		v += stuckCare*stuck - replyCare*reply
		if partner >= 0 {
			_, none := answer(&t, &after, partner, &partners)
			v -= partnerCare * none
			if state.Len() > 0 && opened&(1<<p.End) != 0 {
				v -= partnerCare
			}
		}
		if v += 0.01 * rng.Float64(); i == 0 || v > top {
			best, top = p, v
		}
	}
	return rules.Choice{Tile: best.Tile, Arm: state.Arm(best)}
}

func isOpen(s *search.State, pip rules.Pip) bool {
	for i := range s.EndCount() {
		if s.End(i).Pip() == pip {
			return true
		}
	}
	return false
}

// openedBy is the set of open ends, by index, whose tip a seat has laid.
func (s *Seen) openedBy(seat int) (ends uint32) {
	if seat < 0 || !s.whole() {
		return 0
	}
	n := 0
	for i := range s.Past {
		e := &s.Past[i]
		if e.Kind != rules.Play {
			continue
		}
		if int(e.Seat) == seat+1 {
			for j := range s.Layout.EndCount() {
				if int(s.Layout.End(j).At) == n {
					ends |= 1 << j
				}
			}
		}
		n++
	}
	return ends
}

// chances are how likely a seat is to hold each tile, by its draws and passes.
func (h *hidden) chances(seat int) (p [rules.SetSize]float64) {
	var gone [rules.MaxSeats]int // tiles played, which are taken to be the oldest
	for i := range h.plays {
		gone[h.plays[i].seat]++
	}
	for _, sl := range h.slots {
		if int(sl.seat) != seat {
			continue
		}
		if gone[seat] > 0 {
			gone[seat]--
			continue
		}
		can := sl.allowed & h.unseen
		for t := range can.All() {
			p[t] = 1 - (1-p[t])*(1-1/float64(can.Len()))
		}
	}
	return p
}

// answer is what a seat is expected to score next, and how likely it is to have nothing that fits.
func answer(t *search.Table, after *search.State, seat int, chance *[rules.SetSize]float64) (points, stuck float64) {
	if after.Done() {
		return 0, 0
	}
	probe := *after
	probe.SetTurn(seat)
	var room [64]search.Play
	var pays [rules.SetSize]rules.Points
	for _, p := range probe.AppendPlays(room[:0], true) {
		pays[p.Tile] = max(pays[p.Tile], t.Pays(&probe, p))
	}
	type scored struct {
		pays   rules.Points
		chance float64
	}
	var list [rules.SetSize]scored
	n := 0
	stuck = 1
	for tile := range probe.Playable().All() {
		if c := chance[tile]; c > 0 {
			list[n] = scored{pays[tile], c}
			n++
			stuck *= 1 - c
		}
	}
	slices.SortFunc(list[:n], func(a, b scored) int { return -cmp.Compare(a.pays, b.pays) })
	none := 1.0
	for _, sc := range list[:n] {
		points += none * sc.chance * float64(sc.pays)
		none *= 1 - sc.chance
	}
	return points, stuck
}
