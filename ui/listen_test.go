package ui

import (
	"context"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/page"
)

// silence is a terminal at which nothing is typed.
type silence struct{ feature.Input }

func (silence) Ready() <-chan struct{} { return nil }

func TestListener(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	sizes, got := make(chan Size), make(chan tea.Msg)
	updates, kicked := make(chan struct{}, 1), make(chan string, 1)
	l := newListener(&trap{})
	l.start(ctx, silence{}, sizes, func(m tea.Msg) { got <- m })

	// The listener hears changes of the window from the start, and the club's updates once the person is in.
	sizes <- Size{100, 30}
	require.Equal(t, tea.WindowSizeMsg{Width: 100, Height: 30}, <-got)
	updates <- struct{}{}
	sizes <- Size{101, 31}
	require.Equal(t, tea.WindowSizeMsg{Width: 101, Height: 31}, <-got)
	l.entered <- news{updates, kicked}
	require.Equal(t, page.ClubUpdateMsg{}, <-got)
	kicked <- "the door is there"
	require.Equal(t, kickedMsg{"the door is there"}, <-got)

	cancel()
	l.join()
}

// asker is a page that asks the club something at each piece of news.
type asker struct{ caller }

func (p *asker) Update(msg tea.Msg) tea.Cmd {
	p.caller.Update(msg)
	return page.Send(page.Say("It is done."))
}

func TestNewsIsHandledByWhoBringsIt(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		w := walk(t, club.Lobby, 1, Session{Caller: feature.Caller{Origin: lobby.Origin{Net: "10.0.0.7"}}})
		var sent []tea.Msg
		pass := func(msg tea.Msg) { w.m.pass(msg, func(m tea.Msg) { sent = append(sent, m) }) }
		shown := &caller{}
		w.m.page = shown
		pass(page.WokenMsg{})
		require.Equal(t, []tea.Msg{page.WokenMsg{}}, shown.got)
		require.Empty(t, sent)

		key := tea.KeyPressMsg{Code: 'x', Text: "x"}
		pass(key)
		require.Equal(t, []tea.Msg{key}, sent, "a key is the program's")

		w.m.page = &asker{}
		pass(page.WokenMsg{})
		require.Len(t, sent, 2)
		require.IsType(t, doMsg(nil), sent[1])

		// The program's goroutine and others never handle messages at the same time.
		w.m.page = shown
		var others sync.WaitGroup
		for range 8 {
			others.Go(func() {
				for range 20 {
					w.m.pass(page.WokenMsg{}, nil)
				}
			})
		}
		for range 20 {
			w.m.Update(page.AskMsg{})
			w.m.View()
		}
		others.Wait()
		require.Len(t, shown.got, 1+8*20)

		w.leave(table.Left)
		pass(page.WokenMsg{})
		require.Len(t, shown.got, 1+8*20, "nothing changes after the end")
	})
}
