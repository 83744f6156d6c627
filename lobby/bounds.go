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

// bounds limit how many things there may be at once, including those being made. Whatever is bounded takes a
// place before it is made, see [Visit.reserve], and gives it back when it is gone. After a restart, what is
// restored takes its place again.
type bounds struct {
	*limit.Places
	tables      bound // made by people, and those of daily deals
	waiting     bound // tables that wait for their first game
	eventTables bound // made for several players of an event
	seats       bound
	walls       bound
	coached     bound // people whose game the coach reviews
	atCoach     bound // people who wait for the coach or use it
}

// bound limits things of one kind, and has the refusals for one more: because of the person's own, of those
// from their network, or of all.
type bound struct {
	*limit.Quota
	person, near, all text.Refusal

	made  *limit.Rule // how often one may be made; nil for any rate. Operators are exempt
	often text.Refusal
}

func newBounds(cfg *Config, l *limits) bounds {
	const machines = 3 // as many full shares of an address as fit into a network
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

// reserve takes a place for a thing that the person is about to make and counts the attempt, or returns a
// refusal. The caller frees the place if the thing cannot be made, or when it is gone.
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

// shared is the suffix for things made at an address that many people share.
const shared = "shared"

// from returns where the person comes from, in the form stored with what they make, so that shares outlast a
// restart: salted hashes of the address and the network. It is empty if neither counts.
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

// ownerOf returns the owner of a thing by its maker and the maker's from.
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

// newEventKey makes a unique key for an event that the person creates. By it ownerOfEvent finds the event's
// owner; an operator's event does not count against the network.
func (v *Visit) newEventKey() string {
	key := fmt.Sprintf("%d/%s", v.Player().ID, rand.Text())
	if from := v.from(); from != "" && !v.Operator() {
		key += "/" + from
	}
	return key
}

// ownerOfEvent returns the owner of an event by its key. An event that the club created has none.
func ownerOfEvent(key string) limit.Owner {
	by, rest, _ := strings.Cut(key, "/")
	_, from, _ := strings.Cut(rest, "/")
	id, _ := strconv.ParseInt(by, 10, 64)
	return ownerOf(table.PlayerID(id), from)
}

// promised is a place for a thing that is being made.
type promised struct {
	key   any
	place *limit.Place
}

// promise keeps a place taken for a thing that will have a key, until redeem takes it over. The caller calls
// done when the thing exists or will not be made: that frees a place that was not redeemed. With mu held,
// which done takes itself.
func (l *Lobby) promise(key any, place *limit.Place) (done func()) {
	l.promised = append(l.promised, promised{key, place})
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.unpromise(func(p promised) bool { return p.place == place }).Free()
	}
}

// redeem returns the place promised for a thing that exists now, or nil. With mu held.
func (l *Lobby) redeem(key any) *limit.Place {
	return l.unpromise(func(p promised) bool { return p.key == key })
}

func (l *Lobby) unpromise(is func(promised) bool) *limit.Place {
	i := slices.IndexFunc(l.promised, is)
	if i < 0 {
		return nil
	}
	place := l.promised[i].place
	l.promised = slices.Delete(l.promised, i, i+1)
	return place
}

// seatOf is the key of a promised seat, or with table 0, of a promised table for a person alone.
type seatOf struct {
	who table.PlayerID
	at  table.ID
}

// places are the places that a table takes.
type places struct{ table, waiting *limit.Place }

func (p *places) free() {
	p.table.Free()
	p.waiting.Free()
}

// placesOf returns the places of a table that already exists, as after a restart.
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
