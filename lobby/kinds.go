package lobby

import (
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/league"
)

// kinds are the kinds of events that the club holds.
var kinds = event.KindsOf(arena.Type, cup.Type, daily.Type, duplicate.Type, field.Type, league.Type)

// EventKinds returns the kinds of events that the club holds.
func EventKinds() event.Kinds { return kinds }
