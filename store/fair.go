package store

import (
	"math"
	"slices"

	"boneyard/lobby/rating"
	"boneyard/rules"
)

// What a game does to ratings beyond its result, by the rules in force when it began; see docs/ratings.md.
// Games begun before there were such rules are rated by their results alone.

const (
	playsLeast = 6 // tiles that a player must have played to gain from a game, besides half of their seat's
	meetsFull  = 2 // games of two opponents on one day at full weight; each later one has half the weight of the one before
)

// judgement is what a game means for the ratings.
type judgement struct {
	winner  int    // the side that counts as the winner
	leavers []int  // if any, they alone are rated, each as last
	earned  []bool // by seat: whether the player may gain from the game
}

// judge returns what a game means for the ratings. With two sides, a side that all its players have left
// loses, even if bots played on and won. Otherwise leaving is a loss for the leavers alone, unless their side
// lost anyway.
func (o *outcome) judge(partners bool) judgement {
	j := judgement{winner: o.winner, earned: make([]bool, len(o.seats))}
	if o.fair == 0 {
		for i := range j.earned {
			j.earned[i] = true
		}
		return j
	}
	var seats, left [rules.MaxSeats]int // by side
	for i := range o.seats {
		j.earned[i] = i < len(o.own) && o.own[i] >= playsLeast && 2*o.own[i] >= o.plays[i]
		seats[rules.SideOf(rules.Seat(i+1), partners)-1]++
	}
	for _, n := range o.leavers {
		left[rules.SideOf(rules.Seat(n), partners)-1]++
	}
	if len(o.leavers) == 0 {
		return j
	}
	if len(o.scores) == 2 && (left[0] == 0) != (left[1] == 0) {
		stayed := 1
		if left[0] == 0 {
			stayed = 0
		}
		if left[1-stayed] == seats[1-stayed] || o.winner == stayed+1 {
			j.winner = stayed + 1
			return j
		}
	}
	j.leavers = o.leavers
	return j
}

// hasEarned reports whether the players at some seats may gain.
func (j *judgement) hasEarned(seats []rules.Seat) bool {
	return !slices.ContainsFunc(seats, func(n rules.Seat) bool { return !j.earned[n-1] })
}

// weight returns how much a game counts between opponents who have met so often before on that day.
func weight(met int) float64 { return math.Ldexp(1, min(meetsFull-1-met, 0)) }

// weighted moves a rating by a part of the change from before to after, and up only if that was earned.
func weighted(before, after rating.Rating, part float64, earned bool) rating.Rating {
	if !earned && after.Mu > before.Mu {
		return before
	}
	if part == 1 {
		return after
	}
	return rating.Rating{
		Mu:    before.Mu + float64(part*(after.Mu-before.Mu)),
		Sigma: before.Sigma + float64(part*(after.Sigma-before.Sigma)),
	}
}

// meet counts that the sides of a field met on a day. For each member it returns how often they had met, on
// that day, the opponent of this game whom they had met most. Only the day of the last game is kept.
func (t *tx) meet(f field, day string) ([][]int, error) {
	if err := t.exec(`DELETE FROM meetings WHERE day <> ?`, day); err != nil {
		return nil, err
	}
	most := make([][]int, len(f.sides))
	for i, side := range f.sides {
		most[i] = make([]int, len(side))
	}
	for i, side := range f.sides {
		for k := range i {
			for a, one := range side {
				for b, other := range f.sides[k] {
					var games int
					err := t.queryRow(`INSERT INTO meetings (day, kind, first, second, games) VALUES (?, ?, ?, ?, 1)
						ON CONFLICT (day, kind, first, second) DO UPDATE SET games = games + 1 RETURNING games`,
						day, string(f.kind), min(one, other), max(one, other)).Scan(&games)
					if err != nil {
						return nil, err
					}
					most[i][a], most[k][b] = max(most[i][a], games-1), max(most[k][b], games-1)
				}
			}
		}
	}
	return most, nil
}

// lastOf returns the places of a game in which only one side is rated, as last.
func lastOf(side, sides int) []int {
	at := make([]int, sides)
	at[side] = 1
	return at
}
