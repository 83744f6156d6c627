package ui

import (
	"context"
	"sync"

	tea "charm.land/bubbletea/v2"

	"boneyard/ui/page"
)

// listener passes on to the program what the club and the page's table have to say. It is one goroutine for a session, and
// not a command of the model that is armed again after each message: for each command Bubble Tea starts a goroutine, which
// a thousand watchers of a table would pay at each move.
type listener struct {
	turn chan (<-chan struct{}) // capacity 1: the channel to listen to from now on
	at   <-chan struct{}        // what was last sent on turn; belongs to the model
	wg   sync.WaitGroup
}

func newListener() *listener { return &listener{turn: make(chan (<-chan struct{}), 1)} }

// start listens until ctx ends: to the club's updates, to the text with which it ends the session, and to what follow says.
func (l *listener) start(ctx context.Context, updates <-chan struct{}, kick <-chan string, send func(tea.Msg)) {
	l.wg.Go(func() {
		var wake <-chan struct{}
		for {
			select {
			case <-ctx.Done():
				return
			case wake = <-l.turn:
			case text := <-kick:
				send(kickedMsg{text})
			case <-wake:
				send(page.WokenMsg{})
			case <-updates:
				send(page.ClubUpdateMsg{})
			}
		}
	})
}

// follow has the listener listen to the channel of the page that is shown, nil for none. Called by the model only.
func (l *listener) follow(wake <-chan struct{}) {
	if wake == l.at {
		return
	}
	l.at = wake
	select {
	case <-l.turn: // it has not been looked at, and is not so any more
	default:
	}
	l.turn <- wake
}

// join waits for the listener to end.
func (l *listener) join() { l.wg.Wait() }

// followUpMsg carries a command that followed from news.
type followUpMsg struct{ cmd tea.Cmd }

// news handles a message of the listener's where Bubble Tea would filter it, on the same goroutine. Handled there, it spares
// what Bubble Tea does for each message that gets through: it wakes the goroutine that runs commands, also when there is
// none. A command that follows takes the usual way.
func (m *model) news(msg tea.Msg) tea.Msg {
	_, cmd := m.Update(msg)
	if cmd != nil {
		return followUpMsg{cmd}
	}
	m.View()
	return nil
}
