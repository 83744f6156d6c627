package event

import (
	"slices"

	"boneyard/lobby/text"
	"boneyard/table"
)

const ErrPaired text.Refusal = "One of you has already entered with somebody else."

// Entrant is somebody who takes part, or two who play as partners.
type Entrant struct {
	Members []table.Player
	Nets    []string // from where they entered, hashed
}

// Name is who the entrant is: "ana", or "ana + ben".
func (e *Entrant) Name() string { return Names(e.Members) }

// Has reports whether a player is one of the entrant's members.
func (e *Entrant) Has(p table.PlayerID) bool { return Has(e.Members, p) }

// Near reports whether one of two entrants' members came from the same network.
func (e *Entrant) Near(o *Entrant) bool {
	return slices.ContainsFunc(e.Nets, func(net string) bool { return net != "" && slices.Contains(o.Nets, net) })
}

// Asked is who has named whom as a partner.
type Asked map[table.PlayerID]table.PlayerID

// KindAsk is the kind of the entries that are Named.
const KindAsk = "ask"

// Named is the entry of somebody who has named a partner.
type Named struct {
	By   table.PlayerID `json:"by"`
	With table.PlayerID `json:"with"`
}

// Note is what the entry does.
func (a Asked) Note(x Named) { a[x.By] = x.With }

// Party is who enters together: a player alone, or with a partner where it is for pairs. single and missing
// are said to somebody who should have named none, and one; has reports who has entered already.
func Party(
	pairs bool, p table.Player, net string, partner *table.Player, partnerNet string,
	single, missing text.Refusal, has func(table.PlayerID) bool,
) ([]table.Player, []string, error) {
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
func (a Asked) Enter(members []table.Player, enter Entry) []Entry {
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
	return []Entry{New(KindAsk, Named{by, with})}
}
