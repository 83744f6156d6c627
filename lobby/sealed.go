package lobby

import (
	"fmt"
	"slices"

	"boneyard/lobby/event"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/lobby/text"
	"boneyard/table"
)

// ErrSealed is returned to somebody who names something while others still play the deals that they have played.
const ErrSealed text.Refusal = "You can't name anything while others play the same deals as you; please wait until that event is over."

// sealedSeat is where somebody plays, or has played, in an event in progress that deals the same hands at several tables.
type sealedSeat struct {
	event event.ID
	table int // from 1
	title string
}

// sealedSeats are those of everybody. The map is not changed; a change makes a new one.
type sealedSeats map[table.PlayerID][]sealedSeat

// between returns the event in progress that keeps two players apart, because they play its deals at different tables; nil if there is none.
func (s sealedSeats) between(a, b table.PlayerID) *sealedSeat {
	for i := range s[a] {
		for _, other := range s[b] {
			if own := &s[a][i]; own.event == other.event && own.table != other.table {
				return own
			}
		}
	}
	return nil
}

// apart returns the event in progress whose deals two people play at different tables: neither table can help the other, so they don't hear
// each other until it is over. It is nil if there is none, and takes no lock of the lobby.
func (l *Lobby) apart(a, b table.PlayerID) *sealedSeat {
	if s := l.sealed.Load(); s != nil {
		return s.between(a, b)
	}
	return nil
}

// playsSealed reports whether somebody is in such an event.
func (l *Lobby) playsSealed(id table.PlayerID) bool {
	s := l.sealed.Load()
	return s != nil && len((*s)[id]) > 0
}

// mayName refuses a name that everybody in the club reads to somebody who is in such an event.
func (v *Visit) mayName() error {
	if v.lobby.playsSealed(v.person.id) {
		return ErrSealed
	}
	return nil
}

// seal notes who plays where in the events that deal the same hands at several tables, and tells those who have just begun what follows.
// With mu held.
func (l *Lobby) seal() {
	var before sealedSeats
	if s := l.sealed.Load(); s != nil {
		before = *s
	}
	now := sealedSeats{}
	for _, kind := range []event.Kind{duplicate.Kind, field.Kind} {
		for _, r := range l.events.Rooms(kind) {
			e := r.Event()
			for no, seats := range sealedTables(r.View()) {
				for _, p := range seats {
					if p.ID != 0 {
						now[p.ID] = append(now[p.ID], sealedSeat{e.ID, no + 1, kinds[kind].Titled(e.ID, r.View().Plan().Name)})
					}
				}
			}
		}
	}
	if l.sealed.Store(&now); len(now) == 0 {
		l.sealed.Store(nil)
	}
	for id, seats := range now {
		for i := range seats {
			if !slices.ContainsFunc(before[id], func(s sealedSeat) bool { return s.event == seats[i].event }) {
				l.noteHeld(id, seats[i].rule())
			}
		}
	}
	for id := range before {
		if l.people[id] != nil && len(now[id]) == 0 {
			l.jobs.run(func() { l.deliver(id) })
		}
	}
}

// sealedTables are the players at the tables of an event in progress that deals the same hands at several of them.
func sealedTables(view any) (tables [][]table.Player) {
	switch v := view.(type) {
	case *duplicate.View:
		if !v.Begun || v.Over {
			return nil
		}
		tables = make([][]table.Player, 2)
		for _, p := range slices.Concat(v.Teams[0], v.Teams[1]) {
			at := duplicate.TableOf(v.Place(p.ID))
			tables[at] = append(tables[at], p)
		}
	case *field.View:
		if v.Over {
			return nil
		}
		for i := range v.Tables {
			tables = append(tables, v.Tables[i].Seats)
		}
	}
	return tables
}

// rule tells a player what being in the event means.
func (s *sealedSeat) rule() string {
	return s.title + ": until it is over, messages between its tables are held."
}

// refusal is returned for what would reach a player at another table and can't wait.
func (s *sealedSeat) refusal() error {
	return text.Refusal(fmt.Sprintf("You play the deals of %s at different tables; please wait until it is over.", s.title))
}

// noteHeld says something to a person who is here, unless they read it not long ago. With mu held.
func (l *Lobby) noteHeld(id table.PlayerID, what string) {
	if p := l.people[id]; p != nil && !slices.ContainsFunc(p.notes, func(n Note) bool { return n.Text == what }) {
		l.note(p, "%s", what)
	}
}
