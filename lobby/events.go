package lobby

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// eventClub is the lobby as events see it.
type eventClub struct{ *Lobby }

var _ event.Club = eventClub{}

// EventTables implements event.Club.
func (l eventClub) EventTables() map[table.Event]table.ID {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := map[table.Event]table.ID{}
	for id, e := range l.directory {
		if of := e.sum.Config.Event; of.ID != 0 && e.table != nil {
			all[of] = id
		}
	}
	return all
}

// OpenTable implements event.Club: the players are led to the table by what shows the event.
func (l eventClub) OpenTable(ctx context.Context, p event.Pairing) (table.ID, error) {
	l.mu.Lock()
	draining, many := l.draining, !p.Config.Event.Solo && l.count(true)+l.opening >= l.cfg.MaxTables
	seats := slices.Clone(p.Occasion.Seats)
	var from netip.Prefix              // of who plays alone
	nets := make([]string, len(seats)) // they say whether the game is rated
	for i := range seats {
		if who := l.people[seats[i].ID]; who != nil {
			team, tag := seats[i].Team, seats[i].Tag
			seats[i], nets[i] = who.player, who.net
			if p.Config.Event.Solo {
				from = who.visits[len(who.visits)-1].net
			}
			if p.Config.Access == table.AccessTeams { // they play for that team, even if they have left it meanwhile
				if seats[i].Team != team {
					seats[i].For = ""
				}
				seats[i].Team, seats[i].Tag = team, tag
			}
		}
	}
	if !draining && !many {
		l.opening++
	}
	l.mu.Unlock()
	switch {
	case draining:
		return 0, ErrDraining
	case many:
		return 0, ErrClubFull
	}
	defer l.opened()
	p.Occasion.Seats, p.Occasion.Nets = seats, nets
	deps := l.tables
	deps.NewCode = l.newCode
	t, err := table.MakeFor(ctx, deps, p.Config, p.Occasion)
	if err != nil {
		return 0, err
	}
	l.register(t, 0, from)
	if r := l.events.Room(p.Config.Event.ID); r != nil && kinds[r.Event().Kind].leads {
		l.mu.Lock()
		l.call(t.ID(), seats)
		l.mu.Unlock()
	}
	return t.ID(), nil
}

// opened reports that a table that OpenTable has counted exists now, or will not be made.
func (l *Lobby) opened() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.opening--
}

// CloseTable implements event.Club. A table whose game is over stays until its people have left.
func (l eventClub) CloseTable(ctx context.Context, id table.ID) error {
	t, err := l.find(id)
	if err != nil || t.Summary().State == table.Finished {
		return nil // it has closed already, or will
	}
	return closeByHouse(ctx, t)
}

// closeByHouse closes a table for good, whoever sits there. That it has closed already is no error.
func closeByHouse(ctx context.Context, t *table.Table) error {
	err := t.Do(ctx, table.Request{By: table.Player{Name: "the house"}, Command: table.Close{}})
	if hasClosed(err) {
		return nil
	}
	return err
}

// Changed implements event.Club.
func (l eventClub) Changed(id event.ID) {
	room := l.events.Room(id)
	over := room == nil
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changed(partEvents)
	if over {
		l.titles.forget()
		if !l.closed {
			l.jobs.run(func() { l.announceWinners(id) })
			l.jobs.run(func() { l.announceDuplicate(id) })
			l.jobs.run(func() { l.announceField(id) })
			l.jobs.run(func() { l.announceArenaResult(id) })
			l.jobs.run(l.repeatArenas)
		}
	}
	if !over && isContest(room.Event().Kind) && !l.closed {
		l.jobs.run(func() { l.announceMatches(room) })
	}
	if over && l.cfg.Daily && l.started && !l.draining && !l.closed {
		l.jobs.run(l.tendDaily)
	}
}

