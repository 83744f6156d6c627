package lobby

import (
	"cmp"
	"context"
	"errors"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/challenge"
	"boneyard/lobby/event/contest"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/night"
	"boneyard/lobby/event/season"
	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// The desks of events, embedded in a visit.
type (
	eventDesk     = event.Desk
	arenaDesk     = arena.Desk
	challengeDesk = challenge.Desk
	contestDesk   = contest.Desk
	dailyDesk     = daily.Desk
	duplicateDesk = duplicate.Desk
	fieldDesk     = field.Desk
	nightDesk     = night.Desk
	seasonDesk    = season.Desk
)

type desks struct {
	eventDesk
	arenaDesk
	challengeDesk
	contestDesk
	dailyDesk
	duplicateDesk
	fieldDesk
	nightDesk
	seasonDesk
}

func newDesks(v *Visit) desks {
	p := eventPerson{v}
	c := &event.Caller{Person: p, Events: v.lobby.events}
	return desks{
		event.Desk{Caller: c}, arena.Desk{Caller: c}, challenge.Desk{Caller: c}, contest.Desk{Caller: c}, daily.NewDesk(c, p),
		duplicate.Desk{Caller: c}, field.Desk{Caller: c}, night.Desk{Caller: c}, season.Desk{Caller: c, Book: v.lobby.book},
	}
}

// ClubID identifies the club, for calendars with entries of several clubs.
func (v *Visit) ClubID() string { return v.lobby.ClubID() }

// eventPerson is a visitor as events see them.
type eventPerson struct{ *Visit }

func (v eventPerson) Network() string {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.person.net
}

func (v eventPerson) CountRequest() error { return v.allow() }

func (v eventPerson) Member() error {
	_, err := v.memberAsks()
	return err
}

const ErrManyWishes text.Refusal = "You have joined and left too often; please wait a minute."

func (v eventPerson) CountWish() error { return v.may(&v.lobby.limits.wishes, ErrManyWishes) }

func (v eventPerson) CountTable() error { return v.may(&v.lobby.limits.tables, ErrManyMade) }

func (v eventPerson) Captain(ctx context.Context, other text.Refusal) (*event.Roster, error) {
	a, t, err := v.ownTeam(ctx)
	switch {
	case err == nil && t.Captain == a.ID:
		return rosterOf(t), nil
	case err == nil:
		return nil, cmp.Or(other, ErrCaptain)
	case err == ErrNoTeam:
		return nil, cmp.Or(other, ErrNoTeam)
	}
	return nil, err
}

func (v eventPerson) Title(title string) (string, error) { return v.publicTitle(title) }

// Create implements event.Person. It returns the refusals of reserve.
func (v eventPerson) Create(ctx context.Context, e event.Event) (*event.Room, error) {
	l, b := v.lobby, kinds[e.Kind].Bound
	if by, wait := l.clock.Leap(); by > 0 && wait > 0 && wait <= event.ConfirmTime { // it would lose the time that the clock leaps over
		in := text.Number(int((wait+time.Minute-1)/time.Minute), "minute")
		return nil, text.Refusal("The club is checking its clock; please try again in " + in + ".")
	}
	place, err := v.reserve(&bound{Quota: &b.Quota, person: b.Own, near: b.Full, all: b.Full, made: b.Made, often: b.Full})
	if err != nil {
		return nil, err
	}
	e.Key = v.newEventKey()
	l.mu.Lock()
	done := l.promise(e.Key, place)
	draining := l.draining
	l.mu.Unlock()
	defer done()
	if draining {
		return nil, ErrDraining
	}
	room, err := l.events.Create(ctx, e)
	if errors.Is(err, event.ErrOver) { // the server has begun to stop
		err = ErrDraining
	}
	return room, l.trouble("create a "+string(e.Kind), err)
}

// Partner implements event.Person. It finds only members who are here, else ErrNobody or ErrNotWanted.
func (v eventPerson) Partner(name string) (with *table.Player, net string, err error) {
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
	if s := l.sealedBetween(p.id, v.person.id); s != nil {
		return nil, "", s.Refusal()
	}
	if !l.hears(p, v.person.player) {
		return nil, "", ErrNotWanted
	}
	return new(p.player), p.net, nil
}

func (v eventPerson) MayInvite() error { return v.muted() }

func (v eventPerson) Invite(with table.PlayerID, what string) {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.people[with]; p != nil && l.limits.Allow(&l.limits.inviteNotes, limit.Who{Key: p.account.Key}) {
		l.note(p, "%s", what)
	}
}

func (v eventPerson) Once(ctx context.Context, question any, read func(context.Context) (any, error)) (any, error) {
	if question == nil {
		return ask(v.Visit, func() (any, error) { return read(ctx) })
	}
	return askOnce(ctx, v.Visit, &v.lobby.titles, question, read)
}

func (v eventPerson) Sentence(doing string, err error) error { return v.sentence(doing, err) }

func (v eventPerson) Place() string { return v.lobby.placeOf(&v.origin) }

func (v eventPerson) Regular(ctx context.Context, age time.Duration, finished int) (bool, error) {
	const each, looked = 50, 5000 // the search for finished games stops after so many
	a := v.account()
	if v.lobby.now().Sub(a.Created) < age {
		return false, nil
	}
	q := GamesQuery{Player: a.ID, Limit: each}
	for range looked / each {
		games, err := v.lobby.stores.Games.Games(ctx, q)
		if err != nil {
			return false, v.lobby.trouble("count games", err)
		}
		for i := range games {
			if q.Before = games[i].ID; games[i].Ending == table.EndPlayed {
				finished--
			}
		}
		if finished <= 0 || len(games) < each {
			break
		}
	}
	return finished <= 0, nil
}

func (v eventPerson) Coach(ctx context.Context, job func()) (crowded bool, err error) {
	err = v.AtCoach(ctx, func() error { job(); return nil })
	if errors.Is(err, ErrCoachCrowded) {
		return true, nil
	}
	return false, err
}

// Attempt implements daily.Person. It returns the refusals of reserve.
func (v eventPerson) Attempt(fresh bool, begin func() error) error {
	l := v.lobby
	a, err := v.alive()
	if err != nil {
		return err
	}
	if fresh { // it will get a table
		place, err := v.reserve(&l.bounds.tables)
		if err != nil {
			return err
		}
		l.mu.Lock()
		done := l.promise(seatOf{who: a.ID}, place)
		l.mu.Unlock()
		defer done()
	}
	return begin()
}

// PlayAlone implements daily.Person. It returns the refusals of NewTable.
func (v eventPerson) PlayAlone(ctx context.Context, cfg table.Config, seed rules.Seed) (table.ID, error) {
	l := v.lobby
	p, taken, err := v.mayMake(&cfg)
	if err != nil {
		return 0, err
	}
	deps := l.tables
	deps.From = v.from()
	t, err := table.MakeFor(ctx, deps, cfg, table.Occasion{Seed: seed, Seats: []table.Player{p}, Here: []table.PlayerID{p.ID}})
	if err != nil {
		taken.free()
		return 0, l.trouble("make a table for a daily deal", err)
	}
	l.register(t, taken)
	return t.ID(), nil
}

// attempts records, once a session, from which network an attempt at today's deal continues. With mu held.
func (v *Visit) attempts(id table.ID) {
	l := v.lobby
	e := l.directory[id]
	if e == nil || !e.sum.Config.Event.Solo || e.sum.Config.Event.ID == 0 || v.attempt == id {
		return
	}
	v.attempt = id
	of, who, net := e.sum.Config.Event.ID, v.person.player.ID, l.placeOf(&v.origin)
	l.jobs.run(func() {
		if r := l.events.Room(of); r != nil {
			_ = r.Do(l.ctx, daily.From(who, net)) // refused only when the day is over; a disk that fails also fails the moves
		}
	})
}
