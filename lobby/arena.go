package lobby

import (
	"context"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/field"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Refusals about arenas, besides those of package arena.
const (
	// ErrArenaMakers is returned to people who may not make an arena.
	ErrArenaMakers text.Refusal = "Only team captains and operators can create arenas."
	// ErrArenaTime is returned for a start or a length that arenas may not have.
	ErrArenaTime text.Refusal = "An arena begins now or within two weeks and lasts 20 to 120 minutes."
	// ErrManyArenas is returned to somebody whose previous arena is not over.
	ErrManyArenas text.Refusal = "Your last arena is not over yet."
	// ErrArenasMade is returned to somebody who makes one arena after another, and when the club, or their network, has as many as it may.
	ErrArenasMade text.Refusal = "There are too many new arenas; please join one, or try again later."
	// ErrManyWishes is returned to somebody who changes their mind about an event again and again.
	ErrManyWishes text.Refusal = "You have joined and left too often; please wait a minute."
)

const (
	// arenaIdle is how long a player has for the first move in a game of an arena.
	arenaIdle = 30 * time.Second
	// arenaSoon is how long before its start an arena is announced in the news.
	arenaSoon = 10 * time.Minute
	// arenaAhead is how far ahead an arena may begin.
	arenaAhead = 14 * 24 * time.Hour
)

// Arena is an arena as it is now.
type Arena struct {
	ID event.ID
	*arena.View
	Tables map[int64]table.ID // where its games are played, by number
}

// NewArena makes an arena that begins at a time, or now if that is past. It refuses with ErrMembersOnly, ErrArenaMakers,
// ErrArenaTime, ErrManyArenas, ErrArenasMade, ErrWeekly, or the errors of [arena.Config.Validate].
func (v *Visit) NewArena(ctx context.Context, cfg arena.Config, begins time.Time, length time.Duration) (event.ID, error) {
	l := v.lobby
	a, err := v.memberAsks()
	if err != nil {
		return 0, err
	}
	now := l.clock.Now()
	if begins.Before(now) {
		begins = now
	}
	if !v.Operator() {
		if _, team, err := v.ownTeam(ctx); err != nil || team.Captain != a.ID {
			return 0, ErrArenaMakers
		}
		if cfg.Weekly {
			return 0, ErrWeekly
		}
	}
	if length < arena.Shortest || length > arena.Longest || begins.After(now.Add(arenaAhead)) {
		return 0, ErrArenaTime
	}
	if cfg.Name, err = v.publicTitle(cfg.Name); err != nil {
		return 0, err
	}
	cfg.By = a.Name
	if err := cfg.Validate(); err != nil {
		return 0, refused(err)
	}
	e := event.Make(arena.Kind, cfg, begins)
	e.Ends = begins.Add(length)
	room, err := v.createEvent(ctx, e)
	if err != nil {
		return 0, err
	}
	l.announceStart(room)
	return room.Event().ID, nil
}

// refused tells the person what is wrong with the configuration of an event.
func refused(err error) error { return text.Refusal(text.Sentence(err.Error())) }

// Arenas lists the arenas that are not over, by number.
func (v *Visit) Arenas() []Arena { return roomsOf(v.lobby, arena.Kind, arenaOf) }

func arenaOf(r *event.Room) Arena {
	a := Arena{ID: r.Event().ID, View: r.View().(*arena.View), Tables: map[int64]table.ID{}}
	for _, g := range a.Games {
		if id, ok := r.Table(g.No); ok {
			a.Tables[g.No] = id
		}
	}
	return a
}

// Arena returns the arena with a number, which may be over. arena.ErrNone.
func (v *Visit) Arena(ctx context.Context, id event.ID) (*Arena, error) {
	return eventOf(ctx, v, id, arenaOf, v.lobby.pastArena, arena.Kind)
}

func (l *Lobby) pastArena(ctx context.Context, id event.ID) (*Arena, error) {
	_, rules, err := l.pastEvent(ctx, id, arena.Kind)
	if err != nil {
		return nil, err
	}
	return &Arena{ID: id, View: rules.View().(*arena.View)}, nil
}

// EnterArena has the person take part, for the first time or again; in an arena of pairs with a partner who is here, once both have named
// each other. It refuses with ErrMembersOnly, arena.ErrNone, ErrNobody, or the refusals of package arena.
func (v *Visit) EnterArena(ctx context.Context, id event.ID, partner string) error {
	if _, err := v.memberAsks(); err != nil {
		return err
	}
	l := v.lobby
	r := l.roomOf(arena.Kind, id)
	if r == nil {
		return arena.ErrNone
	}
	me, net := v.sender()
	// Entering again, as programs do for each game, is not limited: it writes nothing.
	if e := r.View().(*arena.View).Of(me.ID); e == nil || e.Away || partner != "" {
		if err := v.may(&l.limits.wishes, ErrManyWishes); err != nil {
			return err
		}
	}
	with, withNet, err := v.partner(partner)
	if err != nil {
		return err
	}
	news := false
	err = v.doIn(ctx, r, arena.ErrOver, func(rules event.Rules, now time.Time) (entries []event.Entry, err error) {
		entries, err = rules.(*arena.Arena).Enter(me, net, with, withNet, now)
		news = len(entries) > 0
		return entries, err
	})
	if err == nil && with != nil && news && r.View().(*arena.View).Of(with.ID) == nil {
		v.askPartner(with.ID, arena.Kind, "arena", id)
	}
	if err == nil && news {
		v.warnBooked(r)
	}
	return err
}

// LeaveArena gives the person no more games until they enter again. A game in play goes on.
func (v *Visit) LeaveArena(ctx context.Context, id event.ID) error {
	me := v.Player().ID
	return wish(ctx, v, arena.Kind, id, func(a *arena.Arena) ([]event.Entry, error) { return a.Leave(me) })
}

// Soon is an arena, or a duplicate arena, that is about to begin.
type Soon struct {
	Kind event.Kind
	Says string // such as "Arena 3, Friday night, begins at 20:00 UTC"
}

// ArenaSoon is the next arena or duplicate arena if it begins within ten minutes, else nil. It is called whenever a screen is drawn.
func (s *Snapshot) ArenaSoon(now time.Time) *Soon {
	if s.next == nil || !s.nextBegins.Before(now.Add(arenaSoon)) {
		return nil
	}
	return s.next
}

// nextArena is the arena or duplicate arena that begins next, and when; nil if none is planned.
func (l *Lobby) nextArena() (next *Soon, begins time.Time) {
	var first *event.Room
	for _, kind := range []event.Kind{arena.Kind, field.Kind} {
		for _, r := range l.events.Rooms(kind) {
			if (first == nil || r.Event().Begins.Before(first.Event().Begins)) && !r.View().Plan().Begun {
				first = r
			}
		}
	}
	if first == nil {
		return nil, begins
	}
	return &Soon{first.Event().Kind, beginsAt(first)}, first.Event().Begins
}

// beginsAt says when an arena, or a duplicate arena, begins.
func beginsAt(r *event.Room) string {
	e, name := r.Event(), r.View().Plan().Name
	says := kinds[e.Kind].Titled(e.ID, name)
	if name != "" {
		says += ","
	}
	return says + " begins at " + e.Begins.UTC().Format("15:04") + " UTC"
}

// Called is the table to which an event calls the person, once for each session; 0 if there is none, or if it has closed since.
func (v *Visit) Called() table.ID {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	id := v.called
	v.called = 0
	if v.lobby.directory[id] == nil {
		return 0
	}
	return id
}

// call calls the players of an event's game to their table. With mu held.
func (l *Lobby) call(id table.ID, seats []table.Player) {
	for i := range seats {
		p := l.people[seats[i].ID]
		if p == nil {
			continue
		}
		for _, v := range p.visits {
			v.called = id
		}
		l.note(p, "Your next game is at table %d.", id)
	}
}

// arenaTable is the lobby's timer for a table of an arena. It is guarded by Lobby.mu.
type arenaTable struct {
	timer *time.Timer
	turn  uint8 // whose first turn is waited for
	seen  uint8 // seats as bits whose first turn has come
}

// tendArena calls off games of an arena in which a player does not make the first move. With mu held.
func (l *Lobby) tendArena(sum *table.Summary) {
	of := sum.Config.Event
	a := l.arenaTables[sum.Table]
	if a == nil {
		r := l.events.Room(of.ID)
		if r == nil || r.Event().Kind != arena.Kind || sum.State == table.Closed {
			return
		}
		a = &arenaTable{}
		l.arenaTables[sum.Table] = a
	}
	after := func(d time.Duration, f func()) {
		if a.timer != nil {
			a.timer.Stop()
		}
		a.timer = nil
		if f != nil && !l.closed {
			a.timer = time.AfterFunc(d, func() { l.jobs.run(f) })
		}
	}
	turn := uint8(sum.Turn)
	switch {
	case sum.State == table.Closed:
		after(0, nil)
		delete(l.arenaTables, sum.Table)
	case sum.Round > 1, sum.State == table.Finished:
		after(0, nil)
	case sum.State == table.Playing && turn != a.turn:
		a.turn = turn
		after(0, nil)
		if turn != 0 && a.seen&(1<<turn) == 0 {
			a.seen |= 1 << turn
			id, seat := sum.Table, sum.Turn
			p := sum.Seats[seat-1].Player.ID
			after(arenaIdle, func() { l.idleInArena(of, id, p) })
		}
	}
}

// idleInArena calls off a game in which a player has not made the first move. It is a background job.
func (l *Lobby) idleInArena(of table.Event, id table.ID, p table.PlayerID) {
	r := l.events.Room(of.ID)
	t, err := l.find(id)
	if r == nil || err != nil {
		return
	}
	view, err := t.Look()
	if err != nil {
		return
	}
	seat := view.SeatOf(p)
	if view.State != table.Playing || view.Play.Turn != seat || slices.ContainsFunc(view.Log, func(e table.Entry) bool {
		return e.Number != 0 && !e.Auto && e.Event.Seat == seat
	}) {
		return
	}
	did := false
	err = r.Do(l.ctx, func(rules event.Rules, _ time.Time) ([]event.Entry, error) {
		entries := rules.(*arena.Arena).Idle(of.Pairing, p)
		did = len(entries) > 0
		return entries, nil
	})
	if err != nil || !did { // where it did, the game is not wanted any more, and its table closes
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range view.Seats {
		other := &view.Seats[i].Player
		if who := l.people[other.ID]; who != nil && other.ID != p {
			l.note(who, "The game was called off, since %s didn't move.", view.Seats[seat-1].Player.Name)
		}
	}
	if who := l.people[p]; who != nil {
		l.note(who, "You didn't move: you are out of arena %d. Enter it again to play on.", of.ID)
	}
}

// startArenas announces and tends the arenas that are not over, once all tables are restored.
func (l *Lobby) startArenas() {
	l.jobs.run(func() { l.repeatArenas() })
	for _, r := range append(l.events.Rooms(arena.Kind), l.events.Rooms(field.Kind)...) {
		l.announceStart(r)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.directory {
		if e.sum.Config.Event.ID != 0 {
			l.tendArena(&e.sum)
		}
	}
}

// announceStart announces an arena, or a duplicate arena, in the news before it begins.
func (l *Lobby) announceStart(r *event.Room) {
	e := r.Event()
	if r.View().Plan().Begun {
		return
	}
	kind := NewsArena
	if e.Kind == field.Kind {
		kind = NewsDuplicate
	}
	says := beginsAt(r) + "."
	say := func() {
		// Not if the server was down, if its clock was set, or if it was called off.
		if l.clock.Now().Before(e.Begins) && l.roomOf(e.Kind, e.ID) != nil {
			l.tellOnce(kind, says)
		}
	}
	timer := time.AfterFunc(max(e.Begins.Add(-arenaSoon).Sub(l.clock.Now()), 0), func() { l.jobs.run(say) })
	context.AfterFunc(l.ctx, func() { timer.Stop() })
}
