package challenge

import (
	"context"
	"time"

	"boneyard/lobby/event"
)

// Desk takes a person's requests about challenges.
type Desk struct{ c *event.Caller }

// NewDesk returns the desk for a caller.
func NewDesk(c *event.Caller) Desk { return Desk{c} }

// Challenges are those that concern the person, by number.
func (d Desk) Challenges() (all []View) {
	for _, v := range event.Views[View](d.c.Events, Kind) {
		if v.Concerns(d.c.Player()) {
			all = append(all, v)
		}
	}
	return all
}

// Plan creates a challenge for a time. It refuses guests, with ErrLate, ErrMany or ErrFull.
func (d Desk) Plan(ctx context.Context, cfg Config, at time.Time) (event.ID, error) {
	if err := d.c.Member(); err != nil {
		return 0, err
	}
	if at, late := d.c.Events.Begins(at); late || !at.After(d.c.Events.Now()) {
		return 0, ErrLate
	}
	cfg.Sides[0] = d.c.Player()
	return d.c.Make(ctx, cfg.Table.Validate(), event.Make(Kind, cfg, at))
}

// EndChallenge calls a challenge off that the person has made, or declines one of theirs. For a team, whoever is its captain then does so.
func (d Desk) EndChallenge(ctx context.Context, id event.ID) error {
	if err := d.c.Member(); err != nil {
		return err
	}
	r := d.c.Events.RoomOf(Kind, id)
	if r == nil {
		return ErrNone
	}
	me, v := d.c.Player(), r.View().(*View)
	if !v.Concerns(me) {
		return ErrNone
	}
	own := me.ID == v.Config.Sides[0].ID
	if v.Config.team() {
		team, err := d.c.Captain(ctx)
		if err != nil {
			return err
		}
		own = team.Team == v.Config.Table.Teams[0]
	}
	return event.Wish(ctx, d.c, Type, id, func(c *Challenge, _ time.Time) ([]event.Entry, error) {
		if own {
			return c.CallOff()
		}
		return end(me.Name + " declines"), nil
	})
}
