package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/sys/unix"
)

// limitFiles makes writes beyond a size fail for every file of the process. A negative size means no limit.
func (p *process) limitFiles(t testing.TB, size int64) {
	t.Helper()
	limit := unix.Rlimit{Cur: uint64(size), Max: unix.RLIM_INFINITY}
	if size < 0 {
		limit.Cur = unix.RLIM_INFINITY
	}
	require.NoError(t, unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, &limit, nil))
}

// frozenNotice is what all screens of a table show that cannot be written.
const frozenNotice = "can't save moves"

// TestADiskThatTakesNoMore makes all writes of the server fail in the middle of a game. The table freezes and
// says so, a move that was not written is shown to nobody, and after a kill the table is as everybody has
// seen it. When the disk works again, play goes on by itself.
func TestADiskThatTakesNoMore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server := serveIn(t, dir)
	keys := map[string]gossh.Signer{"ana": member(t, server.Main, "ana"), "ben": member(t, server.Main, "ben")}
	eve := newKey(t)
	register(t, server.Main, eve, "eve", 80, 24).press("\x03")

	ana := startProgram(t, server.Main, keys["ana"], "ana", "play new classic target=60 seats=2 pace=none bots=never --json --bot")
	first, _ := ana.next(0, "state", func(o *object) bool { return o.Type == "state" })
	number := fmt.Sprint(first.Table)
	ben := startProgram(t, server.Main, keys["ben"], "ben", "play "+number+" --json --bot")
	ben.next(0, "a seat", func(o *object) bool { return o.Seat == 2 })
	screen := sit(t, server.Main, eve, "eve", 80, 24, "watch", number)
	ana.send(`{"ready":true}`)
	ben.send(`{"ready":true}`)

	// fail makes the disk refuse writes, and tries a move that nobody must see.
	fail := func() (ofAna, ofBen object) {
		ofAna, ofBen = playSome(ana, ben, 2)
		server.limitFiles(t, 0)
		mover, o, from, fromAna := ana, ofAna, ben.now(), ana.now()
		if ofBen.Duty == "play" {
			mover, o = ben, ofBen
		}
		answer := mover.say("unwritten"+fmt.Sprint(o.Version), fmt.Sprintf(`"play":%q,"arm":%q`, o.Options[0].Play, o.Options[0].Arm))
		require.Equal(t, "error", answer.Type)
		require.Contains(t, answer.Error, frozenNotice)
		frozen := func(o *object) bool { return o.Type == "state" && o.State == "frozen" }
		for p, from := range map[*program]int{ana: fromAna, ben: from} {
			p.next(from, "the freeze", frozen)
			for _, o := range p.since(from) {
				require.NotEqual(t, "move", o.Type, o.line)
				if o.Type == "state" {
					require.Len(t, o.Layout, len(ofAna.Layout), o.line)
				}
			}
		}
		screen.shows(frozenNotice)
		return ofAna, ofBen
	}

	fail()
	server.limitFiles(t, -1)
	screen.until("the game to go on", func(s string) bool { return !strings.Contains(s, frozenNotice) })
	ofAna, ofBen := fail() // after two more moves
	server.kill()
	require.Contains(t, server.log.String(), "a quota is used up", "what may be wrong with the disk")
	require.Equal(t, 2, strings.Count(server.log.String(), "the data file cannot be written"), "as often as the disk was full")

	server = serveIn(t, dir)
	for name, before := range map[string]object{"ana": ofAna, "ben": ofBen} {
		p := startProgram(t, server.Main, keys[name], name, "play "+number+" --json")
		o, _ := p.next(0, "the seat", func(o *object) bool { return o.Type == "state" && o.Seat != 0 })
		now, was := tableState(t, o), tableState(t, before)
		for _, field := range []string{"layout", "hand", "stock", "turn", "scores", "round", "held", "options"} {
			require.Equal(t, was[field], now[field], "%s of %s", field, name)
		}
		if name == "ana" {
			ana = p
		} else {
			ben = p
		}
	}
	playBoth(ana, ben)
	server.terminate(t)
	told(t, dir, "check")
}

// TestAFullDisk puts the data on a file system that fills up, which needs the right to mount one.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mountAlone(t)
	mount(t, "tmpfs", dir, "tmpfs", "size=2m")
	server := serveIn(t, dir)
	ana := newcomer(t, server.Main, "ana", 80, 24)
	makeTable(ana, "classic target=60", now)
	ana.press(" ")
	ana.shows("Round 1")

	// Whatever is left goes to somebody else's file, to the last byte.
	hog := fill(t, dir)
	frozen := func(s string) bool { return strings.Contains(s, frozenNotice) }
	ana.drive("the freeze", step, frozen)
	require.NoError(t, os.Remove(hog))
	ana.until("the game to go on", func(s string) bool { return !frozen(s) })
	playOut(ana)
	export(t, server.Main, ana.deals())
	server.terminate(t)
	told(t, dir, "check")
}
