package cluster

import (
	"encoding/json"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"
)

// hears has a node hear others.
func (m *members) hears(t *testing.T, names ...string) {
	for _, name := range names {
		data, err := json.Marshal(Member{Node: name})
		require.NoError(t, err)
		m.heard(&nats.Msg{Data: data})
	}
}

// TestANodeSettlesBeforeItTakesTheClub checks that a node that has just heard a majority, or was stopped and resumed, does not take the
// club over before the owner has had time to be heard.
func TestANodeSettlesBeforeItTakesTheClub(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &Node{config: Config{Node: "one", Peers: []string{"two", "three"}, Log: slog.New(slog.DiscardHandler)}}
		n.members = newMembers(n)
		settles := func() time.Duration {
			in, ok := n.Settles()
			require.True(t, ok)
			return in
		}
		_, ok := n.Settles()
		require.False(t, ok, "it hears nobody")
		n.members.hears(t, "two")
		require.Equal(t, settleTime, settles())
		time.Sleep(time.Second)
		n.members.hears(t, "two", "three")
		require.Equal(t, settleTime-time.Second, settles())
		time.Sleep(settleTime)
		n.members.hears(t, "three")
		n.members.forget(time.Now())
		require.Zero(t, settles(), "two is not heard, but there was a majority all the time")

		time.Sleep(time.Minute) // it was stopped
		n.members.slept(time.Now())
		n.members.forget(time.Now())
		require.Equal(t, settleTime, settles(), "three may still be there")
		time.Sleep(settleTime)
		n.members.forget(time.Now())
		_, ok = n.Settles()
		require.False(t, ok, "three is not")
	})
}
