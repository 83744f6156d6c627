package lobby

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/league"
	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// eventClub is the lobby as events see it.
type eventClub struct{ *Lobby }

var _ event.Club = eventClub{}

// EventTables implements event.Club.
func (l eventClub) EventTables() map[table.ID]table.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := map[table.ID]table.Event{}
	for id, e := range l.directory {
		if of := e.sum.Config.Event; of.ID != 0 && e.table != nil {
			all[id] = of
		}
	}
	return all
}

// busies reports whether the players of a table are not to play for other events: it is one's, where a game is played or will be. The
// daily deal has no clock, so that it waits for its player.
func busies(s *table.Summary) bool {
	of := s.Config.Event
	return of.ID != 0 && !of.Solo && s.State != table.Finished && s.State != table.Closed
}

// Busy implements event.Club.
func (l eventClub) Busy(id table.PlayerID, in event.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.busy(id, in)
}

// busy is eventClub.Busy with mu held.
func (l *Lobby) busy(id table.PlayerID, in event.ID) bool {
	if of := l.seating[id]; of != 0 && of != in {
		return true
	}
	return l.seatedWhere(id, func(s *table.Summary) bool { return s.Config.Event.ID != in && busies(s) })
}

// OpenTable implements event.Club: the players are led to the table by what shows the event.
func (l eventClub) OpenTable(ctx context.Context, p event.Pairing) (table.ID, error) {
	var taken places
	var err error
	deps := l.tables
	l.mu.Lock()
	seats := slices.Clone(p.Occasion.Seats)
	nets := make([]string, len(seats)) // they say whether the game is rated
	for i := range seats {
		if who := l.people[seats[i].ID]; who != nil {
			team, tag := seats[i].Team, seats[i].Tag
			seats[i], nets[i] = who.player, who.net
			if !p.Config.Event.Wait || !l.engaged(who.player.ID, math.MaxInt64) {
				p.Occasion.Here = append(p.Occasion.Here, who.player.ID)
			}
			if p.Config.Event.Solo {
				deps.From = who.visits[len(who.visits)-1].from()
			}
			if p.Config.Access == table.AccessTeams { // they play for that team, even if they have left it meanwhile
				if seats[i].Team != team {
					seats[i].For = ""
				}
				seats[i].Team, seats[i].Tag = team, tag
			}
		}
	}
	switch b, of := &l.bounds, p.Config.Event; {
	case l.draining:
		err = ErrDraining
	case of.Solo:
		if taken.table = l.redeem(seatOf{who: seats[0].ID}); taken.table == nil {
			taken.table = b.Hold(&b.tables.Quota, ownerOf(0, deps.From))
		}
	case !of.Wait && slices.ContainsFunc(seats, func(s table.Player) bool { return s.ID != 0 && l.busy(s.ID, of.ID) }):
		err = event.ErrBusy
	default:
		if taken.table, _ = b.Take(&b.eventTables.Quota, limit.Owner{}); taken.table == nil {
			err = ErrClubFull
			break
		}
		for _, s := range seats {
			if l.seating[s.ID] == 0 {
				l.seating[s.ID] = of.ID
			}
		}
	}
	l.mu.Unlock()
	if err != nil {
		return 0, err
	}
	p.Occasion.Seats, p.Occasion.Nets = seats, nets
	deps.NewCode = l.newCode
	t, err := table.MakeFor(ctx, deps, p.Config, p.Occasion)
	if err != nil {
		taken.free()
		l.seated(seats, p.Config.Event.ID)
		l.events.Look() // games may have waited for them
		return 0, err
	}
	l.register(t, taken)
	l.seated(seats, p.Config.Event.ID)
	if r := l.events.Room(p.Config.Event.ID); r != nil && kinds[r.Event().Kind].Leads {
		l.mu.Lock()
		l.call(t.ID(), seats)
		l.mu.Unlock()
	}
	return t.ID(), nil
}

// seated reports that an event's table for some players exists now, or will not be made.
func (l *Lobby) seated(seats []table.Player, in event.ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range seats {
		if l.seating[s.ID] == in {
			delete(l.seating, s.ID)
		}
	}
}

// CloseTable implements event.Club.
func (l eventClub) CloseTable(ctx context.Context, id table.ID) error {
	t, err := l.find(id)
	if err != nil || t.Summary().State == table.Finished {
		return nil // it has closed already, or will
	}
	err = t.Do(ctx, table.Request{By: table.Player{Name: "the house"}, Command: table.Close{UnlessOver: true}})
	if hasClosed(err) || errors.Is(err, table.ErrClosing) {
		return nil
	}
	return err
}

