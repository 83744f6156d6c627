package bot

import (
	"math"
	"math/rand/v2"

	"boneyard/rules"
	"boneyard/rules/search"
)

// Forecast estimates each side's chance to win a game under some rules, from rounds that it has played itself. It assumes that
// all players are equally good, and is immutable once made.
type Forecast struct {
	rules rules.Ruleset
	seats int
	first []made // rounds led as the first one is
	later []made // rounds led by a seat that has won one
}

// made is what each side made in a round, counted from the seat that led it.
type made struct {
	play   [rules.MaxSeats]rules.Points // in play
	scored [rules.MaxSeats]rules.Points // when it was scored
	winner int                          // the seat that won it, -1 if none did
	how    rules.RoundEnd
}

const (
	// ForecastGuesses is enough for a chance accurate to about 2 %.
	ForecastGuesses = 200

	roundsPlayed = 400 // of each kind; the rest of a game is assembled from them
	restsPlayed  = 8   // for each guess
	longestGame  = 300 // rounds
)

// NewForecast plays the rounds for games under r with n seats. The same rng gives the same forecast.
func NewForecast(r *rules.Ruleset, n int, rng *rand.Rand) (*Forecast, error) {
	f := &Forecast{rules: *r, seats: n}
	endless := *r
	endless.Win = rules.WinRound // no round is cut short because the game is won
	start, err := rules.New(endless, n)
	if err != nil {
		return nil, err
	}
	t := search.NewTable(&endless, n, [rules.MaxSeats]rules.Points{})
	order := rules.FullSet.Tiles()
	for range roundsPlayed {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		d := dealt(&endless, n, order)
		d.Lot = 1
		g, err := start.Deal(d)
		if err != nil {
			return nil, err
		}
		v := g.View(g.Leader())
		s := t.Begin(d.Hands, len(d.Stock), g.Leader(), v.Forced)
		f.first = append(f.first, f.play(&t, s, d.Stock))
		if r.Lead == rules.LeadLot {
			continue
		}
		f.later = append(f.later, f.play(&t, t.Begin(d.Hands, len(d.Stock), 1, rules.NoTile), d.Stock))
	}
	if r.Lead == rules.LeadLot {
		f.later = f.first // a leader chosen by lot leads any tile, as a winner does
	}
	return f, nil
}

// dealt deals tiles in the given order.
func dealt(r *rules.Ruleset, n int, order []rules.Tile) (d rules.Deal) {
	size := r.HandSize(n)
	for i := range n {
		d.Hands[i] = rules.NewHand(order[i*size : (i+1)*size]...)
	}
	d.Stock = order[n*size:]
	return d
}

// play plays a round out and returns what was made in it.
func (f *Forecast) play(t *search.Table, s search.State, stock []rules.Tile) (m made) {
	leader := s.Turn()
	t.PlayOut(&s, stock)
	change := t.Scoring(&s)
	for i := range t.Sides() {
		at := (i + leader) % t.Sides()
		m.scored[i] = change[at]
		m.play[i] = s.Points(at) - change[at]
	}
	if m.how, m.winner = s.Ended(), t.Winner(&s); m.winner >= 0 {
		m.winner = (m.winner - leader + f.seats) % f.seats
	}
	return m
}

// Chances returns each side's chance to win, summing to 1, given what somebody has seen: usually the gallery, whose seat is 0. It
// makes n guesses of the hidden hands and depends only on its arguments. It returns nil if no guess agrees with what was seen.
func (f *Forecast) Chances(s *Seen, n int, rng *rand.Rand) []float64 {
	sides := s.Sides()
	won := make([]float64, sides)
	fast := search.Rand(rng.Uint64())
	switch s.Phase {
	case rules.Over:
		share(won, s.Winner, s.Scores)
		return won
	case rules.Dealing:
		for range n * restsPlayed {
			f.rest(won, s.Scores, s.Round, f.leads(s.Result.How, int(s.Result.Winner)-1), &fast)
		}
	default:
		t := search.NewTable(&s.Rules, s.Seats, s.Scores)
		h := hide(s, &t)
		first := t.Of(&s.View, s.own())
		if h.last >= 0 {
			first.SetLast(h.last)
		}
		for _, g := range h.guesses(n, int(s.Seat)-1, s.Hand, &fast) {
			f.outcome(won, &t, first, &g, h.stock, s.Round, &fast)
		}
	}
	all := 0.0
	for _, w := range won {
		all += w
	}
	if all == 0 {
		return nil
	}
	for i := range won {
		won[i] /= all
	}
	return won
}

