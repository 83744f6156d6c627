package event

import (
	"cmp"
	"fmt"
	"slices"

	"boneyard/rules"
	"boneyard/table"
)

// Result is how a game ended in an event where others play the same deals. It is journaled.
type Result struct {
	No     int64        `json:"no"`
	Game   table.GameID `json:"game"` // 0 until it ends
	Scores [2]int       `json:"scores"`
	Ending table.Ending `json:"ending"`
	Winner int          `json:"winner,omitempty"` // a side, or a seat if each seat is a side; 0 for none
}

// ResultOf returns the result of a game that has ended.
func ResultOf(p Played) Result {
	r := Result{No: p.Start.Event.Pairing, Game: p.Game, Ending: p.Result.Ending, Winner: p.Result.Winner}
	copy(r.Scores[:], p.Result.Scores)
	return r
}

// Differs returns a line if has, which was recorded for a game, is not what of makes of that game on disk.
func Differs[R comparable](games []Played, game *Result, has R, of func(Played) R) []string {
	if game.Game == 0 {
		return nil
	}
	at := slices.IndexFunc(games, func(p Played) bool { return p.Game == game.Game })
	if at < 0 {
		return []string{fmt.Sprintf("table %d has the result of game %d, which is not among its games", game.No, game.Game)}
	}
	if got := of(games[at]); got != has {
		return []string{fmt.Sprintf("table %d has %v, and game %d ended %v", game.No, has, game.Game, got)}
	}
	return nil
}

// ByGame returns the games by number.
func ByGame(games []Played) map[table.GameID]*Played {
	all := map[table.GameID]*Played{}
	for i := range games {
		all[games[i].Game] = &games[i]
	}
	return all
}

// DealtRules parses rules for an event that compares deals. They play a fixed number of rounds: rounds,
// unless the rules say another. Each round is led like the first, since the lead must not depend on the
// previous round at this table.
func DealtRules(text string, pace table.Pace, rounds int) (rules.Ruleset, error) {
	r, err := ParseRules(text, pace)
	r.Next = rules.NextLead
	r.Rounds = cmp.Or(r.Rounds, rounds)
	return r, err
}

// AtEnd returns a keeper of events that have news, and that calls f, after the end of each that was played.
func AtEnd[V View](news func(V) []string, f func(V)) *Keeper {
	return &Keeper{
		News: func(_ *Event, v View) []string {
			if !v.Plan().Begun {
				return nil
			}
			return news(v.(V))
		},
		Ended: func(_ *Event, v View) {
			if v.Plan().Begun {
				f(v.(V))
			}
		},
	}
}
