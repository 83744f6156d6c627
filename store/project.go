package store

import (
	"fmt"
	"slices"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/rating"
	"boneyard/rules"
	"boneyard/table"
)

// How the standings follow from the games. Each rated game with a result counts
//
// - for its players, each rated alone; partners are a side of two;
// - at a team table for the two teams, else with partners for the two pairs; each of these is rated as one.
//
// Everybody has one rating over all games, and one for each preset, which only games of that preset move.
// Both last forever; a month's row counts the games that ended in it (UTC), and has the rating after the
// last.
//
// The winner ranks first. In a game that was played out, the others rank by points, and equal points share a
// place; if the highest score is shared, nobody has won. After a forfeit, all but the winner are equal. All
// but the winner have lost. See fair.go for leaving, for who may gain, and for repeated opponents.

// counts is the condition for games in the standings.
const counts = `rated AND end_no IS NOT NULL AND (winner <> 0 OR ending = 'played' OR leavers <> '[]')`

// outcome is a game as the standings need it, read from its row.
type outcome struct {
	number int64 // in the order in which the games ended
	rules  string
	seats  []table.Player
	teams  [2]table.TeamID
	ended  time.Time
	ending table.Ending
	winner int
	scores []int

	fair       int      // the rules by which it is rated
	leavers    []int    // seats
	plays, own []int    // by seat
	nets       []string // by seat, see [table.Batch]
	worth      []worth  // by seat, what an opponent counts for; nil under rules without that
}

const selectOutcome = `SELECT end_no, rules, seats, team1, team2, ended, ending, winner, scores, fair, leavers, plays, own, nets
	FROM games WHERE ` + counts

func scanOutcome(scan scanner) (o outcome, err error) {
	return o, scan(&o.number, &o.rules, asJSON{&o.seats}, &o.teams[0], &o.teams[1], timeOf{&o.ended}, &o.ending, &o.winner,
		asJSON{&o.scores}, &o.fair, asJSON{&o.leavers}, asJSON{&o.plays}, asJSON{&o.own}, asJSON{&o.nets})
}

// takeGame adds a game to the standings, if it counts, and returns how it changed the ratings over all games.
func (t *tx) takeGame(id table.GameID) ([]table.Delta, error) {
	o, err := scanOutcome(t.queryRow(selectOutcome+` AND id = ?`, id).Scan)
	if isNone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	moves, err := t.take(o)
	if err != nil {
		return nil, err
	}
	var deltas []table.Delta
	for _, m := range moves {
		name, err := t.nameOf(m.kind, m.id)
		if err != nil {
			return nil, err
		}
		deltas = append(deltas, table.Delta{Kind: string(m.kind), Name: name, Before: m.before.Number(), After: m.after.Number()})
	}
	return deltas, nil
}

// nameOf returns the name of a player, pair or team, or lobby.ErrNotFound.
func (t *tx) nameOf(kind lobby.Kind, id int64) (name string, err error) {
	n := named[kind]
	err = t.queryRow(`SELECT name FROM (SELECT `+n.columns+` FROM (SELECT ? AS id) s `+n.join+`)`, id).Scan(&name)
	return name, found(err)
}

// move is what a game did to one rating.
type move struct {
	kind          lobby.Kind
	id            int64
	before, after rating.Rating
}

// take adds one outcome to the standings and returns how it changed the ratings over all games. Outcomes must
// come in the order in which the games ended.
func (t *tx) take(o outcome) ([]move, error) {
	r, err := rules.Parse(o.rules)
	if err != nil {
		return nil, err
	}
	sides := rules.SideCount(len(o.seats), r.Teams)
	if len(o.scores) != sides || o.winner > sides {
		return nil, fmt.Errorf("a game of %d sides with %d scores, won by side %d", sides, len(o.scores), o.winner)
	}
	fields, err := t.fields(o, r.Teams)
	if err != nil {
		return nil, err
	}
	month := o.ended.UTC().Format("2006-01")
	if err := t.beginMonth(month); err != nil {
		return nil, err
	}
	j := o.judge(r.Teams)
	if j.winner != o.winner {
		o.winner, o.ending = j.winner, table.EndForfeit
	}
	if o.fair >= fairWorth && len(j.leavers) == 0 {
		if o.worth, err = t.worths(&o); err != nil {
			return nil, err
		}
	}
	var moves []move
	for _, f := range fields {
		if len(j.leavers) > 0 && f.kind != lobby.KindPlayer {
			continue
		}
		if o.fair > 0 && len(j.leavers) == 0 {
			if f.met, err = t.meet(f, o.ended.UTC().Format(time.DateOnly)); err != nil {
				return nil, err
			}
		}
		overall, err := t.rate(o, j, f, "", month)
		if err != nil {
			return nil, err
		}
		if _, err := t.rate(o, j, f, r.Preset.String(), month); err != nil {
			return nil, err
		}
		moves = append(moves, overall...)
	}
	if o.worth != nil {
		if err := t.meetNetworks(&o, j, r.Teams); err != nil {
			return nil, err
		}
	}
	err = t.exec(`INSERT INTO months (month, games) VALUES (?, 1) ON CONFLICT (month) DO UPDATE SET games = games + 1`, month)
	return moves, err
}

