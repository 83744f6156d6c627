package ui

import (
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/ui/page"
)

// pressed is a page that offers keys and takes down which are pressed.
type pressed struct {
	caller
	keys []key.Binding
	got  []string
}

func (p *pressed) Chrome() page.Chrome { return page.Chrome{Keys: p.keys} }

func (p *pressed) Update(msg tea.Msg) (page.Page, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		p.got = append(p.got, k.String())
	}
	return p, nil
}

// The wheel chooses and scrolls where the arrows do, and does nothing else.
func TestWheel(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		w := walk(t, club.Lobby, 1, Session{Origin: lobby.Origin{Net: "10.0.0.7"}})
		turned := func(b tea.MouseButton, keys ...key.Binding) []string {
			p := &pressed{keys: keys}
			w.m.page = p
			w.does("wheel", tea.MouseWheelMsg{Button: b})
			return p.got
		}
		off, play := page.KeyMove, page.Bind("↑↓", "end", "up", "down")
		off.SetEnabled(false)
		require.Equal(t, []string{"down"}, turned(tea.MouseWheelDown, play, page.KeyMove))
		require.Equal(t, []string{"up"}, turned(tea.MouseWheelUp, page.KeyMove))
		require.Equal(t, []string{"up", "up", "up"}, turned(tea.MouseWheelUp, page.KeyScroll))
		require.Empty(t, turned(tea.MouseWheelLeft, page.KeyMove))
		require.Empty(t, turned(tea.MouseWheelDown, play, off), "it plays nothing")

		w.m.asking = "Leave?"
		require.Empty(t, turned(tea.MouseWheelDown, page.KeyMove))
		require.NotEmpty(t, w.m.asking)
		w.m.asking = ""
		w.m.help.open = true
		require.Empty(t, turned(tea.MouseWheelDown, page.KeyMove))
		require.Equal(t, 1, w.m.help.at)
	})
}

// q leads away from a page, unless the page has something to close with it first.
func TestQClosesWhatLiesOverAPage(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		w := walk(t, club.Lobby, 1, Session{Origin: lobby.Origin{Net: "10.0.0.7"}})
		over := &pressed{keys: []key.Binding{page.Bind("s", "back to the game", "s", "q")}}
		w.m.page, w.m.at = over, page.Target{Kind: page.Replay}
		w.does("q", tea.KeyPressMsg{Code: 'q', Text: "q"})
		require.Equal(t, []string{"q"}, over.got)
		require.Equal(t, page.Replay, w.m.at.Kind)
		over.keys = nil
		w.does("q", tea.KeyPressMsg{Code: 'q', Text: "q"})
		require.Equal(t, page.Lobby, w.m.at.Kind)
	})
}