// eventEnded tells events of a game that is over and on disk. It is called on the table's goroutine.
func (l *Lobby) eventEnded(id table.GameID, start *table.Start, result *table.Result) {
	if start.Event.ID != 0 {
		l.events.Ended(event.Played{Game: id, Start: *start, Result: *result, Ended: l.now()})
	}
}

// createEvent creates an event of the person's. Its key says from where, as salted hashes: so a restart forgets nobody's share.
func (v *Visit) createEvent(ctx context.Context, e event.Event) (*event.Room, error) {
	l := v.lobby
	e.Key = fmt.Sprintf("%d/%d", v.Player().ID, l.now().UnixNano())
	if address, network := v.hashes(); address != "" {
		e.Key += "/" + address + "/" + network
	}
	room, err := l.events.Create(ctx, e)
	if err != nil {
		return nil, l.trouble("create a "+string(e.Kind), err)
	}
	return room, nil
}

// hashes are salted hashes of the address and the network that the person comes from; empty if neither counts.
func (v *Visit) hashes() (address, network string) {
	if v.origin.Exempt || v.origin.Shared || !v.net.IsValid() {
		return "", ""
	}
	return v.lobby.saltedHash(v.net.String()), v.lobby.saltedHash(limit.Network(v.net.Addr()).String())
}

// How many events of a kind that are not over may have been created from one address: as long as there are few of that kind, and from
// then on. From one network it is twice as many.
const (
	fewEvents              = 10
	eventsOfFew, eventsNet = 3, 1
)

// manyEvents reports whether as many events as may be were created from where the person comes from. rooms are those of their kind.
func (v *Visit) manyEvents(rooms []*event.Room) bool {
	address, network := v.hashes()
	if address == "" {
		return false
	}
	most := eventsOfFew
	if len(rooms) >= fewEvents {
		most = eventsNet
	}
	same, near := 0, 0
	for _, r := range rooms {
		if key := r.Event().Key; strings.HasSuffix(key, "/"+network) {
			near++
			if strings.HasSuffix(key, "/"+address+"/"+network) {
				same++
			}
		}
	}
	return same >= most || near >= 2*most
}

// pastEvent reads an event of one of some kinds that is not held any more.
func (l *Lobby) pastEvent(ctx context.Context, id event.ID, of ...event.Kind) (event.Event, event.Rules, error) {
	e, err := l.store.EventByID(ctx, id)
	switch {
	case errors.Is(err, event.ErrNotFound) || err == nil && !slices.Contains(of, e.Kind):
		return event.Event{}, nil, kinds[of[0]].none
	case err != nil:
		return event.Event{}, nil, l.trouble(fmt.Sprintf("find %s %d", of[0], id), err)
	}
	rules, _, err := event.Replay(ctx, l.store, EventKinds(), e)
	if err != nil {
		return event.Event{}, nil, l.trouble(fmt.Sprintf("read %s %d", e.Kind, id), err)
	}
	return e, rules, nil
}

// roomOf is where an event of a kind is held, nil for one that is over, or of another kind.
func (l *Lobby) roomOf(kind event.Kind, id event.ID) *event.Room {
	r := l.events.Room(id)
	if r == nil || r.Event().Kind != kind {
		return nil
	}
	return r
}

// eventOf returns an event of one of some kinds by number, as live shows it while it is held, or as past reads it. One that is over
// is shared: callers must not change it.
func eventOf[T any](ctx context.Context, v *Visit, id event.ID, live func(*event.Room) T, past func(context.Context, event.ID) (*T, error), of ...event.Kind) (*T, error) {
	if r := v.lobby.events.Room(id); r != nil {
		if !slices.Contains(of, r.Event().Kind) {
			return nil, kinds[of[0]].none
		}
		shown := live(r)
		return &shown, nil
	}
	return askOnce(ctx, v, &v.lobby.titles, fmt.Sprint(of, id), func(ctx context.Context) (*T, error) { return past(ctx, id) })
}

