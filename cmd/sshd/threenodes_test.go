package main

import (
	"bytes"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby"
	"boneyard/ui/screen"
)

// What people read while they wait for a node that runs the club.
const (
	sayMoving  = "The club is moving to another machine: a moment. Nothing is lost."
	sayApart   = "Cut off from the rest of the club since "
	sayCutOff  = "The rest of the club cannot be reached. Nothing is lost, and this goes on by itself."
	cutOff     = "The rest of the club can't be reached. Nothing is lost. Ctrl+C leaves."
	sayNobody  = "The rest of the club cannot be reached from here at the moment. Nothing is lost: please try again in a minute."
	sayGoodbye = "Goodbye. Your seat is kept for you."
)

// TestOneTableOverThreeNodes has two players at one table connect to two nodes, and a watcher to the third. The node that runs the club is
// killed in the middle of a game; the game goes on, and its record, from either node left, is valid.
func TestOneTableOverThreeNodes(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	m.startAll()
	dies := m.owner
	calls := map[string]int{"ana": (dies + 1) % 3, "ben": dies, "watcher": (dies + 2) % 3}
	keys := make(map[string]gossh.Signer)
	var number int64
	for i, name := range []string{"ana", "ben"} {
		at := &Main{addr: m.addrs[calls[name]]}
		keys[name] = member(t, at, name)
		command := "play new azneef target=60 seats=2 bots=never pace=none"
		if i > 0 {
			command = "play " + strconv.FormatInt(number, 10)
		}
		state, _ := startProgram(t, at, keys[name], name, command+" --json --bot").next(0, "state",
			func(o *object) bool { return o.Type == "state" && o.Seat == i+1 })
		number = state.Table
	}
	all := team(nil, number, mathrand.New(mathrand.NewPCG(1, 2)), keys)
	var living sync.WaitGroup
	for _, s := range all {
		s.world = newWorld() // each goes where the others do not
		living.Go(s.live)
	}
	// each waits until everybody at the table has done something, reconnecting those who are disconnected.
	each := func(what string, has func(s *survivor) bool) {
		t.Helper()
		for began := time.Now(); ; {
			done := true
			for i, s := range all {
				node := m.addrs[[]int{calls["ana"], calls["ben"], calls["watcher"]}[i]]
				s.world.move(&net.TCPAddr{IP: node.IP, Port: node.Port})
				done = s.world.until(callAgain, func() bool { return has(s) }) && done
			}
			if done {
				return
			}
			require.Less(t, time.Since(began), patience, "%s\n%s", what, describe(all))
		}
	}
	saw := func(s *survivor) int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.seen)
	}
	each("nobody plays", func(s *survivor) bool { return saw(s) >= 10 && (s.key == nil || s.answers() >= 5) })
	m.nodes[dies].kill()
	before := make(map[*survivor][2]int)
	for _, s := range all {
		before[s] = [2]int{saw(s), s.answers()}
	}
	game := all[0].game()
	m.opens()
	require.NotEqual(t, dies, m.owner)
	calls["ben"] = calls["watcher"]
	each("the game does not go on", func(s *survivor) bool {
		return saw(s) >= before[s][0]+10 && (s.key == nil || s.answers() >= before[s][1]+5)
	})
	each("the game does not end", func(s *survivor) bool { return s.game() > game })
	for _, node := range []int{calls["ana"], calls["watcher"]} {
		record := ask(t, &Main{addr: m.addrs[node]}, keys["ana"], "ana", fmt.Sprint("export ", game))
		file := filepath.Join(t.TempDir(), "game.dom")
		require.NoError(t, os.WriteFile(file, []byte(record), 0o600))
		var out bytes.Buffer
		require.Equal(t, exitOK, run([]string{"verify", file}, nil, &out, &out), "%s\n%s", out.String(), record)
	}
	for _, s := range all {
		s.world.move(nil)
	}
	for _, p := range m.nodes {
		p.kill()
	}
	for _, s := range all {
		s.world.end()
	}
	living.Wait()
	sure, shown := journalIn(t, m.folder(m.owner)).compare(t, all)
	t.Logf("%d orders acknowledged, %d moves shown", sure, shown)
}

// game is the last game of which a move was shown.
func (s *survivor) game() (last int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at := range s.seen {
		last = max(last, at.Game)
	}
	return last
}

// at is a node, for those who dial.
func (m *machines) at(i int) *Main { return &Main{addr: m.addrs[i]} }

// has reports whether a text ever came to a terminal.
func (c *terminal) has(text string) bool { return bytes.Contains(c.bytes(), []byte(text)) }

// moved waits until a session goes on at another node and shows texts as before, without a key pressed.
func (c *terminal) moved(texts ...string) {
	c.t.Helper()
	c.until(fmt.Sprintf("the club at another node, and %q", texts), func(s string) bool {
		for _, text := range texts {
			if !strings.Contains(s, text) {
				return false
			}
		}
		return c.has(screen.Renew) && !strings.Contains(s, sayMoving)
	})
}

