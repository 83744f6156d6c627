package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
	"boneyard/ui/page"
)

// A session that has left a table's page before the table answered looks at the lobby, and takes no seat over.
func TestLateTableTakesNothingOver(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, l *lobby.Lobby, _ *lobbytest.Store) {
		key := lobby.KeyID{7}
		origin := lobby.Origin{Key: key, Net: "10.0.0.7"}
		a, err := l.Register(t.Context(), origin, "ana")
		require.NoError(t, err)
		w := walk(t, l, 1, Session{Account: a, Key: &key, Origin: origin})
		at := ownTable("classic", func(*table.Config) {})(t, l, w)

		other, err := l.Enter(t.Context(), a, origin)
		require.NoError(t, err)
		t.Cleanup(func() { other.Close(table.Left) })
		sub, err := other.Watch(t.Context(), at.Table)
		require.NoError(t, err)
		t.Cleanup(sub.Close)

		late := w.m.open(at, true)
		w.press(tea.KeyPressMsg{Code: 'q', Text: "q"})
		require.Equal(t, page.Lobby, w.m.at.Kind)
		w.carryOut(late)
		w.settle()
		require.Empty(t, other.Kicked(), "the session at the seat stays")
		other.Close(table.Left)
		time.Sleep(time.Second) // the snapshot's next batch
		w.settle()
		require.Equal(t, "in the lobby", w.m.env.Visit.Snapshot().People[0].Doing)
	})
}
