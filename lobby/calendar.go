package lobby

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
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
}

// Deadline reports whether it is a date by which something has to be played.
func (a *Appointment) Deadline() bool { return a.Ends.Equal(a.Begins) }

// Calendar lists what is planned, by time: the daily deal, arenas of both kinds, starts of events, the matches of the person's team and
// deadlines.
func (v *Visit) Calendar() []Appointment {
	l := v.lobby
	now, team := l.now(), v.account().Team
	var all []Appointment
	if l.cfg.Daily {
		begins, ends := daily.Bounds(now)
		all = append(all, Appointment{Key: "daily", Kind: daily.Kind, Begins: begins, Ends: ends, Title: "Daily deal"})
	}
	for _, a := range v.Arenas() {
		all = append(all, Appointment{Key: fmt.Sprint("arena-", a.ID), Kind: arena.Kind, Event: a.ID, Begins: a.Begins, Ends: a.Ends, Title: titled(arena.Kind, a.ID, a.Config.Name), Own: a.Of(v.Player().ID) != nil})
	}
	for _, f := range v.Fields() {
		all = append(all, Appointment{Key: fmt.Sprint("field-", f.ID), Kind: field.Kind, Event: f.ID, Begins: f.Begins, Ends: f.Begins.Add(fieldTakes), Title: f.title(), Own: f.Has(v.Player().ID)})
	}
	for _, c := range l.contests() {
		all = append(all, appointments(&c, team)...)
	}
	slices.SortStableFunc(all, func(a, b Appointment) int { return cmp.Or(a.Begins.Compare(b.Begins), cmp.Compare(a.Key, b.Key)) })
	return all
}

// appointments are those of a league or a cup.
func appointments(c *Contest, team table.TeamID) (all []Appointment) {
	w := c.View()
	add := func(key string, begins, ends time.Time, own bool, format string, args ...any) {
		all = append(all, Appointment{
			Key: fmt.Sprintf("%s-%d%s", c.Kind, c.ID, key), Kind: c.Kind, Event: c.ID, Begins: begins, Ends: ends, Own: own, Title: w.Config.Name + ": " + fmt.Sprintf(format, args...),
		})
	}
	if !w.Begun {
		add("", w.Begins, w.Begins, w.Has(team), "teams sign up, then it begins")
		return all
	}
	rounds := map[int]time.Time{} // ends of those in which the person's team does not play
	for i := range w.Matches {
		m := &w.Matches[i]
		side := m.Of(team)
		if m.Done || side < 0 || team == 0 {
			if !m.Done && m.Open {
				rounds[m.Round] = m.Closes
			}
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
	}
	for round, ends := range rounds {
		if slices.ContainsFunc(all, func(a Appointment) bool { return a.Begins.Equal(ends) }) {
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