// TestClusterSessionsOutliveTheOwner has people at two nodes play at a table, watch it on screens and in line mode,
// and make another one, while the third node runs the club and ends. Nobody is disconnected: each goes on
// where they were without pressing a key, and the game, in which one player is a guest, is played to its end
// by both.
func TestClusterSessionsOutliveTheOwner(t *testing.T) {
	faults(t)
	t.Parallel()
	for name, signal := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "ended": syscall.SIGTERM, "stopped": syscall.SIGSTOP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachines(t)
			m.startAll()
			m.whole()
			ends := m.owner
			one, other := m.at((ends+1)%3), m.at((ends+2)%3)
			ana := newcomer(t, one, "ana", 80, 24)
			ben := sit(t, other, nil, "ben", 120, 40)
			ben.until("the lobby, as a guest", inLobby)
			number := makeTable(ana, "classic target=30", never)
			ben.join(number)
			eve := sit(t, other, nil, "eve", 120, 40, "watch", number)
			eve.shows("Table " + number)
			lou := startLine(t, one, nil, "", "")
			lou.until("help for all commands")
			lou.say("watch " + number)
			lou.until("Table " + number)
			cat := startLine(t, one, member(t, one, "cat"), "dumb", "play new azneef seats=2 bots=never")
			cat.until("Seat 1: cat, you")
			ana.press(" ")
			ben.press(" ")
			for _, p := range []*terminal{ana, ben, eve} {
				p.shows("Round 1")
			}
			lou.until("Game [0-9]+ begins")

			began := time.Now()
			require.NoError(t, m.nodes[ends].cmd.Process.Signal(signal))
			m.opens()
			require.NotEqual(t, ends, m.owner)
			for _, p := range []*terminal{ana, ben, eve} {
				p.moved("Table "+number, "Round 1")
			}
			t.Logf("the screens go on after %.1f s", time.Since(began).Seconds())
			told := ""
			if signal == syscall.SIGKILL { // else there may be another node at once, or before the first is left
				told = regexp.QuoteMeta(sayMoving) + ".* "
				require.True(t, ana.has(sayMoving) && ben.has(sayMoving) && eve.has(sayMoving))
			}
			lou.until(told + "You are .* Table " + number)
			cat.until(told + "You are cat.* Seat 1: cat, you")
			if signal == syscall.SIGTERM {
				m.nodes[ends].ends(t, exitOK)
			}

			playOut(ana, ben)
			require.Contains(t, export(t, one, ana.see()), "guest-")
			require.NotContains(t, export(t, one, ana.see()), "a bot plays on")
			eve.shows("Again")
			lou.until("wins the game")
			require.NotContains(t, lou.all.String()+cat.all.String(), "\x1b", "no escape sequences in line mode")
			tables := ask(t, one, nil, "eve", "tables")
			require.Len(t, regexp.MustCompile(`(?m)^ +\d+ `).FindAllString(tables, -1), 2, "a table is made once:\n%s", tables)
			for _, node := range []*Main{one, other} {
				export(t, node, ana.see())
			}
			cat.say("quit")
			require.NoError(t, cat.sess.Wait())
			for _, p := range []*terminal{ana, ben, eve} {
				p.press("\x03")
				require.NoError(t, p.leaves())
				require.Equal(t, 1, bytes.Count(p.bytes(), []byte("\x1b[?1049l")), "the terminal is restored once")
				require.Equal(t, bytes.Count(p.bytes(), []byte("\x1b[22;2t")), bytes.Count(p.bytes(), []byte("\x1b[23;2t")), "and its title")
			}
		})
	}
}

// TestClusterWhileNobodyRunsTheClub leaves one of three nodes: people in the club wait, leave, or go on when
// another node is back; new callers are told to try again.
func TestClusterWhileNobodyRunsTheClub(t *testing.T) {
	m := wholeClub(t)
	first, left, second := m.owner, (m.owner+1)%3, (m.owner+2)%3
	here := m.at(left)
	waits := newcomer(t, here, "ana", 80, 24)
	leaves := newcomer(t, here, "ben", 120, 40)
	hears := startLine(t, here, nil, "dumb", "")
	hears.until("help for all commands")
	quits := startLine(t, here, nil, "", "")
	quits.until("help for all commands")
	m.nodes[first].kill()
	m.nodes[second].kill()

	waits.shows(cutOff)
	leaves.shows(cutOff)
	hears.until(regexp.QuoteMeta(sayCutOff))
	leaves.press("xyz\x03")
	require.NoError(t, leaves.leaves())
	require.Contains(t, leaves.see(), sayGoodbye)
	require.True(t, leaves.has("\x1b[?1049l"))
	require.NoError(t, quits.in.Close())
	require.Equal(t, gate.ExitAgain, exitStatus(t, quits.sess.Wait()))

	status, _, errs := answer(t, here, nil, "eve", "tables", false)
	require.Equal(t, gate.ExitAgain, status)
	require.Equal(t, sayNobody+"\n", errs)
	status, out, errs := answer(t, here, nil, "eve", "whois ana", false) // this node has her account on its disk
	require.Equal(t, exitOK, status, errs)
	require.Contains(t, out, "ana")
	require.Regexp(t, `^The rest of the club cannot be reached\. This machine last heard of a change on 20..-..-.. at ..:..:.. UTC; this is how things were then\.\n$`, errs)
	status, _, errs = answer(t, here, nil, "eve", "show 99", false)
	require.Equal(t, exitFailed, status, errs)

	m.start(second)
	m.opens()
	waits.until("the lobby", func(s string) bool { return inLobby(s) && !strings.Contains(s, cutOff) })
	hears.until("help for all commands")
	hears.say("quit")
	require.NoError(t, hears.sess.Wait())
}

