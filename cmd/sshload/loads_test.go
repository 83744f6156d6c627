package main

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshload/attack"
)

// TestArenaLoad has some programs play an arena, in which they are paired again and again. It checks no
// times, since the machine may be busy; the exit status follows from the goal.
func TestArenaLoad(t *testing.T) {
	t.Parallel()
	r, err := carryOut(t, "arena", "--players", "20", "--lobby", "10", "--rest", "1s", "--play", "10s", "--pace", "20ms")
	require.Equal(t, r.Missed() == nil, err == nil)
	require.NotEmpty(t, r.Goals)
	require.Positive(t, r.figure("in play", "from free to paired").N, "games end, and others begin")
	require.Positive(t, r.figure("in play", "club").Value)
	_ = r.figure("idle, an arena begins soon", "CPU") // it is there; ten sessions may use nothing within a second
}

// TestCluster puts a small load on three nodes and on a club on one machine, which stands beside.
func TestCluster(t *testing.T) {
	t.Parallel()
	r, err := carryOut(t, "cluster", "--tables", "3", "--watchers", "12", "--play", "3s")
	require.NoError(t, err)
	for _, name := range []string{"moves", "move acknowledged", "key to watchers", "all servers"} {
		require.Positive(t, r.figure("in play", name).Value, "on three nodes")
		require.Positive(t, r.figure("in play", name).Beside, "on one machine")
		require.Positive(t, r.figure("in play", name).Ratio)
	}
	left := r.figure("afterwards", "goroutines left behind")
	require.LessOrEqual(t, left.Value, 0.0)
	require.LessOrEqual(t, left.Beside, 0.0)
	nodes, owners := 0, 0
	for _, f := range r.Figures {
		if f.Part == "in play" && strings.HasPrefix(f.Name, "node ") {
			require.Positive(t, f.Value, f.Name)
			if strings.HasSuffix(f.Name, "memory") {
				nodes++
			} else if strings.HasSuffix(f.Name, "has the club") {
				owners++
			}
		}
	}
	require.Equal(t, []int{3, 1}, []int{nodes, owners})
}

// TestGrown measures a small club in the way a club of many years is measured: every command that the club
// lists, and every page, which must show what it should.
func TestGrown(t *testing.T) {
	t.Parallel()
	r, err := carryOut(t, "grown", "--times", "1", "--games", "60", "--members", "20", "--teams", "6", "--chat", "10")
	require.NoError(t, err)
	count := make(map[string]int)
	for _, f := range r.Figures {
		if f.Unit == "ms" {
			require.Positive(t, f.Value, f.Name)
			count[f.Part]++
		}
	}
	require.Equal(t, 2, count["start"])
	require.Equal(t, 1, count["connecting"])
	require.Equal(t, 3, count["jobs"])
	require.Greater(t, count["pages"], 20)
	require.Greater(t, count["commands, without connecting"], 15)
}

var soakMinutes = flag.Float64("soak.minutes", 1, "how long TestSoak attacks, with hundreds of clients")

// TestSoak attacks the real club in every way there is, while others play, look on and talk.
func TestSoak(t *testing.T) {
	const tables = 50
	r, err := carryOut(t, "soak", "--minutes", fmt.Sprint(*soakMinutes), "--hostile", "300", "--tables", fmt.Sprint(tables))
	require.Equal(t, r.Missed() == nil, err == nil, "the exit status is that of the goals")
	for _, g := range r.Goals {
		if g.Name != "during the attack: move acknowledged" && g.Name != "during the attack: newcomers not in within 3 s" {
			require.True(t, g.Met, g.Name)
		}
	}
	require.Len(t, r.Goals, 10)
	// The clients, the club, the attackers and perhaps other programs share the machine, so how long things
	// took is for whoever runs a soak to judge. Here everybody came in, and at once, as long as the machine
	// was fast enough for nobody to be late.
	during := func(name string) float64 { return r.figure("during the attack", name).Value }
	require.Equal(t, during("newcomers"), during("newcomers, in"))
	if during("newcomers, late") == 0 {
		require.LessOrEqual(t, during("newcomers, calls"), 1.02*during("newcomers")+1, "with the first call")
	}
	// What makes this mean something: they played, came in and were attacked in every way.
	require.Greater(t, r.figure("during the attack", "move acknowledged").N, int64(tables))
	require.Positive(t, r.figure("during the attack", "key to own screen").N)
	require.Positive(t, during("newcomers, in"))
	require.Equal(t, float64(tables+2), r.figure("afterwards", "tables kept").Value)
	for _, k := range attack.Kinds() {
		n := r.figure("attacks", k.Name).Value
		require.Positive(t, n, k.Name)
		away := r.Get("attacks", k.Name+", turned away")
		require.True(t, away == nil || n > away.Value, "%s: not one was let in", k.Name)
	}
	for _, reason := range []string{"penalty", "displaced", "forbidden", "one_only", "not_ssh", "handshake", "auth", "no_session"} {
		require.Positive(t, r.figure("refused by the club during the attack", reason).Value, "nobody was refused for it")
	}
}
