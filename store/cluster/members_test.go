package cluster

import (
	"encoding/json"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// hearsAll has a node hear others.
func (m *Peers) hearsAll(t *testing.T, names ...string) {
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
		n.hearsAll(t, "two")
		require.Equal(t, settleTime, settles())
		time.Sleep(time.Second)
		n.hearsAll(t, "two", "three")
		require.Equal(t, settleTime-time.Second, settles())
		time.Sleep(settleTime)
		n.hearsAll(t, "three")
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

// TestANodeThatWritesIsAlive has a node not be heard while its entries come.
func TestANodeThatWritesIsAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := NewPeers(Member{Node: "one"}, 3, nil, slog.New(slog.DiscardHandler))
		owner, err := json.Marshal(Member{Node: "two", Epoch: 7})
		require.NoError(t, err)
		n.Heard(owner)
		n.hearsAll(t, "three")
		alive := func(after time.Duration) (names []string) {
			time.Sleep(after)
			n.forget(time.Now())
			members, _ := n.Members()
			for _, m := range members {
				names = append(names, m.Node)
			}
			return names
		}
		n.wrote(6)
		require.Equal(t, []string{"one", "three", "two"}, alive(deadAfter))
		n.wrote(7)
		require.Equal(t, []string{"one", "two"}, alive(deadAfter))
		require.Equal(t, []string{"one"}, alive(deadAfter))
	})
}
