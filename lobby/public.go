package lobby

import (
	"context"
	"encoding/binary"
	"fmt"

	"boneyard/lobby/event"
	"boneyard/table"
)

// Public is what anybody may know about the club, even outside it.
type Public struct {
	News    []NewsItem          // newest first
	Planned []event.Appointment // by time, including what was called off
}

// ClubID identifies the club. It was originally derived from the host keys, in the same way as hashes of
// addresses, and is kept with the data, so that other keys do not make it another club.
func (l *Lobby) ClubID() string { return fmt.Sprintf("%016x", l.id.Load()) }

// recallID loads the club's ID; with keep, a new one is stored if there is none.
func (l *Lobby) recallID(ctx context.Context, keep bool) error {
	id, err := l.stores.Events.ClubID(ctx)
	if id == 0 && err == nil {
		id = binary.BigEndian.Uint64(l.salted("calendar"))
		if keep {
			err = l.stores.Events.KeepClubID(ctx, id)
		}
	}
	if err != nil {
		return fmt.Errorf("which club it is: %w", err)
	}
	l.id.Store(id)
	return nil
}

// Public returns the public data for the program itself, so no limits apply. See [Deps.Outside].
func (l *Lobby) Public(ctx context.Context) (*Public, error) {
	off, err := remember(ctx, &l.titles, event.OffQuestion, l.events.CalledOff)
	if err != nil {
		return nil, err
	}
	planned := l.events.Planned(table.Player{}, off)
	l.mu.Lock()
	defer l.mu.Unlock()
	return &Public{l.news, planned}, nil
}
