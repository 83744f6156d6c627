package lobby

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/table"
)

// Roughly how long a match and a duplicate arena take.
const (
	matchTakes = 90 * time.Minute
	fieldTakes = time.Hour
)

// Appointment is something in the calendar: it is planned, or in progress.
type Appointment struct {
	Key    string     // stays the same while its time may change
	Kind   event.Kind // what Event is
	Event  event.ID   // 0 for the daily deal
	Begins time.Time
	Ends   time.Time // Begins for the end of a time in which something is to be played
	Title  string
	Own    bool // the person's team plays
	Off    bool // it was planned, and does not take place
	Change int  // larger after its time has changed, or after it was called off
}

// Deadline reports whether it is a date by which something has to be played.
func (a *Appointment) Deadline() bool { return a.Ends.Equal(a.Begins) }

// calledOffShown is how long after its time an event that was called off is still said to be.
const calledOffShown = 7 * 24 * time.Hour

// ClubID identifies the club among others, for calendars that hold entries of several.
func (v *Visit) ClubID() string { return v.lobby.saltedHash("calendar") }

// CalledOff lists what was planned and does not take place, by time: events that were called off, and matches of the person's team that were
// decided without a game.
func (v *Visit) CalledOff(ctx context.Context) ([]Appointment, error) {
	l := v.lobby
	all, err := askOnce(ctx, v, &l.titles, "called off", l.readCalledOff)
	if err != nil {
		return nil, err
	}
	all = slices.Clone(all)
	for _, c := range l.contests() {
		all = append(all, appointments(&c, v.account().Team)...)
	}
	now := l.clock.Now()
	return byTime(slices.DeleteFunc(all, func(a Appointment) bool { return !a.Off || a.Ends.Add(calledOffShown).Before(now) })), nil
}

func (l *Lobby) readCalledOff(ctx context.Context) (all []Appointment, err error) {
	const looked = 100 // of each kind
	for _, kind := range []event.Kind{arena.Kind, field.Kind, league.Kind, cup.Kind} {
		closings, err := l.stores.Events.Closings(ctx, kind, looked)
		if err != nil {
			return nil, l.trouble("read what was called off", err)
		}
		for _, c := range closings {
			var cfg struct {
				Name string `json:"name"`
			}
			if !c.Last.At.Before(c.Event.Begins) || c.Event.ReadConfig(&cfg) != nil {
				continue
			}
			a := appointment(kind, c.Event.ID, c.Event.Begins, c.Event.Ends, cfg.Name)
			a.Off, a.Change = true, c.Last.Seq
			all = append(all, a)
		}
	}
	return all, nil
}

// appointment is the appointment of an event itself.
func appointment(kind event.Kind, id event.ID, begins, ends time.Time, name string) Appointment {
	a := Appointment{Key: fmt.Sprintf("%s-%d", kind, id), Kind: kind, Event: id, Begins: begins, Ends: ends, Title: kinds[kind].Titled(id, name)}
	switch {
	case isContest(kind):
		a.Title, a.Ends = name+": teams sign up, then it begins", begins
	case kind == field.Kind:
		a.Ends = begins.Add(fieldTakes)
	}
	return a
}

func byTime(all []Appointment) []Appointment {
	slices.SortStableFunc(all, func(a, b Appointment) int { return cmp.Or(a.Begins.Compare(b.Begins), cmp.Compare(a.Key, b.Key)) })
	return all
}

// Calendar lists what is planned, by time: the daily deal, arenas of both kinds, starts of events, the matches of the person's team and
// deadlines.
func (v *Visit) Calendar() []Appointment {
	l := v.lobby
	now, team := l.clock.Now(), v.account().Team
	var all []Appointment
	if l.cfg.Daily {
		begins, ends := daily.Bounds(now)
		all = append(all, Appointment{Key: "daily", Kind: daily.Kind, Begins: begins, Ends: ends, Title: "Daily deal"})
	}
	add := func(a Appointment, own bool) {
		a.Own = own
		all = append(all, a)
	}
	for _, a := range v.Arenas() {
		add(appointment(arena.Kind, a.ID, a.Begins, a.Ends, a.Config.Name), a.Of(v.Player().ID) != nil)
	}
	for _, f := range v.Fields() {
		add(appointment(field.Kind, f.ID, f.Begins, time.Time{}, f.Config.Name), f.Has(v.Player().ID))
	}
	for _, c := range l.contests() {
		all = append(all, appointments(&c, team)...)
	}
	return byTime(slices.DeleteFunc(all, func(a Appointment) bool { return a.Off }))
}

// appointments are those of a league or a cup.
func appointments(c *Contest, team table.TeamID) (all []Appointment) {
	w := c.View()
	add := func(key string, begins, ends time.Time, own bool, format string, args ...any) {
		all = append(all, Appointment{
			Key: fmt.Sprintf("%s-%d%s", c.Kind, c.ID, key), Kind: c.Kind, Event: c.ID, Begins: begins, Ends: ends, Own: own, Change: w.Changes,
			Title: w.Config.Name + ": " + fmt.Sprintf(format, args...),
		})
	}
	if !w.Begun {
		a := appointment(c.Kind, c.ID, w.Begins, w.Begins, w.Config.Name)
		a.Own = w.Has(team)
		return []Appointment{a}
	}
	rounds := map[int]time.Time{} // ends of those in which the person's team does not play
	for i := range w.Matches {
		m := &w.Matches[i]
		side := m.Of(team)
		switch {
		case side >= 0 && team != 0 && (!m.Done || m.Played() == 0):
		case !m.Done && m.Open:
			rounds[m.Round] = m.Closes
			continue
		default:
			continue
		}
		other := m.Sides[1-side].Name
		key := fmt.Sprint("-match-", m.No)
		switch at := playedAt(m); {
		case at.IsZero():
			add(key, m.Closes, m.Closes, true, "last time for your match against %s", other)
		default:
			add(key, at, at.Add(matchTakes), true, "your team plays %s", other)
		}
		if last := &all[len(all)-1]; m.Done {
			last.Off = m.Decided.Before(last.Begins)
			if !last.Off {
				all = all[:len(all)-1]
			}
		}
	}
	for round, ends := range rounds {
		if slices.ContainsFunc(all, func(a Appointment) bool { return !a.Off && a.Begins.Equal(ends) }) {
			continue
		}
		what := "round"
		if c.Kind == league.Kind {
			what = "window"
		}
		add(fmt.Sprint("-round-", round), ends, ends, false, "%s %d ends", what, round)
	}
	return all
}

// playedAt is when a match is, or is being, played; zero if that is not known.
func playedAt(m *match.Match) time.Time {
	if m.Pairing != 0 {
		return m.Until.Add(-match.Kept)
	}
	if !m.At.IsZero() {
		return m.At
	}
	for i := range m.Sides {
		if m.Binds(i) {
			return m.Sides[i].Offer
		}
	}
	return time.Time{}
}
