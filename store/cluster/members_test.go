package cluster

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestANameOfItsOwn starts a node with the name of another: it ends, and the other goes on.
func TestANameOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := Member{Node: "one", Run: "1", Relay: "a:7400"}, Member{Node: "one", Run: "2", Relay: "b:7400"}
		old, twin := NewPeers(first, 3, nil, slog.New(slog.DiscardHandler)), NewPeers(second, 3, nil, slog.New(slog.DiscardHandler))
		beat := func(to *Peers, v Member) {
			data, err := json.Marshal(v)
			require.NoError(t, err)
			to.Heard(data)
		}
		beat(old, Member{Node: "two", Relay: "c:7400"})
		time.Sleep(settleTime)
		beat(old, Member{Node: "two", Relay: "c:7400"})
		for range 2 {
			beat(old, second)
			beat(twin, first)
			time.Sleep(settleTime)
		}
		require.NoError(t, old.Misfit())
		require.ErrorContains(t, twin.Misfit(), "has the name of this one")
	})
}

// TestWhoCounts has nodes be heard that the log does not have: they make no majority.
func TestWhoCounts(t *testing.T) {
	n := NewPeers(Member{Node: "one", Relay: "a:7400"}, 3, nil, slog.New(slog.DiscardHandler))
	hears := func(name, at string) {
		data, err := json.Marshal(Member{Node: name, Relay: at})
		require.NoError(t, err)
		n.Heard(data)
	}
	hears("four", "d:7400")
	require.True(t, n.Majority(), "it is not known whom the log has")
	n.SetVoters([]string{"a:7400", "b:7400", "c:7400"})
	require.False(t, n.Majority())
	hears("two", "b:7400")
	require.True(t, n.Majority())
	members, _ := n.Members()
	require.Len(t, members, 3)
	for _, m := range members {
		require.Equal(t, m.Node != "four", m.Voter, m.Node)
	}
	n.SetVoters([]string{"a:7400", "c:7400", "d:7400"})
	require.True(t, n.Majority())
	require.Equal(t, 3, n.Size())
}

func TestAddressesOfNodes(t *testing.T) {
	config := func(listen string, peers ...string) Config {
		return Config{Name: "home", Node: "one", Listen: listen, Peers: peers, Key: make([]byte, 32)}
	}
	require.NoError(t, config("10.0.0.1:7400", "10.0.0.2:7400", "three.example.org:7400").Validate())
	require.NoError(t, config("127.0.0.1:7400", "127.0.0.1:7401", "127.0.0.1:7402").Validate())
	for _, tc := range []struct {
		says   string
		config Config
	}{
		{"must have a host", config(":7400", "b:7400", "c:7400")},
		{"must have a host", config("0.0.0.0:7400", "b:7400", "c:7400")},
		{"must have a host", config("a:7400", "[::]:7400", "c:7400")},
		{"not two nodes", config("a:7400", "a:7400", "b:7400")},
		{"not two nodes", config("a:7400", "b:7400", "b:7400")},
	} {
		require.ErrorContains(t, tc.config.Validate(), tc.says, "%v", tc.config)
	}
}

// TestKindsThatOthersKnow has a node be upgraded before the others: what they do not know is known to all
// when the last one has been upgraded, also if one is not heard in between.
func TestKindsThatOthersKnow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		n := NewPeers(Member{Node: "one", Kinds: []string{"claim", "new", "say"}}, 3, nil, slog.New(slog.NewTextHandler(&log, nil)))
		hears := func(name, run string, kinds ...string) {
			data, err := json.Marshal(Member{Node: name, Run: run, Relay: name, Kinds: kinds})
			require.NoError(t, err)
			n.Heard(data)
		}
		require.True(t, n.Knows("new"), "nobody is known who does not")
		hears("two", "1", "claim", "say")
		hears("three", "1", "claim", "say")
		hears("three", "1", "claim", "say")
		require.Equal(t, 2, strings.Count(log.String(), "older version"), log.String())
		require.False(t, n.Knows("new"))
		require.True(t, n.Knows("say"))
		hears("two", "2", "claim", "new", "say")
		require.False(t, n.Knows("new"))
		time.Sleep(deadAfter + time.Millisecond)
		n.forget(time.Now())
		require.False(t, n.Knows("new"), "it may come back as it was")
		hears("three", "1", "claim", "say")
		require.False(t, n.Knows("new"))
		hears("three", "2", "claim", "new", "newer", "say")
		require.True(t, n.Knows("new"))
	})
}

// TestOtherHostKeys has nodes with the same host keys and with others come: one that has those of no other
// node when it starts is to end.
func TestOtherHostKeys(t *testing.T) {
	ab, ba, c, none := []string{"a", "b"}, []string{"b", "a"}, []string{"c", "d"}, []string(nil)
	for name, tc := range map[string]struct {
		own, two, three Member
		stranger        bool
		reports         int
	}{
		"the same":                      {Member{Hosts: ab}, Member{Hosts: ba}, Member{Hosts: ab}, false, 0},
		"one has others":                {Member{Hosts: ab}, Member{Hosts: ba}, Member{Hosts: c}, false, 1},
		"all others have others":        {Member{Hosts: c}, Member{Hosts: ab}, Member{Hosts: ab}, true, 2},
		"one key of two":                {Member{Hosts: ab[:1]}, Member{Hosts: ab}, Member{Hosts: ab}, false, 0},
		"one key of two is another":     {Member{Hosts: []string{"a", "x"}}, Member{Hosts: ab}, Member{Hosts: ab}, true, 2},
		"not compared":                  {Member{Hosts: none}, Member{Hosts: ab}, Member{Hosts: c}, false, 0},
		"what the others have next":     {Member{Hosts: c}, Member{Hosts: ab, Next: c}, Member{Hosts: ab, Next: c}, false, 0},
		"what one has, others had next": {Member{Hosts: ab, Next: c}, Member{Hosts: c}, Member{Hosts: c}, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log strings.Builder
				tc.own.Node, tc.two.Node, tc.three.Node = "one", "two", "three"
				tc.own.Relay, tc.two.Relay, tc.three.Relay = "a:7400", "b:7400", "c:7400"
				n := NewPeers(tc.own, 3, nil, slog.New(slog.NewTextHandler(&log, nil)))
				hears := func(others ...Member) {
					for _, v := range others {
						data, err := json.Marshal(v)
						require.NoError(t, err)
						n.Heard(data)
					}
				}
				hears(tc.two, tc.three)
				require.NoError(t, n.Misfit(), "others may still come")
				time.Sleep(settleTime)
				hears(tc.two, tc.three)
				require.Equal(t, tc.stranger, n.Misfit() != nil)
				require.Equal(t, tc.reports, strings.Count(log.String(), "level=ERROR"), log.String())

				hears(Member{Node: "two", Relay: "b:7400", Run: "2", Hosts: []string{"x"}}, Member{Node: "three", Relay: "c:7400", Run: "2", Hosts: []string{"x"}})
				require.Equal(t, tc.stranger, n.Misfit() != nil, "a node that has begun does not end")
			})
		})
	}
}
