package lobby

import (
	"context"

	"boneyard/lobby/event"
	"boneyard/table"
)

// Public is what anybody may know of the club, also outside of it.
type Public struct {
	News    []NewsItem          // the newest first
	Planned []event.Appointment // by time, with what was called off
}

// ClubID identifies the club among others.
func (l *Lobby) ClubID() string { return l.saltedHash("calendar") }

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
