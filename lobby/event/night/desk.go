package night

import (
	"context"
	"fmt"
	"time"

	"boneyard/lobby/event"
)

// Desk takes a person's requests about club nights.
type Desk struct{ c *event.Caller }

// NewDesk returns the desk for a caller.
func NewDesk(c *event.Caller) Desk { return Desk{c} }

// ClubNights lists the club nights that are not over, by number.
func (d Desk) ClubNights() []View { return event.Views[View](d.c.Events, Kind) }

// ClubNight returns the club night with a number, which may be over. ErrNone.
func (d Desk) ClubNight(ctx context.Context, id event.ID) (*View, error) {
	return event.One[View](ctx, d.c, id, nil, Type)
}

// NewClubNight begins a club night: an operator's for everybody, a captain's for the captain's team. It
// refuses guests, with ErrMakers, ErrLength, ErrMany or ErrFull.
func (d Desk) NewClubNight(ctx context.Context, length time.Duration) (event.ID, error) {
	if err := d.c.Member(); err != nil {
		return 0, err
	}
	cfg := Config{By: d.c.Player().Name}
	if !d.c.Operator() {
		team, err := d.c.Captain(ctx)
		if err != nil {
			return 0, ErrMakers
		}
		cfg.Team, cfg.Tag = team.Team, team.Tag
	}
	if length < Shortest || length > Longest {
		return 0, ErrLength
	}
	e := event.Make(Kind, cfg, d.c.Events.Now())
	e.Ends = e.Begins.Add(length)
	id, err := d.c.Make(ctx, nil, e)
	if err == nil {
		d.c.Events.Deps().Club.News(Type.News, fmt.Sprintf("Club night %d by %s until %s UTC: games of %s count even on one network",
			id, cfg.By, e.Ends.UTC().Format("15:04"), cfg.For()))
	}
	return id, err
}
