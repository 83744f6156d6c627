package duplicate

import (
	"context"
	"fmt"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/table"
)

const ErrMany text.Refusal = "Your last duplicate match is not over yet."

// Desk takes a person's requests about duplicate matches.
type Desk struct{ Caller *event.Caller }

// NewDuplicate creates a match that gathers players. It refuses guests, and returns ErrMany,
// event.ErrDealtMade, or an error of [Config.Complete].
func (d Desk) NewDuplicate(ctx context.Context, cfg Config) (event.ID, error) {
	if err := d.Caller.Member(); err != nil {
		return 0, err
	}
	if err := d.Caller.Sign(&cfg.Name, &cfg.By); err != nil {
		return 0, err
	}
	unfit := cfg.Complete()
	return d.Caller.NewEvent(ctx, unfit, Make(cfg, d.Caller.Events.Deps().NewSeed(), d.Caller.Events.Now()))
}

// Duplicates lists the matches that are not over, by number.
func (d Desk) Duplicates() []View { return event.Views[View](d.Caller.Events, Kind) }

// Duplicate returns a match by number, or ErrNone; one that is over has its Rounds.
func (d Desk) Duplicate(ctx context.Context, id event.ID) (*View, error) {
	return event.ViewByID(ctx, d.Caller, id, d.compare, Kind)
}

// compare sets the Rounds of a match that is over.
func (d Desk) compare(ctx context.Context, v *View) error {
	if !v.Over || !v.Ended[0] || !v.Ended[1] {
		return nil
	}
	one, err := d.Caller.Events.Margins(ctx, v.Games[0].Game, "a duplicate match")
	if err != nil {
		return err
	}
	two, err := d.Caller.Events.Margins(ctx, v.Games[1].Game, "a duplicate match")
	for i := range min(len(one), len(two)) {
		v.Rounds = append(v.Rounds, [2]int{one[i], two[i]})
	}
	return err
}

// EnterDuplicate makes the person join a team. With the eighth player the match begins, and all are taken to
// their tables. It refuses guests, and returns refusals of this package.
func (d Desk) EnterDuplicate(ctx context.Context, id event.ID, team Team) error {
	if err := d.Caller.Member(); err != nil {
		return err
	}
	return event.Wish(ctx, d.Caller, Type, id, func(m *Match, _ time.Time) ([]event.Entry, error) {
		return m.Enter(d.Caller.Player(), d.Caller.Network(), team)
	})
}

// StartDuplicate begins the match, with house masters in the free seats. It is for the creator and operators,
// and counts as making a table.
func (d Desk) StartDuplicate(ctx context.Context, id event.ID) error {
	if err := d.Caller.Member(); err != nil {
		return err
	}
	if err := d.Caller.CountTable(); err != nil {
		return err
	}
	return event.Wish(ctx, d.Caller, Type, id, func(m *Match, _ time.Time) ([]event.Entry, error) {
		return m.Start(d.Caller.Player().Name, d.Caller.Operator())
	})
}

// keep announces the result of a match and notifies its players.
func keep(s *event.Events) *event.Keeper {
	return event.AtEnd((*View).news, func(v *View) {
		for i := range v.Teams {
			s.Deps().Club.Tell(v.Teams[i], 0, fmt.Sprintf("%s The comparison: D in the lobby, or duplicate %d", v.Outcome(Team(i+1)), v.ID))
		}
	})
}

func (v *View) news() []string {
	if v.Winner == 0 && !v.Played {
		return nil
	}
	return []string{strings.TrimSuffix(v.Outcome(0), ".")}
}

func (v *View) Apart() [][]table.Player {
	if !v.Begun || v.Over {
		return nil
	}
	tables := make([][]table.Player, 2)
	for _, p := range v.Players() {
		at := TableOf(v.Place(p.ID))
		tables[at] = append(tables[at], p)
	}
	return tables
}

// Outcome says how a match ended, to a member of a team or, with 0, to anybody.
func (v *View) Outcome(team Team) string {
	name := fmt.Sprintf("Duplicate match %d", v.ID)
	switch {
	case !v.Begun:
		return name + " was not played."
	case v.Winner == 0 && v.Played:
		return name + " was shared: both teams scored the same with the same hands."
	case v.Winner == 0 && v.Empty != 0:
		return name + fmt.Sprintf(" has no winner: the game at table %d was abandoned.", v.Empty)
	case v.Winner == 0:
		return name + " has no winner: a game was not played to its end."
	case team == 0:
		name += fmt.Sprintf(": team %v won", v.Winner)
	case team == v.Winner:
		name += ": your team won"
	default:
		name += ": the other team won"
	}
	if !v.Played {
		return name + ", since the other gave up a game."
	}
	return name + fmt.Sprintf(" by %v.", max(v.Margin, -v.Margin))
}
