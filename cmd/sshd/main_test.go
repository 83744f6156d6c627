package main

import (
	"cmp"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"boneyard/cmd/sshd/node"
	"boneyard/store/ramdir"
	"boneyard/table"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

// TestMain makes the program a command of test scripts: "exec sshd" runs main in a process of its own. "fastsshd" is the
// same program at tables that do not keep anybody waiting, "tournament" a program that plays with bots.
//
// The runtime's goroutine for signals, which stays once it is there, is there before any test counts goroutines.
func TestMain(m *testing.M) {
	if err := ramdir.Use(); err != nil {
		panic(err)
	}
	// Tests with a server of their own mostly wait for it, so more of them run at once than there are processors.
	if err := flag.Set("test.parallel", "8"); err != nil { // the command line has the last word
		panic(err)
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGWINCH)
	testscript.Main(m, map[string]func(){"sshd": main, programName: main, "fastsshd": fastMain, "tournament": tournamentMain,
		"systemctl": systemctlMain})
}

// fastMain is main with short pauses. It ends with its standard input, so that none outlives the test that started it.
func fastMain() {
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(exitFailed)
	}()
	m := NewMain(os.Stderr)
	hurry(m)
	m.digestEvery = 500
	node.CallsVersion = cmp.Or(atoi(os.Getenv(callsVariable)), node.CallsVersion)
	if file := os.Getenv(clockFile); file != "" {
		began := time.Now()
		m.tables.Now = func() time.Time { return setAhead(aheadIn(file), began) }
	}
	os.Exit(m.run(os.Args[1:], os.Environ(), os.Stdout))
}

// hurry shortens the pauses that a table makes for people's sake, and makes it check more often whether the
// disk works. Time granted to people stays, or is so long that no test uses it up on a busy machine.
func hurry(m *Main) {
	m.tables.Times = table.DefaultTimes()
	m.tables.Times.Countdown = 50 * time.Millisecond
	m.tables.Times.Forced = time.Millisecond
	m.tables.Times.RetryMost = m.tables.Times.Retry
	m.tables.Times.Late, m.tables.Times.Away, m.tables.Times.Empty = time.Hour, time.Hour, time.Hour
	m.tables.Times.Stalled = 10 * time.Second
	m.tables.HumanPause = func(*rand.Rand, int) time.Duration { return time.Millisecond }
}

// One extra goroutine may run for the bots' thinker, unless GOMAXPROCS is set.
func TestProcessors(t *testing.T) {
	require.Equal(t, 2, processors(1, 1))
	require.Equal(t, 3, processors(2, 2))
	require.Equal(t, 2, processors(2, 8))
	require.Equal(t, 9, processors(9, 2))
}
