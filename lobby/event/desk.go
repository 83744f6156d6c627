package event

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/text"
	"boneyard/table"
)

// Desk takes a person's requests about events of all kinds.
type Desk struct{ Caller *Caller }

// EventsNow returns the time by the events' clock.
func (d Desk) EventsNow() time.Time { return d.Caller.Events.Now() }

// EventRoom returns the room of an event, or nil if the event is over or does not exist.
func (d Desk) EventRoom(id ID) *Room { return d.Caller.Events.Room(id) }

// EventRooms lists the events of a kind that are not over.
func (d Desk) EventRooms(kind Kind) []*Room { return d.Caller.Events.Rooms(kind) }

const ErrCallOff text.Refusal = "Only operators, and whoever created it, can call it off."

// MayCallOff reports whether the person may call off an event that by created.
func (d Desk) MayCallOff(by string) bool {
	me := d.Caller.Player()
	return !me.ID.Guest() && (d.Caller.Operator() || me.Name == by)
}

const calledOff = " was called off."

// CallOff ends an event that has not begun, and informs the players who have entered. Operators and its
// creator may do so; operators may also end one that has begun if it is [Endable]. CallOff returns
// ErrCallOff, or the kind's refusal if there is no such event or it has begun.
func (d Desk) CallOff(ctx context.Context, kind Kind, id ID) error {
	c := d.Caller
	r, t, err := d.member(ctx, kind, id)
	if err != nil {
		return err
	}
	p := r.View().Plan()
	if !d.MayCallOff(p.By) {
		return ErrCallOff
	}
	var players []table.Player
	what := calledOff
	return c.Do(ctx, r, func(rules Rules, _ time.Time) ([]Entry, error) {
		v := rules.View(nil)
		players = v.Players()
		if e, ok := rules.(Endable); ok && v.Plan().Begun && c.Operator() {
			what = " was ended by an operator. The games that are being played still count."
			return e.EndEarly()
		}
		return rules.(Optional).CallOff()
	}, func() { c.Events.deps.Club.Tell(players, c.Player().ID, Subject(t.Title, id, p.Name)+what) })
}

// member returns the room of an event for a member's request.
func (d Desk) member(ctx context.Context, kind Kind, id ID) (r *Room, t *Type, err error) {
	if err = d.Caller.Member(); err == nil {
		r, err = d.Caller.Room(ctx, id, kind)
	}
	return r, d.Caller.Events.deps.Kinds[kind], err
}

// Open is implemented by Rules of events that people enter alone or with a partner.
type Open interface {
	// Enter returns what follows when a player enters from a network. With a partner, they are in once both
	// have named each other.
	Enter(p table.Player, net string, partner *table.Player, partnerNet string, now time.Time) ([]Entry, error)
}

// Entered is implemented by the views of events that people enter.
type Entered interface {
	// Has reports whether a player takes part and has not left.
	Has(p table.PlayerID) bool
}

// EnterEvent enters the person, again or for the first time, in an event that people enter. In an event of
// pairs they name a partner who is in the club, and are in once both have named each other. EnterEvent
// refuses guests, partners whom it cannot find, and what the event's kind refuses.
func (d Desk) EnterEvent(ctx context.Context, kind Kind, id ID, partner string) error {
	c := d.Caller
	r, t, err := d.member(ctx, kind, id)
	if err != nil {
		return err
	}
	entered, ok := r.View().(Entered)
	if !ok {
		return t.None
	}
	me := c.Player()
	// Entering again, as programs do for each game, writes nothing and is not limited.
	if partner != "" || !entered.Has(me.ID) {
		if err := c.CountWish(); err != nil {
			return err
		}
	}
	news, asks := false, false
	var with *table.Player
	return c.Do(ctx, r, func(rules Rules, now time.Time) (entries []Entry, err error) {
		var net string
		if with, net, err = c.Partner(partner); err != nil {
			return nil, err
		}
		me = c.Player() // not before: a program may have taken over
		entries, err = rules.(Open).Enter(me, c.Network(), with, net, now)
		news = len(entries) > 0
		if asks = news && entries[0].Kind == KindAsk; asks {
			err = c.MayInvite()
		}
		return entries, err
	}, func() {
		if !news {
			return
		}
		if asks {
			c.Invite(with.ID, fmt.Sprintf("%s asks you to be partners in %s %d: e on its page, or %s %d enter with %s",
				me.Name, strings.ToLower(t.Title), id, kind, id, me.Name))
		}
		begins, ends := r.span()
		for _, other := range c.Events.All() {
			if v, ok := other.View().(Booking); ok {
				for _, say := range v.Engaged(me, begins, ends) {
					c.Events.deps.Club.Tell([]table.Player{me}, 0, say)
				}
			}
		}
	})
}

// Booking is implemented by the views of events whose players have appointments.
type Booking interface {
	// Engaged says what a player has to do in the event during a period.
	Engaged(p table.Player, begins, ends time.Time) []string
	// Reminder says what a team has to do in the event, and by when; what is empty if there is nothing.
	Reminder(team table.TeamID) (what string, due time.Time)
}

// LeaveEvent withdraws the person from an event that people enter, and their partner, if both must play.
func (d Desk) LeaveEvent(ctx context.Context, kind Kind, id ID) error {
	if err := d.Caller.CountRequest(); err != nil {
		return err
	}
	me := d.Caller.Player().ID
	return Wish(ctx, d.Caller, d.Caller.Events.deps.Kinds[kind], id, func(rules interface {
		Leave(table.PlayerID) ([]Entry, error)
	}, _ time.Time) ([]Entry, error) {
		return rules.Leave(me)
	})
}

// span returns when an event begins and ends, estimating an end that is not planned.
func (r *Room) span() (begins, ends time.Time) {
	if ends = r.event.Ends; ends.IsZero() {
		ends = r.event.Begins.Add(r.deps.Kinds[r.event.Kind].Takes)
	}
	return r.event.Begins, ends
}

// Unaided is implemented by the views of events in which programs may not take part.
type Unaided interface{ Unaided() bool }

// Unaided returns the title of such an event that a player has entered, or "". It waits for entries that are being
// written. The error is the context's.
func (s *Events) Unaided(ctx context.Context, p table.PlayerID) (string, error) {
	for _, r := range s.All() {
		if v, ok := r.View().(Unaided); !ok || !v.Unaided() {
			continue
		}
		if err := r.Settle(ctx); err != nil && !errors.Is(err, ErrOver) {
			return "", err
		}
		if v := r.View(); !v.Plan().Over && Has(v.Players(), p) {
			return r.title(), nil
		}
	}
	return "", nil
}

// Gathers returns the title and beginning of an event in [from, to) that one of the players has entered, or
// "".
func (s *Events) Gathers(players []table.PlayerID, from, to time.Time) (title string, begins time.Time) {
	for _, r := range s.All() {
		v, ok := r.View().(Entered)
		begins, ends := r.span()
		if ok && from.Before(ends) && begins.Before(to) && slices.ContainsFunc(players, v.Has) {
			return r.title(), begins
		}
	}
	return "", time.Time{}
}

func (r *Room) title() string {
	return r.deps.Kinds[r.event.Kind].Titled(r.event.ID, r.View().Plan().Name)
}
