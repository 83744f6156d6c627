package plain

import (
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"

	"boneyard/lobby"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/text"
)

// Appointment is a coming event as a row.
type Appointment struct {
	Kind     string    `json:"kind"`  // daily, arena, field, league or cup
	Event    int64     `json:"event"` // its number, 0 for the daily deal
	Title    string    `json:"title"`
	Begins   time.Time `json:"begins"`
	Ends     time.Time `json:"ends"`     // for a deadline, when it begins
	Deadline bool      `json:"deadline"` // the end of a period in which something must be played
	Own      bool      `json:"own"`      // your team plays
}

// AppointmentRow returns a coming event as a row.
func AppointmentRow(a *lobby.Appointment) Appointment {
	return Appointment{
		Kind: string(a.Kind), Event: int64(a.Event), Title: text.Printable(a.Title), Begins: Moment(a.Begins), Ends: Moment(a.Ends), Deadline: a.Deadline(), Own: a.Own,
	}
}

// When says when a coming event takes place: "Fri 27 Nov 20:00", or "until Sun 29 Nov 00:00".
func When(a *lobby.Appointment) string {
	at := a.Begins.UTC().Format("Mon 2 Jan 15:04")
	if a.Deadline() {
		return "until " + at
	}
	return at
}

// Calendar formats coming events in columns.
func Calendar(list []lobby.Appointment) []string {
	if len(list) == 0 {
		return []string{"Nothing is planned."}
	}
	return listed([]Column{{Head: "WHEN (UTC)"}, {Head: ""}, {Head: "WHAT"}}, list, func(a *lobby.Appointment) []string {
		own := ""
		if a.Own {
			own = "yours"
		}
		return []string{When(a), own, text.Printable(a.Title)}
	})
}

// deadlineShown is how long before its end a deadline begins in other calendars, which show nothing that takes no time.
const deadlineShown = 30 * time.Minute

// ICalendar returns appointments of a club in iCalendar format (RFC 5545), line by line. address is what ssh is called with. Each appointment keeps
// its identifier, so that a calendar which imports it again moves one that has moved, and strikes out one that was called off.
func ICalendar(list []lobby.Appointment, club, address string, now time.Time) []string {
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
		if a.Kind == daily.Kind {
			e.AddRrule("FREQ=DAILY")
			e.SetTimeTransparency(ics.TransparencyTransparent)
		}
		switch {
		case a.Off:
			e.SetStatus(ics.ObjectStatusCancelled)
		case a.Own && !a.Deadline():
			alarm := e.AddAlarm()
			alarm.SetAction(ics.ActionDisplay)
			alarm.SetTrigger("-PT30M")
			alarm.SetDescription(text.Printable(a.Title))
		}
	}
	return strings.Split(strings.TrimSpace(c.Serialize(ics.WithNewLineUnix)), "\n")
}
