package event

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boneyard/lobby/text"
	"boneyard/table"
)

// Person is somebody who asks something of events: what events may know about them, and what the club does
// for them. The errors are sentences for the person.
type Person interface {
	Player() table.Player
	Operator() bool
	// Network is from where the person comes, hashed.
	Network() string
	// Asks counts a request. Member does, too, and refuses guests.
	Asks() error
	Member() error
	// Wishes counts what the journal of an event keeps.
	Wishes() error
	// Makes counts that the person has a table made.
	Makes() error
	// Captain is the team whose captain the person is. It counts a request, and refuses whoever is no captain with other,
	// unless that is empty.
	Captain(ctx context.Context, other text.Refusal) (*Roster, error)
	// Title cleans a title that everybody in the club reads. It may be empty.
	Title(title string) (string, error)
	// Create creates an event, unless there are as many of its kind as may be.
	Create(ctx context.Context, e Event) (*Room, error)
	// Partner finds whom the person names as a partner, and their network; nobody without a name.
	Partner(name string) (with *table.Player, net string, err error)
	// MayInvite refuses whoever may say nothing to others.
	MayInvite() error
	// Invite says something to whom the person has named, unless they hear such things too often.
	Invite(with table.PlayerID, what string)
	// Once returns the answer to a question, which read finds if it is not known; nil is a question whose answer is not
	// remembered.
	Once(ctx context.Context, question any, read func(context.Context) (any, error)) (any, error)
	// Sentence is an error as the person reads it.
	Sentence(doing string, err error) error
}

// Caller is a person who asks something of a club's events. The desks of the kinds take the requests.
type Caller struct {
	Person
	Events *Events
}

// refused tells the person what is wrong with the configuration of an event.
func refused(err error) error { return text.Refusal(text.Sentence(err.Error())) }

// Begins is when an event begins that is to begin at a time: now if that is zero, or the minute that goes on. wrong reports
// whether the time is past, as that of another time zone may be, or too far ahead.
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

// Sign has an event be the person's: it cleans the event's name and says who has created it.
func (c *Caller) Sign(name, by *string) (err error) {
	*by = c.Player().Name
	*name, err = c.Title(*name)
	return err
}

// Make creates an event of the person's. unfit says what is wrong with its configuration.
func (c *Caller) Make(ctx context.Context, unfit error, e Event) (ID, error) {
	if unfit != nil {
		return 0, refused(unfit)
	}
	room, err := c.Create(ctx, e)
	if err != nil {
		return 0, err
	}
	return room.event.ID, nil
}

// Wish carries out a person's request about an event. It refuses as its type does if there is no such event
// or if it is over, as too many wishes are refused, or with the errors of f.
func Wish[R any](ctx context.Context, c *Caller, t *Type, id ID, f func(rules R, now time.Time) ([]Entry, error)) error {
	r := c.Events.RoomOf(t.Kind, id)
	if r == nil {
		return t.None
	}
	if err := c.Wishes(); err != nil {
		return err
	}
	return c.Do(ctx, r, func(rules Rules, now time.Time) ([]Entry, error) { return f(rules.(R), now) })
}

// Do is Room.Do for a person.
func (c *Caller) Do(ctx context.Context, r *Room, f func(Rules, time.Time) ([]Entry, error)) error {
	err := r.Do(ctx, f)
	if errors.Is(err, ErrOver) {
		return c.Events.deps.Kinds[r.event.Kind].Over
	}
	return c.Sentence("take part in an event", err)
}

// One returns an event of one of some kinds by number, as its room shows it, or as it is on disk; compare, unless it is
// nil, adds to one that is over what its games say. One that is over is shared: callers must not change it.
func One[V any](ctx context.Context, c *Caller, id ID, compare func(context.Context, *V) error, of ...Kind) (*V, error) {
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

// Once is Person.Once.
func Once[V any](ctx context.Context, c *Caller, question any, read func(context.Context) (V, error)) (v V, err error) {
	answer, err := c.Person.Once(ctx, question, func(ctx context.Context) (any, error) { return read(ctx) })
	if err != nil {
		return v, err
	}
	return answer.(V), nil
}
