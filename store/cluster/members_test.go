package cluster

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
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

// TestOneNodeForAName has a second node come with the name of one that is alive: others go on with the first, and the second learns it.
func TestOneNodeForAName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := slog.New(slog.DiscardHandler)
		first, second := Member{Node: "one", Run: "1", Relay: "a:7401", Epoch: 4}, Member{Node: "one", Run: "2", Relay: "b:7401"}
		other := NewPeers(Member{Node: "two", Run: "1"}, 3, nil, log)
		twin := NewPeers(second, 3, nil, log)
		beat := func(to *Peers, v Member) {
			data, err := json.Marshal(v)
			require.NoError(t, err)
			to.Heard(data)
		}
		heard := func() Member {
			members, _ := other.Members()
			require.Len(t, members, 2)
			return members[0]
		}
		tells := func() {
			members, _ := other.Members()
			beat(twin, members[1])
		}
		beat(other, first)
		for range 10 {
			time.Sleep(beatEvery)
			beat(other, first)
			beat(other, second)
			require.Equal(t, first.Run, heard().Run, "the owner must not be lost")
			tells()
		}
		require.ErrorIs(t, twin.Misfit(), ErrTwin)

		time.Sleep(deadAfter + time.Millisecond)
		other.forget(time.Now())
		beat(other, second)
		require.Equal(t, second.Run, heard().Run, "the node has moved to another address")
		tells()
		require.NoError(t, twin.Misfit())

		again := Member{Node: "one", Run: "3", Relay: second.Relay}
		beat(other, again)
		require.Equal(t, again.Run, heard().Run, "the node has been started again")
	})
}

func TestAddressesOfNodes(t *testing.T) {
	config := func(listen string, peers ...string) Config {
		return Config{Name: "home", Node: "one", Listen: listen, Peers: peers, Key: make([]byte, 32)}
	}
	require.NoError(t, config("10.0.0.1:7400", "10.0.0.2:7400", "three.example.org:7400").Validate())
	require.NoError(t, config("127.0.0.1:7400", "127.0.0.1:7402", "127.0.0.1:7404").Validate())
	for _, tc := range []struct {
		says   string
		config Config
	}{
		{"must have a host", config(":7400", "b:7400", "c:7400")},
		{"must have a host", config("0.0.0.0:7400", "b:7400", "c:7400")},
		{"must have a host", config("a:7400", "[::]:7400", "c:7400")},
		{"not two nodes", config("a:7400", "a:7400", "b:7400")},
		{"not two nodes", config("a:7400", "b:7400", "b:7400")},
		{"not two nodes", config("a:7400", "b:7400", "b:7401")},
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
			data, err := json.Marshal(Member{Node: name, Run: run, Kinds: kinds})
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

// TestOtherHostKeys has nodes with the same host keys and with others come: one that has those of no other node when it starts is to end.
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

				hears(Member{Node: "two", Run: "2", Hosts: []string{"x"}}, Member{Node: "three", Run: "2", Hosts: []string{"x"}})
				require.Equal(t, tc.stranger, n.Misfit() != nil, "a node that has begun does not end")
			})
		})
	}
}

// The leadership of the log goes to another node than the owner's, but not to one that hears fewer: whoever
// does not hear the leader calls for elections.
func TestWhoShouldLead(t *testing.T) {
	is := func(name string, position uint64, hears ...string) Member {
		return Member{Node: name, Current: true, Position: position, Hears: hears}
	}
	leaving, behind := is("two", 0, "one", "three"), is("two", 0, "one", "three")
	leaving.Leaving, behind.Current = true, false
	for name, tc := range map[string]struct {
		own, two, three Member
		other, owner    string // who should lead instead of one, if that does not own the club, and if it does
	}{
		"all hear each other":              {is("one", 9, "two", "three"), is("two", 7, "one", "three"), is("three", 8, "one", "two"), "", "three"},
		"the others do not":                {is("one", 9, "two", "three"), is("two", 7, "one"), is("three", 8, "one"), "", ""},
		"one does not hear the third":      {is("one", 9, "two"), is("two", 7, "one", "three"), Member{}, "two", "two"},
		"the third does not hear one":      {is("one", 9, "two", "three"), is("two", 7, "one", "three"), is("three", 8, "two"), "", "two"},
		"two are left":                     {is("one", 9, "two"), is("two", 7, "one"), Member{}, "", "two"},
		"alone":                            {is("one", 9), Member{}, Member{}, "", ""},
		"the other is about to end":        {is("one", 9, "two"), leaving, Member{}, "", ""},
		"the other's replica is not whole": {is("one", 9, "two"), behind, Member{}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			members := slices.DeleteFunc([]Member{tc.own, tc.two, tc.three}, func(m Member) bool { return m.Node == "" })
			other, _ := nextLeader("one", false, members)
			require.Equal(t, tc.other, other)
			owner, _ := nextLeader("one", true, members)
			require.Equal(t, tc.owner, owner)
		})
	}
}

// What NATS says of nodes that it cannot reach is reported in our own words if somebody should look, and only now and then.
func TestUnreachableAddressesAreReported(t *testing.T) {
	for said, want := range map[string]string{
		"Error trying to connect to route (attempt 1): dial tcp 10.0.0.2:7400: i/o timeout":                     "a node does not answer (dial tcp 10.0.0.2:7400: ",
		"Error trying to connect to route (attempt 1): dial tcp 10.0.0.2:7400: connect: no route to host":       "a node does not answer (dial tcp 10.0.0.2:7400: ",
		"Error trying to connect to route (attempt 1): dial tcp 10.0.0.2:7400: connect: network is unreachable": "a node does not answer (dial tcp 10.0.0.2:7400: ",
		"Error trying to connect to route (attempt 1): dial tcp 10.0.0.2:7400: connect: connection refused":     "", // the node does not run
		"Error trying to connect to route (attempt 1): lookup for host \"two\": no such host":                   "cannot be looked up",
	} {
		var log strings.Builder
		l := &natsLogger{log: slog.New(slog.NewTextHandler(&log, nil))}
		l.Errorf("%s", said)
		l.Errorf("%s", said)
		if want == "" {
			require.Empty(t, log.String())
			continue
		}
		require.Equal(t, 1, strings.Count(log.String(), want), log.String())
	}
}
