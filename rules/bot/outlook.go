package bot

import (
	"math/rand/v2"

	"boneyard/rules"
	"boneyard/rules/search"
)

// Outlook is what to expect right after a choice.
type Outlook struct {
	Reply float64 // points that the next seat's best answer scores, on average
	Stuck float64 // chance, from 0 to 1, that the next seat holds no tile that fits
}

// Outlooks returns what to expect after each of some choices of the seat to move, from n guesses of the
// hidden hands. It depends only on its arguments.
func Outlooks(s *Seen, choices []rules.Choice, n int, rng *rand.Rand) []Outlook {
	t := search.NewTable(&s.Rules, s.Seats, s.Scores)
	h := hide(s, &t)
	fast := search.Rand(rng.Uint64())
	seat := int(s.Seat) - 1
	first := t.Of(&s.View, s.own())
	guesses := h.choose(make([]guess, 0, n), make([]guess, 0, more*n), seat, s.Hand, &fast)
	all := make([]Outlook, len(choices))
	if len(guesses) == 0 {
		return all
	}
	var room [64]search.Play
	for i, c := range choices {
		for g := range guesses {
			after := first
			after.Hands = guesses[g].hands
			end := 0
			if after.Len() > 0 {
				end = endOf(&after, c.Arm)
			}
			t.Do(&after, search.Play{Tile: c.Tile, End: uint8(end)})
			if after.Done() {
				continue
			}
			answers := after.AppendPlays(room[:0], true)
			if len(answers) == 0 {
				all[i].Stuck++
			}
			best := rules.Points(0)
			for _, a := range answers {
				best = max(best, t.Pays(&after, a))
			}
			all[i].Reply += float64(best)
		}
		all[i].Reply /= float64(len(guesses))
		all[i].Stuck /= float64(len(guesses))
	}
	return all
}

// PlayedOut returns the points that the seat's side makes until the end of the round, less the others'
// average, if everybody knew all hands and the boneyard were shuffled. It is the mean of n playouts.
func PlayedOut(g *rules.Game, seat rules.Seat, n int, rng *rand.Rand) float64 {
	r := g.Rules()
	v := g.View(g.Turn())
	t := search.NewTable(&r, g.Seats(), v.Scores)
	var hands [rules.MaxSeats]rules.Hand
	rest := rules.FullSet &^ v.Layout.Tiles()
	for i := range g.Seats() {
		hands[i] = g.Hand(rules.Seat(i + 1))
		rest &^= hands[i]
	}
	start := t.Of(&v, hands)
	order := rest.Tiles()
	sum := 0.0
	for range n {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		s := start
		t.PlayOut(&s, order)
		sum += swing(&t, &s, int(seat)-1)
	}
	return sum / float64(n)
}
