package lobby

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/match"
	"boneyard/lobby/rating"
	"boneyard/table"
)

// Rosters implements event.Club.
func (l eventClub) Rosters(ctx context.Context, teams []table.TeamID) (all []event.Roster, err error) {
	for _, id := range teams {
		t, err := l.stores.Teams.Team(ctx, id)
		switch {
		case errors.Is(err, ErrNotFound): // it has ended
			continue
		case err != nil:
			return nil, fmt.Errorf("roster of team %d: %w", id, err)
		}
		r := event.Roster{Team: t.ID, Tag: t.Tag, Name: t.Name, Rating: rating.Initial().Number()}
		if t.Stand != nil {
			r.Rating = t.Stand.Rating
		}
		for _, m := range t.Members {
			r.Members = append(r.Members, table.Player{ID: m.ID, Name: m.Name, Team: t.ID, Tag: t.Tag})
		}
		all = append(all, r)
	}
	return all, nil
}

// Here implements event.Club.
func (l eventClub) Here(id table.PlayerID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.people[id] != nil && !l.engaged(id, 0)
}

// Came implements event.Club.
func (l eventClub) Came(id table.ID) (begun bool, here []table.PlayerID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.directory[id]
	if e == nil {
		return false, nil
	}
	for i := range e.sum.Seats {
		if p := e.sum.Seats[i].Player.ID; p != 0 && l.people[p] != nil && !l.engaged(p, id) {
			here = append(here, p)
		}
	}
	begun = e.sum.Played || e.sum.Config.Event.Wait && (e.sum.Game != 0 || e.sum.State == table.Countdown)
	return begun, here
}

// reminders are what a member reads on entering: the matches that their team is to play. The most urgent comes last, since a screen shows
// the latest note only. With mu held.
func (l *Lobby) reminders(p *person) (notes []string) {
	if p.account.Team == 0 {
		return nil
	}
	type reminder struct {
		due  time.Time
		text string
	}
	var all []reminder
	for _, c := range l.contests() {
		if m := c.View().Current(p.account.Team); m != nil {
			all = append(all, reminder{dueAt(&c, m), Reminder(&c, m, p.account.Team, true)})
		}
	}
	slices.SortStableFunc(all, func(a, b reminder) int { return b.due.Compare(a.due) })
	for _, r := range all {
		notes = append(notes, r.text)
	}
	return notes
}

// dueAt is when a team must be here for a match, or must have done something about it; zero for now.
func dueAt(c *Contest, m *match.Match) time.Time {
	switch {
	case m.Pairing != 0 && c.TableOf(m) != 0:
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

// Reminder says how it stands with the match that a team is to play; commands adds by which ones its captain answers.
func Reminder(c *Contest, m *match.Match, team table.TeamID, commands bool) string {
	side := m.Of(team)
	other := &m.Sides[1-side]
	how := func(format string) string {
		if !commands {
			return ""
		}
		return fmt.Sprintf(format, fmt.Sprintf("%s %d", c.Kind, c.ID))
	}
	own, say := &m.Sides[side], fmt.Sprintf("Your team plays %s", other.Name)
	if m.Pairing != 0 && c.TableOf(m) != 0 {
		return fmt.Sprintf("%s now, at table %d.", say, c.TableOf(m))
	}
	if !m.At.IsZero() {
		say += " on " + dayAndTime(m.At)
	} else if other.Offer.IsZero() && own.Offer.IsZero() {
		say += " by " + lastDay(m.Closes)
	}
	if o := other.Offer; !o.IsZero() {
		say += "; they propose " + dayAndTime(o)
		if m.Binds(1 - side) {
			say += ", which holds unless you answer"
		}
	}
	if !own.Offer.IsZero() {
		say += "; you have proposed " + dayAndTime(own.Offer)
	}
	if !own.Declined.IsZero() {
		say += "; they have declined " + dayAndTime(own.Declined)
	}
	switch {
	case !other.Offer.IsZero():
		say += how(": %s accept, decline or propose")
	case m.At.IsZero() && own.Offer.IsZero():
		say += ": propose a time" + how(" (%s propose)")
	}
	return say + "."
}

// lastDay is the day on which something must have begun that closes at a time: "Sun 29 Nov", or with the time where that is not midnight.
func lastDay(closes time.Time) string {
	if closes.UTC().Truncate(24 * time.Hour).Equal(closes.UTC()) {
		return closes.UTC().Add(-time.Second).Format("Mon 2 Jan")
	}
	return dayAndTime(closes)
}

// tellOfTime tells both teams of a match how it stands with its time, after the captain of one has said something.
func (v *Visit) tellOfTime(ctx context.Context, id event.ID, by *Team) {
	l := v.lobby
	c, err := v.Contest(ctx, id)
	if err != nil {
		return
	}
	m := c.View().Current(by.ID)
	if m == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range m.Sides {
		for _, p := range m.Sides[i].Roster {
			who := l.people[p.ID]
			if who == nil || p.ID == v.person.player.ID || who.account.Team != m.Sides[i].ID {
				continue
			}
			l.note(who, "%s", Reminder(c, m, m.Sides[i].ID, true))
		}
	}
}
