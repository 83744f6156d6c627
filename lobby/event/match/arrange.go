package match

import (
	"fmt"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/table"
)

// takes is how long a match takes, roughly; at most the time that there is for it.
const takes = 90 * time.Minute

func (m *Match) takes() time.Duration { return min(takes, m.Closes.Sub(m.Opens)) }

// PlayedAt is when a match is, or is being, played; zero if that is not known.
func (m *Match) PlayedAt() time.Time {
	if m.Pairing != 0 {
		return m.Until.Add(-Kept)
	}
	return m.tableAt()
}

// Contest is the state that leagues and cups have in common.
func (c *Core) Contest() *Core { return c }

var _ event.Asker = (*Core)(nil)

// SignOff takes a team that has ended out of the leagues and cups that have not begun. One that could not be
// taken out does not take part either. It is a background job.
func SignOff(s *event.Events, team table.TeamID) {
	for _, v := range event.Views[View](s, "") {
		r := s.Room(v.ID)
		if r == nil || v.Begun || !v.Has(team) {
			continue
		}
		err := r.Do(s.Deps().Context, func(rules event.Rules, _ time.Time) ([]event.Entry, error) {
			return rules.(interface{ Contest() *Core }).Contest().SignOff(team)
		})
		if err != nil {
			s.Deps().Log.Warn("sign a team off that has ended", "event", v.ID, "team", team, "err", err)
		}
	}
}

// Booked refuses a time for a match of a league or a cup at which one of some sides, or somebody whom its
// captain has lined up, has something else: another match that is played, agreed on, or proposed by that team
// or so that it holds, or an arena that the player has entered. It may be called by an event's goroutine.
func Booked(s *event.Events, of event.ID, m *Match, at time.Time, sides ...Side) error {
	var players []table.PlayerID
	for i := range sides {
		players = append(players, sides[i].LineUp...)
	}
	for _, v := range event.Views[View](s, "") {
		for other := range v.all() {
			if other.Done || !other.Open || v.ID == of && other.No == m.No {
				continue
			}
			gap := min(m.takes(), other.takes())
			for k := range other.Sides {
				who := &other.Sides[k]
				team := slices.ContainsFunc(sides, func(s Side) bool { return s.ID == who.ID })
				if !team && !slices.ContainsFunc(who.LineUp, func(id table.PlayerID) bool { return slices.Contains(players, id) }) {
					continue
				}
				for _, then := range []time.Time{other.PlayedAt(), who.Offer} {
					if !then.IsZero() && then.Sub(at).Abs() < gap {
						return text.Refusal(fmt.Sprintf("[%s] has a match in %s %d on %s; choose a time at least %d minutes from it.",
							who.Tag, v.Kind, v.ID, event.DayAndTime(then), int(gap.Minutes())))
					}
				}
			}
		}
	}
	if title, begins := s.Gathers(players, at, at.Add(m.takes())); title != "" {
		return text.Refusal(fmt.Sprintf("Somebody in the line-up has entered %s, which begins on %s.", title, event.DayAndTime(begins)))
	}
	return nil
}

func (v *View) Engaged(p table.Player, begins, ends time.Time) (all []string) {
	for m := range v.all() {
		side, at := m.Of(p.Team), m.PlayedAt()
		if p.Team == 0 || side < 0 || m.Done || at.IsZero() || !at.Before(ends) || !begins.Before(at.Add(m.takes())) {
			continue
		}
		if s := &m.Sides[side]; len(s.LineUp) == 0 || slices.Contains(s.LineUp, p.ID) {
			all = append(all, fmt.Sprintf("Your team has a match then: against %s, on %s.", m.Sides[1-side].Name, event.DayAndTime(at)))
		}
	}
	return all
}

func (v *View) Reminder(team table.TeamID) (what string, due time.Time) {
	m := v.Current(team)
	if m == nil {
		return "", due
	}
	return v.Remind(m, team, true), v.due(m)
}

// due is when a team must be here for a match, or must have done something about it; zero for now.
func (v *View) due(m *Match) time.Time {
	switch {
	case m.Playing():
		return time.Time{}
	case !m.At.IsZero():
		return m.At
	}
	due := m.Closes
	for i := range m.Sides {
		if m.Binds(i) && m.Sides[i].Offer.Before(due) {
			due = m.Sides[i].Offer
		}
	}
	return due
}

