// Package plaintest helps tests that try random commands: it makes them of words that mean something somewhere in the club, and picks
// the seeds. It must not know what any command does.
package plaintest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"boneyard/lobby/text/texttest"
)

var (
	long    = flag.Bool("anything.long", false, "try many more commands, different ones each time")
	oneSeed = flag.Uint64("anything.seed", 0, "run only this seed, to repeat a failure")
)

// Seeds runs a test for three fixed seeds, for twenty random ones with -anything.long, or for the one given with -anything.seed.
func Seeds(t *testing.T, steps int, run func(t *testing.T, seed uint64, steps int)) {
	const longRun = 15 // how many times as many steps a run takes with -anything.long
	seeds := []uint64{1, 2, 3}
	if *long {
		seeds, steps = nil, steps*longRun
		for range 20 {
			seeds = append(seeds, rand.Uint64())
		}
	}
	if *oneSeed != 0 {
		seeds = []uint64{*oneSeed}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { run(t, seed, steps) })
	}
}

// Repeat is the command that repeats a test of a package with a seed.
func Repeat(t *testing.T, pkg string, seed uint64) string {
	name, _, _ := strings.Cut(t.Name(), "/")
	return fmt.Sprintf("go test %s -run %s -anything.seed=%d", pkg, name, seed)
}

// words are what commands are followed by: numbers of tables, games and events, names, what is done with them, and nonsense.
var words = strings.Fields(`1 1 1 2 2 3 4 5 0 -1 +1 007 1e3 99999999999999999999 9223372036854775807 -9223372036854775808
	ana ben cleo nobody house AAA BBB [AAA] The K7QX-AAAA game table best play month new 2000-01-01 2000-01-02 1999-13-41 0000-00 9999-99-99
	enter leave with start A b join propose accept lineup anybody nothing off 2000-01-01T20:00 2000-01-01T02:00Z in=1h in=-1h in=999999h
	for=20m at=2000-01-01T01:00 name=Winter name= teams=AAA,BBB battle pairs=on wins=1 wins=99 first=1
	seats=2 seats=4 seats=0 bots=now bots=never target=25 target=-1 target=99999999999 pace=fast pace=none pace=slow access=code
	teams=AAA:BBB absence=bot classic azneef block sniff spruce players pairs teams mine open all easy hard theme dark line on bell
	6-6 66 64l 0-0 1 left L 7U claim adjourn bot no
	/who /tell /close /mute /kick /ban /ignore /whois ' --json --limit --limit=1 --before=2 --bot --help -- - -x`)

// Command is the name of a command, one of those given, and some words behind it. Most commands want a small number, if any.
func Command(rng *rand.Rand, names []string) []string {
	all := []string{names[rng.IntN(len(names))]}
	for range []int{0, 0, 1, 1, 1, 2, 2, 3, 4}[rng.IntN(9)] {
		switch n := rng.IntN(60); {
		case n == 0:
			hostile := texttest.Hostile()
			all = append(all, hostile[rng.IntN(len(hostile))].Text)
		case n < 30 && len(all) == 1:
			all = append(all, strconv.Itoa(1+rng.IntN(4)))
		default:
			all = append(all, words[rng.IntN(len(words))])
		}
	}
	if rng.IntN(4) == 0 {
		all = append(all, "--json")
	}
	return all
}
