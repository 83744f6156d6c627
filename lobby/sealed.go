package lobby

import (
	"slices"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/table"
)

const ErrSealed text.Refusal = "You can't name anything while others play the same deals as you; please wait until that event is over."

// sealedBetween returns a seat in an event in progress whose deals two people play at different tables, or
// nil. They don't hear each other until it is over, so that neither helps the other. sealedBetween takes no
// lock of the lobby.
func (l *Lobby) sealedBetween(a, b table.PlayerID) *event.SealedSeat {
	return l.sealed.Load().Between(a, b)
}

// playsSealed reports whether a player takes part in such an event.
func (l *Lobby) playsSealed(id table.PlayerID) bool {
	return len((*l.sealed.Load())[id]) > 0
}

// mayName returns an error if the person, muted or in such an event, may not choose names that others read.
func (v *Visit) mayName() error {
	if v.lobby.playsSealed(v.person.id) {
		return ErrSealed
	}
	return v.muted()
}

// seal updates who plays where in events that deal the same hands at several tables, and tells those who have
// just begun what that means. With mu held.
func (l *Lobby) seal() {
	now := l.events.Sealed()
	before := *l.sealed.Swap(&now)
	for id, seats := range now {
		for i := range seats {
			if !slices.ContainsFunc(before[id], func(s event.SealedSeat) bool { return s.Event == seats[i].Event }) {
				l.noteHeld(id, seats[i].Rule())
			}
		}
	}
	for id := range before {
		if p := l.people[id]; p != nil && p.listens() && len(now[id]) == 0 {
			l.jobs.run(func() { l.deliver(id) })
		}
	}
}

// noteHeld notes something for a person who is here, unless it is among their notes. With mu held.
func (l *Lobby) noteHeld(id table.PlayerID, what string) {
	if p := l.people[id]; p != nil && !slices.ContainsFunc(p.notes, func(n Note) bool { return n.Text == what }) {
		l.note(p, "%s", what)
	}
}
