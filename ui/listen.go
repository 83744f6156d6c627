package ui

import (
	"context"
	"sync"

	tea "charm.land/bubbletea/v2"

	"boneyard/ui/feature"
	"boneyard/ui/input"
	"boneyard/ui/page"
)

// listener passes messages from the terminal and the club to the model. It is one goroutine per session,
// since Bubble Tea would start another for each command that waits for a message.
type listener struct {
	trap    *trap
	entered chan news // capacity 1: the person is in the club, which happens once
	wg      sync.WaitGroup
}

// news is where a session hears from the club.
type news struct {
	updates <-chan struct{}
	kicked  <-chan string // the text with which the club ends the session
}

func newListener(t *trap) *listener { return &listener{trap: t, entered: make(chan news, 1)} }

// start listens until ctx ends: to the terminal's keys and sizes, and to the club once the person is in it.
// When the input ends, the session ends.
func (l *listener) start(ctx context.Context, in feature.Input, sizes <-chan Size, send func(tea.Msg)) {
	l.wg.Go(func() {
		defer l.trap.guard()
		keys := input.New(send)
		defer keys.Close()
		var club news
		for {
			select {
			case <-ctx.Done():
				return
			case club = <-l.entered:
			case <-in.Ready():
				var b [512]byte
				n, err := in.Read(b[:])
				keys.Take(b[:n])
				if err != nil {
					l.trap.end()
					return
				}
			case <-keys.Late():
				keys.Expire()
			case s := <-sizes:
				send(tea.WindowSizeMsg{Width: s.Width, Height: s.Height})
			case text := <-club.kicked:
				send(kickedMsg{text})
			case <-club.updates:
				send(page.ClubUpdateMsg{})
			}
		}
	})
}

func (l *listener) join() { l.wg.Wait() }

// pass hands a message to the model: news at once, on the caller's goroutine, all else through the program.
// For each message, Bubble Tea would wake the program's goroutine and the one that runs commands, even if
// there is no command. A command that news returns takes the usual way.
func (m *model) pass(msg tea.Msg, send func(tea.Msg)) {
	switch msg.(type) {
	case page.WokenMsg, page.ClubUpdateMsg, page.TickMsg:
		if _, cmd := m.Update(msg); cmd != nil {
			send(doMsg(func() tea.Cmd { return cmd }))
			return
		}
		m.View()
	default:
		send(msg)
	}
}
