package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// after sends what f makes of the time in d, unless the session has ended before. tea.Tick would keep its goroutine, and with it
// the whole session, until then: that is up to an hour where somebody has looked at a slow game.
func after(ctx context.Context, d time.Duration, f func(time.Time) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case now := <-timer.C:
			return f(now)
		case <-ctx.Done():
			return nil
		}
	}
}
