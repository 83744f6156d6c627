package contest

import (
	"context"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
	"boneyard/table"
)

// wish is a captain's request for their team.
type wish func(c *match.Core, team *event.Roster, now time.Time) ([]event.Entry, error)

// wishes carries out a captain's request in a league or a cup, and if that has changed anything, calls then, as
// [event.Room.Do] does. It refuses everybody else, and returns match.ErrNone, match.ErrOver or f's error.
func (d Desk) wishes(ctx context.Context, id event.ID, f wish, then func(team *event.Roster, now *match.View)) error {
	team, err := d.Caller.Captain(ctx, "")
	if err != nil {
		return err
	}
	r, err := d.Caller.Room(ctx, id, league.Kind, cup.Kind)
	if err != nil {
		return err
	}
	if err := d.Caller.CountWish(); err != nil {
		return err
	}
	// One request at a time, so that each sees what the others have arranged.
	release, err := event.Turn(ctx, d.Caller.Events.State(league.Kind).(chan struct{}))
	if err != nil {
		return d.Caller.Sentence("arrange a match", err)
	}
	defer release()
	changed := false
	return d.Caller.Do(ctx, r, func(rules event.Rules, now time.Time) ([]event.Entry, error) {
		entries, err := f(rules.(*match.Core), team, now)
		changed = len(entries) > 0
		return entries, err
	}, func() {
		if changed {
			then(team, r.View().(*match.View))
		}
	})
}

// SignUp signs the person's team up for a league or a cup, or off, before it begins. It is for captains.
func (d Desk) SignUp(ctx context.Context, id event.ID, on bool) error {
	return d.wishes(ctx, id, func(c *match.Core, t *event.Roster, _ time.Time) ([]event.Entry, error) {
		if !on {
			return c.SignOff(t.Team)
		}
		return c.SignUp(match.Team{ID: t.Team, Tag: t.Tag, Name: t.Name}, len(t.Members))
	}, func(t *event.Roster, c *match.View) {
		deps := d.Caller.Events.Deps()
		if !on {
			return
		}
		if now, err := deps.Club.Rosters(deps.Context, []table.TeamID{t.Team}); err == nil && len(now) == 0 { // it has ended meanwhile
			deps.Club.Run(func() { match.SignOff(d.Caller.Events, t.Team) })
			return
		}
		deps.Club.Tell(t.Members, d.Caller.Player().ID,
			"Your team is signed up for "+c.Config.Name+", which begins on "+event.DayAndTime(c.Begins)+".")
	})
}

// booked is [match.Booked] for a match; a zero time is never booked.
func (d Desk) booked(id event.ID, m *match.Match, at time.Time, sides ...match.Side) error {
	if m == nil || at.IsZero() {
		return nil
	}
	return match.Booked(d.Caller.Events, id, m, at, sides...)
}

// ProposeTime proposes a time for the current match of the person's team; a zero time withdraws the proposal.
// Proposing the opponents' time agrees to it. It is for captains.
func (d Desk) ProposeTime(ctx context.Context, id event.ID, at time.Time) error {
	return d.arrange(ctx, id, func(c *match.Core, t *event.Roster, now time.Time) ([]event.Entry, error) {
		if m := c.Current(t.Team); m != nil {
			if err := d.booked(id, m, at, m.Sides[:]...); err != nil {
				return nil, err
			}
		}
		return c.Propose(t.Team, at, now.Round(0))
	})
}

// AcceptTime agrees to the opponents' proposal, which must be at unless that is zero. It is for captains.
func (d Desk) AcceptTime(ctx context.Context, id event.ID, at time.Time) error {
	return d.arrange(ctx, id, func(c *match.Core, t *event.Roster, now time.Time) ([]event.Entry, error) {
		if m := c.Current(t.Team); m != nil {
			offer := m.Sides[1-m.Of(t.Team)].Offer
			if !at.IsZero() && !offer.IsZero() && !offer.Equal(at) {
				return nil, match.ErrOtherOffer
			}
			if err := d.booked(id, m, offer, m.Sides[:]...); err != nil {
				return nil, err
			}
		}
		return c.Accept(t.Team, now)
	})
}

// DeclineTime declines the opponents' proposal. It is for captains.
func (d Desk) DeclineTime(ctx context.Context, id event.ID) error {
	return d.arrange(ctx, id, func(c *match.Core, t *event.Roster, _ time.Time) ([]event.Entry, error) { return c.Decline(t.Team) })
}

// arrange carries out a captain's request about the time of a match, and notifies both teams.
func (d Desk) arrange(ctx context.Context, id event.ID, f wish) error {
	return d.wishes(ctx, id, f, d.tellOfTime)
}

// tellOfTime informs the members of both teams who are in the club about the time of their match after a
// captain's request. Others read how things stand on entering, see [event.Events.Reminders].
func (d Desk) tellOfTime(by *event.Roster, c *match.View) {
	m, deps := c.Current(by.Team), d.Caller.Events.Deps()
	if m == nil {
		return
	}
	for i := range m.Sides {
		s := &m.Sides[i]
		deps.Reach([]table.TeamID{s.ID}, func(now []event.Roster) {
			for i := range now {
				those := slices.DeleteFunc(now[i].Members, func(p table.Player) bool { return !event.Has(s.Roster, p.ID) })
				deps.Club.TellHere(those, d.Caller.Player().ID, c.Remind(m, s.ID, true))
			}
		})
	}
}

// SetLineUp names the two members who play the current match of the person's team; without names, the members
// in the club do. It is for captains.
func (d Desk) SetLineUp(ctx context.Context, id event.ID, names []string) error {
	var playing bool
	if c, err := d.Contest(ctx, id); err == nil {
		if m := c.Current(d.Caller.Player().Team); m != nil && c.TableOf(m) != 0 {
			playing, _ = d.Caller.Events.Deps().Club.Came(c.TableOf(m))
		}
	}
	return d.wishes(ctx, id, func(c *match.Core, t *event.Roster, _ time.Time) ([]event.Entry, error) {
		m := c.Current(t.Team)
		if m == nil {
			return c.SetLineUp(t.Team, nil, playing)
		}
		var players []table.PlayerID
		roster := m.Sides[m.Of(t.Team)].Roster
		for _, name := range names {
			i := slices.IndexFunc(roster, func(p table.Player) bool { return text.Skeleton(p.Name) == text.Skeleton(name) })
			if i < 0 {
				return nil, match.ErrLineUp
			}
			players = append(players, roster[i].ID)
		}
		if !m.Playing() {
			if err := d.booked(id, m, m.PlayedAt(), match.Side{LineUp: players}); err != nil {
				return nil, err
			}
		}
		return c.SetLineUp(t.Team, players, playing)
	}, func(*event.Roster, *match.View) {})
}
