package event

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"boneyard/table"
)

// Keeper does what follows from the events of a kind, apart from their rules. All its fields are optional.
type Keeper struct {
	Started func()               // a background job, run when all tables and events are restored
	Changed func(r *Room)        // a background job, run after an event was restored or its view has changed
	Daily   func() []Appointment // what the club holds every day
	State   any                  // what the kind's desks know about the club

	// Ended is a background job, run after an event is over, and again by a server whose predecessor may have
	// ended before all of it had taken effect.
	Ended func(e *Event, v View)

	// News returns the news of an event that is over. It has no other effect, since it is called again by a
	// server whose predecessor may have ended before it could add the news.
	News func(e *Event, v View) []string
	Sort NewsSort // of that news

	// Table is called when a table of an event has changed; r is nil if the event is over. It must neither
	// block nor call back.
	Table func(r *Room, sum *table.Summary)
}

// Soon is an event that is about to begin.
type Soon struct {
	Kind  Kind
	Event ID
	Says  string // "Arena 3, Friday night, begins at 20:00 UTC"
	Brief string // "Arena 3, 20:00 UTC"
}

// SoonTime is how long before its start an event is announced, in the news and in the lobby.
const SoonTime = 10 * time.Minute

// Soon returns the next event to be announced and when it begins; nil if none is planned.
func (s *Events) Soon() (next *Soon, begins time.Time) {
	var first *Room
	for _, r := range s.All() {
		if r.foretold() && (first == nil || r.event.Begins.Before(first.event.Begins)) {
			first = r
		}
	}
	if first == nil {
		return nil, begins
	}
	e := &first.event
	return &Soon{e.Kind, e.ID, first.begins(), s.deps.Kinds[e.Kind].Titled(e.ID, "") + ", " + first.hour()}, e.Begins
}

// foretold reports whether the event has not begun and is of a type that is announced.
func (r *Room) foretold() bool { return r.deps.Kinds[r.event.Kind].Foretold && !r.View().Plan().Begun }

// begins returns the sentence that announces the event.
func (r *Room) begins() string {
	return Subject(r.deps.Kinds[r.event.Kind].Title, r.event.ID, r.View().Plan().Name) + " begins at " + r.hour()
}

// hour returns the time of day at which the event begins.
func (r *Room) hour() string { return r.event.Begins.UTC().Format("15:04") + " UTC" }

// Changed runs the keeper's jobs after an event has changed or ended.
func (s *Events) Changed(r *Room, over bool) {
	switch k := s.keepers[r.event.Kind]; {
	case over:
		s.deps.Club.Run(func() {
			s.ended(&r.event, r.View())
			s.announce(&r.event, r.View(), time.Time{})
			s.deps.Club.Run(s.deps.Club.KeepTime) // after the jobs that this has queued
		})
	case k.Changed != nil:
		s.deps.Club.Run(func() { k.Changed(r) })
	}
}

func (s *Events) ended(e *Event, v View) {
	if k := s.keepers[e.Kind]; k.Ended != nil {
		k.Ended(e, v)
	}
}

// announce adds the news of an event that ended at a time, zero for now.
func (s *Events) announce(e *Event, v View, at time.Time) {
	k := s.keepers[e.Kind]
	if k.News == nil {
		return
	}
	for _, say := range k.News(e, v) {
		s.deps.Club.News(at, s.deps.Kinds[e.Kind].News, say, k.Sort)
	}
}

// Started runs the keepers' jobs once all tables and events are restored. news is the time of the latest news,
// told that of the last [Club.KeepTime], zero for never, and wall is the time by the wall clock, which after a
// crash may be far ahead of the events' time.
func (s *Events) Started(news, told, wall time.Time) {
	const announcing = time.Minute // exceeds the time from the end of an event until it is news: news of others may come first
	if told.IsZero() {
		told = wall
	}
	for _, t := range s.deps.Kinds.Sorted() {
		s.deps.Club.Run(func() { s.endAgain(t, news.Add(-announcing), told, wall) })
		if k := s.keepers[t.Kind]; k.Started != nil {
			s.deps.Club.Run(k.Started)
		}
	}
}

// latest is how many events of a kind are searched for such news, those that were created last: more than a busy
// club creates while one of them is planned and held, and few for a club of any age.
const latest = 1000

// endAgain adds the news of events that ended between two times, before the start, and are not news yet, and does
// what follows from the end of those of which people were not told.
func (s *Events) endAgain(t *Type, since, told, until time.Time) {
	if now := s.Now(); until.Before(now) {
		until = now
	}
	if told.Before(since) {
		since = told
	}
	closings, err := s.deps.Journal.Closings(s.deps.Context, t.Kind, latest)
	if err != nil {
		_ = s.deps.Club.Trouble("find events that are over", err) // logs it
		s.deps.again(func() { s.endAgain(t, since, told, until) })
	}
	for _, c := range slices.Backward(closings) {
		if c.Last.At.Before(since) || c.Last.At.After(until) || s.open[c.Event.ID] {
			continue
		}
		s.tellEnd(c, !c.Last.At.Before(told))
	}
}

