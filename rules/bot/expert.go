package bot

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"

	"boneyard/rules"
	"boneyard/rules/search"
)

// Weights of an expert's judgement of a play, in points.
const (
	replyCare   = 0.9  // for each point that the next seat is expected to score
	weightCare  = 0.30 // for each pip laid
	doubleCare  = 0.8  // for laying a double, which is hard to get rid of
	keepCare    = 0.9  // for each open pip value left in the hand
	stuckCare   = 3.0  // for the chance that the next seat cannot play
	partnerCare = 1.5  // for the chance that the partner cannot play, and for covering what the partner opened
)

// judged is an expert's assessment of a play.
type judged struct {
	choice  rules.Choice
	points  rules.Points // scored at once
	reply   float64      // points that the next seat is expected to score
	stuck   float64      // chance that the next seat has nothing that fits
	covered bool         // it covers an end that the partner opened
	total   float64
}

// expert returns the option that seems best, with a few playouts in block and none elsewhere.
func expert(s *Seen, rng *rand.Rand) judged {
	const blockPlayouts = 40 // an expert's budget if nothing is counted in play, where the best answer says little
	all := judge(s, rng)
	if s.Rules.Multiple == 0 {
		best := Search(s, blockPlayouts, rng).Best().Choice
		return all[slices.IndexFunc(all, func(j judged) bool { return j.choice == best })]
	}
	return slices.MaxFunc(all, func(a, b judged) int { return cmp.Compare(a.total, b.total) })
}

// Hint returns what an expert would play for the seat to move, and why, as a sentence. It depends only on s.
func Hint(s *Seen) (rules.Choice, string) {
	j := expert(s, rand.New(rand.NewPCG(0, 0)))
	number := func(n int, of string) string {
		if n != 1 {
			of += "s"
		}
		return strconv.Itoa(n) + " " + of
	}
	why := "it lays " + number(int(j.choice.Tile.Weight()), "pip")
	switch {
	case len(s.Options) == 1 && s.Layout.Len() == 0:
		why = "no other tile may lead"
	case len(s.Options) == 1:
		why = "nothing else fits"
	case j.points > 0:
		why = "it scores " + number(int(j.points), "point")
	}
	switch {
	case len(s.Options) == 1:
	case j.stuck >= 0.3:
		why += ", and the next seat has nothing that fits in " + strconv.Itoa(int(10*j.stuck+0.5)) + " of 10 cases"
	case s.Rules.Multiple != 0:
		why += ", and the best answer is worth about " + strconv.Itoa(int(j.reply+0.5))
	case s.Rules.Teams && !j.covered:
		why += " and leaves your partner's ends open"
	}
	return j.choice, why + "."
}

// judge assesses all distinct plays, breaking ties with rng.
func judge(s *Seen, rng *rand.Rand) (all []judged) {
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
	for _, p := range plays {
		j := judged{choice: rules.Choice{Tile: p.Tile, Arm: state.Arm(p)}, points: t.Pays(&state, p)}
		v := float64(j.points) + weightCare*float64(p.Tile.Weight())
		if p.Tile.Double() {
			v += doubleCare
		}
		after := state
		after.Hands = [rules.MaxSeats]rules.Hand{rules.FullSet, rules.FullSet, rules.FullSet, rules.FullSet}
		t.Do(&after, p)
		left := s.Hand.Without(p.Tile)
		for pip := range rules.Pip(7) {
			if left&rules.WithPip(pip) != 0 && after.Fits().Has(rules.NewTile(pip, pip)) { // a double fits only its own pip
				v += keepCare
			}
		}
		j.reply, j.stuck = answer(&t, &after, next, &theirs)
		v += stuckCare*j.stuck - replyCare*j.reply
		if partner >= 0 {
			_, none := answer(&t, &after, partner, &partners)
			v -= partnerCare * none
			if state.Len() > 0 && opened&(1<<p.End) != 0 {
				j.covered = true
				v -= partnerCare
			}
		}
		j.total = v + 0.01*rng.Float64()
		all = append(all, j)
	}
	return all
}

// openedBy returns the open ends, as bits by index, whose tip the seat laid.
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

// chances returns how likely a seat is to hold each tile, given its draws and passes.
func (h *hidden) chances(seat int) (p [rules.SetSize]float64) {
	var gone [rules.MaxSeats]int // tiles played, assumed to be the oldest
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

// answer returns the points a seat is expected to score next, and the chance that it has nothing that fits.
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
