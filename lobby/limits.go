package lobby

import (
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
	"strconv"
	"time"

	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/table"
)

// limits say what callers may do how often. They hold by key and by address, over all visits: whoever calls again finds the
// limit where it was. The rates by address and by network are for a home, an office, a school: several times what one person needs.
// Only the limit of chat is told in advance, and it is the same for all.
type limits struct {
	*limit.Limits
	commands limit.Rule // at tables, slash commands, and what changes somebody's account
	lines    limit.Rule // of chat
	newLines limit.Rule // of chat in the lobby, by guests and by members of less than a day
	codes    limit.Rule // wrong codes
	accounts limit.Rule
	names    limit.Rule // asked about, before there is an account
	tables   limit.Rule // made
	games    limit.Rule // begun: each time that somebody is ready or wants a rematch
	teams    limit.Rule // founded
	invites  limit.Rule // to a team
	reports  limit.Rule
	// reportNotes is how many reports operators are told of at once.
	reportNotes limit.Rule
	inviteNotes limit.Rule // that one member is told of at once
	news        limit.Rule // of one person's games
}

func newLimits(now func() time.Time) limits {
	each := func(burst int, every time.Duration) limit.Rate { return limit.Rate{Burst: burst, Every: every} }
	return limits{
		Limits:      limit.New(limit.DefaultEntries, now),
		commands:    limit.Rule{Key: each(20, 100*time.Millisecond), Addr: each(100, 20*time.Millisecond), Network: each(400, 5*time.Millisecond)},
		lines:       limit.Rule{Key: each(3, time.Second), Addr: each(9, 400*time.Millisecond), Network: each(20, 200*time.Millisecond)},
		newLines:    limit.Rule{All: each(60, 200*time.Millisecond)},
		codes:       limit.Rule{Key: each(5, 5*time.Second), Addr: each(10, 5*time.Second), Network: each(30, 2*time.Second)},
		accounts:    limit.Rule{Addr: each(10, time.Minute), Network: each(30, 20*time.Second)},
		names:       limit.Rule{Addr: each(100, 50*time.Millisecond), Network: each(400, 10*time.Millisecond)},
		tables:      limit.Rule{Key: each(10, 20*time.Second), Addr: each(40, 5*time.Second), Network: each(120, 2*time.Second)},
		games:       limit.Rule{Key: each(20, 10*time.Second), Addr: each(80, 2*time.Second), Network: each(240, time.Second)},
		teams:       limit.Rule{Key: each(3, 10*time.Minute), Addr: each(8, 5*time.Minute), Network: each(20, 2*time.Minute)},
		invites:     limit.Rule{Key: each(12, 30*time.Second), Addr: each(24, 15*time.Second), Network: each(60, 5*time.Second)},
		inviteNotes: limit.Rule{Key: each(5, 10*time.Minute)},
		news:        limit.Rule{Key: each(6, 5*time.Minute)},
		reportNotes: limit.Rule{All: each(10, 10*time.Second)},
		reports:     limit.Rule{Key: each(3, time.Minute), Addr: each(6, 30*time.Second), Network: each(20, 10*time.Second)},
	}
}

// who is whom limits count, by the key of an account; the zero key is a guest's, or somebody's who has no account yet.
func (o *Origin) who(key KeyID, id table.PlayerID) limit.Who {
	w := limit.Who{Key: key, Shared: o.Shared}
	if !o.Exempt {
		w.Addr = o.addr()
	}
	if id.Guest() { // one visit; the address stands for the others
		binary.BigEndian.PutUint64(w.Key[24:], uint64(id))
	}
	return w
}

// addr is the address that Net says, not valid if it says none. Of a network it is any address.
func (o *Origin) addr() netip.Addr {
	if a, err := netip.ParseAddr(o.Net); err == nil {
		return a
	}
	p, _ := netip.ParsePrefix(o.Net)
	return p.Addr()
}

// newsWho is whom the news count a player as: a member by number, a guest by network, since the next visit has another number.
func newsWho(p table.Player) limit.Who {
	id := strconv.FormatInt(int64(p.ID), 10)
	if p.ID.Guest() && p.Net != "" {
		id = p.Net
	}
	return limit.Who{Key: sha256.Sum256([]byte(id))}
}

// allow counts a command against what one person may send.
func (v *Visit) allow() error {
	v.Active()
	return v.may(&v.lobby.limits.commands, ErrTooFast)
}

// may counts something that the person does, or refuses it.
func (v *Visit) may(r *limit.Rule, refusal text.Refusal) error {
	if !v.lobby.limits.Allow(r, v.who) {
		return refusal
	}
	return nil
}
