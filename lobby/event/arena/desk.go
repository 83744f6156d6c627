package arena

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
)

// Refusals at the desk.
const (
	ErrMakers text.Refusal = "Only team captains and operators can create battles of teams."
	ErrTime   text.Refusal = "An arena begins now or within two weeks (times are in UTC) and lasts 10 to 120 minutes."
	ErrMany   text.Refusal = "Your last arena is not over yet."
	ErrMade   text.Refusal = "There are too many new arenas; please join one, or try again later."
	ErrWeekly text.Refusal = "Only operators can make an arena weekly."
	ErrBots   text.Refusal = "Bots don't play in battles of teams, where points against them would count for a team."
)

// Desk takes a person's requests about arenas.
type Desk struct{ Caller *event.Caller }

// NewArena creates an arena that begins at a time, or now if that is zero. It refuses guests, and returns
// ErrMakers, ErrTime, ErrMany, ErrMade, ErrWeekly, ErrBots, or an error of [Config.Validate].
func (d Desk) NewArena(ctx context.Context, cfg Config, begins time.Time, length time.Duration) (event.ID, error) {
	if err := d.Caller.Member(); err != nil {
		return 0, err
	}
	begins, wrong := d.Caller.Events.Begins(begins)
	if !d.Caller.Operator() {
		if cfg.Battle {
			if _, err := d.Caller.Captain(ctx, ErrMakers); err != nil {
				return 0, err
			}
		}
		if cfg.Weekly {
			return 0, ErrWeekly
		}
	}
	if cfg.Battle && cfg.Bots {
		return 0, ErrBots
	}
	if length < Shortest || length > Longest || wrong {
		return 0, ErrTime
	}
	if err := d.Caller.Sign(&cfg.Name, &cfg.By); err != nil {
		return 0, err
	}
	e := event.Make(Kind, cfg, begins)
	e.Ends = begins.Add(length)
	return d.Caller.NewEvent(ctx, cfg.Validate(), e)
}

// Arenas lists the arenas that are not over, by number.
func (d Desk) Arenas() []View { return event.Views[View](d.Caller.Events, Kind) }

// Arena returns an arena by number, which may be over, or ErrNone.
func (d Desk) Arena(ctx context.Context, id event.ID) (*View, error) {
	return event.ViewByID[View](ctx, d.Caller, id, nil, Kind)
}

// EndWeekly makes a weekly arena the last of its series, for operators; ErrWeekly, ErrNone, ErrOver or
// ErrOnce.
func (d Desk) EndWeekly(ctx context.Context, id event.ID) error {
	if err := d.Caller.CountRequest(); err != nil {
		return err
	}
	if !d.Caller.Operator() {
		return ErrWeekly
	}
	r, err := d.Caller.Room(ctx, id, Kind)
	if err != nil {
		return err
	}
	return d.Caller.Do(ctx, r, func(rules event.Rules, _ time.Time) ([]event.Entry, error) { return rules.(*Arena).Once() })
}

func news(_ *event.Event, v event.View) []string {
	a := v.(*View)
	if !a.Over || a.Played == 0 {
		return nil
	}
	best, say := &a.Entrants[0], " was first"
	first := event.Leading(a.Entrants, func(e *Entrant) bool { return e.level(best) })
	if len(first) > 1 {
		say = " shared the first place"
	}
	say = text.List(text.Each(first, func(e Entrant) string { return e.Name() })) + say + " with " + text.Number(best.Score, "point")
	if t := a.Teams; a.Config.Battle { // of two teams at least, or nobody would have played
		say = fmt.Sprintf("[%s] won the battle by %d to %d against [%s]", t[0].Tag, t[0].Score, t[1].Score, t[1].Tag)
		if first := event.Leading(t, func(o *Team) bool { return o.Score == t[0].Score }); len(first) > 1 {
			tags := text.Each(first, func(t Team) string { return "[" + t.Tag + "]" })
			say = fmt.Sprintf("%s shared the battle with %d each", text.List(tags), t[0].Score)
		}
	}
	return []string{event.Titled(title, a.ID, a.Config.Name) + ": " + say}
}

// ended creates the next arena of a series.
func (k *keeper) ended(e *event.Event, v event.View) {
	if v.(*View).Config.Weekly {
		k.later(k.repeat(*e))
	}
}

// repeatAll creates the successors of all weekly arenas that are over: the club may have stopped between the
// end of one and the creation of the next.
func (k *keeper) repeatAll() {
	deps := k.events.Deps()
	if deps.Context.Err() != nil {
		return
	}
	closings, err := deps.Journal.Closings(deps.Context, Kind, 0)
	errs := []error{err}
	for _, c := range closings {
		if f, err := event.Read[Final](c.Last); err == nil && f.Weekly {
			errs = append(errs, k.repeat(c.Event))
		}
	}
	k.later(errors.Join(errs...))
}

func (k *keeper) later(err error) {
	const repeatAgain = time.Minute // how long after a failure repeatAll is run again
	deps := k.events.Deps()
	if deps.Context.Err() != nil || err == nil {
		return
	}
	deps.Log.Warn("create the arenas of the next week", "err", err)
	time.AfterFunc(repeatAgain, func() { k.club.Run(k.repeatAll) })
}

const (
	week = 7 * 24 * time.Hour
	// A weekly arena further ahead than tooFar was planned by a wrong clock that was believed: successors are
	// planned within three weeks, after one that was called off.
	tooFar = 4 * week
)

// repeat creates the successor of a weekly arena, unless it exists: a number of weeks later, in the future.
// There is only one, since its key names its predecessor.
func (k *keeper) repeat(last event.Event) error {
	deps := k.events.Deps()
	key := fmt.Sprint("weekly/", last.ID)
	if _, err := deps.Journal.Event(deps.Context, Kind, key); !errors.Is(err, event.ErrNotFound) {
		return err
	}
	next := event.Event{Kind: Kind, Key: key, Begins: last.Begins.Add(week), Ends: last.Ends.Add(week), Config: last.Config}
	for !next.Begins.After(k.events.Now()) {
		next.Begins, next.Ends = next.Begins.Add(week), next.Ends.Add(week)
	}
	if ahead := next.Begins.Sub(k.events.Now()); ahead > tooFar {
		back := -ahead.Truncate(week)
		next.Begins, next.Ends = next.Begins.Add(back), next.Ends.Add(back)
	}
	_, err := k.events.Create(deps.Context, next)
	switch {
	case errors.Is(err, event.ErrOver): // it was created meanwhile, or the club is closing
		return nil
	case err != nil:
		return fmt.Errorf("after arena %d: %w", last.ID, err)
	}
	return nil
}
