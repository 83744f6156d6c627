package event

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"boneyard/lobby/text"
	"boneyard/table"
)

// Person is a person who makes requests about events: what events may know about them, and what the club does
// for them. The errors are sentences for the person.
type Person interface {
	Player() table.Player
	Operator() bool
	// Network returns a hash of the network that the person comes from.
	Network() string
	// CountRequest counts a request against the person's limits. Member does that, too, and refuses guests.
	CountRequest() error
	Member() error
	// CountWish counts a request that an event's journal will record.
	CountWish() error
	// CountTable counts a table made for the person.
	CountTable() error
	// Captain counts a request and returns the team that the person is the captain of. Other people are
	// refused with other, or if that is empty, with the club's own words.
	Captain(ctx context.Context, other text.Refusal) (*Roster, error)
	// Title cleans a title that everybody in the club reads. It may be empty.
	Title(title string) (string, error)
	// Create creates an event, unless there are already as many of its kind as there may be.
	Create(ctx context.Context, e Event) (*Room, error)
	// Partner finds the partner whom the person names, and their network; with an empty name, nobody.
	Partner(name string) (with *table.Player, net string, err error)
	// MayInvite returns an error if the person may not talk to others.
	MayInvite() error
	// Invite sends a message to the person's chosen partner, unless that partner gets too many.
	Invite(with table.PlayerID, what string)
	// Once returns the answer to a question, calling read if it is not remembered, as for a nil question.
	Once(ctx context.Context, question any, read func(context.Context) (any, error)) (any, error)
	// Sentence returns an error as the person reads it.
	Sentence(doing string, err error) error
}

// Caller is a person who makes requests about a club's events. The desks of the kinds take them.
type Caller struct {
	Person
	Events *Events
}

// Begins returns when an event begins that was asked for at a time: now if that is zero or less than a minute
// ago. wrong reports whether the time is past, perhaps for another time zone, or too far ahead.
func (s *Events) Begins(at time.Time) (begins time.Time, wrong bool) {
	const ahead = 14 * 24 * time.Hour
	now := s.Now()
	if at.IsZero() {
		at = now
	}
	wrong = at.Before(now.Add(-time.Minute)) || at.After(now.Add(ahead))
	if at.Before(now) {
		at = now
	}
	return at, wrong
}

// Sign makes the person the creator of an event, and cleans its name.
func (c *Caller) Sign(name, by *string) (err error) {
	*by = c.Player().Name
	*name, err = c.Title(*name)
	return err
}

// NewEvent creates an event for the person. unfit is what is wrong with its configuration, or nil.
func (c *Caller) NewEvent(ctx context.Context, unfit error, e Event) (ID, error) {
	if unfit != nil {
		return 0, text.Usage(text.Sentence(unfit.Error()))
	}
	room, err := c.Create(ctx, e)
	if err != nil {
		return 0, err
	}
	return room.event.ID, nil
}

// Wish carries out a person's request about an event. It returns the type's refusal if the event does not
// exist or is over, the refusal of too many wishes, or the errors of f.
func Wish[R any](ctx context.Context, c *Caller, t *Type, id ID, f func(rules R, now time.Time) ([]Entry, error)) error {
	r, err := c.Room(ctx, id, t.Kind)
	if err != nil {
		return err
	}
	if err := c.CountWish(); err != nil {
		return err
	}
	return c.Do(ctx, r, func(rules Rules, now time.Time) ([]Entry, error) { return f(rules.(R), now) })
}

// Room returns the room of an event of some kinds, for a request. If the event does not exist or is over, it
// returns the refusal of its kind for that, or of too many wishes.
func (c *Caller) Room(ctx context.Context, id ID, of ...Kind) (*Room, error) {
	if r := c.Events.Room(id); r != nil && slices.Contains(of, r.event.Kind) {
		return r, nil
	}
	if err := c.CountWish(); err != nil { // the answer is on disk
		return nil, err
	}
	e, err := c.Events.Past(ctx, id, of...)
	if err == nil {
		err = c.Events.deps.Kinds[e.Kind].Over
	}
	return nil, err
}

// Do is [Room.Do] with errors as a person reads them.
func (c *Caller) Do(ctx context.Context, r *Room, f func(Rules, time.Time) ([]Entry, error), then ...func()) error {
	err := r.Do(ctx, f, then...)
	switch {
	case errors.Is(err, ErrOver) && !c.Events.deps.Club.Open():
		return text.Refusal(table.ErrDraining)
	case errors.Is(err, ErrOver):
		return c.Events.deps.Kinds[r.event.Kind].Over
	}
	return c.Sentence("take part in an event", err)
}

// ViewByID returns an event of some kinds by number, from its room or else from disk. If it is over, compare,
// unless nil, adds what its games say, and callers must not change the view, which is shared.
func ViewByID[V any](ctx context.Context, c *Caller, id ID, compare func(context.Context, *V) error, of ...Kind) (*V, error) {
	if r := c.Events.Room(id); r != nil {
		v, ok := any(r.View()).(*V)
		if !ok {
			return nil, c.Events.deps.Kinds[of[0]].None
		}
		return v, nil
	}
	return Once(ctx, c, fmt.Sprint(of[0], id), func(ctx context.Context) (*V, error) {
		_, view, err := c.Events.PastView(ctx, id, of...)
		if err != nil {
			return nil, err
		}
		v := any(view).(*V)
		if compare != nil {
			err = compare(ctx, v)
		}
		return v, err
	})
}

// Once is [Person.Once] with a type.
func Once[V any](ctx context.Context, c *Caller, question any, read func(context.Context) (V, error)) (v V, err error) {
	answer, err := c.Person.Once(ctx, question, func(ctx context.Context) (any, error) { return read(ctx) })
	if err != nil {
		return v, err
	}
	return answer.(V), nil
}
