package event

import (
	"fmt"
	"slices"
	"time"

	"boneyard/lobby/text"
	"boneyard/table"
)

// leads are how long before an appointment its members are reminded.
var leads = [...]time.Duration{30 * time.Minute, 5 * time.Minute}

// remind reminds members in the club of appointments that have come within a lead since its last check, made
// every minute, and announces an event that begins soon. After the clock was set back, it starts afresh.
func (r *Room) remind() {
	now, since := r.deps.Now(), r.looked
	if passed := now.Sub(since); passed >= 0 && passed < lookAgain-time.Second {
		return
	}
	if soon := r.event.Begins.Add(-SoonTime); r.foretold() && !now.Before(soon) && now.Before(r.event.Begins) && since.Before(soon) {
		says := r.begins() + "."
		r.deps.Club.Run(func() { r.deps.Club.News(time.Time{}, r.deps.Kinds[r.event.Kind].News, says, Starts) })
	}
	r.looked = now
	next := r.rules.Next() // no appointment that is still to come begins before
	if since.IsZero() || now.Before(since) || next.IsZero() || next.Sub(now) > leads[0] {
		return
	}
	r.deps.Club.Remind(r.near(func(left time.Duration) bool {
		came := func(lead time.Duration) bool { return left <= lead && lead < left+now.Sub(since) }
		return slices.ContainsFunc(leads[:], came)
	}))
}

// call tells members in the club what their team has to arrange in the event, if it had nothing to arrange
// before. Others read it on entering.
func (r *Room) call(before View) {
	was, _ := before.(Booking)
	is, ok := r.View().(Booking)
	if !ok || was == nil {
		return
	}
	r.deps.Club.Run(func() {
		r.deps.Club.Remind(func(p table.Player) string {
			if p.Team == 0 {
				return ""
			}
			did, at := was.Reminder(p.Team)
			does, due := is.Reminder(p.Team)
			if due.IsZero() || did != "" && !at.IsZero() {
				return ""
			}
			return does
		})
	})
}

// near returns a function that names a player's next appointment with a time left that reminds accepts.
func (r *Room) near(reminds func(left time.Duration) bool) func(p table.Player) string {
	now, t := r.deps.Now(), r.deps.Kinds[r.event.Kind]
	v, dated := r.View().(Dated)
	if !dated || !t.Dated {
		return func(table.Player) string { return "" }
	}
	own := t.appointment(&r.event, v.(View).Plan().Name)
	return func(p table.Player) string {
		for _, a := range v.Appointments(p, own) {
			left := a.Begins.Sub(now)
			if a.Own && !a.Off && !a.Deadline() && left > 0 && reminds(left) {
				return fmt.Sprintf("In %s: %s.", text.Number(max(int((left+30*time.Second).Minutes()), 1), "minute"), a.Title)
			}
		}
		return ""
	}
}

// AppointmentNotes returns what a member reads on entering about appointments within half an hour.
func (s *Events) AppointmentNotes(p table.Player) (notes []string) {
	for _, r := range s.All() {
		if say := r.near(func(left time.Duration) bool { return left <= leads[0] })(p); say != "" {
			notes = append(notes, say)
		}
	}
	return notes
}
