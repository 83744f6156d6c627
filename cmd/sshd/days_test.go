package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// clockFile is the variable that names a file with how far the wall clock of the fast program is ahead.
const clockFile = "CLUB_CLOCK_FILE"

// aheadIn reads such a file; an empty one means 0.
func aheadIn(file string) time.Duration {
	b, _ := os.ReadFile(file)
	ahead, _ := time.ParseDuration(string(b))
	return ahead
}

// TestDaysOfAProgram plays the deals of six days in the real program, whose clock is set forward by a day in
// between. It is killed during each deal. Each day has its result, nothing is left behind, and the file is
// sound.
func TestDaysOfAProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	const days = 6 // all games, and one again
	dir := t.TempDir()
	clock := filepath.Join(dir, "clock")
	noon := time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour)
	set := func(day int) {
		ahead := time.Until(noon.AddDate(0, 0, day)).String()
		require.NoError(t, os.WriteFile(clock+".new", []byte(ahead), 0o600))
		require.NoError(t, os.Rename(clock+".new", clock))
	}
	serve := func() *process {
		p := launchBy(t, "env", []string{clockFile + "=" + clock, "fastsshd"}, dir, "--clock-confirm", "0")
		p.opened(t)
		return p
	}
	set(0)
	p := serve()
	ana := member(t, p.Main, "ana")
	first := func(int) string { return "1" }
	for day := range days {
		set(day)
		before := startLine(t, p.Main, ana, "", "")
		before.until(`help for all commands`)
		before.say("daily play")
		before.playDeal(3, first)
		p.kill()
		p = serve()
		after := startLine(t, p.Main, ana, "", "")
		after.until(`help for all commands`)
		after.say("daily play")
		after.playDeal(-1, first)
		rounds, _, _, _ := dealOf(t, p.Main, ana, "ana")
		require.Len(t, rounds, 5, "day %d", day)
		_ = after.sess.Close()
	}
	set(days)
	p.terminate(t)
	p = serve()
	for day := range days {
		said := ask(t, p.Main, ana, "ana", "daily "+noon.AddDate(0, 0, day).Format(time.DateOnly)+" --json")
		require.Contains(t, said, `"over":true`)
		require.Contains(t, said, `"name":"ana"`)
	}
	require.Contains(t, ask(t, p.Main, ana, "ana", "daily --json"), `"streak":6`)
	p.terminate(t)
	told(t, dir, "check")
	require.NotContains(t, strings.ToLower(p.log.String()), "error")
}
