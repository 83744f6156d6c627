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
	commands  limit.Rule // at tables, slash commands, and what changes somebody's account
	lines     limit.Rule // of chat
	newLines  limit.Rule // of chat in the lobby, by guests and by members of less than a day
	tells     limit.Rule // said to one person, by members of more than a day and by others; counted for whom they are said to
	newTells  limit.Rule
	tellsLeft limit.Rule // for members who are away
	codes     limit.Rule // wrong codes
	looks     limit.Rule // at tables
	lists     limit.Rule // of people and tables, asked for as text
	queries   limit.Rule // of what is on disk, in milliseconds; see ask
	searches  limit.Rule // for words, by all together, in milliseconds as well
	reviews   limit.Rule // by the coach, of games that were not reviewed yet
	coaching  limit.Rule // what is worked out about finished games, by all together, in milliseconds
	accounts  limit.Rule
	names     limit.Rule // asked about, before there is an account
	tables    limit.Rule // made
	games     limit.Rule // begun: each time that somebody is ready or wants a rematch
	teams     limit.Rule // founded
	invites   limit.Rule // to a team
	reports   limit.Rule
	wishes    limit.Rule // at events: what their journals keep
	arenaNews limit.Rule // starts of arenas
	eventNews limit.Rule // results of events and of their matches
	// reportNotes is how many notes of reports operators get in a row.
	reportNotes limit.Rule
	prompts     limit.Rule // that one person gets
	inviteNotes limit.Rule // that one member gets in a row
	news        limit.Rule // of one person's games
}

func newLimits(now func() time.Time) limits {
	each := func(burst int, every time.Duration) limit.Rate { return limit.Rate{Burst: burst, Every: every} }
	return limits{
		Limits:      limit.New(limit.DefaultEntries, now),
		commands:    limit.Rule{Key: each(20, 100*time.Millisecond), Addr: each(100, 20*time.Millisecond), Network: each(400, 5*time.Millisecond)},
		lines:       limit.Rule{Key: each(3, time.Second), Addr: each(9, 400*time.Millisecond), Network: each(20, 200*time.Millisecond)},
		newLines:    limit.Rule{All: each(60, 200*time.Millisecond)},
		tells:       limit.Rule{Key: each(20, time.Second)},
		newTells:    limit.Rule{Key: each(10, 3*time.Second)},
		tellsLeft:   limit.Rule{Key: each(10, time.Minute), Addr: each(20, 30*time.Second), Network: each(60, 10*time.Second)},
		codes:       limit.Rule{Key: each(5, 5*time.Second), Addr: each(10, 5*time.Second), Network: each(30, 2*time.Second)},
		looks:       limit.Rule{Key: each(200, 50*time.Millisecond), Addr: each(600, 20*time.Millisecond), Network: each(1200, 10*time.Millisecond)},
		lists:       limit.Rule{Key: each(20, 500*time.Millisecond), Addr: each(80, 100*time.Millisecond), Network: each(300, 25*time.Millisecond)},
		queries:     limit.Rule{Key: each(400, 40*time.Millisecond), Addr: each(800, 40*time.Millisecond), Network: each(1600, 20*time.Millisecond)},
		searches:    limit.Rule{All: each(2000, 4*time.Millisecond)},
		reviews:     limit.Rule{Key: each(5, time.Minute), Addr: each(15, 20*time.Second), Network: each(30, 10*time.Second)},
		coaching:    limit.Rule{All: each(10_000, 4*time.Millisecond)},
		accounts:    limit.Rule{Addr: each(10, time.Minute), Network: each(30, 20*time.Second)},
		names:       limit.Rule{Addr: each(100, 50*time.Millisecond), Network: each(400, 10*time.Millisecond)},
		tables:      limit.Rule{Key: each(10, 20*time.Second), Addr: each(40, 5*time.Second), Network: each(120, 2*time.Second)},
		games:       limit.Rule{Key: each(20, 10*time.Second), Addr: each(80, 2*time.Second), Network: each(240, time.Second)},
		teams:       limit.Rule{Key: each(3, 10*time.Minute), Addr: each(8, 5*time.Minute), Network: each(20, 2*time.Minute)},
		invites:     limit.Rule{Key: each(12, 30*time.Second), Addr: each(24, 15*time.Second), Network: each(60, 5*time.Second)},
		inviteNotes: limit.Rule{Key: each(5, 10*time.Minute)},
		prompts:     limit.Rule{Key: each(10, 30*time.Second)},
		wishes:      limit.Rule{Key: each(10, time.Minute), Addr: each(40, 10*time.Second), Network: each(120, 3*time.Second)},
		arenaNews:   limit.Rule{All: each(6, 5*time.Minute)},
		eventNews:   limit.Rule{All: each(6, 5*time.Minute)},
		news:        limit.Rule{Key: each(6, 5*time.Minute)},
		reportNotes: limit.Rule{All: each(10, 10*time.Second)},
		reports:     limit.Rule{Key: each(3, time.Minute), Addr: each(6, 30*time.Second), Network: each(20, 10*time.Second)},
	}
}

// who is the person that limits count, by the key of an account; the zero key is a guest's, or somebody's who has no account yet.
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
// With mu held.
func (l *Lobby) newsWho(id table.PlayerID) limit.Who {
	if p := l.people[id]; p != nil && id.Guest() && p.net != "" {
		return limit.Who{Key: sha256.Sum256([]byte(p.net))}
	}
	return onePerson(id)
}

// onePerson is who is counted where that is one person, wherever they come from.
func onePerson(id table.PlayerID) limit.Who {
	return limit.Who{Key: sha256.Sum256([]byte(strconv.FormatInt(int64(id), 10)))}
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

// mostCharged is the most that one query is charged, in milliseconds, so that a slow disk does not lock anybody out for long.
const mostCharged = 60

// ask reads something from disk for somebody, which counts as many milliseconds as it takes: who asks for what is expensive may do so
// now and then, and what is cheap as often as people do.
func ask[V any](v *Visit, read func() (V, error)) (V, error) {
	l := v.lobby
	if err := v.may(&l.limits.queries, ErrTooFast); err != nil {
		var none V
		return none, err
	}
	began := l.now()
	answer, err := read()
	v.took(&l.limits.queries, began)
	return answer, err
}

// took charges the milliseconds that a query has taken, except for the first, which was charged before.
func (v *Visit) took(r *limit.Rule, began time.Time) {
	l := v.lobby
	l.limits.Charge(r, v.who, int(min(l.now().Sub(began)/time.Millisecond, mostCharged-1)))
}

// List counts a list of people or tables that the person asks for as text, or refuses it with ErrTooFast. Pages that show them are
// told of what changes instead.
func (v *Visit) List() error { return v.may(&v.lobby.limits.lists, ErrTooFast) }
