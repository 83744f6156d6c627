package main

import (
	"bytes"
	"fmt"
	mathrand "math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// TestOneTableOverThreeNodes has two players at one table connect to two nodes, and a watcher to the third. The node that runs the club is
// killed in the middle of a game; the game goes on, and its record, from either node left, is valid.
func TestOneTableOverThreeNodes(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	for i := range m.nodes {
		m.start(i)
	}
	m.opens()
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
		state, _ := startProgram(t, at, keys[name], name, command+" --json --bot").next(0, "state", func(o *object) bool { return o.Type == "state" && o.Seat == i+1 })
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

// game is the last one of which a move was shown.
func (s *survivor) game() (last int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at := range s.seen {
		last = max(last, at.Game)
	}
	return last
}

// TestAnOwnerThatEndsHandsTheClubOver shuts the node that runs the club down: people who came by way of another node are told to connect
// again, and find the club on a node that stays.
func TestAnOwnerThatEndsHandsTheClubOver(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	for i := range m.nodes {
		m.start(i)
	}
	m.opens()
	m.whole()
	ends := m.owner
	other := &Main{addr: m.addrs[(ends+1)%3]}
	key := member(t, other, "ana")
	at := sit(t, other, key, "ana", 80, 24)
	at.until("the lobby", inLobby)
	require.NoError(t, m.nodes[ends].cmd.Process.Signal(syscall.SIGTERM))
	m.opens()
	require.NotEqual(t, ends, m.owner)
	var exit *gossh.ExitError
	require.ErrorAs(t, at.leaves(), &exit)
	require.Equal(t, exitAgain, exit.ExitStatus())
	m.nodes[ends].ends(t, exitOK)
	for i := range m.nodes {
		if i != ends {
			sit(t, &Main{addr: m.addrs[i]}, key, "ana", 80, 24).until("the lobby", inLobby)
		}
	}
}
