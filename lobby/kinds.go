package lobby

import (
	"context"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/league"
	"boneyard/lobby/text"
	"boneyard/table"
)

// kinds are the kinds of events that the club holds.
var kinds = event.KindsOf(arena.Type, cup.Type, daily.Type, duplicate.Type, field.Type, league.Type)

// EventKinds returns the kinds of events that the club holds.
func EventKinds() event.Kinds { return kinds }

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
		return kinds[kind].None
	}
	p := r.View().Plan()
	if !v.MayCallOff(p.By) {
		return ErrCallOff
	}
	var players []table.Player
	err = v.doIn(ctx, r, kinds[kind].Over, func(rules event.Rules, _ time.Time) ([]event.Entry, error) {
		players = rules.View().Players()
		return rules.(event.Optional).CallOff()
	})
	if err != nil {
		return err
	}
	l.tellAll(players, a.ID, kinds[kind].Titled(id, p.Name)+" was called off.")
	return nil
}