// TestClusterOwnerAlone stops both other nodes: people at the one that runs the club soon read that it is cut
// off, wherever they are, even about requests made before it noticed, and cannot change anything until
// another node goes on.
func TestClusterOwnerAlone(t *testing.T) {
	m := wholeClub(t)
	here := m.at(m.owner)
	ana := newcomer(t, here, "ana", 80, 24)
	ben := sit(t, here, nil, "ben", 120, 40)
	ben.until("the lobby, as a guest", inLobby)
	number := makeTable(ana, "classic target=30", never)
	eve := sit(t, here, nil, "eve", 80, 24, "watch", number)
	eve.shows("Table " + number)
	lou := startLine(t, here, nil, "", "")
	lou.until("help for all commands")
	for i := range m.nodes {
		if i != m.owner {
			require.NoError(t, m.nodes[i].cmd.Process.Signal(syscall.SIGSTOP))
		}
	}
	began := time.Now()
	lou.say("say anybody there?")
	for _, p := range []*terminal{ana, ben, eve} {
		p.shows(sayApart, "UTC. Nothing is lost.")
	}
	t.Logf("the screens say so after %.1f s", time.Since(began).Seconds())
	lou.until(regexp.QuoteMeta(lobby.ErrUnsure.Error()) + "|" + regexp.QuoteMeta(lobby.ErrApart.Error()) +
		"|says: anybody there") // a node may have confirmed it just before it stopped
	t.Logf("an answer after %.1f s", time.Since(began).Seconds())
	lou.say("say hello?")
	lou.until(regexp.QuoteMeta(lobby.ErrApart.Error()))
	require.Contains(t, lou.all.String(), sayApart)
	ana.press(" ")
	ana.shows("The server can't save moves right now")

	require.NoError(t, m.nodes[(m.owner+1)%3].cmd.Process.Signal(syscall.SIGCONT))
	for _, p := range []*terminal{ana, ben, eve} {
		p.gone(sayApart)
	}
	ben.join(number)
	ana.press(" ")
	ben.press(" ")
	for _, p := range []*terminal{ana, ben, eve} {
		p.shows("Round 1")
	}
}

// TestClusterCommandIsCutOff kills the node that runs the club while it answers a command through another
// node: the command fails, and says why.
func TestClusterCommandIsCutOff(t *testing.T) {
	m := wholeClub(t)
	other := m.at((m.owner + 1) % 3)
	p := startProgram(t, other, member(t, other, "ana"), "ana", "play new azneef seats=2 bots=never --json --bot")
	p.next(0, "state", func(o *object) bool { return o.Type == "state" && o.Seat == 1 })
	var said syncBuffer
	sess, err := dial(t, other, nil, "eve").NewSession()
	require.NoError(t, err)
	sess.Stderr = &said
	out, err := sess.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, sess.Start("watch 1 --json"))
	_, err = io.ReadFull(out, make([]byte, 1))
	require.NoError(t, err)
	m.nodes[m.owner].kill()
	_, _ = io.Copy(io.Discard, out)
	require.Equal(t, gate.ExitAgain, exitStatus(t, sess.Wait()))
	require.Contains(t, said.String(), "your command was cut off")
}

// TestClusterOwnerHandsTheClubOver shuts nodes down one after the other: people at the node that ends are
// told to reconnect, with the status that says so, and find the club on a node that stays.
func TestClusterOwnerHandsTheClubOver(t *testing.T) {
	m := wholeClub(t)
	key := member(t, m.at(0), "ana")
	for _, owns := range []bool{true, false} {
		ends := m.owner
		if !owns {
			ends = (m.owner + 1) % 3
		}
		at := sit(t, m.at(ends), key, "ana", 80, 24)
		at.until("the lobby", inLobby)
		require.NoError(t, m.nodes[ends].cmd.Process.Signal(syscall.SIGTERM))
		if owns {
			m.opens()
			require.NotEqual(t, ends, m.owner)
		}
		require.Equal(t, gate.ExitAgain, exitStatus(t, at.leaves()))
		require.Contains(t, at.see(), "The server is going down")
		m.nodes[ends].ends(t, exitOK)
		for i := range m.nodes {
			if i != ends {
				sit(t, m.at(i), key, "ana", 80, 24).until("the lobby", inLobby)
			}
		}
		m.start(ends)
		m.whole()
	}
}