// TableOf is the table at which a match is being played, 0 if there is none.
func (v *View) TableOf(m *Match) table.ID {
	if m.Pairing == 0 {
		return 0
	}
	return v.At[m.Pairing]
}

// Remind says how it stands with the match that a team is to play; commands adds by which ones its captain
// answers.
func (v *View) Remind(m *Match, team table.TeamID, commands bool) string {
	side := m.Of(team)
	other := &m.Sides[1-side]
	how := func(format string) string {
		if !commands {
			return ""
		}
		return fmt.Sprintf(format, fmt.Sprintf("%s %d", v.Kind, v.ID))
	}
	own, say := &m.Sides[side], fmt.Sprintf("Your team plays %s", other.Name)
	if id := v.TableOf(m); id != 0 {
		return fmt.Sprintf("%s now, at table %d.", say, id)
	}
	if m.Playing() {
		return say + " now; the table of the next game opens in a moment."
	}
	if !m.At.IsZero() {
		say += " on " + event.DayAndTime(m.At)
	} else if other.Offer.IsZero() && own.Offer.IsZero() {
		say += " by " + lastDay(m.Closes)
	}
	if o := other.Offer; !o.IsZero() {
		say += "; they propose " + event.DayAndTime(o)
		if m.Binds(1 - side) {
			say += ", which holds unless you answer"
		}
	}
	if !own.Offer.IsZero() {
		say += "; you have proposed " + event.DayAndTime(own.Offer)
	}
	if !own.Declined.IsZero() {
		say += "; they have declined " + event.DayAndTime(own.Declined)
	}
	switch {
	case !other.Offer.IsZero():
		say += how(": %s accept, decline or propose")
	case m.At.IsZero() && own.Offer.IsZero():
		say += ": propose a time" + how(" (%s propose)")
	}
	return say + "."
}

// lastDay is the day on which something must have begun that closes at a time: "Sun 29 Nov", or with the time
// where that is not midnight.
func lastDay(closes time.Time) string {
	at := closes.UTC().Truncate(time.Minute) // an event begins a moment after its time
	if at.Truncate(24 * time.Hour).Equal(at) {
		return at.Add(-time.Second).Format("Mon 2 Jan")
	}
	return event.DayAndTime(at)
}

func (v *View) Appointments(p table.Player, own event.Appointment) (all []event.Appointment) {
	if own.Own = v.Has(p.Team); !v.Begun {
		return []event.Appointment{own}
	}
	add := func(key string, begins, ends time.Time, own bool, format string, args ...any) {
		all = append(all, event.Appointment{
			Key: fmt.Sprintf("%s-%d%s", v.Kind, v.ID, key), Kind: v.Kind, Event: v.ID, Begins: begins, Ends: ends, Own: own, Change: v.Changes,
			Title: v.Config.Name + ": " + fmt.Sprintf(format, args...),
		})
	}
	rounds := map[int]time.Time{} // ends of those in which the person's team does not play
	for m := range v.all() {
		side := m.Of(p.Team)
		switch {
		case side >= 0 && p.Team != 0 && (!m.Done || m.Played() == 0):
		case !m.Done && m.Open:
			rounds[m.Round] = m.Closes
			continue
		default:
			continue
		}
		other := m.Sides[1-side].Name
		key := fmt.Sprint("-match-", m.No)
		switch at := m.PlayedAt(); {
		case at.IsZero():
			add(key, m.Closes, m.Closes, true, "last time for your match against %s", other)
		default:
			add(key, at, at.Add(takes), true, "your team plays %s", other)
		}
		if last := &all[len(all)-1]; m.Done {
			last.Off = m.Decided.Before(last.Begins)
			if !last.Off {
				all = all[:len(all)-1]
			}
		}
	}
	for round, ends := range rounds {
		if !slices.ContainsFunc(all, func(a event.Appointment) bool { return !a.Off && a.Begins.Equal(ends) }) {
			add(fmt.Sprint("-round-", round), ends, ends, false, "%s %d ends", v.window, round)
		}
	}
	return all
}
