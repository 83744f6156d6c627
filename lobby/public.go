package lobby

import (
	"context"
	"encoding/binary"
	"fmt"

	"boneyard/lobby/event"
	"boneyard/table"
)

// Public is what anybody may know of the club, also outside of it.
type Public struct {
	News    []NewsItem          // the newest first
	Planned []event.Appointment // by time, with what was called off
}

// ClubID identifies the club among others. It was once made of the host keys, as hashes of addresses are, and has been kept in
// the data since, so that other keys make no other club of it.
func (l *Lobby) ClubID() string { return fmt.Sprintf("%016x", l.id.Load()) }

// recallID learns which club it is; keep has one kept where none is.
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

// Public is for the program: it counts against nobody's limits. See Deps.Outside.
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
