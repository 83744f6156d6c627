package event

import (
	"slices"

	"boneyard/lobby/text"
	"boneyard/table"
)

const ErrPaired text.Refusal = "One of you has already entered with somebody else."

// Entrant is one player, or two who play as partners.
type Entrant struct {
	Members []table.Player
	Nets    []string // hashes of the networks they entered from
}

// Name names the entrant: "ana", or "ana + ben".
func (e *Entrant) Name() string { return Names(e.Members) }

// Has reports whether a player is one of the entrant's members.
func (e *Entrant) Has(p table.PlayerID) bool { return Has(e.Members, p) }

// SharesNetwork reports whether members of both entrants came from the same network.
func (e *Entrant) SharesNetwork(o *Entrant) bool {
	return slices.ContainsFunc(e.Nets, func(net string) bool { return net != "" && slices.Contains(o.Nets, net) })
}

// Asked maps players to the partners they have named.
type Asked map[table.PlayerID]table.PlayerID

// KindAsk is the kind of entries whose data is Named.
const KindAsk = "ask"

// Named records that a player has named a partner.
type Named struct {
	By   table.PlayerID `json:"by"`
	With table.PlayerID `json:"with"`
}

// Note applies an entry.
func (a Asked) Note(x Named) { a[x.By] = x.With }

// Party returns who enters together, and from where: p, with partner if pairs is set. It returns single if
// there must be no partner, missing if there must, and ErrPaired if has reports that one of the two has entered.
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
	case has(p.ID), has(partner.ID):
		return nil, nil, ErrPaired
	}
	return []table.Player{*partner, p}, []string{partnerNet, net}, nil
}

// Enter returns the entries that follow when the last of the members enters: enter if there is one member, or
// if both have named each other.
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
