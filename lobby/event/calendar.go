package event

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"boneyard/lobby/text"
	"boneyard/table"
)

// Appointment is a planned or current entry in the calendar.
type Appointment struct {
	Key    string // stays the same while its time may change
	Kind   Kind   // of Event
	Event  ID     // 0 for the daily deal
	Begins time.Time
	Ends   time.Time // equal to Begins for a deadline
	Title  string
	Own    bool // the person's team plays
	Off    bool // it was called off
	Change int  // grows when its time changes or it is called off
}

// Deadline reports whether the appointment is a date by which something has to be played.
func (a *Appointment) Deadline() bool { return a.Ends.Equal(a.Begins) }

// Dated is implemented by the views of events that are in the calendar.
type Dated interface {
	// Appointments returns what a player reads in the calendar. own is the event's own appointment, which
	// others may replace once it has begun.
	Appointments(p table.Player, own Appointment) []Appointment
}

// DayAndTime formats a time: "Fri 27 Nov 20:00 UTC".
func DayAndTime(t time.Time) string { return t.UTC().Format("Mon 2 Jan 15:04") + " UTC" }

// appointment returns the appointment of an event itself.
func (t *Type) appointment(e *Event, name string) Appointment {
	a := Appointment{Kind: t.Kind, Event: e.ID, Begins: e.Begins, Ends: e.Ends, Title: t.Titled(e.ID, name)}
	a.Key = fmt.Sprintf("%s-%d", t.Kind, e.ID)
	if t.Gathers != "" {
		a.Title = name + ": " + t.Gathers
	}
	if a.Ends.IsZero() {
		a.Ends = a.Begins.Add(t.Takes)
	}
	return a
}

// appointments returns those of all events that are not over, as p reads them; the zero player is anybody.
func (s *Events) appointments(p table.Player) (all []Appointment) {
	for _, r := range s.All() {
		v, t := r.View(), s.deps.Kinds[r.event.Kind]
		if t.Dated && (p.ID != 0 || !t.Personal) {
			all = append(all, v.(Dated).Appointments(p, t.appointment(&r.event, v.Plan().Name))...)
		}
	}
	for _, k := range s.keepers {
		if k.Daily != nil {
			all = append(all, k.Daily()...)
		}
	}
	return all
}

// Calendar lists what is planned, by time: daily deals, events, the person's team's matches, and deadlines.
func (d Desk) Calendar() []Appointment {
	all := d.Caller.Events.appointments(d.Caller.Player())
	return byTime(slices.DeleteFunc(all, func(a Appointment) bool { return a.Off }))
}

// CalledOff lists what will not take place, by time: events that were called off, and matches of the person's
// team that were decided without a game.
func (d Desk) CalledOff(ctx context.Context) ([]Appointment, error) {
	off, err := Once(ctx, d.Caller, OffQuestion, d.Caller.Events.CalledOff)
	if err != nil {
		return nil, err
	}
	all := d.Caller.Events.Planned(d.Caller.Player(), off)
	return slices.DeleteFunc(all, func(a Appointment) bool { return !a.Off }), nil
}

// OffQuestion identifies [Events.CalledOff] among the questions whose answers the club remembers.
const OffQuestion = "called off"

// Planned lists by time what is planned, as a player reads it, and what was called off recently, including
// off. The zero player is anybody.
func (s *Events) Planned(p table.Player, off []Appointment) []Appointment {
	const calledOffShown = 7 * 24 * time.Hour // how long after its time an event that was called off is still listed
	now := s.Now()
	return byTime(slices.DeleteFunc(append(s.appointments(p), off...), func(a Appointment) bool {
		return a.Off && a.Ends.Add(calledOffShown).Before(now)
	}))
}

// CalledOff lists the latest events that were called off before they began.
func (s *Events) CalledOff(ctx context.Context) (all []Appointment, err error) {
	const looked = 100 // of each kind
	for _, t := range s.deps.Kinds {
		if !t.Dated || t.Personal {
			continue
		}
		closings, err := s.deps.Journal.Closings(ctx, t.Kind, looked)
		if err != nil {
			return nil, s.deps.Club.Trouble("read what was called off", err)
		}
		for _, c := range closings {
			var cfg struct {
				Name string `json:"name"`
			}
			if !c.Last.At.Before(c.Event.Begins) || c.Event.ReadConfig(&cfg) != nil {
				continue
			}
			a := t.appointment(&c.Event, cfg.Name)
			a.Off, a.Change = true, c.Last.Seq
			all = append(all, a)
		}
	}
	return all, nil
}

func byTime(all []Appointment) []Appointment {
	slices.SortStableFunc(all, func(a, b Appointment) int { return cmp.Or(a.Begins.Compare(b.Begins), cmp.Compare(a.Key, b.Key)) })
	return all
}

// Reminders returns what a member reads on entering about what their team has to do. The most urgent comes
// last, since a screen shows only the latest note.
func (s *Events) Reminders(team table.TeamID) []string {
	type reminder struct {
		due  time.Time
		text string
	}
	var all []reminder
	for _, r := range s.All() {
		if v, ok := r.View().(Booking); ok && team != 0 {
			if what, due := v.Reminder(team); what != "" {
				all = append(all, reminder{due, what})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b reminder) int { return b.due.Compare(a.due) })
	return text.Each(all, func(r reminder) string { return r.text })
}