// tellEnd adds the news of an event that is over, and with all, does everything that follows. It is a background job.
func (s *Events) tellEnd(c Closing, all bool) {
	e, v, err := s.PastView(s.deps.Context, c.Event.ID, c.Event.Kind)
	switch {
	case errors.Is(err, errSenseless):
		return
	case err != nil: // PastView has logged it
		s.deps.again(func() { s.tellEnd(c, all) })
		return
	case all:
		s.ended(&e, v)
		s.deps.tellOff(&e, v, c.Last.At)
	}
	s.announce(&e, v, c.Last.At)
}

// again runs a background job after a while, because a store could not be read, unless the club has ended.
func (d *Deps) again(job func()) {
	if d.Context.Err() == nil {
		time.AfterFunc(lookAgain, func() { d.Club.Run(job) })
	}
}

// Reach calls tell with the rosters of teams that still exist: at once, or as a background job if they can only be
// read later.
func (d *Deps) Reach(teams []table.TeamID, tell func([]Roster)) {
	rosters, err := d.Club.Rosters(d.Context, teams)
	if err != nil {
		_ = d.Club.Trouble("find the members of teams", err) // logs it
		d.again(func() { d.Reach(teams, tell) })
		return
	}
	tell(rosters)
}

// tellOff informs the players who had entered an event that it was not played, if it was over at a time without
// having begun.
func (d *Deps) tellOff(e *Event, v View, at time.Time) {
	t := d.Kinds[e.Kind]
	if v.Plan().Begun || t.Personal {
		return
	}
	what := " was not played: too few had entered, or the club was closed."
	if at.Before(e.Begins) {
		what = calledOff
	}
	d.Club.Tell(v.Players(), 0, Subject(t.Title, e.ID, v.Plan().Name)+what)
}

// TableChanged passes a changed table of an event to its keeper. It neither blocks nor calls back.
func (s *Events) TableChanged(sum *table.Summary) {
	r := s.Room(sum.Config.Event.ID)
	for kind, k := range s.keepers {
		if k.Table != nil && (r == nil || r.event.Kind == kind) {
			k.Table(r, sum)
		}
	}
}

// State returns what a kind knows about the club.
func (s *Events) State(kind Kind) any { return s.keepers[kind].State }

// Now returns the time by the events' clock.
func (s *Events) Now() time.Time { return s.deps.Now() }

// Deps returns what events depend on.
func (s *Events) Deps() *Deps { return &s.deps }

// All lists the events that are not over, by number.
func (s *Events) All() []*Room { return s.Rooms("") }

// RoomOf returns the room of an event, or nil if the event is over or of another kind.
func (s *Events) RoomOf(kind Kind, id ID) *Room {
	if r := s.Room(id); r != nil && r.event.Kind == kind {
		return r
	}
	return nil
}

// Views lists the views of type V of the events that are not over, by number. An empty kind means all kinds.
func Views[V any](s *Events, kind Kind) (all []V) {
	for _, r := range s.Rooms(kind) {
		if v, ok := any(r.View()).(*V); ok {
			all = append(all, *v)
		}
	}
	return all
}

// Past returns an event of some kinds that is over. If there is none, it returns the first kind's None.
func (s *Events) Past(ctx context.Context, id ID, of ...Kind) (Event, error) {
	e, err := s.stored(ctx, id, of)
	if err == nil && !e.Over {
		err = s.deps.Kinds[of[0]].None
	}
	return e, err
}

func (s *Events) stored(ctx context.Context, id ID, of []Kind) (Event, error) {
	e, err := s.deps.Journal.EventByID(ctx, id)
	switch {
	case errors.Is(err, ErrNotFound) || err == nil && !slices.Contains(of, e.Kind):
		return Event{}, s.deps.Kinds[of[0]].None
	case err != nil:
		return Event{}, s.deps.Club.Trouble(fmt.Sprintf("find %s %d", of[0], id), err)
	}
	return e, nil
}

// PastView returns a stored event of some kinds with its view.
func (s *Events) PastView(ctx context.Context, id ID, of ...Kind) (Event, View, error) {
	e, err := s.stored(ctx, id, of)
	if err != nil {
		return Event{}, nil, err
	}
	rules, _, err := Replay(ctx, s.deps.Journal, s.deps.Kinds, e)
	if err != nil {
		return Event{}, nil, s.deps.Club.Trouble(fmt.Sprintf("read %s %d", e.Kind, id), err)
	}
	return e, rules.View(nil), nil
}

// Margins returns the result of each round of a finished game: points of the first side less points of the
// other.
func (s *Events) Margins(ctx context.Context, game table.GameID, of string) (list []int, err error) {
	lines, err := s.deps.Journal.Moves(ctx, game)
	if err != nil {
		return nil, s.deps.Club.Trouble("read a game of "+of, err)
	}
	return Margins(lines), nil
}

// Margins returns the result of each round of a recorded game: points for less points against.
func Margins(lines []string) (list []int) {
	last := 0
	for _, line := range lines {
		var a, b int
		if n, _ := fmt.Sscanf(line, "score %d %d", &a, &b); n == 2 {
			list = append(list, a-b-last)
			last = a - b
		}
	}
	return list
}
