// Package duel has bots play each other: the same deals from every seat, so that luck cancels out as far as it can.
package duel

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// Player chooses moves. A player may keep a connection to a program; it is used by one game at a time.
type Player interface {
	// Choose returns a legal move for the seat to move.
	Choose(s *bot.Seen, rng *rand.Rand) (rules.Move, error)
}

// Level is a bot of the house as a player.
type Level bot.Level

var _ Player = Level(0)

func (l Level) Choose(s *bot.Seen, rng *rand.Rand) (rules.Move, error) {
	return bot.Level(l).Choose(s, rng), nil
}

// Searcher is a master with a budget of its own.
type Searcher int

func (n Searcher) Choose(s *bot.Seen, rng *rand.Rand) (rules.Move, error) {
	m := rules.Move{Seat: s.Seat, Kind: s.Duty}
	if s.Duty == rules.Play {
		c := s.Options[0].Choice
		if len(s.Options) > 1 {
			c = bot.Search(s, int(n), rng).Best().Choice
		}
		m.Tile, m.Arm = c.Tile, c.Arm
	}
	return m, nil
}

// Config is a tournament of A against B.
type Config struct {
	Rules rules.Ruleset
	Seats int
	Deals int    // games, each of which is played once for every seating
	Seed  uint64 // all deals and choices follow from it
	A, B  Player
}

// Side is how one of the two did.
type Side struct {
	Moves int     // choices made, where there was one
	Time  float64 // seconds for all of them
	Worst float64 // seconds for the slowest; of the three tries that a house bot has, the shortest counts
}

// Milliseconds is the mean time of a choice.
func (s *Side) Milliseconds() float64 { return 1000 * s.Time / float64(max(s.Moves, 1)) }

// Result is what came of a tournament.
type Result struct {
	Deals   int
	Games   int
	Rounds  int
	A, B    Side
	WinRate float64 // the part of games that an A won; with three seats one A meets two Bs as often as two meet one, so that equals have 0.5
	WinHalf float64 // half of the 99 % interval
	Points  float64 // points a round that A made more than B
	Half    float64 // half of its 99 % interval
}

// seatings lists who sits where: true for A. Every A meets every B from every seat.
func seatings(r *rules.Ruleset, n int) [][]bool {
	var all [][]bool
	for set := 1; set < 1<<n-1; set++ {
		who := make([]bool, n)
		a := 0
		for i := range n {
			if who[i] = set>>i&1 == 1; who[i] {
				a++
			}
		}
		if r.Teams && (who[0] != who[2] || who[1] != who[3]) || n == 4 && !r.Teams && a != 2 {
			continue
		}
		all = append(all, who)
	}
	return all
}

// Run plays the tournament. Clock tells a time in seconds, by which choices are measured; it may be nil.
func Run(ctx context.Context, c Config, clock func() float64) (Result, error) {
	const z99 = 2.576 // how many standard errors either side a 99 % interval has
	var res Result
	var wins, points sums
	who := seatings(&c.Rules, c.Seats)
	for d := range c.Deals {
		var won, ahead, rounds float64
		for k, sits := range who {
			if err := ctx.Err(); err != nil {
				return res, err
			}
			g, n, diff, err := c.game(uint64(d), uint64(k), sits, clock, &res)
			if err != nil {
				return res, fmt.Errorf("deal %d, seating %d: %w", d+1, k+1, err)
			}
			share := shareOf(&g, sits)
			won += share
			ahead += diff
			rounds += float64(n)
			res.Games++
			res.Rounds += n
		}
		wins.add(won / float64(len(who)))
		points.add(ahead / rounds)
		res.Deals++
		res.WinRate, res.WinHalf = wins.mean(), z99*wins.err()
		res.Points, res.Half = points.mean(), z99*points.err()
	}
	return res, nil
}

// game plays one game; diff is the points that A's sides made more than B's, on average a side.
func (c *Config) game(deal, seating uint64, sits []bool, clock func() float64, res *Result,
) (g rules.Game, rounds int, diff float64, err error) {
	const tries = 3 // how often the slowest choice is made
	if g, err = rules.New(c.Rules, c.Seats); err != nil {
		return g, 0, 0, err
	}
	var secret rules.Seed
	binary.BigEndian.PutUint64(secret[:], c.Seed)
	binary.BigEndian.PutUint64(secret[8:], deal)
	source := rand.NewPCG(c.Seed^deal<<8, seating)
	rng := rand.New(source)
	var past []rules.Event
	for g.Phase() != rules.Over {
		if g.Phase() == rules.Dealing {
			if g, err = g.Deal(secret.Deal(&c.Rules, c.Seats, g.Round()+1)); err != nil {
				return g, 0, 0, err
			}
			past = past[:0]
		}
		seat := g.Turn()
		m := rules.Move{Seat: seat, Kind: g.Duty()}
		if m.Kind == rules.Play {
			p, side := c.B, &res.B
			if sits[seat-1] {
				p, side = c.A, &res.A
			}
			seen := bot.See(g.View(seat), past)
			before := *source
			choose := func() (seconds float64, err error) {
				*source = before
				if len(seen.Options) > 1 && clock != nil {
					defer func(from float64) { seconds = clock() - from }(clock())
				}
				m, err = p.Choose(&seen, rng)
				return 0, err
			}
			took, err := choose()
			if err != nil {
				return g, 0, 0, err
			}
			if len(seen.Options) > 1 {
				side.Moves++
				side.Time += took
			}
			for try := 1; took > side.Worst && try < tries && repeatable(p); try++ {
				again, err := choose()
				if err != nil {
					return g, 0, 0, err
				}
				took = min(took, again)
			}
			side.Worst = max(side.Worst, took)
		}
		var e rules.Event
		if g, e, err = g.Apply(m); err != nil {
			return g, 0, 0, err
		}
		past = append(past, e)
	}
	a, b, na, nb := 0.0, 0.0, 0, 0
	for i := range g.Sides() {
		if score := float64(g.Score(rules.Side(i + 1))); sits[i] {
			a += score
			na++
		} else {
			b += score
			nb++
		}
	}
	return g, g.Round(), a/float64(na) - b/float64(nb), nil
}

// repeatable reports whether a player chooses the same again from the same random numbers.
func repeatable(p Player) bool {
	switch p.(type) {
	case Level, Searcher:
		return true
	}
	return false
}

// shareOf is A's part of a game: 1 if an A won it, a half if nobody did.
func shareOf(g *rules.Game, sits []bool) float64 {
	switch w := g.Winner(); {
	case w == 0:
		return 0.5
	case sits[w-1]:
		return 1
	}
	return 0
}

// sums keeps a mean and its standard error.
type sums struct {
	n, sum, sq float64
}

func (s *sums) add(x float64) { s.n, s.sum, s.sq = s.n+1, s.sum+x, s.sq+x*x }

func (s *sums) mean() float64 { return s.sum / s.n }

// err is the standard error of the mean, infinite for one value.
func (s *sums) err() float64 {
	if s.n < 2 {
		return math.Inf(1)
	}
	m := s.mean()
	return math.Sqrt(max(s.sq/s.n-m*m, 0) / (s.n - 1))
}
