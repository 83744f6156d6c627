package plain

import (
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"

	"boneyard/lobby/event"
	"boneyard/lobby/event/night"
	"boneyard/lobby/text"
)

// Appointments describes coming events.
var Appointments = &Rows[event.Appointment]{
	Object: "appointment", About: "A row of `calendar --json`.", Text: "WHEN_(UTC) :OWN WHAT", None: "Nothing is planned.",
	Aloud: "${WHEN_(UTC)} UTC, $WHAT, ${:OWN}",
	Columns: []Column[event.Appointment]{
		TextCol("WHEN_(UTC)", When),
		Col("kind", "`daily`, `arena`, `field`, `league` or `cup`", func(a *event.Appointment) string { return string(a.Kind) }),
		Col("event", "", func(a *event.Appointment) No { return No(a.Event) }),
		Col("title", "", func(a *event.Appointment) string { return a.Title }).As("WHAT", nil),
		Col("begins", "", func(a *event.Appointment) time.Time { return a.Begins }),
		Col("ends", "", func(a *event.Appointment) time.Time { return a.Ends }),
		Col("deadline", "it is the end of a time, not an event", (*event.Appointment).Deadline),
		Col("own", "your team plays", func(a *event.Appointment) bool { return a.Own }).As(":OWN", func(a *event.Appointment) string {
			if a.Own {
				return "yours"
			}
			return ""
		}),
	},
}

// When says when a coming event takes place: "Fri 27 Nov 20:00", or "until Sun 29 Nov 00:00".
func When(a *event.Appointment) string {
	at := a.Begins.UTC().Format("Mon 2 Jan 15:04")
	if a.Deadline() {
		return "until " + at
	}
	return at
}

// Until says how long it is until a coming event: "in 12 min", "in 3 h", "27 Nov"; "to 21:00" if it has
// begun; "by 29 Nov" for a deadline. It takes at most nine columns.
func Until(a *event.Appointment, now time.Time) string {
	switch d := a.Begins.Sub(now); {
	case d <= 0:
		return "to " + a.Ends.UTC().Format("15:04")
	case d < 24*time.Hour:
		return "in " + Time((d + time.Minute - 1).Truncate(time.Minute))
	case a.Deadline():
		return "by " + a.Begins.Add(-time.Minute).UTC().Format("2 Jan") // for midnight, the day before
	}
	return a.Begins.UTC().Format("2 Jan")
}

// FromNow says how long it is until a coming event: "now", "in 12 min", "in 3 h", "in 6 days".
func FromNow(a *event.Appointment, now time.Time) string {
	const day = 24 * time.Hour
	switch d := a.Begins.Sub(now); {
	case d <= 0:
		return "now"
	case d >= 2*day:
		return "in " + text.Number(int(d/day), "day")
	default:
		return "in " + Time((d + time.Minute - 1).Truncate(time.Minute))
	}
}

// NowAndNext says what is on now and what comes next: "Now: Daily deal. Next, in 3 h: Arena 7." coming is in
// order of time.
func NowAndNext(coming []event.Appointment, now time.Time) string {
	var on []string
	next := ""
	for i := range coming {
		a := &coming[i]
		if a.Begins.After(now) {
			next = "Next, " + FromNow(a, now) + ": " + a.Title + "."
			break
		}
		on = append(on, a.Title)
	}
	if len(on) == 0 {
		return next
	}
	return strings.TrimSpace("Now: " + text.List(on) + ". " + next)
}

// deadlineShown is how long before its end a deadline begins in other calendars, which do not show events
// without duration.
const deadlineShown = 30 * time.Minute

// ICalendar returns a club's appointments in iCalendar format (RFC 5545), as lines. address is the club's
// address for ssh. Each appointment keeps its identifier, so that importing the calendar again moves or
// cancels events. With remind, all events have reminders, not only the reader's own.
func ICalendar(list []event.Appointment, club, address string, now time.Time, remind bool) []string {
	alarms := []string{"-PT30M", "-PT5M"} // how long before an appointment its reminders are, in RFC 5545 format
	c := ics.NewCalendarFor("Boneyard")
	c.SetMethod(ics.MethodPublish)
	c.SetName("Boneyard")
	for i := range list {
		a := &list[i]
		e := c.AddEvent(a.Key + "@" + club + ".boneyard")
		e.SetDtStampTime(now)
		e.SetSequence(a.Change)
		begins := a.Begins
		if a.Deadline() {
			begins = begins.Add(-deadlineShown)
		}
		e.SetStartAt(begins)
		e.SetEndAt(a.Ends)
		e.SetLocation("ssh " + address)
		e.SetSummary(text.Printable(a.Title))
		switch {
		case a.Event == 0: // every day
			e.AddRrule("FREQ=DAILY")
			e.SetTimeTransparency(ics.TransparencyTransparent)
		case a.Off:
			e.SetStatus(ics.ObjectStatusCancelled)
		case (a.Own || remind) && !a.Deadline():
			for _, before := range alarms {
				alarm := e.AddAlarm()
				alarm.SetAction(ics.ActionDisplay)
				alarm.SetTrigger(before)
				alarm.SetDescription(text.Printable(a.Title))
			}
		}
	}
	return strings.Split(strings.TrimSpace(c.Serialize(ics.WithNewLineUnix)), "\n")
}

// ClubNights describes club nights.
var ClubNights = &Rows[night.View]{
	Object: "clubnight", About: "A row of `clubnight`.", Text: "NIGHT STATE ENDS BY FOR",
	Aloud: "club night $NIGHT of $BY, for $FOR, $STATE, ends $ENDS",
	None:  "There is no club night. Operators and captains begin one: clubnight new length=4h",
	Columns: []Column[night.View]{
		Col("clubnight", "the number", func(v *night.View) No { return No(v.ID) }).As("NIGHT", nil),
		Col("state", "`running` or `over`", func(v *night.View) string { return EventState(true, v.Over, "", "running") }),
		Col("by", "who holds it", func(v *night.View) string { return v.Config.By }),
		Col("for", "`all members`, or those of a team", func(v *night.View) string { return v.Config.For() }),
		Col("begins", "", func(v *night.View) time.Time { return v.Begins }),
		Col("ends", "or when it ended", func(v *night.View) time.Time { return v.Ends }),
	},
}
