package load

import (
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshload/attack"
	"boneyard/cmd/sshload/server"
)

func named(t *testing.T, name string) Load {
	t.Helper()
	for _, l := range Loads() {
		if l.Name == name {
			return l
		}
	}
	require.Fail(t, "no such load", name)
	return Load{}
}

func TestLoadsAreValid(t *testing.T) {
	for _, l := range Loads() {
		l.AddFlags(pflag.NewFlagSet("", pflag.ContinueOnError))
		l.complete()
		require.NoError(t, l.Validate(), l.Name)
	}
	for _, a := range attack.Kinds() {
		require.Contains(t, named(t, "soak").Long, a.Name+" ")
		require.Contains(t, named(t, "soak").Long, a.About)
	}
}

func TestBounds(t *testing.T) {
	for what, change := range map[string]func(*Load){
		"too many":            func(l *Load) { l.Watchers = maxClients + 1 },
		"below 0":             func(l *Load) { l.Lobby = -1 },
		"nobody":              func(l *Load) { *l = Load{} },
		"need a table":        func(l *Load) { l.Tables = 0 },
		"for each phase":      func(l *Load) { l.Play = maxPhase + 1 },
		"some time":           func(l *Load) { l.Play = 0 },
		"no attack \"magic\"": func(l *Load) { l.Only = []string{"drip", "magic"} },
		"hostile clients are": func(l *Load) { l.Hostile = maxHostile + 1 },
	} {
		l := named(t, "small")
		change(&l)
		require.ErrorContains(t, l.Validate(), what)
	}
	for what, change := range map[string]func(*Load){
		"more than 0 and at": func(l *Load) { l.Minutes = 61 },
		"at most 60 minutes": func(l *Load) { l.Minutes = 0 },
		"attackers need a":   func(l *Load) { l.Tables = 0 },
		"too many":           func(l *Load) { l.Tables = 20000 },
	} {
		l := named(t, "soak")
		change(&l)
		l.complete()
		require.ErrorContains(t, l.Validate(), what)
	}
	l := named(t, "watch1000")
	l.Watchers = 16000
	require.NoError(t, l.Validate())
	l = named(t, "grown")
	l.Times = 0
	require.ErrorContains(t, l.Validate(), "--times")
}

// A fault makes a soak fail, and is told.
func TestFaultsMissAGoal(t *testing.T) {
	l := named(t, "soak")
	r := newRunner(l)
	r.club = &server.Server{}
	r.soaked()
	r.report.Judge(l.Goals)
	require.NoError(t, r.report.Missed())
	r = newRunner(l)
	r.club = &server.Server{}
	r.fault("nothing", nil)
	for range 2 * faultsTold {
		r.fault("a player", errTest)
	}
	r.soaked()
	r.report.Judge(l.Goals)
	require.ErrorContains(t, r.report.Missed(), "faults that the ordinary met")
	require.Len(t, r.report.Notes, faultsTold)
	require.ErrorIs(t, <-r.failed, errTest)
}

type testError struct{}

func (testError) Error() string { return "for a test" }

var errTest = testError{}
