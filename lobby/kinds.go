package lobby

import (
	"context"
	"slices"
	"strconv"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
	"boneyard/table"
)

// kinds are the kinds of events that the club holds. A daily deal is asked for by its day, so that it needs no title and no refusals.
var kinds = map[event.Kind]struct {
	begin func(event.Event) (event.Rules, error)
	title string
	none  text.Refusal // there is no such event
	over  text.Refusal // it is over
	leads bool         // players are led to the tables of its games
}{
	arena.Kind:     {arena.New, "Arena", ErrNoArena, arena.ErrOver, true},
	cup.Kind:       {cup.New, "Cup", ErrNoContest, match.ErrOver, true},
	daily.Kind:     {begin: daily.Begin},
	duplicate.Kind: {duplicate.New, "Duplicate match", ErrNoDuplicate, duplicate.ErrOver, true},
	field.Kind:     {field.New, "Duplicate arena", ErrNoField, field.ErrOver, true},
	league.Kind:    {league.New, "League", ErrNoContest, match.ErrOver, true},
}

// EventKinds returns, for each kind of event that the club holds, what makes its initial state.
func EventKinds() event.Kinds {
	all := event.Kinds{}
	for kind, k := range kinds {
		all[kind] = k.begin
	}
	return all
}

// titled is what to call an event, such as "Arena 3", or "Arena 3, Friday night".
func titled(kind event.Kind, id event.ID, name string) string {
	title := kinds[kind].title + " " + strconv.FormatInt(int64(id), 10)
	if name != "" {
		title += ", " + name
	}
	return title
}

// planned is what events that can be called off have in common.
type planned struct {
	name  string
	by    string // who created it
	begun bool
}

// plannedOf reads from the view of an event what it was planned as. A daily deal has always begun.
func plannedOf(view any) planned {
	switch v := view.(type) {
	case *arena.View:
		return planned{v.Config.Name, v.Config.By, v.Begun}
	case *cup.View:
		return planned{v.Config.Name, v.Config.By, v.Begun}
	case *duplicate.View:
		return planned{v.Name, v.By, v.Begun}
	case *field.View:
		return planned{v.Config.Name, v.Config.By, v.Begun}
	case *league.View:
		return planned{v.Config.Name, v.Config.By, v.Begun}
	}
	return planned{begun: true}
}

// entered lists who has entered an arena of either kind or a duplicate match.
func entered(view any) (all []table.Player) {
	switch v := view.(type) {
	case *arena.View:
		for i := range v.Entrants {
			all = append(all, v.Entrants[i].Members...)
		}
	case *field.View:
		for i := range v.Entrants {
			all = append(all, v.Entrants[i].Members...)
		}
	case *duplicate.View:
		return slices.Concat(v.Teams[0], v.Teams[1])
	}
	return all
}

// ErrCallOff is returned to somebody who did not create the event that they want to call off.
const ErrCallOff text.Refusal = "Only operators, and whoever created it, can call it off."

// MayCallOff reports whether the person may call off an event that somebody has created.
func (v *Visit) MayCallOff(by string) bool {
	a := v.account()
	return !a.ID.Guest() && (v.Operator() || a.Name == by)
}

// CallOff ends an event that has not begun, and tells those who have entered. It is for operators and whoever created it. It refuses
// with ErrCallOff, with the refusal of the kind if there is no such event, or if it has begun.
func (v *Visit) CallOff(ctx context.Context, kind event.Kind, id event.ID) error {
	a, err := v.memberAsks()
	if err != nil {
		return err
	}
	l := v.lobby
	r := l.roomOf(kind, id)
	if r == nil {
		return kinds[kind].none
	}
	p := plannedOf(r.View())
	if !v.MayCallOff(p.by) {
		return ErrCallOff
	}
	var players []table.Player
	err = v.doIn(ctx, r, kinds[kind].over, func(rules event.Rules, _ time.Time) ([]event.Entry, error) {
		players = entered(rules.View())
		return rules.(event.Optional).CallOff()
	})
	if err != nil {
		return err
	}
	l.tellAll(players, a.ID, titled(kind, id, p.name)+" was called off.")
	return nil
}
