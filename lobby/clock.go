package lobby

import (
	"context"
	"time"

	"boneyard/table"
)

// The time for events is put on disk every keepEvery while somebody is here, since a restart is compared with it; and
// every keepIdle while nobody is: after a crash events wait for a minute then, and no disk wears out for it.
const (
	keepEvery = 10 * time.Minute
	keepIdle  = 6 * time.Hour
)

// keepTime puts the time for events on disk if that is due, and looks again later. It is a background job.
func (l *Lobby) keepTime() {
	l.mu.Lock()
	due := len(l.people) > 0 || time.Since(l.kept) >= keepIdle
	l.mu.Unlock()
	if due {
		l.putTime(l.ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if due {
		l.kept = time.Now()
	}
	if !l.closed {
		l.keeping = time.AfterFunc(keepEvery, func() { l.jobs.run(l.keepTime) })
	}
}

// putTime puts the time on disk, as events and as the wall clock have it. An older one does, too: then a restart waits for longer.
func (l *Lobby) putTime(ctx context.Context) {
	_ = l.stores.Events.KeepTime(ctx, l.clock.Now(), l.tables.Now())
}

// slashClock shows by what time events go, and has them believe the server's clock.
func slashClock(ctx context.Context, v *Visit, _ table.ID, args []string) (string, error) {
	l := v.lobby
	if len(args) > 0 && args[0] == "accept" {
		if err := v.audit(ctx, "clock", "", l.clock.String()); err != nil {
			return "", err
		}
		l.clock.Accept()
		l.events.Look()
	}
	return l.clock.String(), nil
}
