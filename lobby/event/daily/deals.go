package daily

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// MostStreak is the longest streak that is counted, in days.
const MostStreak = 400

// What the club remembers about its daily deals.
const (
	daysKept    = 2 * MostStreak // days that are over: those of a streak, and those without a deal between them
	choicesKept = 3              // days whose choices are remembered
	compared    = 500            // games of a day that a game is compared with
)

// deals creates the club's daily deals, and caches days that are over, which no longer change.
type deals struct {
	events  *event.Events
	journal event.Store
	club    event.Club

	mu      sync.Mutex
	days    map[string]*Day // by key; nil for a day without a deal
	choices map[event.ID]*Choices
	order   []event.ID // keys of choices, oldest first

	making chan struct{} // held while creating a day
}

func keep(s *event.Events) *event.Keeper {
	deps := s.Deps()
	d := &deals{
		events: s, journal: deps.Journal, club: deps.Club,
		days: map[string]*Day{}, choices: map[event.ID]*Choices{}, making: make(chan struct{}, 1),
	}
	k := &event.Keeper{State: d}
	if deps.Daily {
		k.Started = d.tend
		k.Ended = func(*event.Event, event.View) {
			if deps.Club.Open() {
				d.tend()
			}
		}
		k.Daily = func() []event.Appointment {
			begins, ends := Bounds(s.Now())
			return []event.Appointment{{Key: "daily", Kind: Kind, Begins: begins, Ends: ends, Title: "Daily deal"}}
		}
	}
	return k
}

// tend makes sure that the deals of today and tomorrow, whose hash is shown, exist. It is a background job.
func (k *deals) tend() {
	if _, _, err := k.today(k.events.Deps().Context); err != nil && k.events.Deps().Context.Err() == nil {
		k.events.Deps().Log.Warn("make the daily deal", "err", err) // tried again when somebody asks for it
	}
}

// today returns the key of today's deal and its room, creating it if necessary. The room is nil if the day is
// over because a clock was ahead. It returns ErrOff if the club has no daily deal.
func (k *deals) today(ctx context.Context) (key string, room *event.Room, err error) {
	if !k.events.Deps().Daily {
		return "", nil, ErrOff
	}
	release, err := event.Turn(ctx, k.making)
	if err != nil {
		return "", nil, err
	}
	defer release()
	now := k.events.Now().UTC() // in local time a day may have 25 hours
	rooms := k.events.Rooms(Kind)
	find := func(key string) *event.Room {
		if i := slices.IndexFunc(rooms, func(r *event.Room) bool { return r.Event().Key == key }); i >= 0 {
			return rooms[i]
		}
		return nil
	}
	for i := range 2 {
		at := now.AddDate(0, 0, i)
		r := find(KeyOf(at))
		if r == nil {
			if r, err = k.make(ctx, at); err != nil {
				return "", nil, err
			}
		}
		if i == 0 {
			room = r
		}
	}
	return KeyOf(now), room, nil
}

// make creates the deal of the day that contains at; the room is nil if that day is over.
func (k *deals) make(ctx context.Context, at time.Time) (*event.Room, error) {
	number := 1
	last, err := k.journal.Events(ctx, Kind, 1)
	if err != nil {
		return nil, k.club.Trouble("look for the last daily deal", err)
	}
	if len(last) > 0 {
		var c Config
		if err := json.Unmarshal(last[0].Config, &c); err != nil {
			return nil, k.club.Trouble("read the last daily deal", err)
		}
		begins, _ := Bounds(at)
		number = max(1, c.Number+int(begins.Sub(last[0].Begins)/(24*time.Hour)))
	}
	room, err := k.events.Create(ctx, Make(at, number, k.events.Deps().NewSeed()))
	k.mu.Lock()
	delete(k.days, KeyOf(at)) // a clock that was ahead may have cached it as a day without a deal
	k.mu.Unlock()
	switch {
	case errors.Is(err, event.ErrOver):
		return nil, nil
	case err != nil:
		return nil, k.club.Trouble("make the daily deal", err)
	}
	return room, nil
}

// streak counts the successive days that a player has played, up to today, or to yesterday if they have not
// played today. If today is nil, today is over, too. Days on which nobody could play are skipped, as are days
// without a deal: a deal exists for each day on which the club was open.
func (k *deals) streak(ctx context.Context, today *event.Room, who table.PlayerID) (n int, err error) {
	const longestStop = 31 // the number of successive days without a deal that ends a streak
	at, _ := Bounds(k.events.Now())
	if today != nil {
		if d, ok := today.View().(*Day); ok {
			if r := d.Of(who); r != nil && r.Played {
				n++
			}
		}
		at = at.AddDate(0, 0, -1)
	}
	for none := 0; n < MostStreak && none < longestStop; at = at.AddDate(0, 0, -1) {
		d, err := k.past(ctx, KeyOf(at))
		switch {
		case errors.Is(err, ErrNone):
			none++
			continue
		case err != nil:
			return n, err
		}
		none = 0
		switch r := d.Of(who); {
		case r != nil && r.Played:
			n++
		case !d.Spared:
			return n, nil
		}
	}
	return n, nil
}

// past returns a day by its key, or ErrNone.
func (k *deals) past(ctx context.Context, key string) (*Day, error) {
	if _, err := time.Parse(time.DateOnly, key); err != nil {
		return nil, ErrNone
	}
	k.mu.Lock()
	d, known := k.days[key]
	k.mu.Unlock()
	if !known {
		e, err := k.journal.Event(ctx, Kind, key)
		switch {
		case errors.Is(err, event.ErrNotFound):
		case err != nil:
			return nil, k.club.Trouble("look for a daily deal", err)
		default:
			state, _, err := event.Replay(ctx, k.journal, k.events.Deps().Kinds, e)
			if err != nil {
				return nil, k.club.Trouble("read a daily deal", err)
			}
			d, _ = state.View(nil).(*Day)
		}
		// Earlier days no longer change, with or without a deal.
		if today, _ := Bounds(k.events.Now()); d != nil && d.Over || d == nil && key < KeyOf(today) {
			k.mu.Lock()
			if len(k.days) >= daysKept {
				clear(k.days)
			}
			k.days[key] = d
			k.mu.Unlock()
		}
	}
	if d == nil || d.Begins.After(k.events.Now()) {
		return nil, ErrNone
	}
	return d, nil
}

// choicesOf returns the choices made on a day, as far as they are known. It forgets those of older days, and
// starts again when many games have been added only to be compared themselves.
func (k *deals) choicesOf(d *Day) *Choices {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.choices[d.ID]
	if c == nil {
		if k.order = append(k.order, d.ID); len(k.order) > choicesKept {
			delete(k.choices, k.order[0])
			k.order = k.order[1:]
		}
	}
	if c == nil || c.Len() > 2*compared {
		c = &Choices{games: map[table.GameID][]met{}, positions: map[string]*position{}}
		k.choices[d.ID] = c
	}
	return c
}
