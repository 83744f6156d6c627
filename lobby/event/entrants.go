package event

import (
	"fmt"
	"slices"

	"boneyard/lobby/text"
	"boneyard/table"
)

const ErrPaired text.Refusal = "One of you has already entered with somebody else."

// Asked is who has named whom as a partner.
type Asked map[table.PlayerID]table.PlayerID

// Named is the entry of somebody who has named a partner.
type Named struct {
	By   table.PlayerID `json:"by"`
	With table.PlayerID `json:"with"`
}

// Note is what the entry does.
func (a Asked) Note(x Named) { a[x.By] = x.With }

// Party is who enters together: a player alone, or with a partner where it is for pairs. single and missing
// are said to somebody who should have named none, and one; has reports who has entered already.
func Party(pairs bool, p table.Player, net string, partner *table.Player, partnerNet string, single, missing text.Refusal, has func(table.PlayerID) bool) ([]table.Player, []string, error) {
	switch {
	case pairs && (partner == nil || partner.ID == p.ID):
		return nil, nil, missing
	case !pairs && partner != nil:
		return nil, nil, single
	case partner == nil:
		return []table.Player{p}, []string{net}, nil
	case has(partner.ID):
		return nil, nil, ErrPaired
	}
	return []table.Player{*partner, p}, []string{partnerNet, net}, nil
}

// Enter returns the entries of somebody who enters with those members, who come last: enter once both of a
// pair have named each other.
func (a Asked) Enter(members []table.Player, ask string, enter Entry) []Entry {
	if len(members) == 1 {
		return []Entry{enter}
	}
	with, by := members[0].ID, members[1].ID
	switch {
	case a[with] == by:
		return []Entry{enter}
	case a[by] == with:
		return nil
	}
	return []Entry{New(ask, Named{by, with})}
}

// Differs returns a line if the result of a table is not that of its game: of makes the result of a game.
func Differs[R comparable](games []Played, no int, game table.GameID, want R, of func(Played) R) []string {
	if game == 0 {
		return nil
	}
	at := slices.IndexFunc(games, func(p Played) bool { return p.Game == game })
	if at < 0 {
		return []string{fmt.Sprintf("table %d has the result of game %d, which is not among its games", no, game)}
	}
	if got := of(games[at]); got != want {
		return []string{fmt.Sprintf("table %d has %v, and game %d ended %v", no, want, game, got)}
	}
	return nil
}
