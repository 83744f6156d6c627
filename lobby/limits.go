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

// limits say how often callers may do what. They apply by key and address over all visits, so that
// reconnecting resets nothing. The rates by address and network suit a home, an office, a school: several
// times what one person needs. Only the limit of chat is announced, and it is the same for everybody.
type limits struct {
	*limit.Limits

	commands, notices, lines, newLines, tells, newTells, tellsLeft, codes, looks, lists, queries, searches,
	reviews, coaching, accounts, names, tables, games, teams, invites, reports, wishes, arenaNews,
	eventNews, reportNotes, prompts, inviteNotes, arrivals, news limit.Rule
}

func newLimits(now func() time.Time) limits {
	const ms, s, m = time.Millisecond, time.Second, time.Minute
	each := func(burst int, every time.Duration) limit.Rate { return limit.Rate{Burst: burst, Every: every} }
	rule := func(key, address, network limit.Rate) limit.Rule {
		return limit.Rule{Key: key, Addr: address, Network: network}
	}
	return limits{
		Limits: limit.New(limit.DefaultEntries, now),

		commands:    rule(each(20, 100*ms), each(100, 20*ms), each(400, 5*ms)),   // at tables, with /, and changes to an account
		notices:     rule(each(20, s), each(60, 400*ms), each(200, 100*ms)),      // commands of which the club tells everybody at a table
		lines:       rule(each(3, s), each(9, 400*ms), each(20, 200*ms)),         // chat
		newLines:    limit.Rule{All: each(60, 200*ms)},                           // chat in the lobby and at events by guests and new members
		tells:       limit.Rule{Key: each(20, s)},                                // messages to one person by members of more than a day
		newTells:    limit.Rule{Key: each(10, 3*s)},                              // the same by others
		tellsLeft:   rule(each(10, m), each(20, 30*s), each(60, 10*s)),           // messages to members who are away
		codes:       rule(each(5, 5*s), each(10, 5*s), each(30, 2*s)),            // wrong codes
		looks:       rule(each(200, 50*ms), each(600, 20*ms), each(1200, 10*ms)), // views of tables
		lists:       rule(each(20, 500*ms), each(80, 100*ms), each(300, 25*ms)),  // lists of people and tables, as text
		queries:     rule(each(400, 40*ms), each(800, 40*ms), each(1600, 20*ms)), // reads from disk, in milliseconds; see ask
		searches:    limit.Rule{All: each(2000, 4*ms)},                           // searches for words, by everybody together, in milliseconds
		reviews:     rule(each(5, m), each(15, 20*s), each(30, 10*s)),            // reviews by the coach of games that were not reviewed yet
		coaching:    limit.Rule{All: each(10_000, 4*ms)},                         // the coach's work, for everybody together, in milliseconds
		accounts:    limit.Rule{Addr: each(10, m), Network: each(30, 20*s)},
		names:       limit.Rule{Addr: each(100, 50*ms), Network: each(400, 10*ms)}, // names checked before there is an account
		tables:      rule(each(10, 20*s), each(40, 5*s), each(120, 2*s)),           // tables made
		games:       rule(each(20, 10*s), each(80, 2*s), each(240, s)),             // games begun, whenever a player is ready
		teams:       rule(each(3, 10*m), each(8, 5*m), each(20, 2*m)),              // teams founded
		invites:     rule(each(12, 30*s), each(24, 15*s), each(60, 5*s)),           // invitations to a team
		reports:     rule(each(3, m), each(6, 30*s), each(20, 10*s)),
		wishes:      rule(each(10, m), each(40, 10*s), each(120, 3*s)), // requests that events' journals record
		arenaNews:   limit.Rule{All: each(6, 5*m)},                     // starts of events
		eventNews:   limit.Rule{All: each(6, 5*m)},                     // results of events and of their matches
		reportNotes: limit.Rule{All: each(10, 10*s)},                   // notes about reports to operators
		prompts:     limit.Rule{Key: each(10, 30*s)},                   // prompts to one person
		inviteNotes: limit.Rule{Key: each(5, 10*m)},                    // invitations noted for one member
		arrivals:    limit.Rule{Key: each(2, 10*m)},                    // arrivals of one member that friends are told about
		news:        limit.Rule{Key: each(6, 5*m)},                     // games of one person
	}
}

// who returns the caller as limits count it, by an account's key; the zero key belongs to a guest, or to a
// person without an account yet.
func (o *Origin) who(key KeyID, id table.PlayerID) limit.Who {
	w := limit.Who{Key: key, Shared: o.Shared}
	if !o.Exempt {
		w.Addr = o.addr()
	}
	if id.Guest() { // the key stands for one visit; the address, for all of the guest's visits
		binary.BigEndian.PutUint64(w.Key[24:], uint64(id))
	}
	return w
}

// addr returns the address in Net, or one of the network in Net. It is invalid if there is none.
func (o *Origin) addr() netip.Addr {
	if a, err := netip.ParseAddr(o.Net); err == nil {
		return a
	}
	p, _ := netip.ParsePrefix(o.Net)
	return p.Addr()
}

// newsWho returns a player as the news count them: a member by number, a guest by network, since their next
// visit has another number. With mu held.
func (l *Lobby) newsWho(id table.PlayerID) limit.Who {
	if p := l.people[id]; p != nil && id.Guest() && p.net != "" {
		return limit.Who{Key: sha256.Sum256([]byte(p.net))}
	}
	return onePerson(id)
}

// onePerson identifies a person wherever they come from.
func onePerson(id table.PlayerID) limit.Who {
	return limit.Who{Key: sha256.Sum256([]byte(strconv.FormatInt(int64(id), 10)))}
}

func (v *Visit) allow() error {
	v.Active()
	return v.may(&v.lobby.limits.commands, ErrTooFast)
}

// may counts an action of the person, or returns the refusal.
func (v *Visit) may(r *limit.Rule, refusal text.Refusal) error {
	if !v.lobby.limits.Allow(r, v.who) {
		return refusal
	}
	return nil
}

// ask reads something from disk for a person, which counts as many milliseconds as it takes: expensive
// questions may be asked now and then, and cheap ones as often as people do.
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

// took charges the milliseconds that a query took, without the one charged in advance.
func (v *Visit) took(r *limit.Rule, began time.Time) {
	const mostCharged = 60 // the most that one query is charged, in milliseconds, so that a slow disk does not lock anybody out for long
	l := v.lobby
	l.limits.Charge(r, v.who, int(min(l.now().Sub(began)/time.Millisecond, mostCharged-1)))
}

// List counts a list of people or tables that the person requests as text, or returns ErrTooFast. Pages that
// show such lists are woken when they change.
func (v *Visit) List() error { return v.may(&v.lobby.limits.lists, ErrTooFast) }
