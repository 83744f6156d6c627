package lobby

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
)

// Refusals about weekly arenas.
const (
	// ErrWeekly is returned to whoever may not have an arena held every week.
	ErrWeekly text.Refusal = "Only operators can make an arena weekly."
)

// EndWeekly has an arena that is held every week be the last one. It is for operators, and refuses with ErrWeekly, arena.ErrNone or
// [arena.ErrOnce].
func (v *Visit) EndWeekly(ctx context.Context, id event.ID) error {
	if err := v.allow(); err != nil {
		return err
	}
	r := v.lobby.roomOf(arena.Kind, id)
	switch {
	case !v.Operator():
		return ErrWeekly
	case r == nil:
		return arena.ErrNone
	}
	return v.doIn(ctx, r, arena.ErrOver, func(rules event.Rules, _ time.Time) ([]event.Entry, error) {
		return rules.(*arena.Arena).Once()
	})
}

// repeatAgain is how long after a failure weekly arenas are looked at again.
const repeatAgain = time.Minute

// repeatArenas creates the arenas that follow on those that were held every week and are over: on all of them, since the club may have
// stopped between the end of one and the creation of the next, or on the one with a number. It is a background job. An arena is followed
// by one only, since the key of that one names it.
func (l *Lobby) repeatArenas(over ...event.ID) {
	err := l.repeatWeekly(over)
	if l.ctx.Err() != nil || err == nil {
		return
	}
	l.log.Warn("create the arenas of the next week", "err", err)
	time.AfterFunc(repeatAgain, func() { l.jobs.run(func() { l.repeatArenas() }) })
}

func (l *Lobby) repeatWeekly(over []event.ID) error {
	if l.ctx.Err() != nil {
		return nil
	}
	if len(over) > 0 {
		e, rules, err := l.pastEvent(l.ctx, over[0], arena.Kind)
		switch {
		case errors.Is(err, arena.ErrNone):
			return nil
		case err == nil && e.Over && rules.View().(*arena.View).Config.Weekly:
			return l.repeatArena(e)
		}
		return err
	}
	closings, err := l.stores.Events.Closings(l.ctx, arena.Kind, 0)
	errs := []error{err}
	for _, c := range closings {
		if f, err := event.Read[arena.Final](c.Last); err == nil && f.Weekly {
			errs = append(errs, l.repeatArena(c.Event))
		}
	}
	return errors.Join(errs...)
}

// repeatArena creates the arena that follows on one, if it is not there: weeks after it began, in the future.
func (l *Lobby) repeatArena(last event.Event) error {
	key := fmt.Sprint("weekly/", last.ID)
	if _, err := l.stores.Events.Event(l.ctx, arena.Kind, key); !errors.Is(err, event.ErrNotFound) {
		return err
	}
	next := event.Event{Kind: arena.Kind, Key: key, Begins: last.Begins.Add(match.Week), Ends: last.Ends.Add(match.Week), Config: last.Config}
	for !next.Begins.After(l.clock.Now()) {
		next.Begins, next.Ends = next.Begins.Add(match.Week), next.Ends.Add(match.Week)
	}
	room, err := l.events.Create(l.ctx, next)
	switch {
	case errors.Is(err, event.ErrOver): // it was created meanwhile, or the club is closing
		return nil
	case err != nil:
		return fmt.Errorf("after arena %d: %w", last.ID, err)
	}
	l.announceStart(room)
	return nil
}
