package match

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/table"
)

// takes is roughly how long a match takes, at most its period.
const takes = 90 * time.Minute

func (m *Match) takes() time.Duration { return min(takes, m.Closes.Sub(m.Opens)) }

// PlayedAt returns when a match is, or will be, played, or zero if that is not known.
func (m *Match) PlayedAt() time.Time {
	if m.Pairing != 0 {
		return m.Until.Add(-Kept)
	}
	return m.tableAt()
}

// SignOff takes a disbanded team out of the leagues and cups that have not begun; if that fails, the team does
// not take part anyway. In others it informs the team's opponents. It is a background job.
func SignOff(s *event.Events, team table.TeamID) {
	for _, v := range event.Views[View](s, "") {
		r := s.Room(v.ID)
		if m := v.Current(team); m != nil {
			v.tellOpponents(s, m, m.Of(team))
		}
		if r == nil || v.Begun || !v.Has(team) {
			continue
		}
		err := r.Do(s.Deps().Context, func(rules event.Rules, _ time.Time) ([]event.Entry, error) {
			return rules.(*Core).SignOff(team)
		})
		if err != nil {
			s.Deps().Log.Warn("sign a team off that has ended", "event", v.ID, "team", team, "err", err)
		}
	}
}

// tellOpponents informs the team that has to play a match that the other side has disbanded.
func (v *View) tellOpponents(s *event.Events, m *Match, gone int) {
	by := &m.Sides[gone]
	tellTeam(s, m.Sides[1-gone].ID, fmt.Sprintf("%s [%s], your opponents in %s, have disbanded. Come at the time that is agreed on, "+
		"or propose one (L in the lobby, or %s %d propose): if they don't come, you win.", by.Name, by.Tag, v.Config.Name, v.Kind, v.ID))
}

// tellTeam sends a message to the members of a team, if it still exists.
func tellTeam(s *event.Events, team table.TeamID, what string) {
	s.Deps().Reach([]table.TeamID{team}, func(now []event.Roster) {
		for i := range now {
			s.Deps().Club.Tell(now[i].Members, 0, what)
		}
	})
}

// Booked returns a refusal if a time for a match is too close to another commitment of one of its sides, or
// of a player in a side's line-up: another match in progress, agreed on or proposed by them, or an event that
// a player has entered. It may be called by an event's goroutine.
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
		side, at := m.sideOf(p), m.PlayedAt()
		if side < 0 || m.Done || at.IsZero() || !at.Before(ends) || !begins.Before(at.Add(m.takes())) {
			continue
		}
		if s := &m.Sides[side]; len(s.LineUp) == 0 || slices.Contains(s.LineUp, p.ID) {
			all = append(all, fmt.Sprintf("%s has a match then: against %s, on %s.", text.Capital(s.as(p)), m.Sides[1-side].Name,
				event.DayAndTime(at)))
		}
	}
	return all
}

// as names the side to one of its players.
func (s *Side) as(p table.Player) string {
	if p.Team == s.ID {
		return "your team"
	}
	return s.Name
}

func (v *View) Reminder(team table.TeamID) (what string, due time.Time) {
	m := v.Current(team)
	if m == nil {
		return "", due
	}
	return v.Remind(m, team, true), v.due(m)
}

// due returns when a team must be ready for a match, or must have arranged it; zero for now.
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

// TableOf returns the table at which a match is being played, or 0.
func (v *View) TableOf(m *Match) table.ID {
	if m.Pairing == 0 {
		return 0
	}
	return v.At[m.Pairing]
}

// Remind describes a team's next match; with commands, it says where, and by which commands, the captain answers.
func (v *View) Remind(m *Match, team table.TeamID, commands bool) string {
	side := m.Of(team)
	other := &m.Sides[1-side]
	how := func(format string) string {
		if !commands {
			return ""
		}
		return fmt.Sprintf(format, fmt.Sprintf("L in the lobby, or %s %d", v.Kind, v.ID))
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
	switch { // only one side came to an earlier table
	case own.Came == other.Came, len(m.Games) > 0:
	case own.Came:
		say += ", and wins if they don't play"
	default:
		say += ", and loses if they don't play"
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
		say += how("; captains: %s accept, decline or propose")
	case m.At.IsZero() && own.Offer.IsZero():
		say += "; captains propose a time" + how(" (%s propose)")
	}
	return say + "."
}

// lastDay formats the end of a period for beginning something: "Sun 29 Nov", or with the time if not
// midnight.
func lastDay(closes time.Time) string {
	at := closes.UTC().Truncate(time.Minute) // events begin a moment after their time
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
	rounds := map[int]time.Time{} // ends of rounds in which the person's team does not play
	for m := range v.all() {
		side := m.sideOf(p)
		switch {
		case side >= 0 && (!m.Done || m.Played() == 0):
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
			add(key, m.Closes, m.Closes, true, "play %s by then", other)
		default:
			add(key, at, at.Add(takes), true, "%s plays %s", m.Sides[side].as(p), other)
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
			_, what := v.Round(round)
			if len(v.Rounds) == 0 {
				what = "window " + strconv.Itoa(round)
			}
			add(fmt.Sprint("-round-", round), ends, ends, false, "end of %s", what)
		}
	}
	return all
}