// Changed implements event.Club.
func (l eventClub) Changed(e event.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	room := l.events.Room(e.ID) // with mu held, so that what an older state says is not done after a newer one
	l.counts(e, room == nil)
	l.changed(partEvents)
	if room == nil {
		l.titles.forget()
	}
	if e.Kind == duplicate.Kind || e.Kind == field.Kind {
		l.seal()
	}
	switch {
	case l.closed:
	case room == nil:
		l.jobs.run(func() { l.eventIsOver(e) })
	case isContest(e.Kind):
		l.jobs.run(func() { l.announceMatches(room) })
	}
}

// eventIsOver announces how an event of each kind ended, and makes what follows on it. It is a background job.
func (l *Lobby) eventIsOver(e event.Event) {
	switch e.Kind {
	case arena.Kind:
		l.announceArenaResult(e.ID)
		l.repeatArenas(e.ID)
	case daily.Kind:
		l.mu.Lock()
		another := l.cfg.Daily && l.started && !l.draining
		l.mu.Unlock()
		if another {
			l.tendDaily()
		}
	case duplicate.Kind:
		l.announceDuplicate(e.ID)
	case field.Kind:
		l.announceField(e.ID)
	case cup.Kind, league.Kind:
		l.announceWinners(e.ID)
	}
}

// eventEnded tells events of a game that is over and on disk. It is called on the table's goroutine.
func (l *Lobby) eventEnded(id table.GameID, start *table.Start, result *table.Result) {
	if start.Event.ID != 0 {
		l.events.Ended(event.Played{Game: id, Start: *start, Result: *result, Ended: l.clock.Now()})
	}
}

// createEvent creates an event of the person's, unless there are as many of its kind as may be: it refuses as reserve does.
func (v *Visit) createEvent(ctx context.Context, e event.Event) (*event.Room, error) {
	l := v.lobby
	place, err := v.reserve(l.bounds.events[e.Kind])
	if err != nil {
		return nil, err
	}
	e.Key = v.newEventKey()
	l.mu.Lock()
	done := l.promise(e.Key, place)
	l.mu.Unlock()
	defer done()
	room, err := l.events.Create(ctx, e)
	if err != nil {
		return nil, l.trouble("create a "+string(e.Kind), err)
	}
	return room, nil
}

// counts takes a place for an event that is there now, or gives back that of one that is over. With mu held.
func (l *Lobby) counts(e event.Event, over bool) {
	switch place, known := l.created[e.ID]; {
	case over:
		place.Free()
		delete(l.created, e.ID)
	case !known:
		if place = l.redeem(e.Key); place == nil && l.bounds.events[e.Kind] != nil {
			place = l.bounds.Hold(&l.bounds.events[e.Kind].Quota, ownerOfEvent(e.Key))
		}
		l.created[e.ID] = place
	}
}

// pastEvent reads an event of one of some kinds that is not held any more.
func (l *Lobby) pastEvent(ctx context.Context, id event.ID, of ...event.Kind) (event.Event, event.Rules, error) {
	e, err := l.stores.Events.EventByID(ctx, id)
	switch {
	case errors.Is(err, event.ErrNotFound) || err == nil && !slices.Contains(of, e.Kind):
		return event.Event{}, nil, kinds[of[0]].None
	case err != nil:
		return event.Event{}, nil, l.trouble(fmt.Sprintf("find %s %d", of[0], id), err)
	}
	rules, _, err := event.Replay(ctx, l.stores.Events, EventKinds(), e)
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
			return nil, kinds[of[0]].None
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
		return kinds[kind].None
	}
	if err := v.may(&v.lobby.limits.wishes, ErrManyWishes); err != nil {
		return err
	}
	return v.doIn(ctx, r, kinds[kind].Over, func(rules event.Rules, _ time.Time) ([]event.Entry, error) { return f(rules.(Rules)) })
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
	if p == nil || p.player.ID.Guest() {
		return nil, "", ErrNobody
	}
	if s := l.apart(p.id, v.person.id); s != nil {
		return nil, "", s.refusal()
	}
	if !l.hears(p, v.person.player) {
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
	closings, err := l.stores.Events.Closings(ctx, kind, most)
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
