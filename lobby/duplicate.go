package lobby

import (
	"context"
	"fmt"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Refusals about duplicate matches, besides those of package duplicate.
const (
	// ErrManyDuplicates is returned to somebody whose previous match is not over.
	ErrManyDuplicates text.Refusal = "Your last duplicate match is not over yet."
	// ErrDuplicatesMade is returned while the club, or the network, has as many matches as it may, and to a person or network that makes many.
	ErrDuplicatesMade text.Refusal = "Too many duplicate matches were just created; please join one, or try again later."
)

// Duplicate is a duplicate match as it is now.
type Duplicate struct {
	ID event.ID
	*duplicate.View
	Tables [2]table.ID // where its games are played, 0 where none is
	Rounds [][2]int    // when it is over: what the pair in seats 1 and 3 made more than the other in each round, at table 1 and at table 2
}

// NewDuplicate makes a match that gathers players. It refuses with ErrMembersOnly, ErrManyDuplicates, ErrDuplicatesMade, or the errors
// of [duplicate.Config.Complete].
func (v *Visit) NewDuplicate(ctx context.Context, cfg duplicate.Config) (event.ID, error) {
	a, err := v.memberAsks()
	if err != nil {
		return 0, err
	}
	cfg.By = a.Name
	if cfg.Name, err = v.publicTitle(cfg.Name); err != nil {
		return 0, err
	}
	if err := cfg.Complete(); err != nil {
		return 0, refused(err)
	}
	l := v.lobby
	room, err := v.createEvent(ctx, duplicate.Make(cfg, l.newSeed(), l.clock.Now()))
	if err != nil {
		return 0, err
	}
	return room.Event().ID, nil
}

// Duplicates lists the matches that are not over, by number.
func (v *Visit) Duplicates() []Duplicate { return roomsOf(v.lobby, duplicate.Kind, duplicateOf) }

func duplicateOf(r *event.Room) Duplicate {
	d := Duplicate{ID: r.Event().ID, View: r.View().(*duplicate.View)}
	for i := range d.Tables {
		if id, ok := r.Table(int64(i + 1)); ok && !d.Ended[i] {
			d.Tables[i] = id
		}
	}
	return d
}

// Duplicate returns the match with a number; one that is over is compared round by round. duplicate.ErrNone.
func (v *Visit) Duplicate(ctx context.Context, id event.ID) (*Duplicate, error) {
	return eventOf(ctx, v, id, duplicateOf, v.lobby.pastDuplicate, duplicate.Kind)
}

func (l *Lobby) pastDuplicate(ctx context.Context, id event.ID) (*Duplicate, error) {
	_, rules, err := l.pastEvent(ctx, id, duplicate.Kind)
	if err != nil {
		return nil, err
	}
	d := &Duplicate{ID: id, View: rules.View().(*duplicate.View)}
	if !d.Over || !d.Ended[0] || !d.Ended[1] {
		return d, nil
	}
	var margins [2][]int
	for i := range margins {
		lines, err := l.stores.Events.Moves(ctx, d.Games[i].Game)
		if err != nil {
			return nil, l.trouble("read a game of a duplicate match", err)
		}
		margins[i] = daily.Margins(lines)
	}
	for i := range min(len(margins[0]), len(margins[1])) {
		d.Rounds = append(d.Rounds, [2]int{margins[0][i], margins[1][i]})
	}
	return d, nil
}

// PastDuplicate is a match that is over.
type PastDuplicate struct {
	ID    event.ID
	Name  string
	By    string
	Ended time.Time
	duplicate.Final
}

// PastDuplicates lists the latest matches that were played, the newest first. The list is shared; nobody may change it.
func (v *Visit) PastDuplicates(ctx context.Context) ([]PastDuplicate, error) {
	return askOnce(ctx, v, &v.lobby.titles, "duplicates", func(ctx context.Context) ([]PastDuplicate, error) {
		return pastEvents(ctx, v.lobby, duplicate.Kind, func(c event.Closing, cfg duplicate.Config, end duplicate.Final) (PastDuplicate, bool) {
			return PastDuplicate{ID: c.Event.ID, Name: cfg.Name, By: cfg.By, Ended: c.Last.At, Final: end}, end.Begun
		})
	})
}

// EnterDuplicate has the person join a team; with the eighth player the match begins, and all are led to their tables. It refuses with
// ErrMembersOnly, duplicate.ErrNone, or the refusals of package duplicate.
func (v *Visit) EnterDuplicate(ctx context.Context, id event.ID, team duplicate.Team) error {
	if _, err := v.member(); err != nil {
		return err
	}
	me := v.Player()
	return wish(ctx, v, duplicate.Kind, id, func(m *duplicate.Match) ([]event.Entry, error) { return m.Enter(me, team) })
}

// LeaveDuplicate takes the person out of a match that has not begun.
func (v *Visit) LeaveDuplicate(ctx context.Context, id event.ID) error {
	me := v.Player().ID
	return wish(ctx, v, duplicate.Kind, id, func(m *duplicate.Match) ([]event.Entry, error) { return m.Leave(me) })
}

// StartDuplicate begins the match, with the house's masters in the free places. It is for its maker and operators, and counts as the
// making of a table: ErrManyMade.
func (v *Visit) StartDuplicate(ctx context.Context, id event.ID) error {
	a, err := v.member()
	if err != nil {
		return err
	}
	if err := v.may(&v.lobby.limits.tables, ErrManyMade); err != nil {
		return err
	}
	return wish(ctx, v, duplicate.Kind, id, func(m *duplicate.Match) ([]event.Entry, error) { return m.Start(a.Name, v.Operator()) })
}

// announceDuplicate notifies the players of a match that it is over. It is a background job.
func (l *Lobby) announceDuplicate(id event.ID) {
	d, err := l.pastDuplicate(l.ctx, id)
	if err != nil || !d.Over || !d.Begun {
		return // it is logged, or nothing was played
	}
	if d.Winner != 0 || d.Played {
		l.tellResult(NewsDuplicate, strings.TrimSuffix(d.Outcome(0), "."))
	}
	for i := range d.Teams {
		l.tellAll(d.Teams[i], 0, fmt.Sprintf("%s The comparison: D in the lobby, or duplicate %d", d.Outcome(duplicate.Team(i+1)), id))
	}
}

// Outcome says how a match that is over ended, to a member of a team or, with 0, to anybody.
func (d *Duplicate) Outcome(team duplicate.Team) string {
	name := fmt.Sprintf("Duplicate match %d", d.ID)
	switch {
	case !d.Begun:
		return name + " was not played."
	case d.Winner == 0 && d.Played:
		return name + " is shared: both teams scored the same with the same hands."
	case d.Winner == 0 && d.Empty != 0:
		return name + fmt.Sprintf(" has no winner: the game at table %d was abandoned.", d.Empty)
	case d.Winner == 0:
		return name + " has no winner: a game was not played to its end."
	case team == 0:
		name += fmt.Sprintf(": team %v wins", d.Winner)
	case team == d.Winner:
		name += ": your team wins"
	default:
		name += ": the other team wins"
	}
	if !d.Played {
		return name + ", since the other gave up a game."
	}
	return name + fmt.Sprintf(" by %d.", max(d.Margin, -d.Margin))
}
