package event

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/text"
	"boneyard/table"
)

// Desk takes a person's requests about events of all kinds.
type Desk struct{ Caller *Caller }

// EventsNow is the time by which events go, which is not the server's clock while that is not believed.
func (d Desk) EventsNow() time.Time { return d.Caller.Events.Now() }

// EventRoom is where an event is held, nil for one that is over or not there.
func (d Desk) EventRoom(id ID) *Room { return d.Caller.Events.Room(id) }

// EventRooms lists the events of a kind that are not over.
func (d Desk) EventRooms(kind Kind) []*Room { return d.Caller.Events.Rooms(kind) }

const ErrCallOff text.Refusal = "Only operators, and whoever created it, can call it off."

// MayCallOff reports whether the person may call off an event that somebody has created.
func (d Desk) MayCallOff(by string) bool {
	me := d.Caller.Player()
	return !me.ID.Guest() && (d.Caller.Operator() || me.Name == by)
}

// CallOff ends an event that has not begun, and tells those who have entered. It is for operators and whoever
// created it; operators can end one that has begun, too, if it is [Endable]. It refuses with ErrCallOff, with
// the refusal of the kind if there is no such event, or if it has begun.
func (d Desk) CallOff(ctx context.Context, kind Kind, id ID) error {
	c := d.Caller
	r, t, err := d.member(kind, id)
	if err != nil {
		return err
	}
	p := r.View().Plan()
	if !d.MayCallOff(p.By) {
		return ErrCallOff
	}
	var players []table.Player
	what := " was called off."
	err = c.Do(ctx, r, func(rules Rules, _ time.Time) ([]Entry, error) {
		v := rules.View(nil)
		players = v.Players()
		if e, ok := rules.(Endable); ok && v.Plan().Begun && c.Operator() {
			what = " was ended by an operator. The games that are being played still count."
			return e.EndEarly()
		}
		return rules.(Optional).CallOff()
	})
	if err != nil {
		return err
	}
	c.Events.deps.Club.Tell(players, c.Player().ID, Subject(t.Title, id, p.Name)+what)
	return nil
}

// member is where an event of a kind is held, for a request of a member's.
func (d Desk) member(kind Kind, id ID) (r *Room, t *Type, err error) {
	t = d.Caller.Events.deps.Kinds[kind]
	if err = d.Caller.Member(); err != nil {
		return nil, t, err
	}
	if r = d.Caller.Events.RoomOf(kind, id); r == nil {
		return nil, t, t.None
	}
	return r, t, nil
}

// Open is implemented by Rules of events that people enter alone or with a partner.
type Open interface {
	// Enter returns what follows when a player enters from a network: with a partner, they are in once both
	// have named each other.
	Enter(p table.Player, net string, partner *table.Player, partnerNet string, now time.Time) ([]Entry, error)
	Leave(p table.PlayerID) ([]Entry, error)
}

// Entered is implemented by the views of such events.
type Entered interface {
	// Has reports whether a player takes part, and has not left.
	Has(p table.PlayerID) bool
}

// EnterEvent has the person take part in an event that people enter, for the first time or again; in one of
// pairs with a partner who is here, once both have named each other. It refuses guests, whom it cannot find
// as a partner, and as the event's kind does.
func (d Desk) EnterEvent(ctx context.Context, kind Kind, id ID, partner string) error {
	c := d.Caller
	r, t, err := d.member(kind, id)
	if err != nil {
		return err
	}
	entered, ok := r.View().(Entered)
	if !ok {
		return t.None
	}
	me := c.Player()
	// Entering again, as programs do for each game, is not limited: it writes nothing.
	if partner != "" || !entered.Has(me.ID) {
		if err := c.Wishes(); err != nil {
			return err
		}
	}
	with, net, err := c.Partner(partner)
	if err != nil {
		return err
	}
	news, asks := false, false
	err = c.Do(ctx, r, func(rules Rules, now time.Time) (entries []Entry, err error) {
		entries, err = rules.(Open).Enter(me, c.Network(), with, net, now)
		news = len(entries) > 0
		if asks = news && entries[0].Kind == KindAsk; asks {
			err = c.MayInvite()
		}
		return entries, err
	})
	if err != nil || !news {
		return err
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
	return nil
}

// Booking is implemented by the views of events whose players have appointments.
type Booking interface {
	// Engaged says what a player does in the event during a time.
	Engaged(p table.Player, begins, ends time.Time) []string
	// Reminder says what a team is to do in the event, and by when; it is empty if there is nothing.
	Reminder(team table.TeamID) (what string, due time.Time)
}

// LeaveEvent withdraws the person from an event that people enter, and their partner with them where both
// must play.
func (d Desk) LeaveEvent(ctx context.Context, kind Kind, id ID) error {
	if err := d.Caller.Asks(); err != nil {
		return err
	}
	me := d.Caller.Player().ID
	return Wish(ctx, d.Caller, d.Caller.Events.deps.Kinds[kind], id, func(rules interface {
		Leave(table.PlayerID) ([]Entry, error)
	}, _ time.Time) ([]Entry, error) {
		return rules.Leave(me)
	})
}

// span is when an event begins and ends, or about when if that is not planned.
func (r *Room) span() (begins, ends time.Time) {
	if ends = r.event.Ends; ends.IsZero() {
		ends = r.event.Begins.Add(r.deps.Kinds[r.event.Kind].Takes)
	}
	return r.event.Begins, ends
}

// Unaided is implemented by the views of events in which no program may take part.
type Unaided interface{ Unaided() bool }

// Unaided returns the title of such an event that a player has entered; empty if there is none.
func (s *Events) Unaided(p table.PlayerID) string {
	for _, r := range s.All() {
		if v, ok := r.View().(Unaided); ok && v.Unaided() && Has(r.View().Players(), p) {
			return r.title()
		}
	}
	return ""
}

// Gathers reports whether one of some players has entered an event that people enter, and that takes place
// during a time: which, and when it begins.
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
