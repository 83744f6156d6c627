package store

import (
	"math"
	"slices"
	"strconv"
	"time"

	"boneyard/lobby/rating"
	"boneyard/rules"
)

// How much opponents count. Accounts cost nothing, and so do games between accounts of one person; networks
// do cost something. So the store tracks, over all time, how much of a rating came from where: a proven
// opponent, or all unproven opponents of a network together, can raise a rating only by so much more than
// they lowered it, and the other way round.

const (
	fairWorth      = 2              // the first rules that ask for it
	provenNetworks = 10             // of opponents that a proven player has met
	provenAfter    = 24 * time.Hour // since the first game
	unsureWeight   = 0.25           // of a game with a provisional player, for one who is not
)

var (
	mostUnproven = rating.Points(15) // from one network
	mostProven   = rating.Points(50) // from one opponent
)

// worth is how much a player counts as an opponent.
type worth struct {
	source string  // what counts as one opponent
	most   float64 // how far it moves another's Mu in all
}

// worths returns the worth of the players of a game, by seat.
func (t *tx) worths(o *outcome) ([]worth, error) {
	all := make([]worth, len(o.seats))
	for i, p := range o.seats {
		var met int
		var first *int64
		err := t.queryRow(`SELECT count(*), min(at) FROM networks_met WHERE player = ?`, p.ID).Scan(&met, &first)
		switch {
		case err != nil:
			return nil, err
		case met >= provenNetworks && o.ended.UnixNano()-*first >= int64(provenAfter):
			all[i] = worth{"player " + strconv.FormatInt(int64(p.ID), 10), mostProven}
		default:
			all[i] = worth{o.network(i), mostUnproven}
		}
	}
	return all, nil
}

// network returns the network of a player for ratings. Where all players may share a network, each counts as
// one.
func (o *outcome) network(i int) string {
	if len(o.nets) == 0 {
		return "alone " + strconv.FormatInt(int64(o.seats[i].ID), 10)
	}
	return "network " + o.nets[i]
}

// meetNetworks records, for each player who has earned it, the networks of their opponents.
func (t *tx) meetNetworks(o *outcome, j judgement, partners bool) error {
	for i, p := range o.seats {
		for k := range o.seats {
			if !j.earned[i] || rules.SideOf(rules.Seat(i+1), partners) == rules.SideOf(rules.Seat(k+1), partners) {
				continue
			}
			err := t.exec(`INSERT INTO networks_met (player, network, at) SELECT ?1, ?2, ?3
				WHERE (SELECT count(*) FROM networks_met WHERE player = ?1) < ?4 ON CONFLICT DO NOTHING`,
				p.ID, o.network(k), nanos(o.ended), provenNetworks)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// ratedBy returns the ratings of a field after a game, with each opponent counted by their worth.
func (t *tx) ratedBy(o *outcome, j judgement, f field, game string, before [][]rating.Rating) (after [][]rating.Rating, err error) {
	if o.worth == nil {
		return rating.Update(before, places(*o)), nil
	}
	after = rating.UpdateBy(before, places(*o), func(i, k, q int, gain float64) float64 {
		part := weight(f.met[i][k])
		if !before[i][k].Provisional() && slices.ContainsFunc(before[q], rating.Rating.Provisional) {
			part *= unsureWeight
		}
		if gain == 0 || err != nil {
			return part
		}
		if gain > 0 && !j.hasEarned(f.seats[i][k]) {
			return 0
		}
		var from []worth
		var had []float64
		for _, seats := range f.seats[q] {
			for _, n := range seats {
				w := o.worth[n-1]
				if slices.Contains(from, w) {
					continue
				}
				mu := 0.0
				e := t.queryRow(`SELECT mu FROM balances WHERE kind = ? AND game = ? AND id = ? AND source = ?`,
					string(f.kind), game, f.sides[i][k], w.source).Scan(&mu)
				if e != nil && !isNone(e) {
					err = e
					return part
				}
				from, had = append(from, w), append(had, mu)
				part = min(part, max(w.most-math.Copysign(1, gain)*mu, 0)/math.Abs(gain))
			}
		}
		for n, w := range from {
			err = t.exec(`REPLACE INTO balances (kind, game, id, source, mu) VALUES (?, ?, ?, ?, ?)`,
				string(f.kind), game, f.sides[i][k], w.source, had[n]+float64(part*gain))
			if err != nil {
				return part
			}
		}
		return part
	})
	return after, err
}
