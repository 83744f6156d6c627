package event

import (
	"fmt"
	"slices"
	"time"

	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/table"
)

// ErrDealtMade is returned while the club or the network has as many duplicate events as it may, and to a
// person or a network that creates many.
const ErrDealtMade text.Refusal = "Too many duplicate matches were just created; please join one, or try again later."

// DealtMade limits how often such events may be created.
var DealtMade = &limit.Rule{
	Key:     limit.Rate{Burst: 3, Every: 10 * time.Minute},
	Addr:    limit.Rate{Burst: 6, Every: 5 * time.Minute},
	Network: limit.Rate{Burst: 12, Every: 5 * time.Minute},
}

// Dealt is implemented by the views of events that deal the same hands at several tables.
type Dealt interface {
	// Apart returns the players of each table while the event is in progress.
	Apart() [][]table.Player
}

// Deals reports whether the event deals the same hands at several tables.
func (r *Room) Deals() bool {
	_, ok := r.View().(Dealt)
	return ok
}

// Alone is implemented by the views of events whose deals everybody plays alone.
type Alone interface {
	// Plays reports whether a player has begun, while the event is in progress.
	Plays(p table.PlayerID) bool
}

// Hushes reports whether a player must neither hear nor say anything about the event, since others still play
// the same deals.
func (r *Room) Hushes(p table.PlayerID) bool {
	switch v := r.View().(type) {
	case Dealt:
		return slices.ContainsFunc(v.Apart(), func(seats []table.Player) bool { return Has(seats, p) })
	case Alone:
		return v.Plays(p)
	}
	return false
}

// SealedSeat is somebody's seat in an event in progress that deals the same hands at several tables.
type SealedSeat struct {
	Event ID
	Table int // from 1
	Title string
}

// Rule tells a player what taking part in the event means.
func (s *SealedSeat) Rule() string {
	return s.Title + ": until it is over, messages between its tables are held."
}

// Refusal is returned for a message or call to another table that can't wait.
func (s *SealedSeat) Refusal() error {
	return text.Refusal(fmt.Sprintf("You play the deals of %s at different tables; please wait until it is over.", s.Title))
}

// SealedSeats maps players to their sealed seats. A map is never changed; a change makes a new one.
type SealedSeats map[table.PlayerID][]SealedSeat

// Sealed returns the seats in events that deal the same hands at several tables.
func (s *Events) Sealed() SealedSeats {
	now := SealedSeats{}
	for _, r := range s.All() {
		v, ok := r.View().(Dealt)
		if !ok {
			continue
		}
		for no, seats := range v.Apart() {
			for _, p := range seats {
				if p.ID != 0 {
					now[p.ID] = append(now[p.ID], SealedSeat{r.event.ID, no + 1, r.title()})
				}
			}
		}
	}
	return now
}

// Between returns a seat of a in an event in progress whose deals b plays at another table, or nil.
func (s SealedSeats) Between(a, b table.PlayerID) *SealedSeat {
	for i := range s[a] {
		own := &s[a][i]
		if slices.ContainsFunc(s[b], func(other SealedSeat) bool { return own.Event == other.Event && own.Table != other.Table }) {
			return own
		}
	}
	return nil
}
