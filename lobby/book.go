package lobby

import (
	"fmt"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
	"boneyard/table"
)

// takes is how long a match is taken to last: at most the time that there is for it.
func takes(m *match.Match) time.Duration { return min(matchTakes, m.Closes.Sub(m.Opens)) }

// booked refuses a time for a match of a league or a cup at which one of some sides, or somebody whom its captain has lined up, has something
// else: another match that is played, agreed on, or proposed by that team or so that it holds, or an arena that the player has entered. It may be
// called by an event's goroutine.
func (l *Lobby) booked(of event.ID, m *match.Match, at time.Time, sides ...match.Side) error {
	var players []table.PlayerID
	for i := range sides {
		players = append(players, sides[i].LineUp...)
	}
	for _, c := range l.contests() {
		for i := range c.View().Matches {
			other := &c.View().Matches[i]
			if other.Done || !other.Open || c.ID == of && other.No == m.No {
				continue
			}
			gap := min(takes(m), takes(other))
			for k := range other.Sides {
				who := &other.Sides[k]
				team := slices.ContainsFunc(sides, func(s match.Side) bool { return s.ID == who.ID })
				if !team && !slices.ContainsFunc(who.LineUp, func(id table.PlayerID) bool { return slices.Contains(players, id) }) {
					continue
				}
				for _, then := range []time.Time{playedAt(other), who.Offer} {
					if !then.IsZero() && then.Sub(at).Abs() < gap {
						return text.Refusal(fmt.Sprintf("[%s] has a match in %s %d on %s; choose a time at least %d minutes from it.", who.Tag, c.Kind, c.ID, dayAndTime(then), int(gap.Minutes())))
					}
				}
			}
		}
	}
	for _, r := range append(l.events.Rooms(arena.Kind), l.events.Rooms(field.Kind)...) {
		begins, ends := spanOf(r)
		if at.Before(ends) && begins.Before(at.Add(takes(m))) && slices.ContainsFunc(players, func(id table.PlayerID) bool { return enters(r.View(), id) }) {
			e := r.Event()
			return text.Refusal(fmt.Sprintf("Somebody in the line-up has entered %s, which begins on %s.", kinds[e.Kind].Titled(e.ID, r.View().Plan().Name), dayAndTime(begins)))
		}
	}
	return nil
}

// spanOf is when an arena of either kind begins and ends.
func spanOf(r *event.Room) (begins, ends time.Time) {
	e := r.Event()
	if ends = e.Ends; ends.IsZero() {
		ends = e.Begins.Add(fieldTakes)
	}
	return e.Begins, ends
}

// enters reports whether a player takes part in an arena of either kind.
func enters(view event.View, id table.PlayerID) bool {
	if a, ok := view.(*arena.View); ok {
		e := a.Of(id)
		return e != nil && !e.Away
	}
	return event.Has(view.Players(), id)
}

// warnBooked tells a player who has just entered an arena of either kind that their team has a match then.
func (v *Visit) warnBooked(r *event.Room) {
	l, team, id := v.lobby, v.account().Team, v.Player().ID
	begins, ends := spanOf(r)
	for _, c := range l.contests() {
		for i := range c.View().Matches {
			m := &c.View().Matches[i]
			side, at := m.Of(team), playedAt(m)
			if team == 0 || side < 0 || m.Done || at.IsZero() || !at.Before(ends) || !begins.Before(at.Add(takes(m))) {
				continue
			}
			if s := &m.Sides[side]; len(s.LineUp) == 0 || slices.Contains(s.LineUp, id) {
				l.mu.Lock()
				l.note(v.person, "Your team has a match then: against %s, on %s.", m.Sides[1-side].Name, dayAndTime(at))
				l.mu.Unlock()
			}
		}
	}
}