// field is the opponents of a game in one kind of standings: by side, the members of each.
type field struct {
	kind  lobby.Kind
	sides [][]int64
	seats [][][]rules.Seat // of each member; a pair or team has both of its side
	met   [][]int          // how often each member has met an opponent of this game on that day before
}

func (t *tx) fields(o outcome, partners bool) ([]field, error) {
	players := field{kind: lobby.KindPlayer, sides: make([][]int64, len(o.scores)), seats: make([][][]rules.Seat, len(o.scores))}
	both := make([][][]rules.Seat, len(o.scores))
	for i, p := range o.seats {
		n := rules.Seat(i + 1)
		side := rules.SideOf(n, partners) - 1
		players.sides[side] = append(players.sides[side], int64(p.ID))
		players.seats[side] = append(players.seats[side], []rules.Seat{n})
		if len(both[side]) == 0 {
			both[side] = [][]rules.Seat{nil}
		}
		both[side][0] = append(both[side][0], n)
	}
	switch {
	case o.teams[0] != 0:
		return []field{players, {kind: lobby.KindTeam, sides: [][]int64{{int64(o.teams[0])}, {int64(o.teams[1])}}, seats: both}}, nil
	case !partners:
		return []field{players}, nil
	}
	pairs := field{kind: lobby.KindPair, seats: both}
	for _, side := range players.sides {
		id, err := t.pair(side)
		if err != nil {
			return nil, err
		}
		pairs.sides = append(pairs.sides, []int64{id})
	}
	return []field{players, pairs}, nil
}

// pair returns the number of a pair, and numbers it if this is its first rated game.
func (t *tx) pair(players []int64) (id int64, err error) {
	first, second := slices.Min(players), slices.Max(players)
	err = t.queryRow(`SELECT id FROM pairs WHERE first = ? AND second = ?`, first, second).Scan(&id)
	if isNone(err) {
		err = t.queryRow(`INSERT INTO pairs (id, first, second) VALUES ((SELECT coalesce(max(id), 0) + 1 FROM pairs), ?, ?) RETURNING id`,
			first, second).Scan(&id)
	}
	return id, err
}

// rate updates the standings of one kind, over all games (game is empty) or of one preset.
func (t *tx) rate(o outcome, j judgement, f field, game, month string) ([]move, error) {
	rows := make([][]*standing, len(f.sides))
	before := make([][]rating.Rating, len(f.sides))
	for i, side := range f.sides {
		for _, id := range side {
			r, err := t.standing(f.kind, game, "", id)
			if err != nil {
				return nil, err
			}
			rows[i], before[i] = append(rows[i], r), append(before[i], r.rating)
		}
	}
	after, err := t.ratedBy(&o, j, f, game, before)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, points := range o.scores {
		total += points
	}
	var moves []move
	for i, side := range rows {
		for k, r := range side {
			how := o.how(i)
			switch {
			case o.worth != nil:
			case len(j.leavers) == 0:
				part := 1.0
				if f.met != nil {
					part = weight(f.met[i][k])
				}
				after[i][k] = weighted(before[i][k], after[i][k], part, j.hasEarned(f.seats[i][k]))
			case slices.Contains(j.leavers, int(f.seats[i][k][0])):
				how, after[i][k] = endedLost, rating.Update(before, lastOf(i, len(before)))[i][k]
			default:
				continue
			}
			monthly, err := t.standing(f.kind, game, month, r.id)
			if err != nil {
				return nil, err
			}
			for _, row := range []*standing{r, monthly} {
				row.add(after[i][k], how, o.scores[i], total-o.scores[i])
				if err := t.saveStanding(row); err != nil {
					return nil, err
				}
			}
			moves = append(moves, move{kind: f.kind, id: r.id, before: before[i][k], after: after[i][k]})
		}
	}
	return moves, nil
}

// how returns how the game ended for side i+1. If nobody won, the highest scores share it.
func (o *outcome) how(i int) ended {
	switch {
	case i+1 == o.winner:
		return endedWon
	case o.winner == 0 && o.scores[i] == slices.Max(o.scores):
		return endedShared
	}
	return endedLost
}

// places returns each side's place; less is better.
func places(o outcome) []int {
	at := make([]int, len(o.scores))
	for i := range at {
		if i+1 == o.winner {
			continue
		}
		at[i] = 1
		for q, points := range o.scores {
			if o.ending == table.EndPlayed && q+1 != o.winner && points > o.scores[i] {
				at[i]++
			}
		}
	}
	return at
}
