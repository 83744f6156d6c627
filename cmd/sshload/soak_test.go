package main

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshload/attack"
	"boneyard/cmd/sshload/figures"
	"boneyard/cmd/sshload/soak"
)

var soakMinutes = flag.Float64("soak.minutes", 0.12, "how long TestSoak attacks; from 1 on with hundreds of clients, fewer otherwise")

// TestSoak attacks the real club in every way there is, while others play, look on and talk.
func TestSoak(t *testing.T) {
	hostile, tables := 2*len(attack.Kinds()), 10
	whole := *soakMinutes >= 1
	if whole {
		hostile, tables = 300, 50
	} else {
		t.Parallel()
	}
	r, err := carryOut[soak.Report](t, "soak",
		"--minutes", fmt.Sprint(*soakMinutes), "--hostile", fmt.Sprint(hostile), "--tables", fmt.Sprint(tables))
	for _, g := range r.Goals {
		if g.Name != soak.GoalAck && g.Name != soak.GoalLate {
			require.True(t, g.Met, g.Name)
		}
	}
	require.Equal(t, err == nil, !slices.ContainsFunc(r.Goals, func(g figures.Goal) bool { return !g.Met }), "the exit status is that of the goals")
	// The clients, the club, the attackers and perhaps other programs share the machine, so how long things took is for whoever runs a
	// soak to judge. Here everybody came in, and at once, as long as the machine was fast enough for nobody to be late.
	require.Equal(t, r.Newcomers.N, r.Newcomers.In)
	if r.Newcomers.Late == 0 {
		require.LessOrEqual(t, r.Newcomers.Calls, r.Newcomers.N+r.Newcomers.N/50+1, "with the first call")
	}
	// What makes this mean something: they played, came in and were attacked in every way.
	require.Greater(t, r.Ordinary, 4*tables)
	require.Greater(t, r.Ack.N, int64(tables))
	require.Positive(t, r.Keys.N)
	require.Positive(t, r.Newcomers.In)
	require.Equal(t, tables+soak.OpenTables, r.Kept)
	require.Len(t, r.Attacks, len(attack.Kinds()))
	for _, a := range r.Attacks {
		require.Positive(t, a.N, a.Kind)
		require.True(t, !whole || a.N > a.Refused, "%s: not one was let in", a.Kind)
	}
	for _, reason := range []string{"penalty", "source", "forbidden", "one_only", "not_ssh", "handshake", "auth", "no_session"} {
		require.True(t, !whole || r.Refused[reason] > 0, "nobody was refused for %s", reason)
	}
}