// outcome plays the round out with guessed hands, and then the rest of the game, several times.
func (f *Forecast) outcome(won []float64, t *search.Table, s search.State, g *guess, stock, round int, rng *search.Rand) {
	s.Hands = g.hands
	t.PlayOut(&s, g.order[:stock])
	if s.GameOver() {
		won[t.Side(s.Last())] += restsPlayed
		return
	}
	scores := t.Scores()
	for i := range won {
		scores[i] += s.Points(i)
	}
	if f.over(scores, round, len(won)) {
		var all [rules.MaxSeats]float64
		share(all[:len(won)], 0, scores)
		for i := range won {
			won[i] += restsPlayed * all[i]
		}
		return
	}
	next := f.leads(s.Ended(), t.Winner(&s))
	for range restsPlayed {
		f.rest(won, scores, round, next, rng)
	}
}

// leads returns the seat, counted from 0, that leads the next round, or -1 if it is led as the first one is.
func (f *Forecast) leads(how rules.RoundEnd, winner int) int {
	switch {
	case f.rules.Next == rules.NextWinner, f.rules.Next == rules.NextDomino && how == rules.Domino:
		return winner
	}
	return -1
}

// rest plays the rest of a game after a round, and credits 1 to the side that wins it.
func (f *Forecast) rest(won []float64, scores [rules.MaxSeats]rules.Points, round, leader int, rng *search.Rand) {
	sides := len(won)
	for n := 0; n < longestGame; n++ {
		rounds := f.later
		if leader < 0 {
			rounds, leader = f.first, rng.IntN(f.seats)
		}
		m := &rounds[rng.IntN(len(rounds))]
		round++
		soonest, at := 2.0, -1 // the earliest win in play, as a fraction of what that side made in play
		for i := range sides {
			side := (i + leader) % sides
			if f.rules.Win == rules.WinNow && f.rules.Rounds == 0 && f.rules.Reached(scores[side]+m.play[i], f.seats) {
				if when := float64(f.rules.TargetFor(f.seats)-scores[side]) / float64(max(m.play[i], 1)); when < soonest {
					soonest, at = when, side
				}
			}
			scores[side] += m.play[i] + m.scored[i]
		}
		if at >= 0 {
			won[at]++
			return
		}
		if f.over(scores, round, sides) {
			break
		}
		winner := m.winner
		if winner >= 0 {
			winner = (winner + leader) % f.seats
		}
		leader = f.leads(m.how, winner)
	}
	share(won, 0, scores)
}

// over reports whether a game ends with the round that was just scored.
func (f *Forecast) over(scores [rules.MaxSeats]rules.Points, round, sides int) bool {
	if f.rules.Rounds > 0 {
		return round >= f.rules.Rounds
	}
	most, times := best(scores[:sides])
	return times == 1 && f.rules.Reached(most, f.seats)
}

// best returns the highest score, and how many have it.
func best(scores []rules.Points) (most rules.Points, times int) {
	for i, p := range scores {
		switch {
		case i == 0 || p > most:
			most, times = p, 1
		case p == most:
			times++
		}
	}
	return most, times
}

// share credits 1 to the winner; without one it is split among those with the highest score.
func share(won []float64, winner rules.Side, scores [rules.MaxSeats]rules.Points) {
	if winner != 0 {
		won[winner-1]++
		return
	}
	most, times := best(scores[:len(won)])
	for i := range won {
		if scores[i] == most {
			won[i] += 1 / float64(times)
		}
	}
}

const (
	chanceStep  = 5 // percent to which displayed chances are rounded, to keep them steady
	chanceSlack = 6 // percent by which a chance may differ from what is shown before that changes
)

// Percent returns chances as percentages to show during a game, in steps of 5 that sum to 100. It returns before as long as that
// is about right.
func Percent(chances []float64, before []int) []int {
	far := len(before) != len(chances)
	for i, p := range before {
		far = far || math.Abs(100*chances[i]-float64(p)) > chanceSlack
	}
	if !far {
		return before
	}
	shown := make([]int, len(chances))
	left := 100
	for i, c := range chances {
		shown[i] = int(100*c) / chanceStep * chanceStep
		left -= shown[i]
	}
	for ; left > 0; left -= chanceStep {
		most := 0
		for i, c := range chances {
			if 100*c-float64(shown[i]) > 100*chances[most]-float64(shown[most]) {
				most = i
			}
		}
		shown[most] += chanceStep
	}
	return shown
}
