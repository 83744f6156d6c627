package ui

import (
	"context"
	"sync"

	tea "charm.land/bubbletea/v2"

	"boneyard/ui/page"
)

// listener passes on to the program what the window, the club and the page's table have to say. It is one goroutine for a session,
// and not a command of the model that is armed again after each message: for each command Bubble Tea starts a goroutine, which
// a thousand watchers of a table would pay at each move.
type listener struct {
	turn chan sources // capacity 1: what to listen to from now on
	at   sources      // what was last sent on turn; belongs to the model
	wg   sync.WaitGroup
}

// sources are what there is to listen to beside the window, nil where there is nothing.
type sources struct {
	updates <-chan struct{} // of the club
	kicked  <-chan string   // the text with which the club ends the session
	wake    <-chan struct{} // of the page that is shown
}

func newListener() *listener { return &listener{turn: make(chan sources, 1)} }

// start listens until ctx ends: to the window's sizes, and to what follow says.
func (l *listener) start(ctx context.Context, sizes <-chan Size, send func(tea.Msg)) {
	l.wg.Go(func() {
		var to sources
		for {
			select {
			case <-ctx.Done():
				return
			case to = <-l.turn:
			case s := <-sizes:
				send(tea.WindowSizeMsg{Width: s.Width, Height: s.Height})
			case text := <-to.kicked:
				send(kickedMsg{text})
			case <-to.wake:
				send(page.WokenMsg{})
			case <-to.updates:
				send(page.ClubUpdateMsg{})
			}
		}
	})
}

// follow has the listener listen to something else, if it is something else. Called by the model only.
func (l *listener) follow(to sources) {
	if to == l.at {
		return
	}
	l.at = to
	select {
	case <-l.turn: // it has not been looked at, and is not so any more
	default:
	}
	l.turn <- to
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
