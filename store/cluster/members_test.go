package cluster

import (
	"encoding/json"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// hears has a node hear others.
func (m *Peers) hears(t *testing.T, names ...string) {
	for _, name := range names {
		data, err := json.Marshal(Member{Node: name})
		require.NoError(t, err)
		m.Heard(data)
	}
}

// TestANodeSettlesBeforeItTakesTheClub checks that a node that has just heard a majority, or was stopped and resumed, does not take the
// club over before the owner has had time to be heard.
func TestANodeSettlesBeforeItTakesTheClub(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := NewPeers(Member{Node: "one"}, 3, nil, slog.New(slog.DiscardHandler))
		settles := func() time.Duration {
			in, ok := n.Settles()
			require.True(t, ok)
			return in
		}
		_, ok := n.Settles()
		require.False(t, ok, "it hears nobody")
		n.hears(t, "two")
		require.Equal(t, settleTime, settles())
		time.Sleep(time.Second)
		n.hears(t, "two", "three")
		require.Equal(t, settleTime-time.Second, settles())
		time.Sleep(settleTime)
		n.hears(t, "three")
		n.forget(time.Now())
		require.Zero(t, settles(), "two is not heard, but there was a majority all the time")

		time.Sleep(time.Minute) // it was stopped
		n.slept(time.Now())
		n.forget(time.Now())
		require.Equal(t, settleTime, settles(), "three may still be there")
		time.Sleep(settleTime)
		n.forget(time.Now())
		_, ok = n.Settles()
		require.False(t, ok, "three is not")
	})
}
