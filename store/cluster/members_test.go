package cluster

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/raft"
	"github.com/stretchr/testify/require"

	"boneyard/store"
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

// TestWhoCounts checks that nodes outside the log that are heard do not count towards a majority.
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

// TestAFailedChangeIsSaidPlainly checks that operators read what became of the change, in none of Raft's
// words.
func TestAFailedChangeIsSaidPlainly(t *testing.T) {
	for err, says := range map[error]string{
		raft.ErrNotLeader:                    "nothing was changed",
		raft.ErrLeadershipTransferInProgress: "nothing was changed",
		raft.ErrEnqueueTimeout:               "nothing was changed",
		raft.ErrRaftShutdown:                 "nothing was changed",
		raft.ErrLeadershipLost:               "shows whether it was made",
	} {
		require.ErrorContains(t, plain(err), says)
		require.NotContains(t, plain(err).Error(), err.Error())
	}
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

// TestWhatNodesSayKeepsItsForm checks that heartbeats of the previous version are understood and vice versa:
// it ignores additions, and nothing else may change.
func TestWhatNodesSayKeepsItsForm(t *testing.T) {
	const beat = `{"Node":"two","Run":"r","Relay":"b:7400","Hosts":["SHA256:k"],"Next":null,"Kinds":["claim","say"],"Position":7,"Last":9,"Epoch":3,` +
		`"Current":true,"Leaving":false,"Base":"x","Sums":{"Position":0,"Layout":"","Tables":null}}`
	var m Member
	require.NoError(t, json.Unmarshal([]byte(beat), &m))
	again, err := json.Marshal(m)
	require.NoError(t, err)
	require.Equal(t, beat, string(again))

	n := NewPeers(Member{Node: "one", Run: "1", Relay: "a:7400"}, 3, nil, slog.New(slog.DiscardHandler))
	n.Heard([]byte(`{"Node":"two","Run":"r","Relay":"b:7400","Hosts":null,"Next":null,"Kinds":["claim","say"],"Position":20000,"Last":20000,"Epoch":3,` +
		`"Current":true,"Leaving":false,"Base":"x","Digest":{"Position":20000,"Sum":"of members, teams and standings only"}}`))
	members, _ := n.Members()
	require.Len(t, members, 2)
	require.Equal(t, uint64(20000), members[1].Position)
	require.Zero(t, members[1].Digest.Position, "it cannot be compared")

	for form, v := range map[string]any{
		`{"epoch":3,"seq":4,"kind":"say","data":{"text":"hi"}}`: store.Entry{Position: 9, Epoch: 3, Seq: 4, Kind: "say",
			Data: []byte(`{"text":"hi"}`)},

		`{"Do":"remove","Node":"three"}`: Request{Do: "remove", Node: "three"},
		`{"Error":"no","Ask":"b:7400","By":"one","Last":9,"Leader":"b:7400","Nodes":[{"Address":"b:7400","Name":"two","Voter":true,"Owner":true,"Position":7,"Behind":2}]}`: Reply{
			Error: "no", Ask: "b:7400", By: "one", Last: 9, Leader: "b:7400",
			Nodes: []Server{{Address: "b:7400", Name: "two", Voter: true, Owner: true, Position: 7, Behind: 2}}},
		`{"Address":"","Name":"","Voter":false,"Owner":false,"Position":0,"Behind":0,"Compared":{"At":7,"Differs":["games"]}}`: Server{
			Compared: Compared{At: 7, Differs: []string{"games"}}},
	} {
		b, err := json.Marshal(v)
		require.NoError(t, err)
		require.Equal(t, form, string(b))
	}
}

// TestKindsThatOthersKnow upgrades one node before the others: new kinds of entries are usable once the last
// one has been upgraded, even if one is not heard in between.
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

// TestOtherHostKeys starts nodes with equal and different host keys: one that shares them with no other node
// when it starts must end.
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

				hears(Member{Node: "two", Relay: "b:7400", Run: "2", Hosts: []string{"x"}},
					Member{Node: "three", Relay: "c:7400", Run: "2", Hosts: []string{"x"}})
				require.Equal(t, tc.stranger, n.Misfit() != nil, "a node that has begun does not end")
			})
		})
	}
}

// hears makes a node hear others, as by their heartbeats.
func hears(t *testing.T, n *Peers, others ...Member) {
	t.Helper()
	for _, v := range others {
		data, err := json.Marshal(v)
		require.NoError(t, err)
		n.Heard(data)
	}
}

