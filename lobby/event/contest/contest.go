// Package contest takes the requests about leagues and cups for teams: operators create them, and captains
// sign up their teams, agree on times and line up players. Package match knows how two teams play each other.
package contest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Refusals about leagues and cups, in addition to those of package match.
const (
	ErrMakers text.Refusal = "Only operators can create leagues and cups."
	ErrTime   text.Refusal = "It must begin at least ten minutes from now, and within a year."
	ErrName   text.Usage   = "Give it a name, such as name=Winter league."
	ErrAfter  text.Refusal = "A league can only continue one that was played and is over."
)

const (
	soonest = 10 * time.Minute
	ahead   = 366 * 24 * time.Hour
)

// Desk takes a person's requests about leagues and cups.
type Desk struct{ Caller *event.Caller }

// Contests lists the leagues and cups that are not over, by number.
func (d Desk) Contests() []match.View { return event.Views[match.View](d.Caller.Events, "") }

// FinishedContests lists the latest leagues or cups that were played, newest first, as they ended. The list
// is shared; nobody may change it.
func (d Desk) FinishedContests(ctx context.Context, kind event.Kind) ([]match.View, error) {
	const shown = 20 // how many finished leagues or cups are listed
	return event.Once(ctx, d.Caller, fmt.Sprint("finished ", kind), func(ctx context.Context) (all []match.View, err error) {
		finals, err := match.Finals(ctx, d.Caller.Events, kind)
		if err != nil {
			return nil, err
		}
		for _, past := range finals {
			if past.Called || len(all) == shown {
				continue
			}
			_, view, err := d.Caller.Events.PastView(ctx, past.ID, kind)
			if err != nil {
				return nil, err
			}
			all = append(all, *view.(*match.View))
		}
		return all, nil
	})
}

// finals returns the results of leagues and cups, newest first.
func (d Desk) finals(ctx context.Context) ([]match.Past, error) {
	all, err := event.Once(ctx, d.Caller, "finals", func(ctx context.Context) (all []match.Past, err error) {
		for _, kind := range []event.Kind{league.Kind, cup.Kind} {
			some, err := match.Finals(ctx, d.Caller.Events, kind)
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
		slices.SortFunc(all, func(a, b match.Past) int { return b.Ended.Compare(a.Ended) })
		return all, nil
	})
	return all, d.Caller.Sentence("read the results of leagues and cups", err)
}

// Trophy is something that a team has won.
type Trophy struct {
	Event event.ID
	Title string
	At    time.Time
}

// Trophies lists a team's trophies, newest first.
func (d Desk) Trophies(ctx context.Context, team table.TeamID) (won []Trophy, err error) {
	all, err := d.finals(ctx)
	for _, c := range all {
		for _, t := range c.Trophies {
			if t.Team == team {
				won = append(won, Trophy{c.ID, t.Title, c.Ended})
			}
		}
	}
	return won, err
}

// Contest returns a league or cup by number, which may be over, or match.ErrNone.
func (d Desk) Contest(ctx context.Context, id event.ID) (*match.View, error) {
	return event.ViewByID[match.View](ctx, d.Caller, id, nil, league.Kind, cup.Kind)
}

// NewLeague creates a season. after is the season whose final order it continues, or 0. NewLeague returns
// ErrMakers, ErrTime, ErrName, ErrAfter or an error of [league.Config.Validate].
func (d Desk) NewLeague(ctx context.Context, cfg league.Config, begins time.Time, after event.ID) (event.ID, error) {
	if err := d.mayMake(&cfg.Config, begins); err != nil {
		return 0, err
	}
	if after != 0 {
		all, err := d.finals(ctx)
		if err != nil {
			return 0, err
		}
		i := slices.IndexFunc(all, func(p match.Past) bool { return p.ID == after && p.Kind == league.Kind && !p.Called })
		if i < 0 {
			return 0, ErrAfter
		}
		cfg.Order = all[i].Order
	}
	cfg.Even = true
	return d.make(ctx, cfg.Validate(), cfg.Name, event.Make(league.Kind, cfg, begins.Round(0)))
}

// NewCup creates a cup. It returns the same errors as NewLeague, with those of [cup.Config.Validate].
func (d Desk) NewCup(ctx context.Context, cfg cup.Config, begins time.Time) (event.ID, error) {
	if err := d.mayMake(&cfg.Config, begins); err != nil {
		return 0, err
	}
	return d.make(ctx, cfg.Validate(), cfg.Name, event.Make(cup.Kind, cfg, begins.Round(0)))
}

// mayMake returns an error if the person may not create a league or a cup like this; it cleans the name.
func (d Desk) mayMake(cfg *match.Config, begins time.Time) error {
	err := d.Caller.Member()
	now := d.Caller.Events.Now()
	switch {
	case err != nil:
		return err
	case !d.Caller.Operator():
		return ErrMakers
	case cfg.Name == "":
		return ErrName
	case begins.Before(now.Add(soonest).Truncate(time.Minute)), begins.After(now.Add(ahead)): // people give minutes, and it was a moment ago
		return ErrTime
	}
	return d.Caller.Sign(&cfg.Name, &cfg.By)
}

func (d Desk) make(ctx context.Context, unfit error, name string, e event.Event) (event.ID, error) {
	id, err := d.Caller.NewEvent(ctx, unfit, e)
	if err != nil {
		return 0, err
	}
	club := d.Caller.Events.Deps().Club
	say := fmt.Sprintf("%s begins on %s; captains sign up their teams: %s %d join", name, event.DayAndTime(e.Begins), e.Kind, id)
	club.Run(func() { club.News(time.Time{}, string(e.Kind), say, event.Rare) })
	return id, nil
}
