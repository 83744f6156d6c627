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

// EndWeekly has an arena that is held every week be the last one. It is for operators, and refuses with ErrWeekly, ErrNoArena or
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
		return ErrNoArena
	}
	return v.doIn(ctx, r, arena.ErrOver, func(rules event.Rules, _ time.Time) ([]event.Entry, error) {
		return rules.(*arena.Arena).Once()
	})
}

// repeatArenas creates the arenas that follow on those that were held every week and are over. It is a background job, also at the
// start: the club may have stopped between the end of one and the creation of the next. An arena is followed by one only, since the
// key of that one names it.
func (l *Lobby) repeatArenas() {
	const looked = 100
	closings, err := l.store.Closings(l.ctx, arena.Kind, looked)
	if err != nil {
		l.log.Warn("find arenas that are held every week", "err", err)
		return
	}
	for _, c := range closings {
		if f, err := event.Read[arena.Final](c.Last); err != nil || !f.Weekly {
			continue
		}
		if err := l.repeatArena(c.Event); err != nil && !errors.Is(err, event.ErrOver) && l.ctx.Err() == nil {
			l.log.Warn("create the arena of the next week", "event", c.Event.ID, "err", err)
		}
	}
}

// repeatArena creates the arena that follows on one, if it is not there: weeks after it began, in the future.
func (l *Lobby) repeatArena(last event.Event) error {
	key := fmt.Sprint("weekly/", last.ID)
	if _, err := l.store.Event(l.ctx, arena.Kind, key); !errors.Is(err, event.ErrNotFound) {
		return err
	}
	next := event.Event{Kind: arena.Kind, Key: key, Begins: last.Begins.Add(match.Week), Ends: last.Ends.Add(match.Week), Config: last.Config}
	for !next.Begins.After(l.now()) {
		next.Begins, next.Ends = next.Begins.Add(match.Week), next.Ends.Add(match.Week)
	}
	room, err := l.events.Create(l.ctx, next)
	if err != nil {
		return err
	}
	l.announceStart(room)
	return nil
}