// TestWhoDiffersEnds compares files by their digests: a node ends if its file differs from those of more
// nodes that agree with each other. A difference is remembered until the other node restarts.
func TestWhoDiffersEnds(t *testing.T) {
	digest := func(at uint64, tables ...string) store.Digest { return store.Digest{Position: at, Tables: tables} }
	is := func(node string, d store.Digest) Member { return Member{Node: node, Run: "1", Relay: node, Digest: d} }
	newer := func(d store.Digest) store.Digest {
		d.Layout = "another"
		return d
	}
	wrong := digest(20, "games x", "teams b")
	for name, c := range map[string]struct {
		others  []Member
		told    int
		differs bool
	}{
		"alone":                 {},
		"alike":                 {others: []Member{is("two", digest(20, "games b", "teams b")), is("three", digest(10, "games a", "teams a"))}},
		"nothing in common":     {others: []Member{is("two", digest(30, "c")), is("three", store.Digest{})}},
		"another version":       {others: []Member{is("two", newer(wrong)), is("three", newer(wrong))}},
		"two of three":          {others: []Member{is("two", wrong), is("three", wrong)}, told: 2, differs: true},
		"two, at other entries": {others: []Member{is("two", digest(10, "games x", "teams a")), is("three", wrong)}, told: 2},
		"another is wrong":      {others: []Member{is("two", wrong), is("three", digest(20, "games b", "teams b"))}, told: 1},
		"one against one":       {others: []Member{is("two", wrong)}, told: 1},
		"no two are alike":      {others: []Member{is("two", wrong), is("three", digest(20, "games y", "teams b"))}, told: 2},
	} {
		t.Run(name, func(t *testing.T) {
			var log strings.Builder
			n := NewPeers(is("one", store.Digest{}), 3, nil, slog.New(slog.NewTextHandler(&log, nil)))
			n.SetDigests("", digest(10, "games a", "teams a"))
			hears(t, n, c.others...)
			for range 2 {
				n.SetDigests("", digest(20, "games b", "teams b"))
				hears(t, n, c.others...)
			}
			err := n.Misfit()
			require.Equal(t, c.differs, err != nil)
			if c.differs {
				require.ErrorIs(t, err, store.ErrDiffers)
				require.ErrorContains(t, err, "at entry 20, in: games)")
			}
			require.Equal(t, c.told, strings.Count(log.String(), "tables=games"), log.String())
			n.SetDigests("", digest(30, "c"))
			hears(t, n, is("two", digest(30, "c")), is("three", digest(30, "c")))
			members, _ := n.Members()
			differ := 0
			for _, m := range members {
				if len(m.Compared.Differs) > 0 {
					differ++
					require.Equal(t, []string{"games"}, m.Compared.Differs)
				}
				if m.Node != "one" {
					require.Equal(t, uint64(30), m.Compared.At)
				}
			}
			require.Equal(t, c.told, differ)
			hears(t, n, Member{Node: "two", Run: "2", Relay: "two"}, Member{Node: "three", Run: "2", Relay: "three"})
			members, _ = n.Members()
			for _, m := range members {
				require.Zero(t, m.Compared.At)
				require.Empty(t, m.Compared.Differs)
			}
		})
	}
	n := NewPeers(is("one", store.Digest{}), 3, nil, slog.New(slog.DiscardHandler))
	for i := range uint64(20) {
		n.SetDigests("", digest(30+i, "c"))
	}
	require.Len(t, n.digests, digestsKept)
}

// TestOneBeginning compares the files that nodes had when their log began.
func TestOneBeginning(t *testing.T) {
	for _, c := range []struct {
		own    string
		owner  bool
		others []string
		err    error
	}{
		{own: "v1/a", others: []string{"v1/a", ""}},
		{own: "v1/a", others: []string{"v1/a", "v1/b"}},
		{own: "v1/a", owner: true, others: []string{"v1/b"}},
		{own: "", others: []string{"b", "b"}}, // it followed a log before this was noted
		{own: "v1/b", others: []string{"v1/a"}, err: errOtherClub},
		{own: "v1/b", owner: true, others: []string{"v1/a", "v1/a"}, err: errOtherClub},
		{own: "b", owner: true, others: []string{"a", "a"}, err: errOtherClub},
		{own: "v2/b", others: []string{"v1/a", "v1/a"}, err: errOtherVersion},
		{own: "v1/a", others: []string{"a", "a"}, err: errOtherVersion},
		{own: "v1/b", others: []string{"v2/a", "v1/a"}, err: errOtherClub},
	} {
		n := NewPeers(Member{Node: "one", Relay: "one"}, 3, nil, slog.New(slog.DiscardHandler))
		n.SetDigests(c.own, store.Digest{})
		if c.owner {
			n.own.Epoch = 1
		}
		for i, base := range c.others {
			name := []string{"two", "three"}[i]
			hears(t, n, Member{Node: name, Relay: name, Base: base})
		}
		require.Equal(t, c.err, n.Misfit(), "%+v", c)
	}
}
