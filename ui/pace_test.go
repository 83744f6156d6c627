package ui

import (
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/ui/feature"
)

// drawings is a page that counts its keys, and how often it is drawn.
type drawings struct {
	caller
	keys        int64
	drawn, last atomic.Int64
}

func (p *drawings) Update(tea.Msg) tea.Cmd {
	p.keys++
	return nil
}

func (p *drawings) Lines() []string {
	p.drawn.Add(1)
	p.last.Store(p.keys)
	return nil
}

// A person who types sees each key at once; a script that sends a thousand keys, a few frames and the last.
func TestFramesForKeysAreFew(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		w := walk(t, club.Lobby, 1, Session{Caller: feature.Caller{Origin: lobby.Origin{Net: "10.0.0.7"}}})
		press := func(n int, pause time.Duration) *drawings {
			time.Sleep(time.Minute)
			p := &drawings{}
			w.m.mu.Lock()
			w.m.page = p
			w.m.mu.Unlock()
			for range n {
				w.m.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
				w.m.View()
				time.Sleep(pause)
			}
			return p
		}
		p := press(200, 100*time.Millisecond)
		require.EqualValues(t, 200, p.drawn.Load())
		p = press(1000, time.Millisecond)
		require.Less(t, int(p.drawn.Load()), keyFrameBurst+2*keyFrameRate)
		require.Greater(t, int(p.drawn.Load()), keyFrameRate)
		time.Sleep(time.Second)
		require.EqualValues(t, 1000, p.last.Load())
	})
}
