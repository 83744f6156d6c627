package lobby

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/table"
)

// bounds say how many things there may be at once, those that are being made included. Whatever is bounded
// takes a place before it is made, see [Visit.reserve], and gives it back when it is gone. After a restart,
// what is there again takes its place again.
type bounds struct {
	*limit.Places
	tables      bound // that people have made, and those at which somebody plays alone
	waiting     bound // tables that wait for their first game
	eventTables bound // that events have had made for several players
	seats       bound
	walls       bound
	coached     bound // by the coach
	atCoach     bound // who waits for the coach, or has its time
}

// bound is how many there may be of one kind of thing, and what is said to somebody who would make one more:
// because of their own, because of those from where they come, or because of all.
type bound struct {
	*limit.Quota
	person, near, all text.Refusal

	made  *limit.Rule // how often, nil for any; operators may as often as they like
	often text.Refusal
}

func newBounds(cfg *Config, l *limits) bounds {
	const machines = 3 // that fill their share in one network
	return bounds{
		Places: new(limit.Places),
		tables: bound{
			Quota: &limit.Quota{Address: cfg.TablesNet, Network: machines * cfg.TablesNet, All: cfg.MaxTables},
			near:  ErrManyFromHere, all: ErrClubFull,
			made: &l.tables, often: ErrManyMade,
		},
		waiting:     bound{Quota: &limit.Quota{Person: cfg.TablesEach}, person: ErrManyTables},
		eventTables: bound{Quota: &limit.Quota{All: cfg.MaxTables}, all: ErrClubFull},
		seats:       bound{Quota: &limit.Quota{Person: cfg.SeatsEach}, person: ErrManySeats},
		walls:       bound{Quota: &limit.Quota{Person: 2}, person: ErrManyWalls},
		coached:     bound{Quota: &limit.Quota{Person: 1}, person: ErrCoachBusy},
		atCoach:     bound{Quota: &limit.Quota{Network: 8, All: 16}, near: ErrCoachCrowded, all: ErrCoachCrowded},
	}
}

// reserve takes a place for a thing that the person is about to make and counts the attempt, or refuses. The
// caller frees the place if the thing cannot be made, or when it is gone.
func (v *Visit) reserve(b *bound) (*limit.Place, error) {
	place, full := v.lobby.bounds.Take(b.Quota, v.owner)
	switch full {
	case limit.PersonFull:
		return nil, b.person
	case limit.AddressFull, limit.NetworkFull:
		return nil, b.near
	case limit.AllFull:
		return nil, b.all
	}
	if b.made != nil && !(v.owner.Staff && b.Staff > 0) && !v.lobby.limits.Allow(b.made, v.who) {
		place.Free()
		return nil, b.often
	}
	return place, nil
}

func (v *Visit) newOwner(id table.PlayerID) limit.Owner {
	o := ownerOf(id, v.from())
	o.Staff = v.Operator()
	return o
}

// shared ends the origin of what was made at an address that says little about who is there.
const shared = "shared"

// from is from where the person comes, as it is stored with what they make, so that a restart forgets
// nobody's share: salted hashes of the address and the network. It is empty if neither counts.
func (v *Visit) from() string {
	if v.origin.Exempt || !v.net.IsValid() {
		return ""
	}
	from := v.lobby.saltedHash(v.net.String()) + "/" + v.lobby.saltedHash(limit.Network(v.net.Addr()).String())
	if v.origin.Shared {
		from += "/" + shared
	}
	return from
}

// ownerOf is whom a thing counts for that a person has made, from where from said.
func ownerOf(id table.PlayerID, from string) (o limit.Owner) {
	if id != 0 {
		o.Person = strconv.FormatInt(int64(id), 10)
	}
	address, network, ok := strings.Cut(from, "/")
	if ok {
		network, o.Shared = strings.CutSuffix(network, "/"+shared)
		o.Address, o.Network = address, network
	}
	return o
}

// newEventKey makes the key of an event that the person creates, which no other event has. It says for whom the
// event counts, see ownerOfEvent. Those of operators count for nobody.
func (v *Visit) newEventKey() string {
	key := fmt.Sprintf("%d/%s", v.Player().ID, rand.Text())
	if from := v.from(); from != "" && !v.Operator() {
		key += "/" + from
	}
	return key
}

// ownerOfEvent is whom an event counts for, by its key. One that the club has created counts for nobody.
func ownerOfEvent(key string) limit.Owner {
	by, rest, _ := strings.Cut(key, "/")
	_, from, _ := strings.Cut(rest, "/")
	id, _ := strconv.ParseInt(by, 10, 64)
	return ownerOf(table.PlayerID(id), from)
}

// promise keeps a place that was taken for a thing that will be known by a key, until redeem finds it there.
// To give back one that was not redeemed, the caller calls done when the thing exists or will not be made.
// With mu held, which done takes itself.
func (l *Lobby) promise(key any, place *limit.Place) (done func()) {
	l.promised[key] = append(l.promised[key], place)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if i := slices.Index(l.promised[key], place); i >= 0 {
			l.unpromise(key, i).Free()
		}
	}
}

// redeem returns the place that was taken for a thing that is there now, nil if there is none. With mu held.
func (l *Lobby) redeem(key any) *limit.Place {
	if len(l.promised[key]) == 0 {
		return nil
	}
	return l.unpromise(key, 0)
}

func (l *Lobby) unpromise(key any, i int) *limit.Place {
	list := l.promised[key]
	place := list[i]
	if list = slices.Delete(list, i, i+1); len(list) == 0 {
		delete(l.promised, key)
	} else {
		l.promised[key] = list
	}
	return place
}

// seatOf is the key of a promised seat, or, at table 0, of a table at which somebody will play alone.
type seatOf struct {
	who table.PlayerID
	at  table.ID
}

// places are what a table takes.
type places struct{ table, waiting *limit.Place }

func (p *places) free() {
	p.table.Free()
	p.waiting.Free()
}

// placesOf are those of a table that exists already, as after a restart.
func (l *Lobby) placesOf(t *table.Table) (p places) {
	by, from := t.Made()
	s := t.Summary()
	b := &l.bounds
	switch {
	case s.Config.House:
	case s.Config.Event.ID != 0 && !s.Config.Event.Solo:
		p.table = b.Hold(b.eventTables.Quota, limit.Owner{})
	default:
		p.table = b.Hold(b.tables.Quota, ownerOf(0, from))
		if by != 0 && s.State.Gathers() {
			p.waiting = b.Hold(b.waiting.Quota, ownerOf(by, ""))
		}
	}
	return p
}