// wish carries out a person's request about an event of a kind. It refuses as the kind does if there is no such event or if it
// is over, with ErrManyWishes, or with the errors of f.
func wish[Rules event.Rules](ctx context.Context, v *Visit, kind event.Kind, id event.ID, f func(Rules) ([]event.Entry, error)) error {
	if err := v.allow(); err != nil {
		return err
	}
	r := v.lobby.roomOf(kind, id)
	if r == nil {
		return kinds[kind].none
	}
	if err := v.may(&v.lobby.limits.wishes, ErrManyWishes); err != nil {
		return err
	}
	return v.doIn(ctx, r, kinds[kind].over, func(rules event.Rules, _ time.Time) ([]event.Entry, error) { return f(rules.(Rules)) })
}

// partner finds whom a person names as a partner, among the members who are here, and their network; nobody without a name. It refuses
// with ErrNobody, or ErrNotWanted.
func (v *Visit) partner(name string) (with *table.Player, net string, err error) {
	if name == "" {
		return nil, "", nil
	}
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.present[text.Skeleton(name)]
	switch {
	case p == nil || p.player.ID.Guest():
		return nil, "", ErrNobody
	case !l.hears(p, v.person.player):
		return nil, "", ErrNotWanted
	}
	other := p.player
	return &other, p.net, nil
}

// askPartner tells somebody whom a person has named as a partner in an event.
func (v *Visit) askPartner(with table.PlayerID, kind event.Kind, what string, id event.ID) {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.people[with]; p != nil && l.limits.Allow(&l.limits.inviteNotes, limit.Who{Key: p.account.Key}) {
		me := v.person.player.Name
		l.note(p, "%s asks you to be partners in %s %d: e on its page, or %s %d enter with %s", me, what, id, kind, id, me)
	}
}

// doIn asks the rules of an event what follows from a person's request. It returns over if the event is over.
func (v *Visit) doIn(ctx context.Context, r *event.Room, over error, f func(rules event.Rules, now time.Time) ([]event.Entry, error)) error {
	err := r.Do(ctx, f)
	if errors.Is(err, event.ErrOver) {
		return over
	}
	return v.sentence("take part in an event", err)
}

// pastEvents lists the latest events of a kind that are over, newest first: as show makes them of their configuration and of what
// their last entry says, if it wants them.
func pastEvents[T, Config, Final any](ctx context.Context, l *Lobby, kind event.Kind, show func(event.Closing, Config, Final) (T, bool)) (all []T, err error) {
	const most = 50
	closings, err := l.store.Closings(ctx, kind, most)
	if err != nil {
		return nil, l.trouble(fmt.Sprintf("list the past events of kind %s", kind), err)
	}
	for _, c := range closings {
		var cfg Config
		end, err := event.Read[Final](c.Last)
		if err == nil {
			err = c.Event.ReadConfig(&cfg)
		}
		if err != nil {
			l.log.Error("the end of an event is invalid", "event", c.Event.ID, "err", err)
		} else if past, ok := show(c, cfg, end); ok {
			all = append(all, past)
		}
	}
	return all, nil
}

// roomsOf shows the events of a kind that are not over, by number.
func roomsOf[T any](l *Lobby, kind event.Kind, show func(*event.Room) T) (all []T) {
	for _, r := range l.events.Rooms(kind) {
		all = append(all, show(r))
	}
	return all
}

// EventRoom is where an event is held, nil for one that is over or not there.
func (v *Visit) EventRoom(id event.ID) *event.Room { return v.lobby.events.Room(id) }

// EventRooms lists the events of a kind that are not over.
func (v *Visit) EventRooms(kind event.Kind) []*event.Room { return v.lobby.events.Rooms(kind) }

// newSeed is a seed for deals that nobody can predict.
func (l *Lobby) newSeed() (seed rules.Seed) {
	if l.tables.NewSeed != nil {
		return l.tables.NewSeed()
	}
	crand.Read(seed[:]) // never fails
	return seed
}
